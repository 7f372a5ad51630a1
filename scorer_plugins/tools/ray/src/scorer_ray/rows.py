"""Rows on their way to the workers: numbered before they are split, whole as they were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
from attrs import frozen
from ray import cloudpickle

from scorer_core.evaluating.scoring import Needed
from scorer_core.runs.rows import row_of
from scorer_core.support.digests import Occurrences

INDEX, PACKED = "index", "packed_row"
PLACED = pa.schema([(INDEX, pa.int64()), (PACKED, pa.large_binary())])


@frozen
class Row:
    """A row, its place and id in the whole data as far as they are known, and the labels it still needs, if not all."""

    index: int | None
    row_id: str | None
    given: Any
    labels: Sequence[str] | None = None


def placed(rows: Iterable[Any], needed: Needed | None = None) -> Iterator[Row]:
    """The rows with the place and id of a run in one process: without an id, a digest and how often it came so far."""
    seen = Occurrences()
    for index, given in enumerate(rows):
        row = row_of(index, given, seen)
        yield Row(index, row.row_id, given, [s.label for s in needed(row)] if needed else None)


def tables(rows: Iterable[Row], most: int) -> Iterator[pa.Table]:
    """The rows in tables of so many at most; packed, as Arrow would make all rows alike."""
    coming = iter(rows)
    while some := list(islice(coming, most)):
        packed = [cloudpickle.dumps((row.row_id, row.given, row.labels)) for row in some]
        yield pa.table([[row.index for row in some], packed], schema=PLACED)


def rows_of(batch: pa.Table, index: str | None = None) -> list[Row]:
    """The rows in a table: those of `tables`, or a user's, with the fields as columns and the place in one of them."""
    if batch.schema.names == PLACED.names:
        return [Row(r[INDEX], *cloudpickle.loads(r[PACKED])) for r in batch.to_pylist()]
    return [Row(r.pop(index) if index else None, None, r) for r in batch.to_pylist()]
