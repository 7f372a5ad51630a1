"""Rows on their way to the workers: numbered before they are split, whole as they were given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa
from attrs import evolve, frozen
from ray import cloudpickle

from scorer_core import TargetResult
from scorer_core.contract.errors import Failed
from scorer_core.evaluating.scoring import Needed
from scorer_core.runs.rows import Row as Read
from scorer_core.runs.rows import row_of
from scorer_core.support.digests import Occurrences

INDEX, PACKED = "index", "packed_row"
PLACED = pa.schema([(INDEX, pa.int64()), (PACKED, pa.large_binary())])


@frozen
class Row:
    """A row, its place and id in the whole data as far as they are known, and what its repeats are to be done with.

    Args:
        labels: For each repeat, the labels it still needs; None where it needs all.
        gave: For each repeat, what the target gave, or why it gave nothing; None where outputs are logged ones.
    """

    index: int | None
    row_id: str | None
    given: Any
    labels: Sequence[Sequence[str]] | None = None
    gave: Sequence[TargetResult | Failed | None] | None = None


def placed(rows: Iterable[Any], needed: Needed | None = None, repeats: int = 1) -> Iterator[tuple[Row, Read]]:
    """The rows with the place and id of a run in one process, and as they were read for that.

    A row without an id is known by a digest, and how often that came up to there.
    """
    seen = Occurrences()
    for index, given in enumerate(rows):
        read = row_of(index, given, seen)
        each = repeats_of(read, repeats) if needed else ()
        labels = [[s.label for s in needed(one)] for one in each] if needed else None
        yield Row(index, read.row_id, given, labels), read


def repeats_of(read: Read, times: int) -> list[Read]:
    """A row, so often as it is to be done."""
    return [evolve(read, repeat=n) for n in range(1, times + 1)] if times > 1 else [read]


def tables(rows: Iterable[Row], most: int) -> Iterator[pa.Table]:
    """The rows in tables of so many at most."""
    coming = iter(rows)
    while some := list(islice(coming, most)):
        yield table_of(some)


def table_of(rows: Sequence[Row]) -> pa.Table:
    """The rows as a table; packed, as Arrow would make all rows alike."""
    packed = [cloudpickle.dumps((row.row_id, row.given, row.labels, row.gave)) for row in rows]
    return pa.table([[row.index for row in rows], packed], schema=PLACED)


def rows_of(batch: pa.Table, index: str | None = None) -> list[Row]:
    """The rows in a table: those of `tables`, or a user's, with the fields as columns and the place in one of them."""
    if batch.schema.names == PLACED.names:
        return [Row(r[INDEX], *cloudpickle.loads(r[PACKED])) for r in batch.to_pylist()]
    return [Row(r.pop(index) if index else None, None, r) for r in batch.to_pylist()]
