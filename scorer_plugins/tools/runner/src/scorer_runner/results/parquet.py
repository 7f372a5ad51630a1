"""Results in Parquet: what one filters and sums by in columns, and beside it the whole line, which loses nothing."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from pathlib import Path
from typing import IO, Any, TypeVar

from scorer_core import UsageError

try:
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile, ParquetWriter
except ImportError as e:
    raise UsageError("results in Parquet need pyarrow: pip install 'scorer-runner[parquet]'") from e

AT_ONCE = 1000  # rows of a group, which is written and read at once
RESULTS = pa.schema(
    [
        ("index", pa.int64()),
        ("row_id", pa.string()),
        ("run_id", pa.string()),
        ("scorer_label", pa.string()),
        ("status", pa.string()),
        ("score", pa.float64()),
        ("band", pa.string()),
        ("vacuous", pa.bool_()),
        ("reason", pa.string()),
        ("error_kind", pa.string()),
        ("result", pa.large_string()),
    ]
)
KINDS = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
T = TypeVar("T")


def table_of(lines: Sequence[str]) -> Any:
    """Results, each told as a line of JSON, as a table of the columns `RESULTS`."""
    return pa.Table.from_pylist([_columns(line) for line in lines], schema=RESULTS)


def _columns(line: str) -> Mapping[str, Any]:
    told = json.loads(line)
    error = told.get("error") or {}
    return {**{name: _whole(told.get(name)) for name in RESULTS.names}, "error_kind": error.get("kind"), "result": line}


def write_lines(lines: Iterable[bytes], file: IO[bytes]) -> None:
    """Write lines of results as the rows of a Parquet file."""
    with ParquetWriter(file, RESULTS, compression="zstd") as writer:
        for some in _batches(lines):
            writer.write_table(table_of([raw.decode().rstrip("\n") for raw in some]))


def write_rows(rows: Iterable[Mapping[str, Any]], columns: Mapping[str, type], file: IO[bytes]) -> None:
    """Write rows with columns of these names and types as a Parquet file."""
    schema = pa.schema([(name, KINDS[kind]) for name, kind in columns.items()])
    with ParquetWriter(file, schema) as writer:
        for some in _batches(rows):
            told = [{name: _whole(value) for name, value in row.items()} for row in some]
            writer.write_batch(pa.RecordBatch.from_pylist(told, schema=schema))


class Rows:
    """The lines that a Parquet file was made of, in order; or a group of them, where one is looked for by its number.

    Args:
        path: The file.

    Raises:
        UsageError: it is no Parquet, or holds no results.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._file = ParquetFile(path)
        except pa.ArrowException as e:
            raise UsageError(f"{str(path)!r} can't be read as Parquet: {str(e).splitlines()[0]}") from e
        if "result" not in self._file.schema_arrow.names:
            raise UsageError(f"{str(path)!r} holds no results, as scorer run writes them")
        told = self._file.metadata
        self._begins: list[int] = [0, *accumulate(told.row_group(n).num_rows for n in range(told.num_row_groups))]

    def __len__(self) -> int:
        return self._begins[-1]

    def __iter__(self) -> Iterator[bytes]:
        for number in range(len(self._begins) - 1):
            yield from self.group(number)

    def where(self, place: int) -> tuple[int, int]:
        """The group that holds a row, and which one of it the row is."""
        group = bisect_right(self._begins, place) - 1
        return group, place - self._begins[group]

    def group(self, number: int) -> Sequence[bytes]:
        """The lines of a group."""
        lines = self._file.read_row_group(number, columns=["result"]).column(0).to_pylist()
        return [f"{line}\n".encode() for line in lines]

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _batches(rows: Iterable[T]) -> Iterator[list[T]]:
    coming = iter(rows)
    while batch := list(islice(coming, AT_ONCE)):
        yield batch


def _whole(value: Any) -> Any:
    """A value as Arrow takes it, which has no lone surrogates."""
    return value.encode(errors="replace").decode() if isinstance(value, str) else value
