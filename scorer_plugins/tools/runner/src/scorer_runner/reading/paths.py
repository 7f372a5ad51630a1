"""Where a value stands inside a row: `retrieval.chunks[].text`, `choices[0].message`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from .cells import literal

EACH: Final = None  # `[]`: each item of a list
ONLY: Final = "*"  # the value of a mapping that has one key
Step: TypeAlias = str | int | None
_NOTHING: Final = object()
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d*)\]")


@lru_cache(maxsize=256)
def steps_of(path: str) -> tuple[Step, ...]:
    """The steps of a path: names, numbers from 0, EACH; what is not written as one is a single name."""
    steps: list[Step] = []
    at = 0
    while at < len(path) and (found := _STEP.match(path, at)):
        name, index = found.groups()
        steps.append(name if name is not None else int(index) if index else EACH)
        at = found.end()
    return tuple(steps) if at == len(path) else (path,)


def shown(steps: Sequence[Step]) -> str:
    """Steps as a path is written."""
    told = (f".{s}" if isinstance(s, str) else "[]" if s is EACH else f"[{s}]" for s in steps)
    return "".join(told).removeprefix(".")


def value_at(given: Mapping[str, Any], path: str) -> Any:
    """The value at a path; a column of that very name goes first. None where there is none."""
    return given[path] if path in given else walked(given, steps_of(path))


def walked(value: Any, steps: Sequence[Step]) -> Any:
    """The value that steps lead to; a text on the way is read as the list or mapping that it writes."""
    if not steps:
        return value
    value = literal(value) if isinstance(value, str) else value
    step, rest = steps[0], steps[1:]
    if isinstance(value, Mapping):
        if step == ONLY and ONLY not in value:
            return walked(next(iter(value.values())), rest) if len(value) == 1 else None
        return walked(value[step], rest) if step in value else None
    if not isinstance(value, list):
        return None
    if step is EACH:
        many = [walked(item, rest) for item in value]
        return [inner for one in many for inner in one or ()] if EACH in rest else many
    return walked(value[step], rest) if isinstance(step, int) and step < len(value) else None


def column_of(given: Mapping[str, Any], path: str) -> str:
    """The column that a path begins with."""
    return path if path in given else str(steps_of(path)[0])


def without(given: Mapping[str, Any], paths: Iterable[str]) -> Mapping[str, Any]:
    """`given` less what stands at the paths; what is empty then goes as well."""
    left = _less(given, [(path,) if path in given else steps_of(path) for path in paths])
    return {} if left is _NOTHING else left


def _less(value: Any, taken: Sequence[Sequence[Step]]) -> Any:
    """What is left of a value of which is taken what these steps lead to; a text is the list or mapping it writes."""
    if not taken or () in taken:
        return _NOTHING if taken else value
    read = literal(value) if isinstance(value, str) else value
    if not isinstance(read, (Mapping, list)):
        return value
    items = dict(read) if isinstance(read, Mapping) else dict(enumerate(read))
    left = {n: _less(one, [steps[1:] for steps in taken if _leads(steps[0], n, read)]) for n, one in items.items()}
    if items and all(left[n] is one for n, one in items.items()):
        return value
    kept = {n: one for n, one in left.items() if one is not _NOTHING}
    return _NOTHING if not kept else kept if isinstance(read, Mapping) else [*kept.values()]


def _leads(step: Step, n: Any, within: Mapping[str, Any] | list[Any]) -> bool:
    if isinstance(within, list):
        return step is EACH or step == n
    return step == n or (step == ONLY and ONLY not in within and len(within) == 1)
