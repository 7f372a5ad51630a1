"""Tables of text: CSV and TSV, with quotes, line ends inside cells, and column names in the first row."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any, TextIO

from scorer_core import UsageError

from .opening import undecoded
from .records import Reader

_UNNAMED = "column "


def delimited(file: str, text: TextIO, separator: str, encoding: str) -> Reader:
    """A record a row below the names; an empty cell is None.

    Raises:
        UsageError: quotes or column names do not add up.
    """
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(text, delimiter=separator, strict=True)
    ended = 0
    try:
        names = _names(file, next(filter(None, reader), []), encoding)
        ended = reader.line_num
        for cells in reader:
            line, ended = ended + 1, reader.line_num
            if cells:
                yield line, *_columns(names, cells, encoding)
    except csv.Error as e:
        raise UsageError(
            f"{file}, in the row that begins on line {ended + 1}: {_off(str(e), separator)}; rows from there on were "
            "not read"
        ) from e


def _off(said: str, separator: str) -> str:
    """What is wrong with the quotation marks of a row, in our words."""
    if "end of data" in said:
        return "a quotation mark is not closed"
    if "expected after" in said:
        between = "tabs" if separator == "\t" else "commas"
        return (
            f"text stands after the closing quotation mark of a cell; cells are separated by {between}, and a "
            "quotation mark within a quoted cell is written twice"
        )
    return said


def _names(file: str, header: Sequence[str], encoding: str) -> list[str]:
    """The column names; a column without a name is called by its place."""
    if problem := next((p for name in header if (p := undecoded(name, encoding))), None):
        raise UsageError(f"{file}, the column names: {problem}")
    names = [name.strip() or f"{_UNNAMED}{n}" for n, name in enumerate(header, 1)]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise UsageError(f"{file} has two columns named {twice[0]!r}; rename one")
    return names


def _columns(names: Sequence[str], cells: Sequence[str], encoding: str) -> tuple[Any, str | None]:
    """The cells by name; what stands in no named column is kept only if it is something."""
    named = [name for name in names if not name.startswith(_UNNAMED)]
    missing = [name for name in names[len(cells) :] if name in named]
    if len(cells) > len(names) or missing:
        return cells, f"{len(cells)} cells for {len(names)} columns; is a quote or a separator off?"
    for name, cell in zip(names, cells, strict=False):
        if problem := undecoded(cell, encoding):
            return cells, f"{name}: {problem}"
    given = dict.fromkeys(named) | {name: cell or None for name, cell in zip(names, cells, strict=False)}
    return {name: cell for name, cell in given.items() if cell is not None or name in named}, None
