"""The forms of files, told by how their names end, and the records of all files in their order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path

from attrs import evolve, field, frozen

from scorer_core import UsageError

from ..results.parts import results_in
from .columnar import columnar, need_pyarrow
from .delimited import delimited
from .json_file import json_rows, rows_path
from .json_lines import json_lines
from .opening import STDIN, as_text, known_encoding, opened, shown_name, undecoded
from .paths import Step
from .records import Reader, Record
from .results import places, row_again

_PACKED = (".gz", ".zst")
_LINES, _JSON, _TABLES, _COLUMNS = (".jsonl", ".ndjson"), ".json", {".csv": ",", ".tsv": "\t"}, (".arrow", ".feather")
_PARQUET = ".parquet"
ENDINGS = (*_LINES, _JSON, *_TABLES, _PARQUET, *_COLUMNS)


@frozen
class Data:
    """What is read.

    Args:
        files: In order; `-` alone is standard input.
        encoding: Of files of text.
        rows_at: Where the rows are in JSON files; () is where the one list of objects is.
        again: Whether it is results, whose rows are to be scored anew.
    """

    files: Sequence[str]
    encoding: str = "utf-8"
    rows_at: Sequence[Step] = field(default=())
    again: bool = False

    @property
    def streams(self) -> bool:
        """Whether it can be read only once."""
        return STDIN in self.files

    def __str__(self) -> str:
        return shown_name(self.files)


def find_data(names: Sequence[str], *, encoding: str = "utf-8", rows_at: str | None = None) -> Data:
    """The files that names and globs stand for: in the order of the names, those of a glob sorted.

    Raises:
        UsageError: a file is not there, can't be opened, or its ending tells no form that is known; all at once.
    """
    wrong: list[str] = []
    files: dict[str, None] = {}
    for name in names:
        try:
            files |= dict.fromkeys(map(_checked, _expanded(name)))
        except UsageError as e:
            wrong.append(str(e))
    if STDIN in files and len(files) > 1:
        wrong.append("standard input (-) can't be read beside files")
    if rows_at and not wrong and not any(_ending(file) == _JSON for file in files):
        wrong.append(f"--rows-at {rows_at}: tells where rows are in a .json file, and there is none")
    if wrong:
        raise UsageError("\n".join(wrong))
    return Data(tuple(files), known_encoding(encoding), rows_path(rows_at) if rows_at else ())


def find_results(names: Sequence[str]) -> Data:
    """The results that are named, a file or the folder of its parts, to be read as rows.

    Raises:
        UsageError: they are not there, can't be opened, or are neither JSON Lines nor Parquet; or several are named.
    """
    data = find_data([str(part) for name in names for part in (results_in(Path(name)) or [Path(name)])])
    several = len(data.files) > 1 and not (len(names) == 1 and Path(names[0]).is_dir())
    if several or _ending(data.files[0]) not in (*_LINES, _PARQUET) or data.streams:
        told = ", ".join(map(repr, names))
        raise UsageError(
            f"expected one file of results, as scorer run writes them, or the folder of its parts, got {told}"
        )
    if packed := next((file for file in data.files if file.lower().endswith(_PACKED)), None):
        raise UsageError(f"{packed!r}: packed results can't be looked up line by line; unpack the file first")
    return evolve(data, again=True)


def _expanded(name: str) -> Sequence[str]:
    if name == STDIN or Path(name).exists() or not has_magic(name):
        return [name]
    if not (found := sorted(path for path in glob(name, recursive=True) if Path(path).is_file())):
        raise UsageError(f"no file matches {name!r}")
    return found


def _checked(file: str) -> str:
    path, ending = Path(file), _ending(file)
    if file == STDIN:
        return file
    if not path.exists():
        raise UsageError(f"no file {file!r}")
    if path.is_dir():
        raise UsageError(f"{file!r} is a folder; name a file in it, or all of a kind: {str(path / '*.jsonl')!r}")
    if not path.is_file():
        raise UsageError(
            f"{file!r} is no file on a disk, and can't be read twice; hand its content to standard input: -"
        )
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise UsageError(f"{file!r}: expected a file that ends in {known}; JSON Lines has one object a line")
    if ending in (_PARQUET, *_COLUMNS):
        need_pyarrow(file)
    try:
        path.open("rb").close()
    except OSError as e:
        raise UsageError(f"{file!r} can't be read: {e.strerror}") from e
    return file


def _ending(file: str) -> str:
    """How a file's name ends, less what tells that it is compressed."""
    path = Path(file.lower())
    return path.with_suffix("").suffix if path.suffix in _PACKED else path.suffix


def records(data: Data) -> Iterator[Record]:
    """The records of all files, as they are read.

    Raises:
        UsageError: a file is damaged, or of another form than its name tells.
    """
    if data.again:
        yield from (Record(n, None, row_again(row)) for n, row in enumerate(places(*map(Path, data.files)).rows(), 1))
        return
    number, several = 0, len(data.files) > 1
    for file in data.files:
        cells = _ending(file) in _TABLES
        for line, given, problem in _found(file, data):
            number += 1
            yield Record(number, line, given, problem, file if several else None, cells)


def _found(file: str, data: Data) -> Reader:
    ending, encoding = _ending(file), data.encoding
    if ending in (_PARQUET, *_COLUMNS):
        with opened(file) as raw:
            yield from columnar(file, raw, parquet=ending == _PARQUET)
    elif ending == _JSON:
        yield from json_rows(file, _whole(file, encoding), data.rows_at)
    elif ending in _TABLES:
        with as_text(file, encoding, newline="") as text:
            yield from delimited(file, text, _TABLES[ending], encoding)
    else:
        with as_text(file, encoding, newline="\n") as text:
            yield from json_lines(text, encoding)


def _whole(file: str, encoding: str) -> str:
    with as_text(file, encoding, newline="\n") as text:
        whole = text.read()
    if undecoded(whole, encoding):
        lines = enumerate(whole.split("\n"), 1)
        raise UsageError(next(f"{file}, line {n}: {p}" for n, line in lines if (p := undecoded(line, encoding))))
    return whole
