"""JSON Lines: an object a line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from .opening import undecoded
from .records import Reader

WIDE = 60


class _Twice(dict[str, Any]):
    """An object that has a name more than once; of its values the last is there."""

    name: str


def _object_of(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    twice = _Twice(made)
    twice.name = Counter(name for name, _ in pairs).most_common(1)[0][0]
    return twice


DECODER = json.JSONDecoder(object_pairs_hook=_object_of, parse_constant=lambda _: None)


def unfit(given: Any) -> str | None:
    """Why a JSON value is no row; None where it is one."""
    if isinstance(given, _Twice):
        return f"it has {given.name!r} more than once; rename one"
    return None if isinstance(given, Mapping) else f"expected a JSON object, got {short(given)}"


def json_lines(text: TextIO, encoding: str) -> Reader:
    """A record a line; blank lines are passed over."""
    for line, raw in enumerate(text, 1):
        if raw.strip():
            given, problem = _object(raw.strip("\r\n"), encoding)
            yield line, given, f"{problem}{_hint(raw.strip(), line)}" if problem else None


def _object(raw: str, encoding: str) -> tuple[Any, str | None]:
    """The JSON object in a line, or the line and what is wrong with it; NaN, which JSON does not have, is null."""
    if problem := undecoded(raw, encoding):
        return raw.encode(errors="replace").decode(), problem
    try:
        given = DECODER.decode(raw)
    except json.JSONDecodeError as e:
        return raw, f"not JSON at column {e.colno} ({e.msg}): {around(raw, e.colno - 1)}"
    except (ValueError, RecursionError) as e:
        return raw, f"not JSON: {e}"
    return given, unfit(given)


def _hint(text: str, line: int) -> str:
    """What the whole may be instead, by what its first line is."""
    if line > 1 or (text[:1] == "{" and text != "{"):
        return ""
    if text[:1] in "[{":
        return "; a JSON list is no JSON Lines, nor is an object over several lines: name the file .json"
    return "; JSON Lines has one object a line: name a table .csv or .tsv"


def around(line: str, at: int) -> str:
    """The part of a line around a place in it."""
    start = max(0, min(at - WIDE // 2, len(line) - WIDE))
    part = line[start : start + WIDE]
    return f"{'…' if start else ''}{part}{'…' if start + WIDE < len(line) else ''}"


def short(value: Any) -> str:
    """The JSON of a value, as far as a message has room."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= WIDE else f"{text[: WIDE - 1]}…"
