"""The data of a run, looked at before anything is asked: how it is read, what is wrong with it, and its rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, TypeVar

from attrs import field, frozen

from scorer_core import UsageError

from .columns import Columns, with_known
from .dialects import Recognised, recognised
from .forms import Data, records
from .ids import Duplicates, numbered, once
from .needs import Asking, unknown_columns, unmet_needs
from .rows import row_of
from .survey import Survey, survey, unfit_rows

T = TypeVar("T")
LOOKED_AT = 100  # records that tell whose columns they are; of standard input, those checked before the first call


@frozen
class Looked:
    """Data that was looked at.

    Args:
        data: Where it is.
        how: How its columns are read.
        found: What its rows hold.
        rows: The rows, read as they are asked for.
        known: The tool whose columns it has, if they are read as such.
        problems: What is wrong with its rows and ids, whatever is asked of them.
        whole: Whether all of it could be read, so that what was not found is not there.
    """

    data: Data
    how: Columns
    found: Survey
    rows: Iterator[Any] = field(repr=False)
    known: Recognised | None
    problems: Sequence[str]
    whole: bool = True

    @property
    def total(self) -> int | None:
        """How many rows there are; None where that is not known yet."""
        return None if self.data.streams else self.found.rows

    def wrong_for(self, scorers: Sequence[Asking], target: str | None = None) -> list[str]:
        """What is wrong with it for these scorers, and for a target that answers its rows, a message each."""
        if not self.whole:
            return [*self.problems]
        told = unknown_columns(self.found, self.how)
        return [*self.problems, *(told or unmet_needs(str(self.data), self.found, self.how, scorers, target))]


def look_at(
    data: Data, how: Columns, *, limit: int | None, duplicates: Duplicates = "error", sliced: Iterable[str] = ()
) -> Looked:
    """The data as it is read: all of a file is gone through, and the first records of standard input.

    A file that is damaged, or of another form than its name tells, is a problem as unfit rows are.
    """
    stream, broken = islice(records(data), limit), list[str]()
    head = list(up_to_a_break(islice(stream, LOOKED_AT), broken))
    how, known = with_known(how, recognised([record.given for record in head if not record.problem]))
    found = survey(head if data.streams else chain(head, up_to_a_break(stream, broken)), how, sliced)
    once_more = head if data.streams else up_to_a_break(islice(records(data), limit), [])
    again = found.ids.message(str(data), once_more, how)
    every = chain(head, stream) if data.streams else islice(records(data), limit)
    if duplicates == "number":
        rows, again = numbered(row_of(record, how) for record in every), []
    else:
        rows = once(every, how) if data.streams else (row_of(record, how) for record in every)
    wrong = [*unfit_rows(str(data), found, broken), *again]
    return Looked(data, how, found, rows, known, wrong, whole=not broken)


def up_to_a_break(records: Iterable[T], broken: list[str]) -> Iterator[T]:
    """The records, or rows, up to where they can't be read on; why is put into `broken`."""
    try:
        yield from records
    except UsageError as e:
        broken.append(str(e))
