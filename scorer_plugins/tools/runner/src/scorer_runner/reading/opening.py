"""Files and standard input as bytes and as text: named by globs, decompressed, decoded."""

from __future__ import annotations

import io
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from gzip import GzipFile
from typing import IO, Any, TextIO

from scorer_core import UsageError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

STDIN = "-"
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_BINARY = {
    b"PAR1": "Parquet, whose names end in .parquet",
    b"ARROW1": "Arrow, whose names end in .arrow or .feather",
    b"PK\x03\x04": "a ZIP archive or an Excel workbook; save a sheet as CSV",
    b"SQLite": "an SQLite database",
    b"%PDF": "PDF",
}
_ESCAPED = re.compile("[\udc80-\udcff]")  # bytes that are no text, as `surrogateescape` keeps them


def shown_name(files: Sequence[str]) -> str:
    """The file, the first of several, or what `-` stands for."""
    name = "standard input" if files[0] == STDIN else files[0]
    return name if len(files) == 1 else f"{name} and {len(files) - 1} more"


def known_encoding(name: str) -> str:
    """`name`, if Python knows a text encoding of that name.

    Raises:
        UsageError: it does not.
    """
    try:
        "".encode(name)
    except LookupError as e:
        raise UsageError(f"--encoding {name}: no such encoding; usual ones are utf-8, utf-16, cp1252, shift_jis") from e
    return name


@contextmanager
def opened(file: str) -> Iterator[Any]:
    """The bytes of a file or of standard input; what is gzip or zstd by its first bytes is decompressed.

    Raises:
        UsageError: it can't be read, or is damaged.
    """
    if file == STDIN and sys.stdin is None:
        raise UsageError("standard input is closed, so there is nothing to read from it; name a file")
    try:
        with nullcontext(sys.stdin.buffer) if file == STDIN else open(file, "rb") as raw:
            yield _decompressed(raw if hasattr(raw, "peek") else io.BufferedReader(raw))
    except (OSError, EOFError, zlib.error, zstd.ZstdError) as e:
        raise UsageError(f"{shown_name([file])} can't be read: {getattr(e, 'strerror', None) or e}") from e


def _decompressed(raw: Any) -> Any:
    head = raw.peek(4)
    if head.startswith(_GZIP):
        return GzipFile(fileobj=raw)
    return zstd.ZstdFile(raw) if head.startswith(_ZSTD) else raw


@contextmanager
def as_text(file: str, encoding: str, *, newline: str) -> Iterator[TextIO]:
    """The text of a file; bytes that do not fit the encoding stand in it as `undecoded` finds them.

    Raises:
        UsageError: it is no text at all, or not in that encoding.
    """
    with opened(file) as data:
        _look(file, data, encoding)
        text = io.TextIOWrapper(data, _with_mark(encoding), errors="surrogateescape", newline=newline)
        try:
            yield text
        except UnicodeError as e:
            raise UsageError(f"{shown_name([file])} is not {encoding} ({e}); tell its encoding: --encoding NAME") from e
        finally:
            text.detach()


def _with_mark(encoding: str) -> str:
    """UTF-8 with or without its byte-order mark."""
    return "utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding


def _look(file: str, data: IO[bytes], encoding: str) -> None:
    head: bytes = data.peek(1024)[:1024]  # type: ignore[attr-defined]
    name = shown_name([file])
    for mark, what in _BINARY.items():
        if head.startswith(mark):
            raise UsageError(f"{name} is no text: it begins like {what}")
    if "\0".encode(encoding) == b"\0" and b"\0" in head:
        for mark, wide in _WIDE.items():
            if head.startswith(mark):
                raise UsageError(f"{name} is not {encoding}: it begins like {wide}; tell it: --encoding {wide}")
        raise UsageError(f"{name} is a binary file (byte {head.index(0) + 1} is zero), not text")


def undecoded(text: str, encoding: str) -> str | None:
    """What is wrong with a text that holds bytes which are not of the encoding."""
    if text.isascii() or not (found := _ESCAPED.search(text)):
        return None
    byte = ord(found[0]) - 0xDC00
    return (
        f"not {encoding}: byte {byte:#04x} at character {found.start() + 1}; tell the file's encoding: --encoding NAME"
    )
