"""Steps, as they were taken and as they are expected: whether one is the other, and which are which.

Values are held against each other as values: the order of keys makes no difference, nor does `1.0` for `1`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from scorer_core.contract.plain import as_text

Ordering: TypeAlias = Literal["relaxed", "strict", "unordered"]
MOST_SHOWN = 500  # characters of the arguments of a step, and of its result


@frozen(kw_only=True)
class TakenStep:
    """A step that was taken, or as the outermost one the whole way; as text an indented line for each step.

    Args:
        name: The name of the tool, or of the step.
        kind: "tool_call", "workflow_step", "model_generation", ... of a whole way "trajectory", or "text" where nothing
            tells of steps.
        told: What else is known of it: `args`, `result`, `duration_ms`, and what its kind tells.
        failed: Whether it is known to have gone wrong.
        children: The steps within it, in order.
    """

    name: str
    kind: str = "tool_call"
    told: Mapping[str, Any] = field(factory=dict)
    failed: bool = False
    children: tuple[TakenStep, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the steps within it."""
        return [step.name for step in self.children]

    @property
    def tokens(self) -> float | None:
        """The tokens that it took, with all steps within it; None where nothing tells of any."""
        own = [self.told[name] for name in ("prompt_tokens", "completion_tokens") if name in self.told]
        counts = [*own, *(count for step in self.children if (count := step.tokens) is not None)]
        return sum(counts) if counts else None

    def repeats(self, other: TakenStep) -> bool:
        """Whether it is the same call as another: that of the same tool, with the same arguments."""
        return self.name == other.name and same(self.told.get("args"), other.told.get("args"))

    @property
    def call(self) -> str:
        """The name, with the arguments where there are any."""
        return _called(self.name, self.told)

    def __str__(self) -> str:
        """The step with its result, and indented below it the steps within."""
        kind = "" if self.kind == "tool_call" else f"{self.kind} "
        result = f" -> {_cut(self.told['result'])}" if "result" in self.told else ""
        within = [line for step in self.children for line in str(step).split("\n")]
        return "\n  ".join([f"{kind}{self.call}{result}{' (failed)' if self.failed else ''}", *within])


@frozen(kw_only=True)
class ExpectedStep:
    """A step that is expected: what it leaves open may be anything.

    Args:
        name: The name of the tool, or of the step.
        kind: As of `TakenStep`; None for any.
        told: What else must be so: `args` as a whole, `result`, ...
        within: What is expected of the steps within it: a mapping as `expected_of` gives it.
    """

    name: str
    kind: str | None = None
    told: Mapping[str, Any] = field(factory=dict)
    within: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        """The name, with the arguments where some are expected."""
        return _called(self.name, self.told)

    def fits(self, step: TakenStep) -> bool:
        """Whether `step` is what is expected."""
        kind = self.kind in (None, step.kind)
        return kind and self.name == step.name and all(same(v, step.told.get(k)) for k, v in self.told.items())


@frozen
class AnyOf:
    """Any of these values is right; `""` among them says that it may be left out."""

    values: tuple[Any, ...]


def same(expected: Any, taken: Any) -> bool:
    """Whether `taken` is the value that is expected: mappings and lists by what is in them, `1.0` as `1`.

    Where several values of an argument are right, as in `expected_steps`, one of them will do.
    """
    if isinstance(expected, AnyOf):
        return any(same(v, taken) for v in expected.values)
    if isinstance(expected, Mapping) and isinstance(taken, Mapping):
        missing = [v for k, v in expected.items() if k not in taken]
        optional = all(isinstance(v, AnyOf) and "" in v.values for v in missing)
        return optional and all(k in expected and same(expected[k], v) for k, v in taken.items())
    if isinstance(expected, (list, tuple)) and isinstance(taken, (list, tuple)):
        return len(expected) == len(taken) and all(map(same, expected, taken))
    return bool(expected == taken and isinstance(expected, bool) == isinstance(taken, bool))


def matched(expected: Sequence[ExpectedStep], taken: Sequence[TakenStep], ordering: Ordering) -> Mapping[int, int]:
    """The places, from 0, of the expected steps that were taken, each with the place of the step that it is.

    Args:
        expected: The steps that are expected.
        taken: The steps that were taken.
        ordering: "relaxed": as many as can be in their order, others between them or not (the longest common
            subsequence); "strict": place by place; "unordered": as many as can be in any order.
    """
    fits = [[step.fits(t) for t in taken] for step in expected]
    if ordering == "strict":
        return {n: n for n, row in enumerate(fits[: len(taken)]) if row[n]}
    return _in_order(fits, len(taken)) if ordering == "relaxed" else _anywhere(fits)


def _in_order(fits: Sequence[Sequence[bool]], many: int) -> dict[int, int]:
    """The longest common subsequence; `most[e][t]` is its length from there on."""
    most = [[0] * (many + 1) for _ in range(len(fits) + 1)]
    for e in reversed(range(len(fits))):
        for t in reversed(range(many)):
            most[e][t] = most[e + 1][t + 1] + 1 if fits[e][t] else max(most[e + 1][t], most[e][t + 1])
    pairs, e, t = dict[int, int](), 0, 0
    while e < len(fits) and t < many:
        if fits[e][t]:
            pairs[e] = t
            e, t = e + 1, t + 1
        elif most[e + 1][t] >= most[e][t + 1]:
            e += 1
        else:
            t += 1
    return pairs


def _anywhere(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """A largest matching: a step that fits two expectations goes to the one that has no other."""
    holder: dict[int, int] = {}

    def place(e: int, seen: set[int]) -> bool:
        open_to = [t for t, fit in enumerate(fits[e]) if fit and t not in seen]
        for t in sorted(open_to, key=holder.__contains__):
            if t not in seen:
                seen.add(t)
                if t not in holder or place(holder[t], seen):
                    holder[t] = e
                    return True
        return False

    for e in range(len(fits)):
        place(e, set())
    return {e: t for t, e in sorted(holder.items(), key=lambda pair: pair[1])}


def named_among(names: Iterable[str], known: Iterable[str], note: Callable[[str], None]) -> tuple[str, ...]:
    """Each name once, as it is among the known ones; those that are not are left out, unless none is known.

    Args:
        names: Names as a judge tells them; case and white space around them make no difference.
        known: Names that there are.
        note: Called with a text on the names left out, as `Trail.note` is.
    """
    spelt = {name.casefold(): name for name in known}
    asked = list(dict.fromkeys(name.strip() for name in names))
    if strange := [name for name in asked if spelt and name.casefold() not in spelt]:
        note(f"passed over, as there is none of that name: {', '.join(strange)}")
    return tuple(dict.fromkeys(spelt.get(n.casefold(), n) for n in asked if n not in strange))


def _called(name: str, told: Mapping[str, Any]) -> str:
    return f"{name}({_cut(told['args'])})" if "args" in told else name


def _cut(value: Any) -> str:
    text = as_text(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
