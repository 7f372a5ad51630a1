"""Checks of an answer, and of the calls of tools that led to it: 1 passes, 0 does not. Nobody is asked.

import scorer_checks as checks

run_evals(data, [checks.includes("rain"), checks.did_not_call("send_mail")])
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias
from unicodedata import normalize

from attrs.validators import min_len, optional

from scorer_core import Settled, Trail, UsageError, between, check, tool_calls_of, whole
from scorer_words import dice

AnyTrail: TypeAlias = Trail[Any, Any]
Found: TypeAlias = tuple[float, str]
Filled = Annotated[str, min_len(1)]
FAILS_EMPTY: Any = {"answer": Settled(0.0, "the output is empty", vacuous=False)}
PASSES_EMPTY: Any = {"answer": Settled(1.0, "the output is empty, so that it holds nothing")}


def alike(text: str, ignore_case: bool) -> str:
    """A text with what makes no difference taken out: how marks are put on letters, and the case if it is ignored."""
    return normalize("NFC", text.casefold() if ignore_case else text)


@check(needs=("answer",), without=FAILS_EMPTY)
def includes(trail: AnyTrail, text: Filled, *, ignore_case: bool = True) -> Found:
    """The answer holds a text.

    Args:
        text: The text, not empty.
        ignore_case: Whether upper and lower case are the same.
    """
    found = alike(text, ignore_case) in alike(trail.answer, ignore_case)
    return found, f"The answer {'holds' if found else 'does not hold'} {text!r}."


@check(needs=("answer",), without=PASSES_EMPTY)
def excludes(trail: AnyTrail, text: Filled, *, ignore_case: bool = True) -> Found:
    """The answer does not hold a text.

    Args:
        text: The text, not empty.
        ignore_case: Whether upper and lower case are the same.
    """
    found = alike(text, ignore_case) in alike(trail.answer, ignore_case)
    return not found, f"The answer {'holds' if found else 'does not hold'} {text!r}."


@check()
def equals(trail: AnyTrail, text: str, *, ignore_case: bool = True) -> Found:
    """The answer is a text, and nothing else.

    Args:
        text: The text.
        ignore_case: Whether upper and lower case are the same.
    """
    same = alike(text, ignore_case) == alike(trail.answer, ignore_case)
    return same, f"The answer is {'' if same else 'not '}{text!r}."


def _is_pattern(_: Any, setting: Any, value: Any) -> None:
    try:
        re.compile(value)
    except (re.error, TypeError) as e:
        raise UsageError(f"{setting.name}: {value!r} is no regular expression: {e}") from e


@check()
def matches(trail: AnyTrail, pattern: Annotated[str, _is_pattern], *, exact: bool = False) -> Found:
    """A regular expression matches a part of the answer, or all of it if it must be exact.

    Args:
        pattern: The expression, as `re` reads it.
        exact: Whether it must match the whole answer.
    """
    look = re.fullmatch if exact else re.search
    found = look(pattern, trail.answer)
    return bool(found), f"{pattern!r} matches {found[0]!r}." if found else f"{pattern!r} matches nothing of the answer."


@check(needs=("answer",), without=FAILS_EMPTY)
def similarity(
    trail: AnyTrail,
    text: Filled,
    *,
    threshold: Annotated[float | None, optional(between(0, 1))] = None,
    ignore_case: bool = True,
) -> Found:
    """The answer shares pairs of characters with a text: how many, or with a threshold whether enough.

    Args:
        text: The text, not empty.
        threshold: The share of pairs, in [0, 1], from which on it passes; None: the share itself is the score.
        ignore_case: Whether upper and lower case are the same.

    Source: the Dice coefficient, as in content similarity.
    """
    value = dice(text, trail.answer, ignore_case=ignore_case)
    passed = value if threshold is None else value >= threshold
    return passed, f"{value:.0%} of the pairs of characters are shared with {text!r}."


@check()
def called_tool(trail: AnyTrail, name: Filled, *, times: Annotated[int, whole(1)] = 1) -> Found:
    """A tool was called, so many times or more.

    Args:
        name: The name of the tool.
        times: How often at least; 1 or more.
    """
    count = called(trail).count(name)
    return count >= times, f"{name} was called {count} times."


@check()
def did_not_call(trail: AnyTrail, name: Filled) -> Found:
    """A tool was not called.

    Args:
        name: The name of the tool.
    """
    count = called(trail).count(name)
    return not count, f"{name} was called {count} times."


@check()
def tool_order(trail: AnyTrail, names: Annotated[tuple[str, ...], min_len(1)]) -> Found:
    """Tools were called in an order, others between them or not.

    Args:
        names: The names of one or more tools.
    """
    rest = iter(called(trail))
    missing = next((name for name in names if name not in rest), None)
    return missing is None, _told(called(trail)) + (f" {missing} does not come in its turn." if missing else "")


@check()
def max_tool_calls(trail: AnyTrail, most: Annotated[int, whole(0)]) -> Found:
    """No more than so many calls of tools were made.

    Args:
        most: How many at most; 0 or more.
    """
    return len(called(trail)) <= most, _told(called(trail))


@check()
def used_no_tools(trail: AnyTrail) -> Found:
    """No tool was called."""
    return not called(trail), _told(called(trail))


@check()
def no_tool_errors(trail: AnyTrail) -> Found:
    """Every call of a tool came to its end, and none came to an error.

    Raises:
        Settled: no tool was called; the score is 1, and vacuous.
    """
    calls = tool_calls_of(trail.run)
    if not calls:
        raise Settled(1.0, "no tool was called")
    lost = [
        c.name for c in calls if not c.finished or c.failed or (isinstance(c.result, Mapping) and c.result.get("error"))
    ]
    return not lost, f"{len(lost)} of {len(calls)} calls failed{': ' if lost else ''}{', '.join(lost)}."


def called(trail: AnyTrail) -> list[str]:
    """The names of the tools called, in order."""
    return [call.name for call in tool_calls_of(trail.run)]


def _told(names: list[str]) -> str:
    return f"Called: {', '.join(names)}." if names else "No tool was called."
