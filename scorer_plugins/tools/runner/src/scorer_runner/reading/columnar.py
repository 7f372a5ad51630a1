"""Tables in columns: Parquet, and Arrow in files and streams, which Feather and Hugging Face data sets are too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from scorer_core import UsageError

from .records import Reader

AT_ONCE = 1000  # rows that are held as mappings
_ARROW = b"ARROW1"


def need_pyarrow(file: str) -> None:
    """Nothing, where pyarrow is installed.

    Raises:
        UsageError: it is not.
    """
    if find_spec("pyarrow") is None:
        raise UsageError(f"{file}: Parquet and Arrow are read with pyarrow; try: pip install 'scorer-runner[parquet]'")


def columnar(file: str, data: Any, *, parquet: bool) -> Reader:
    """A record a row; such tables have no lines.

    Raises:
        UsageError: the file is damaged, of another form, or has two columns of one name.
    """
    from pyarrow import ArrowException

    try:
        names, batches = _parquet(data) if parquet else _arrow(data)
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise UsageError(f"{file} has two columns named {twice[0]!r}; rename one")
        for batch in batches:
            for start in range(0, batch.num_rows, AT_ONCE):
                yield from ((None, row, None) for row in batch.slice(start, AT_ONCE).to_pylist())
    except (ArrowException, OSError) as e:
        form = "Parquet" if parquet else "Arrow"
        raise UsageError(f"{file} can't be read as {form}: {str(e).splitlines()[0]}") from e


def _parquet(data: Any) -> tuple[Sequence[str], Iterator[Any]]:
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(data)
    return file.schema_arrow.names, file.iter_batches(batch_size=AT_ONCE)


def _arrow(data: Any) -> tuple[Sequence[str], Iterator[Any]]:
    from pyarrow import ipc

    if not data.peek(len(_ARROW)).startswith(_ARROW):
        stream = ipc.open_stream(data)
        return stream.schema.names, iter(stream)
    file = ipc.open_file(data)
    return file.schema.names, (file.get_batch(n) for n in range(file.num_record_batches))
