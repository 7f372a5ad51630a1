"""The filters of templates: ten, none of which can fill the memory, however they are chained."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from jinja2 import TemplateRuntimeError, Undefined
from jinja2.filters import FILTERS as JINJAS

from ..contract.plain import as_json

MOST = 20_000_000  # characters of what one filter makes
MOST_DIGITS = 15


def each(value: Any) -> Any:
    """A list or a mapping as it is: nothing else can be gone over, least of all a text."""
    if not isinstance(value, (list, tuple, Mapping, Set, Undefined)):
        raise TemplateRuntimeError(f"expected a list or a mapping to go over, got {type(value).__name__}")
    return value


def _join(value: Any, between: str = "") -> str:
    texts = [str(item) for item in each(value)]
    _bound("join", sum(map(len, texts)) + len(texts) * len(between))
    return between.join(texts)


def _json(value: Any) -> str:
    if isinstance(value, Undefined):
        str(value)  # raises
    told = as_json(value)
    _bound("json", len(told))
    return told


def _round(value: Any, digits: Any = 0) -> Any:
    if digits not in range(MOST_DIGITS + 1):
        raise TemplateRuntimeError(f"round takes from 0 to {MOST_DIGITS} digits, got {digits!r:.40}")
    return round(value, digits)


def _bound(name: str, size: int) -> None:
    if size > MOST:
        raise TemplateRuntimeError(f"{name} makes more than {MOST:,} characters")


_AS_IN_JINJA = ("default", "first", "last", "length", "lower", "trim", "upper")
_OWN = {"join": _join, "json": _json, "round": _round}
FILTERS: Mapping[str, Callable[..., Any]] = dict(sorted({**{n: JINJAS[n] for n in _AS_IN_JINJA}, **_OWN}.items()))
