"""Which columns of the metadata a run is sliced by, checked against what the rows hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer_core import UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.evaluating.slices import MOST
from scorer_core.runs.metadata import NONE

from ..gates import Gate
from ..reading.needs import listed
from ..reading.survey import Survey


def columns_of(texts: Sequence[str]) -> Sequence[Sequence[str]]:
    """The columns that each `lang,release` names.

    Raises:
        UsageError: a name is missing, or comes twice.
    """
    told = [tuple(name.strip() for name in text.split(",")) for text in texts]
    for text, names in zip(texts, told, strict=True):
        if not all(names) or len(set(names)) < len(names):
            raise UsageError(f"--by {text!r}: expected columns of the metadata, as in --by lang,release")
    return list(dict.fromkeys(told))


def unknown_slices(found: Survey, by: Sequence[Sequence[str]], gates: Sequence[Gate]) -> Iterator[str]:
    """A message a column that no row has or that has too many values, and a slice of a gate that has no row."""
    for column in dict.fromkeys(column for columns in by for column in columns):
        yield from _wrong_with(f"--by {column}", column, found)
        if len(found.values[column]) > MOST:
            yield f"--by {column}: more than {MOST} different values; slice by a column that has few"
    for gate in gates:
        for column, value in gate.slice.values if gate.slice else ():
            wrong = [*_wrong_with(f"--gate {gate.text!r}", column, found)]
            yield from wrong
            have = found.values[column]
            if not wrong and value not in have and len(have) <= MOST:
                near = suggestion(value, have)
                yield f"--gate {gate.text!r}: no row has {column} {value!r}{near} (there are: {listed(have)})"


def _wrong_with(where: str, column: str, found: Survey) -> Iterator[str]:
    if found.columns.get(column) and not found.values[column].keys() - {NONE}:
        yield f"{where}: {column!r} is read as a field of the row, and so is not in its metadata"
    elif not found.values[column].keys() - {NONE}:
        near = suggestion(column, found.columns)
        yield f"{where}: no row has {column!r} in its metadata{near} (columns: {listed(found.columns)})"
