"""The forms that results can be given in: JSON, JSON Lines, CSV, Parquet, a table to look at, Markdown."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable, Mapping
from typing import IO, Any

from ..terminal.console import LONG, screen, shortened, without_codes
from .flat import Columns, Line, Table

FOR_READERS = ("id", "scorer", "score", "status", "reason", "error", "output")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")
_MARKS = re.compile(r"([\\`*_\[\]|~!#])")


def write_jsonl(table: Table, file: IO[bytes]) -> None:
    """An object a line."""
    for line in table.lines:
        file.write(_json(_ordered(table, line)) + b"\n")


def write_json(table: Table, file: IO[bytes]) -> None:
    """One list of objects."""
    before = b"[\n"
    for line in table.lines:
        file.write(before + _json(_ordered(table, line)))
        before = b",\n"
    file.write(b"[]\n" if before == b"[\n" else b"\n]\n")


def write_csv(table: Table, file: IO[bytes]) -> None:
    """A header and a line each, in UTF-8; no cell can be taken for a formula."""
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([cell(name) for name in table.columns])
    writer.writerows([cell(line.get(name)) for name in table.columns] for line in table.lines)
    text.flush()
    text.detach()


def cell(value: Any) -> Any:
    """A value as a cell of a spreadsheet: a text that would be run as a formula gets a `'` before it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return value
    text = without_codes(value)
    risky = text.lstrip(" ")[:1] in ("=", "+", "-", "@", "\t", "\r") and not _NUMBER.fullmatch(text)
    return f"'{text}" if risky else text


def write_parquet(table: Table, file: IO[bytes]) -> None:
    """Columns with their types, written a thousand lines at a time.

    Raises:
        UsageError: pyarrow is not installed.
    """
    from .parquet import write_rows

    write_rows(table.lines, table.columns, file)


def check_form(form: str) -> None:
    """See that results can be given in a form.

    Raises:
        UsageError: what it takes is not installed.
    """
    if form == "parquet":
        from . import parquet  # noqa: F401


def write_markdown(table: Table, file: IO[bytes]) -> None:
    """A line each, for readers: long texts are cut, and what would be markup is text."""
    names = _for_readers(table.columns)
    header = [f"| {' | '.join(map(in_markdown, names))} |", f"|{' --- |' * len(names)}"]
    file.write("\n".join([*header, ""]).encode())
    for line in table.lines:
        cells = (in_markdown("" if line.get(n) is None else shortened(line[n], LONG)) for n in names)
        file.write(f"| {' | '.join(cells)} |\n".encode(errors="replace"))


def in_markdown(value: Any) -> str:
    """A value as a cell of a table in Markdown; HTML, links and emphasis in it are shown as they are."""
    text = html.escape(_MARKS.sub(r"\\\1", without_codes(str(value))), quote=False)
    return "<br>".join(text.splitlines())


def write_table(table: Table, file: IO[bytes]) -> None:
    """A table to look at; long texts are cut."""
    from rich.text import Text

    from ..terminal.figures import ruled

    names = _for_readers(table.columns)
    shown = ruled(names)
    for line in table.lines:
        shown.add_row(*(Text("" if line.get(n) is None else shortened(_rounded(line[n]), 60)) for n in names))
    text = io.TextIOWrapper(file, encoding="utf-8", errors="replace")
    console = screen()
    console.file = text
    console.print(shown)
    text.flush()
    text.detach()


def _rounded(value: Any) -> Any:
    return f"{value:.4g}" if isinstance(value, float) else value


def _for_readers(columns: Columns) -> list[str]:
    """The columns that tell most; of a wide table the score and status of each scorer."""
    each = [name for name in columns if name.endswith(".status")]
    told = {*FOR_READERS, *each, *(name.removesuffix(".status") for name in each)}
    return [name for name in columns if name in told]


def _ordered(table: Table, line: Line) -> dict[str, Any]:
    return {name: line.get(name) for name in table.columns}


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value, allow_nan=False).encode()


FORMS: Mapping[str, Callable[[Table, IO[bytes]], None]] = {
    "json": write_json,
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
    "table": write_table,
    "markdown": write_markdown,
}
ENDINGS = {".json": "json", ".jsonl": "jsonl", ".csv": "csv", ".parquet": "parquet", ".md": "markdown"}
