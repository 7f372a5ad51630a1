"""What options and settings may hold: validators for attrs fields that say what was expected, and near misses."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from .errors import UsageError

Validator = Callable[[Any, Any, Any], None]


def between(low: float, high: float = math.inf, *, open: bool = False) -> Validator:
    """A validator: a finite number from `low` to `high`, both included.

    Args:
        low: The least.
        high: The most; no bound unless given.
        open: Whether `low` itself is left out.
    """
    bounds = f"above {low:g}" if open else f"from {low:g} to {high:g}" if high < math.inf else f"of {low:g} or more"

    def check(_: Any, setting: Any, value: Any) -> None:
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not number or not low <= value <= high or (open and value == low):
            raise UsageError(f"{setting.name}: expected a finite number {bounds}, got {value!r}")

    return check


def whole(low: int) -> Validator:
    """A validator: a whole number of `low` or more, no bool."""

    def check(_: Any, setting: Any, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            raise UsageError(f"{setting.name}: expected a whole number of {low} or more, got {value!r}")

    return check


def one_of(*words: str) -> Validator:
    """A validator: one of these words."""

    def check(_: Any, setting: Any, value: Any) -> None:
        if value not in words:
            raise UsageError(f"{setting.name}: expected one of {', '.join(words)}, got {value!r}")

    return check


def as_texts(value: Any) -> Any:
    """A converter: one text or a list of them as a tuple; anything else as it is, for `some_texts` to refuse."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


def some_texts(least: int = 0) -> Validator:
    """A validator: a tuple of `least` or more texts, none of them blank."""

    def check(_: Any, setting: Any, value: Any) -> None:
        if not isinstance(value, tuple) or not all(isinstance(t, str) and t.strip() for t in value):
            raise UsageError(f"{setting.name}: expected a text that is not blank, or a list of them, got {value!r}")
        if len(value) < least:
            raise UsageError(f"{setting.name}: expected {least} or more, got {len(value)}")

    return check


def as_words(value: Any) -> Any:
    """A converter: words with what each means as a dict, or a list of words, which get "" as what they mean.

    Whole numbers become texts. Anything else stays as it is, for `some_words` to refuse.
    """
    if isinstance(value, Mapping):
        return {str(word) if type(word) is int else word: meaning for word, meaning in value.items()}
    if isinstance(value, (list, tuple)) and len({str(word) for word in value}) == len(value):
        return {str(word) if type(word) is int else word: "" for word in value}
    return value


def some_words(least: int) -> Validator:
    """A validator: a dict of `least` or more words for a judge to choose from, each with what it means.

    A word is on one line, has no quotation marks or white space around it, and differs from the others in more than
    its case.
    """

    def check(_: Any, setting: Any, value: Any) -> None:
        fit = isinstance(value, dict) and all(_is_word(w) and isinstance(m, str) for w, m in value.items())
        if not fit or len({word.casefold() for word in value}) < len(value):
            raise UsageError(f"{setting.name}: expected words that differ, each with what it means, got {value!r}")
        if len(value) < least:
            raise UsageError(f"{setting.name}: expected {least} or more, got {len(value)}")

    return check


def _is_word(value: Any) -> bool:
    """Whether a reply can tell `value`: a text on one line, without quotation marks or white space around it."""
    return isinstance(value, str) and re.fullmatch(r'[^\s"]+( [^\s"]+)*', value) is not None


def suggestion(name: str, known: Iterable[str]) -> str:
    """` (did you mean 'x'?)` where a known name is near."""
    near = get_close_matches(name, list(known), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
