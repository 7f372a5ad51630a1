"""Results in one file, or in a folder of parts: files of so many lines, where a single one would get too large.

A part that becomes Parquet is written as `_part-00007.jsonl`, which what reads a folder of Parquet passes over. Once it
is full, `part-00007.parquet` takes its place; where a kill leaves both, the same lines are in them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Literal

from scorer_core import RunResult

from .lines import is_parquet, lines_in, put_lines
from .writing import Unwritable, Write, to_file

MOST = 100_000  # lines of a part
Form = Literal["jsonl", "parquet"]
_PART = re.compile(r"_?part-(\d+)\.(?:jsonl|parquet)")


def is_folder(out: str | None) -> bool:
    """Whether results go to the parts of a folder."""
    return out is not None and out.endswith(("/", os.sep))


def told_place(path: Path) -> str:
    """`results.jsonl`; of a folder `results/`."""
    return f"{path}/" if path.is_dir() else str(path)


def parts_of(path: Path) -> list[Path]:
    """The files that hold the results: `path`, or those in the folder that it is, in their order."""
    return [*{number: file for number, _, file in _numbered(path)}.values()] if path.is_dir() else [path]


def results_in(path: Path) -> list[Path]:
    """`parts_of`; or all files of results in a folder that others have written, such as Ray's."""
    named = (".jsonl", ".parquet")
    return parts_of(path) or sorted(file for file in path.glob("[!._]*") if file.suffix in named)


def _numbered(folder: Path) -> list[tuple[int, bool, Path]]:
    """Each part with its number and whether it is Parquet, in order; of two with one number that is the last."""
    named = ((file, _PART.fullmatch(file.name)) for file in folder.glob("*part-*.*"))
    return sorted((int(name[1]), is_parquet(file), file) for file, name in named if name)


@contextmanager
def in_parts(folder: Path, digest: str, form: Form = "jsonl") -> Iterator[Write]:
    """A function that writes results to new parts of a folder, each of `MOST` lines at most.

    Args:
        folder: The folder.
        digest: That of the run's description.
        form: What parts become: those that are there, each that is full, and in the end the last one.

    Raises:
        Unwritable: a part can't become Parquet; its lines stay.
    """
    there, parquet = _numbered(folder), form == "parquet"
    numbers = count(there[-1][0] + 1 if there else 1)
    with _packing([file for _, done, file in there if not done and parquet]) as pack, ExitStack() as current:
        add: Write
        left = 0

        def write(result: RunResult) -> None:
            nonlocal left, add
            if not left:
                current.close()
                part = folder / f"{'_' if parquet else ''}part-{next(numbers):05}.jsonl"
                add, left = current.enter_context(_part(part, digest, pack if parquet else None)), MOST
            add(result)
            left -= 1

        yield write


@contextmanager
def _part(path: Path, digest: str, then: Callable[[Path], object] | None) -> Iterator[Write]:
    """A function that writes results to a new file; `then` is called with it, once it is closed."""
    try:
        file = open(path, "xb", buffering=0)  # noqa: SIM115
    except OSError as e:
        raise Unwritable(f"{str(path)!r} can't be written: {e.strerror}") from e
    try:
        with file:
            yield to_file(file, path, digest)
    finally:
        if then:
            then(path)


@contextmanager
def _packing(there: Sequence[Path]) -> Iterator[Callable[[Path], object]]:
    """A function that has a part turned into Parquet while other things go on, as those that are `there` are."""
    with ThreadPoolExecutor(1, "parquet") as thread:
        begun = [thread.submit(_pack, part) for part in there]
        yield lambda part: begun.append(thread.submit(_pack, part))
    for packed in begun:
        packed.result()


def _pack(part: Path) -> None:
    """Put Parquet in the place of lines, unless that is there, or there are none."""
    to = part.with_name(f"{part.stem.removeprefix('_')}.parquet")
    try:
        if part.stat().st_size and not to.exists():
            put_lines(lines_in(part), to)
        part.unlink()
    except OSError as e:
        raise Unwritable(f"{str(to)!r} can't be written: {e.strerror or e}; its results are in {str(part)!r}") from e
