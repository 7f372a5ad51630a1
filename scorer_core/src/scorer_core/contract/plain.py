"""Values of any kind in JSON's types, and as texts."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Set
from datetime import date, datetime, time
from functools import cache
from typing import Any, TypeAlias

import attrs

JSON: TypeAlias = Any
_AS_THEY_ARE = frozenset((str, int, bool, type(None)))
readable = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def is_missing(value: Any) -> bool:
    """Whether a cell holds no value: None, NaN, or the NA and NaT of data frames."""
    if type(value) is str:
        return False
    unset = value is None or (isinstance(value, float) and math.isnan(value))
    return unset or type(value).__name__ in ("NAType", "NaTType")


def plain(value: Any, above: tuple[int, ...] = ()) -> JSON:
    """`value` in JSON's types: classes as mappings, numbers that are none as None, the rest as text."""
    kind: Any = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if id(value) in above:
        return "(itself)"
    above = (*above, id(value))
    if (names := field_names(kind)) is not None:
        return {n: v if type(v := getattr(value, n)) in _AS_THEY_ARE else plain(v, above) for n in names}
    if isinstance(value, (list, tuple)):
        return [v if type(v) in _AS_THEY_ARE else plain(v, above) for v in value]
    if isinstance(value, (dict, Mapping)):
        return {str(k): v if type(v) in _AS_THEY_ARE else plain(v, above) for k, v in value.items()}
    return [plain(v, above) for v in value] if isinstance(value, Set) else _told(value, above)


@cache
def field_names(kind: Any) -> tuple[str, ...] | None:
    """The names of the fields of an attrs class, or of a dataclass that has no text of its own; None for any other."""
    if attrs.has(kind):
        return tuple(a.name for a in attrs.fields(kind))
    told = dataclasses.is_dataclass(kind) and kind.__str__ is object.__str__
    return tuple(f.name for f in dataclasses.fields(kind)) if told else None


def as_json(value: Any) -> str:
    """JSON in declared order, not escaped."""
    return readable.encode(plain(value))


def _told(value: Any, above: tuple[int, ...]) -> JSON:
    """What a value of no JSON type says of itself."""
    if is_missing(value):
        return None
    try:
        if isinstance(value, (date, datetime, time)):
            return value.isoformat()
        return plain(value.model_dump(), above) if hasattr(value, "model_dump") else str(value)
    except Exception as e:
        return f"({type(value).__name__}, which can't be shown: {type(e).__name__})"


def as_text(value: Any) -> str:
    """A text as it is, nothing as "", a value that JSON knows as a text alone, such as a date, so; the rest as JSON."""
    if value is None or isinstance(value, str):
        return str(value or "")
    shown = plain(value)
    return shown if isinstance(shown, str) else readable.encode(shown)
