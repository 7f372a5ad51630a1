"""Files as records: JSON Lines and CSV, read one at a time, as UTF-8 whatever the locale is."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from scorer_core import UsageError

STDIN = "-"
LOOKED_AT = 100  # records of standard input that are checked before the first call
_BOM = b"\xef\xbb\xbf"
_CSV = {".csv": ",", ".tsv": "\t"}
ENDINGS = (".jsonl", ".ndjson", *_CSV)


@frozen
class Record:
    """One record of a file.

    Args:
        number: Its place among the records, from 1.
        line: The line of the file it begins on.
        given: Its columns by name; the text itself where it can't be read.
        problem: Why it can't be read.
    """

    number: int
    line: int
    given: Any
    problem: str | None = None


def find_data(source: str) -> str:
    """`source`, if it can be read.

    Raises:
        UsageError: there is no such file, it can't be opened, or its ending tells no form that is known.
    """
    path = Path(source)
    if source == STDIN:
        return source
    if not path.exists():
        raise UsageError(f"no file {source!r}")
    if path.is_dir():
        raise UsageError(f"{source!r} is a folder; name a file in it")
    if path.suffix.lower() not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise UsageError(f"{source!r}: expected a file that ends in {known}; JSON Lines has one object a line")
    try:
        path.open("rb").close()
    except OSError as e:
        raise UsageError(f"{source!r} can't be read: {e.strerror}") from e
    return source


def head_and_all(source: str, limit: int | None) -> tuple[Iterable[Record], Iterator[Record]]:
    """The records to check before anything is asked, and all of them; of a file these are the same."""
    if source != STDIN:
        return islice(records(source), limit), islice(records(source), limit)
    stream = records(source)
    head = list(islice(stream, LOOKED_AT if limit is None else min(limit, LOOKED_AT)))
    return head, islice(chain(head, stream), limit)


def shown_name(source: str) -> str:
    """The file, or what `-` stands for."""
    return "standard input" if source == "-" else source


def records(source: str) -> Iterator[Record]:
    """The records of a file, or of standard input (`-`, JSON Lines), as they are read.

    Raises:
        UsageError: a CSV file is not UTF-8, or its quotes or column names do not add up.
    """
    if source == STDIN:
        yield from _json_lines(sys.stdin.buffer)
        return
    if separator := _CSV.get(Path(source).suffix.lower()):
        with open(source, encoding="utf-8-sig", newline="") as text:
            yield from _csv(source, text, separator)
    else:
        with open(source, "rb") as file:
            yield from _json_lines(file)


def _json_lines(file: IO[bytes]) -> Iterator[Record]:
    """A record a line; blank lines are passed over."""
    number = 0
    for line, raw in enumerate(file, 1):
        text = raw.removeprefix(_BOM) if line == 1 else raw
        if text.strip():
            number += 1
            yield Record(number, line, *_object(text))


def _object(raw: bytes) -> tuple[Any, str | None]:
    """The JSON object in a line, or the line and what is wrong with it; NaN, which JSON does not have, is null."""
    try:
        given = json.loads(raw.decode(), parse_constant=lambda _: None)
    except UnicodeDecodeError as e:
        return raw.decode(errors="replace").strip(), f"not UTF-8: byte {raw[e.start]:#04x} at {e.start + 1}"
    except (ValueError, RecursionError) as e:
        return raw.decode().strip(), f"not JSON: {e}"
    if not isinstance(given, Mapping):
        return given, f"expected a JSON object, got {_short(given)}"
    return given, None


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


def _csv(source: str, text: IO[str], separator: str) -> Iterator[Record]:
    """A record a row below the names; an empty cell is None."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(text, delimiter=separator, strict=True)
    ended = 0
    try:
        names = _names(source, next(reader, []))
        ended = reader.line_num
        number = 0
        for cells in reader:
            line, ended = ended + 1, reader.line_num
            if cells:
                number += 1
                yield Record(number, line, *_columns(names, cells))
    except csv.Error as e:
        raise UsageError(f"{source}, in the row that begins on line {ended + 1}: {e}") from e
    except UnicodeDecodeError as e:
        raise UsageError(
            f"{source} is not UTF-8 (byte {e.object[e.start]:#04x} after line {ended}); save it as UTF-8"
        ) from e


def _names(source: str, header: list[str]) -> list[str]:
    """The column names; a column without a name is called by its place."""
    names = [name.strip() or f"column {n}" for n, name in enumerate(header, 1)]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise UsageError(f"{source} has two columns named {twice[0]!r}; rename one")
    return names


def _columns(names: list[str], cells: list[str]) -> tuple[Any, str | None]:
    """The cells by name; what stands in no named column is kept only if it is something."""
    if len(cells) > len(names):
        return cells, f"{len(cells)} cells for {len(names)} columns; is a quote or a separator off?"
    given = {name: cell or None for name, cell in zip(names, cells, strict=False)}
    given |= dict.fromkeys(names[len(cells) :])
    return {n: c for n, c in given.items() if c is not None or not n.startswith("column ")}, None
