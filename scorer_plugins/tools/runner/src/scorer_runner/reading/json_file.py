"""A JSON file: a list of objects, or lists within objects; of its values one item is held at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from scorer_core import UsageError

from .json_lines import DECODER, around, unfit
from .paths import EACH, Step, shown, steps_of
from .records import Reader

_SPACE = re.compile(r"[ \t\n\r]*")


def rows_path(path: str) -> tuple[Step, ...]:
    """The steps of `--rows-at`: names and `[]`, the last of which may be left out.

    Raises:
        UsageError: it has others.
    """
    steps = steps_of(path)
    if any(isinstance(step, int) for step in steps) or "*" in steps:
        raise UsageError(f"--rows-at {path}: expected names and [] alone, as in data[].paragraphs[].qas[]")
    return steps if steps[-1] is EACH else (*steps, EACH)


def json_rows(file: str, text: str, at: Sequence[Step]) -> Reader:
    """A record an object of the list at `at`, with the fields of the objects around it; () is where the one list is.

    Raises:
        UsageError: the text is no JSON, or there is no such list.
    """
    if not text.strip():
        return
    try:
        start, within = _begin(file, text, at)
        line, counted = 1, 0
        for place, item in _items(text, start):
            line, counted = line + text.count("\n", counted, place), place
            for row in _rows_within(item, within, {}):
                yield line, row, unfit(row)
    except json.JSONDecodeError as e:
        whole = text.split("\n", e.lineno)[e.lineno - 1]
        hint = "; is it an object a line? then name it .jsonl" if e.msg == "Extra data" else ""
        raise UsageError(
            f"{file}, line {e.lineno}, column {e.colno}: not JSON ({e.msg}): {around(whole, e.colno - 1)}{hint}"
        ) from e
    except UsageError:
        raise
    except (ValueError, RecursionError) as e:
        raise UsageError(f"{file}: not JSON: {e}") from e


def _begin(file: str, text: str, at: Sequence[Step]) -> tuple[int, Sequence[Step]]:
    """Where the outermost list of rows begins in a text that is JSON as a whole, and the steps from its items on."""
    top = _skip(text, 0)
    lists = dict(_lists(text, top))
    if at:
        outer = tuple(at)[: list(at).index(EACH)]
        if outer in lists:
            return lists[outer][0], at[len(outer) + 1 :]
        have = ", ".join(shown(path) or "[]" for path in lists) or "none"
        raise UsageError(f"{file}: no list at --rows-at {shown(at)} (lists: {have})")
    found = [path for path, (_, of_objects) in lists.items() if of_objects or not path]
    if len(found) == 1:
        return lists[found[0]][0], ()
    what = "several lists of objects" if found else "no list of objects"
    named = f"; tell which one holds the rows: --rows-at {shown(found[0])}" if found else "; rows are [{...}, {...}]"
    raise UsageError(f"{file} holds {what} ({', '.join(map(shown, found)) or short_kind(text[top : top + 1])}){named}")


def short_kind(begin: str) -> str:
    """What a JSON text holds, by its first character."""
    return {"{": "a single object", '"': "a text"}.get(begin, "a single value")


def _lists(text: str, at: int) -> Iterator[tuple[tuple[Step, ...], tuple[int, bool]]]:
    """The lists that no list is around: by path, where each begins, and whether its first item is an object."""
    end = yield from _lists_from(text, at, ())
    if _skip(text, end) < len(text):
        raise json.JSONDecodeError("Extra data", text, _skip(text, end))


def _lists_from(text: str, at: int, path: tuple[Step, ...]) -> Generator[Any, None, int]:
    if text[at : at + 1] == "[":
        items = _items(text, at)
        first = None
        while True:
            try:
                _, item = next(items)
            except StopIteration as e:
                yield path, (at, isinstance(first, Mapping))
                return int(e.value)
            first = item if first is None else first
    if text[at : at + 1] != "{":
        return DECODER.raw_decode(text, at)[1]
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        name, at = DECODER.raw_decode(text, at) if text[at : at + 1] == '"' else _refuse(text, at)
        at = _skip(text, at)
        at = _skip(text, at + 1) if text[at : at + 1] == ":" else _refuse(text, at)
        at = _skip(text, (yield from _lists_from(text, at, (*path, name))))
        at = _after(text, at, "}")
    return at + 1


def _items(text: str, at: int) -> Generator[tuple[int, Any], None, int]:
    """The items of the list that begins at `at`, each with where it begins; gives back where the list ends."""
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item, end = DECODER.raw_decode(text, at)
        yield at, item
        at = _after(text, _skip(text, end), "]")
    return at + 1


def _after(text: str, at: int, closing: str) -> int:
    """Where the next item begins, or the closing bracket is."""
    if text[at : at + 1] == closing:
        return at
    if text[at : at + 1] != ",":
        raise json.JSONDecodeError(f"expected ',' or '{closing}'", text, at)
    after = _skip(text, at + 1)
    if text[after : after + 1] == closing:
        raise json.JSONDecodeError(f"a comma stands before '{closing}'", text, at)
    return after


def _refuse(text: str, at: int) -> Any:
    raise json.JSONDecodeError("expected a name in double quotes and ':'", text, at)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _rows_within(item: Any, steps: Sequence[Step], above: Mapping[str, Any]) -> Iterator[Any]:
    """The rows in an item of a list, with what stands around them; a name that comes again is that of the inner."""
    if not isinstance(item, Mapping) or not steps:
        yield {**above, **item} if above and isinstance(item, Mapping) else item
        return
    name, rest = steps[0], steps[1:]
    around_it = {**above, **{k: v for k, v in item.items() if k != name}}
    inner = item.get(str(name))
    if rest[:1] == (EACH,):
        for one in inner if isinstance(inner, list) else ():
            yield from _rows_within(one, rest[1:], around_it)
    elif isinstance(inner, Mapping):
        yield from _rows_within(inner, rest, around_it)
