"""What a first pass over the rows finds: which rows are unfit, which columns there are, which needs are met."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from attrs import define, field

from scorer_core.contract.errors import Failed
from scorer_core.evaluating.slices import MOST
from scorer_core.runs.metadata import told

from .columns import Columns
from .ids import Repeated
from .paths import value_at
from .records import Record
from .rows import row_of

MOST_TOLD, MOST_COLUMNS = 10, 1000
_TALKS = ("messages", "output", "input")


@define
class Survey:
    """What a pass over the rows found.

    Args:
        rows: How many there are.
        columns: Their names, in the order they were met, and whether any row has a value there.
        nested: Columns that hold lists of objects.
        read: What `--map` names and at least one row has.
        met: The needs that at least one row meets.
        own: The same of what a single scorer reads, by its label.
        problems: The first rows that can't be used, with what is wrong.
        unfit: How many there are.
        values: What the metadata of the rows says in the columns asked about, up to one more than slices there may be.
        ids: Those that come more than once.
        repeats: How often rows were repeated, of results that are scored anew.
    """

    rows: int = 0
    columns: dict[str, bool] = field(factory=dict)
    nested: set[str] = field(factory=set)
    read: set[str] = field(factory=set)
    met: set[str] = field(factory=set)
    own: dict[str, set[str]] = field(factory=dict)
    problems: list[str] = field(factory=list)
    unfit: int = 0
    values: dict[str, dict[str, None]] = field(factory=dict)
    ids: Repeated = field(factory=Repeated)
    repeats: int = 1


def survey(records: Iterable[Record], how: Columns, sliced: Iterable[str] = ()) -> Survey:
    """What the records hold, read as `how` says; of columns they are `sliced` by, the values."""
    found = Survey(values={column: {} for column in sliced})
    for record in records:
        found.rows += 1
        if isinstance(record.given, Mapping):
            _note_columns(found, record.given, how)
        row = row_of(record, how)
        if isinstance(row, Failed):
            found.unfit += 1
            found.problems += [row.message] if len(found.problems) < MOST_TOLD else []
            continue
        found.met |= set(needs_met(row))
        found.repeats = max(found.repeats, *row.repeats, 1)
        _note_values(found, row["metadata"])
        for label, own in row.own.items():
            found.own.setdefault(label, set()).update(needs_met({**row, **own}))
        if row.get("id") is not None:
            found.ids.look_at(row["id"])
    return found


def _note_columns(found: Survey, given: Mapping[str, Any], how: Columns) -> None:
    for name, value in given.items():
        known = name in found.columns or len(found.columns) < MOST_COLUMNS
        if known and not found.columns.get(name):  # a file may name its columns anew in each row
            found.columns[name] = not _blank(value)
        if isinstance(value, list) and value and isinstance(value[0], Mapping) and known:
            found.nested.add(name)
    unread = [path for path in how.told.values() if path not in found.read]
    found.read |= {path for path in unread if path in given or _found_at(given, path)}


def _note_values(found: Survey, metadata: Mapping[str, Any]) -> None:
    for column, values in found.values.items():
        if len(values) <= MOST:
            values[told(metadata, column)] = None


def _found_at(given: Mapping[str, Any], path: str) -> bool:
    value = value_at(given, path)
    return value is not None and not (isinstance(value, list) and value and all(one is None for one in value))


def needs_met(row: Mapping[str, Any]) -> Iterator[str]:
    """The needs of a spec that a row meets; tool results in a conversation can stand for a context."""
    talks = any(isinstance(row.get(name), (list, Mapping)) for name in _TALKS)
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


def unfit_rows(name: str, found: Survey, broken: Sequence[str] = ()) -> list[str]:
    """One message about all rows that can't be used, if there are any, and where the rest could not be read, why."""
    if not found.rows:
        return [*broken] or [f"no rows in {name}"]
    more = found.unfit - len(found.problems)
    rest = [f"and {more} more"] if more else []
    told = "\n  ".join([f"rows of {name} that can't be used:", *found.problems, *rest])
    return [*([told] if found.unfit else []), *broken]
