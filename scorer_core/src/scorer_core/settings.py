"""What options and settings may hold: validators for attrs fields that say what was expected, and near misses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import Any

from .errors import UsageError

Validator = Callable[[Any, Any, Any], None]


def between(low: float, high: float = math.inf, *, open: bool = False) -> Validator:
    """A finite number from `low` (left out if `open`) to `high`."""
    bounds = f"above {low:g}" if open else f"from {low:g} to {high:g}" if high < math.inf else f"of {low:g} or more"

    def check(_: Any, setting: Any, value: Any) -> None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not number or not low <= value <= high or (open and value == low):
            raise UsageError(f"{setting.name}: expected a finite number {bounds}, got {value!r}")

    return check


def whole(low: int) -> Validator:
    """A whole number of `low` or more."""

    def check(_: Any, setting: Any, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise UsageError(f"{setting.name}: expected a whole number of {low} or more, got {value!r}")

    return check


def one_of(*words: str) -> Validator:
    """One of these words."""

    def check(_: Any, setting: Any, value: Any) -> None:
        if value not in words:
            raise UsageError(f"{setting.name}: expected one of {', '.join(words)}, got {value!r}")

    return check


def suggestion(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` where a known name is near."""
    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
