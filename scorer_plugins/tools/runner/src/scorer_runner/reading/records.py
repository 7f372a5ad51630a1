"""One record of a file, and where it stands there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

Found = tuple[int | None, Any, str | None]  # the line it begins on, its columns by name, why it can't be read
Reader = Iterator[Found]


@frozen
class Record:
    """One record.

    Args:
        number: Its place among the records of all files, from 1.
        line: The line of its file that it begins on; None where a form has no lines.
        given: Its columns by name; the text itself where it can't be read.
        problem: Why it can't be read.
        file: Its file, where there are several.
        cells: Whether its values are texts in the cells of a table, which has no other way to hold a list.
    """

    number: int
    line: int | None
    given: Any
    problem: str | None = None
    file: str | None = None
    cells: bool = False

    @property
    def place(self) -> str:
        """`line 17 (row 16)`, after the file's name where there are several; `row 16` where there are no lines."""
        row = f"row {self.number}" if self.line is None else f"line {self.line} (row {self.number})"
        return row if self.file is None else f"{self.file}, {row}"
