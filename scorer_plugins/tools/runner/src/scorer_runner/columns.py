"""A record's columns as the fields of a run: as named, as mapped, and split where asked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from scorer_core import Run, UsageError
from scorer_core.settings import suggestion

from .dataset import Record

FIELDS = ("id", *(a.name for a in attrs.fields(Run)))
SPLIT = ("ground_truth", "context")
_ALSO = {"ground_truth": "groundTruth", "run_id": "runId"}  # as Mastra writes them


@frozen
class Columns:
    """Which column each field is read from where it is not that of its name, and what separates joined texts."""

    maps: Mapping[str, str]
    splits: Mapping[str, str]

    def of(self, field: str, given: Mapping[str, Any]) -> str:
        """The column that `field` is read from."""
        also = _ALSO.get(field, field)
        return self.maps.get(field) or (also if field not in given and also in given else field)


def columns(maps: Sequence[str], splits: Sequence[str]) -> Columns:
    """The columns meant by `field=column` and `field=separator`.

    Raises:
        UsageError: one has another form or names no field; all at once.
    """
    wrong: list[str] = []
    told = Columns(
        dict(_pairs("--map", maps, FIELDS, wrong)),
        dict(_pairs("--split", splits, SPLIT, wrong)),
    )
    if wrong:
        raise UsageError("\n".join(wrong))
    return told


def _pairs(flag: str, given: Sequence[str], fields: Sequence[str], wrong: list[str]) -> Iterator[tuple[str, str]]:
    for text in given:
        field, equals, value = text.partition("=")
        if not equals or not value:
            wrong.append(f"{flag} {text!r}: expected FIELD=VALUE, for example {flag} {fields[0]}=VALUE")
        elif field not in fields:
            wrong.append(f"{flag} {text!r}: no field {field!r}{suggestion(field, fields)} (have: {', '.join(fields)})")
        else:
            yield field, value


def row_of(record: Record, how: Columns) -> Any:
    """The record as a mapping with the names of a run's fields, all else in its metadata.

    A record that can't be read is handed on as it is: the core makes a failed result of it.
    """
    given = record.given
    if record.problem or not isinstance(given, Mapping):
        return given if isinstance(given, str) or given is None else json.dumps(given, ensure_ascii=False)
    source = {field: column for field in FIELDS if (column := how.of(field, given)) in given}
    row = {field: given[column] for field, column in source.items()}
    for field, separator in how.splits.items():
        row[field] = _split(row.get(field), separator)
    row["messages"] = _messages(row.get("messages"))
    row["run_id"] = None if row.get("run_id") is None else str(row["run_id"])
    return row | {"metadata": _metadata(row.get("metadata"), given, set(source.values()))}


def _split(value: Any, separator: str) -> Any:
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(separator) if part.strip()]


def _messages(value: Any) -> Any:
    """Messages; a text, as in a cell of a table, is read as JSON if it is that."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _metadata(told: Any, given: Mapping[str, Any], used: set[str]) -> dict[str, Any]:
    rest = {name: value for name, value in given.items() if name not in used}
    if isinstance(told, Mapping):
        return rest | dict(told)
    return rest if told is None else rest | {"metadata": told}
