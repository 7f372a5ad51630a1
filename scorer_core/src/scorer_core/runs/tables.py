"""The rows of a table: a data frame iterates over the names of its columns, so it is asked for rows in its own way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..contract.errors import UsageError

AT_ONCE = 1000  # rows of a frame that are held as mappings


def rows_of(data: Any) -> Any:
    """The rows of `data` as mappings by column name, if it is a table; any other data as it is.

    A table is known by what it offers: pandas and polars frames, and Arrow tables. A Hugging Face `Dataset`
    gives its rows without help; what has a length and items by number, as a torch `Dataset`, is asked for each.

    Raises:
        UsageError: two columns have one name.
    """
    if hasattr(data, "iloc") and hasattr(data, "to_dict") and hasattr(data, "columns"):
        return _of_pandas(data)
    if hasattr(data, "iter_rows") and hasattr(data, "columns"):
        return data.iter_rows(named=True)
    if hasattr(data, "to_batches"):
        return (row for batch in data.to_batches(max_chunksize=AT_ONCE) for row in batch.to_pylist())
    if all(hasattr(data, name) for name in ("__getitem__", "__len__")) and not hasattr(data, "__iter__"):
        return (data[n] for n in range(len(data)))
    return data


def _of_pandas(frame: Any) -> Iterator[Mapping[str, Any]]:
    if not frame.columns.is_unique:
        twice = sorted({str(name) for name in frame.columns[frame.columns.duplicated()]})
        raise UsageError(f"data: two columns are named {twice[0]!r}; rename one")
    return (
        {name: _without_arrays(value) for name, value in row.items()}
        for start in range(0, len(frame), AT_ONCE)
        for row in frame.iloc[start : start + AT_ONCE].to_dict("records")
    )


def _without_arrays(value: Any) -> Any:
    """A cell that holds an array, as lists come back from Parquet, as a list."""
    return value.tolist() if hasattr(value, "tolist") else value
