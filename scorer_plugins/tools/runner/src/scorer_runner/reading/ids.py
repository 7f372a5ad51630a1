"""Ids of rows: each once, or numbered where it comes again; some 16 bytes of each are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any, Literal

from attrs import define, field

from scorer_core.contract.errors import Failed
from scorer_core.support.digests import Digests

from .columns import Columns
from .records import Record
from .rows import row_of

Duplicates = Literal["error", "number"]
MOST_TOLD = 10


@define
class Seen:
    """The ids that were seen."""

    _digests: Digests = field(factory=Digests)

    def again(self, id: str) -> bool:
        """Whether `id` was seen before; from now on it was."""
        digest = blake2b(id.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        if digest in self._digests:
            return True
        self._digests.add(digest)
        return False


def numbered(rows: Iterable[Any]) -> Iterator[Any]:
    """The rows, in which an id that comes again has a number: `7`, `7-2`, `7-3`."""
    seen, counts = Seen(), Counter[str]()
    for row in rows:
        id = None if isinstance(row, Failed) else row.get("id")
        if id is not None and seen.again(id):
            counts[id] = max(counts[id], 1) + 1
            while seen.again(f"{id}-{counts[id]}"):
                counts[id] += 1
            row["id"] = f"{id}-{counts[id]}"
        yield row


def once(records: Iterable[Record], how: Columns) -> Iterator[Any]:
    """The rows of a stream; one whose id was there before can't be used."""
    seen = Seen()
    for record in records:
        row = row_of(record, how)
        id = None if isinstance(row, Failed) else row.get("id")
        if id is not None and seen.again(id):
            yield Failed("bad_row", f"{record.place}: the id {id!r} was there before; {REMEDY}")
        else:
            yield row


REMEDY = "tell ids apart with --id-duplicates number, or name another column: --map id=COLUMN"
NO_ORDER = (
    "--id-duplicates number: a run over standard input can't go on, as what is read again may come in another order, "
    "and numbers would go to other rows; write it to a file, and name that"
)


@define
class Repeated:
    """Ids that come more than once; the first of them are told.

    Args:
        ids: How many ids come again.
        told: The first of these.
    """

    ids: int = 0
    told: list[str] = field(factory=list)
    _seen: Seen = field(factory=Seen)
    _again: Seen = field(factory=Seen)

    def look_at(self, id: str) -> None:
        """Note `id` if it was there before."""
        if self._seen.again(id) and not self._again.again(id):
            self.ids += 1
            self.told += [id] if len(self.told) < MOST_TOLD else []

    def message(self, name: str, records: Iterable[Record], how: Columns) -> list[str]:
        """One message about all ids that come more than once, if any does; `records` are gone through once more."""
        if not self.ids:
            return []
        places: dict[str, list[str]] = {id: [] for id in self.told}
        for record in records:
            row = row_of(record, how)
            if not isinstance(row, Failed) and row.get("id") in places:
                places[row["id"]].append(record.place)
        lines = [f"{id!r}: {', '.join(at[:3])}{' ...' if len(at) > 3 else ''}" for id, at in places.items()]
        rest = [f"and {self.ids - len(lines)} more"] if self.ids > len(lines) else []
        return ["\n  ".join([f"ids of {name} that come more than once:", *lines, *rest, REMEDY])]
