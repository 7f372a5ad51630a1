"""Results in one file, or in a folder of parts: files of so many lines, where a single one would get too large."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from attrs import define, field

MOST = 100_000  # lines of a part
PARTS = "part-*.jsonl"


def parts_of(path: Path) -> list[Path]:
    """The files that hold the results: `path`, or those in the folder that it is, in their order."""
    return sorted(path.glob(PARTS)) if path.is_dir() else [path]


def next_part(folder: Path) -> Path:
    """The part that comes after those that are there."""
    last = max((0, *(int(part.stem.partition("-")[2]) for part in folder.glob(PARTS))))
    return folder / f"part-{last + 1:05}.jsonl"


def told_place(path: Path) -> str:
    """`results.jsonl`; of a folder `results/`."""
    return f"{path}/" if path.is_dir() else str(path)


@define
class Lines:
    """The lines of several files as if they were those of one; each is found again by its place, in bytes.

    Args:
        files: The files, in order.
    """

    files: Sequence[Path]
    _begins: list[int] = field(init=False)
    _open: dict[int, BinaryIO] = field(factory=dict, init=False)
    _stack: ExitStack = field(factory=ExitStack, init=False)

    def __attrs_post_init__(self) -> None:
        self._begins = [0]
        for file in self.files:
            self._begins.append(self._begins[-1] + file.stat().st_size)

    def __iter__(self) -> Iterator[tuple[int, str, bytes]]:
        """Each line with its place, and with its file and number for a message."""
        for begin, file in zip(self._begins, self.files, strict=False):
            at = begin
            with open(file, "rb") as lines:
                for number, raw in enumerate(lines, 1):
                    yield at, f"{file}, line {number}", raw
                    at += len(raw)

    def at(self, place: int) -> bytes:
        """The line that begins there; files stay open until `close`."""
        n = bisect_right(self._begins, place) - 1
        if n not in self._open:
            self._open[n] = self._stack.enter_context(self.files[n].open("rb"))
        self._open[n].seek(place - self._begins[n])
        return self._open[n].readline()

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
