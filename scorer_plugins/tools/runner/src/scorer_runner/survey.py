"""What a first pass over the rows finds: which rows are unfit, which columns there are, which needs are met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import define, field

from scorer_core.slices import MOST, told

from .columns import Columns, row_of
from .dataset import Record, shown_name

MOST_TOLD, MOST_COLUMNS = 10, 1000


@define
class Survey:
    """What a pass over the rows found.

    Args:
        rows: How many there are.
        columns: Their names, in the order they were met, and whether any row has a value there.
        met: The needs that at least one row meets.
        problems: The first rows that can't be used, with what is wrong.
        unfit: How many there are.
        values: What the metadata of the rows says in the columns asked about, up to one more than slices there may be.
    """

    rows: int = 0
    columns: dict[str, bool] = field(factory=dict)
    met: set[str] = field(factory=set)
    problems: list[str] = field(factory=list)
    unfit: int = 0
    values: dict[str, dict[str, None]] = field(factory=dict)


def survey(records: Iterable[Record], how: Columns, sliced: Iterable[str] = ()) -> Survey:
    """What the records hold, read as `how` says; of columns they are `sliced` by, the values."""
    found = Survey(values={column: {} for column in sliced})
    for record in records:
        found.rows += 1
        row = row_of(record, how)
        if isinstance(record.given, Mapping):
            _note_columns(found, record.given, how)
        if isinstance(row, Mapping) and not record.problem:
            found.met |= set(needs_met(row))
            _note_values(found, row["metadata"])
        if problem := record.problem or _problem(row, record.given, how):
            found.unfit += 1
            if len(found.problems) < MOST_TOLD:
                found.problems.append(f"line {record.line} (row {record.number}): {problem}")
    return found


def _note_columns(found: Survey, given: Mapping[str, Any], how: Columns) -> None:
    for name, value in given.items():
        known = name in found.columns or len(found.columns) < MOST_COLUMNS or name in how.maps.values()
        if known and not found.columns.get(name):  # a file may name its columns anew in each row
            found.columns[name] = not _blank(value)


def _note_values(found: Survey, metadata: Mapping[str, Any]) -> None:
    for column, values in found.values.items():
        if len(values) <= MOST:
            values[told(metadata, column)] = None


def _problem(row: Mapping[str, Any], given: Mapping[str, Any], how: Columns) -> str | None:
    if isinstance(row.get("messages"), str):
        return f"{how.of('messages', given)}: expected messages as JSON, got {row['messages'][:60]!r}"
    context = row.get("context")
    if isinstance(context, list) and None in context:
        return f"{how.of('context', given)}, item {context.index(None) + 1}: expected a text, got null"
    return None


def needs_met(row: Mapping[str, Any]) -> Iterator[str]:
    """The needs of a spec that a row meets; tool results in a conversation can stand for a context."""
    talks = any(isinstance(row.get(name), (list, Mapping)) for name in ("messages", "output", "input"))
    if row.get("output") is not None or row.get("messages"):
        yield "answer"
    if row.get("input") is not None or talks:
        yield "question"
    if not _blank(row.get("ground_truth")):
        yield "ground_truth"
    if not _blank(row.get("context")) or talks:
        yield "context"
    if row.get("context") is not None or talks:
        yield "context_source"


def _blank(value: Any) -> bool:
    return value is None or value == [] or (isinstance(value, str) and not value.strip())


def unfit_rows(source: str, found: Survey) -> list[str]:
    """One message about all rows that can't be used, if there are any."""
    if not found.rows:
        return [f"no rows in {shown_name(source)}"]
    more = found.unfit - len(found.problems)
    rest = [f"and {more} more"] if more else []
    told = "\n  ".join([f"rows of {shown_name(source)} that can't be used:", *found.problems, *rest])
    return [told] if found.unfit else []
