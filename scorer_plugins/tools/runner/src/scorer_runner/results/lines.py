"""The lines of results: of a file of them, or of one in Parquet that was made of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import lru_cache
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field

from .replacing import replaced

if TYPE_CHECKING:
    from .parquet import Rows

GROUPS = 4  # of Parquet, that are kept while single lines are looked for


def is_parquet(file: Path) -> bool:
    """Whether a file is one of Parquet, by its name."""
    return file.suffix == ".parquet"


def rows_of(file: Path) -> Rows:
    """The rows of a file of Parquet.

    Raises:
        UsageError: it is none, or holds no results; or pyarrow is not installed.
    """
    from .parquet import Rows

    return Rows(file)


def lines_in(file: Path) -> Generator[bytes]:
    """The lines of a file, one after the other."""
    with closing(rows_of(file) if is_parquet(file) else open(file, "rb")) as lines:
        yield from lines


def put_lines(lines: Iterable[bytes], to: Path) -> None:
    """Put all of `lines`, as Parquet if the name tells so, in the place of a file; or leave that as it is.

    Raises:
        OSError: they can't be written.
    """
    with replaced(to) as file:
        if not is_parquet(to):
            file.writelines(lines)
            return
        from .parquet import write_lines

        write_lines(lines, file)


@define
class Lines:
    """The lines of several files as if they were those of one; each is found again by its place.

    Args:
        files: The files, in order. A place is counted in bytes; in rows, where they are Parquet.
    """

    files: Sequence[Path]
    _begins: list[int] = field(init=False)
    _open: dict[int, BufferedReader | Rows] = field(factory=dict, init=False)
    _group: Callable[[Rows, int], Sequence[bytes]] = field(init=False)
    _stack: ExitStack = field(factory=ExitStack, init=False)

    def __attrs_post_init__(self) -> None:
        self._begins = [0]
        for file in self.files:
            self._begins.append(self._begins[-1] + _size(file))
        self._group = lru_cache(GROUPS)(lambda rows, number: rows.group(number))

    def __iter__(self) -> Iterator[tuple[int, str, bytes]]:
        """Each line with its place, and with its file and number for a message."""
        for begin, file in zip(self._begins, self.files, strict=False):
            at, by_row = begin, is_parquet(file)
            for number, raw in enumerate(lines_in(file), 1):
                yield at, f"{file}, {'row' if by_row else 'line'} {number}", raw
                at += 1 if by_row else len(raw)

    def at(self, place: int) -> bytes:
        """The line that begins there; files stay open until the end of the block."""
        n = bisect_right(self._begins, place) - 1
        file, place = self._opened(n), place - self._begins[n]
        if isinstance(file, BufferedReader):
            file.seek(place)
            return file.readline()
        number, row = file.where(place)
        return self._group(file, number)[row]

    def _opened(self, n: int) -> BufferedReader | Rows:
        if n not in self._open:
            file = self.files[n]
            opened = rows_of(file) if is_parquet(file) else file.open("rb")
            self._stack.callback(opened.close)
            self._open[n] = opened
        return self._open[n]

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _size(file: Path) -> int:
    if not is_parquet(file):
        return file.stat().st_size
    with closing(rows_of(file)) as rows:
        return len(rows)
