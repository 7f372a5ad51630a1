"""Which column, or place in one, each field of a run is read from, as told on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import evolve, field, frozen

from scorer_core import Run, UsageError
from scorer_core.contract.settings import suggestion

from ..ordering.values import value_of
from .dialects import Recognised

EXPECTED = "expected_trajectory"  # what a row expects of the way to its answer: metadata that scorers read
FIELDS = ("id", *(a.name for a in attrs.fields(Run)), EXPECTED)
SPLIT = ("ground_truth", "context")
SET = ("input", "output", "context", "ground_truth", "messages")
_ALSO = {"ground_truth": "groundTruth", "run_id": "runId", EXPECTED: "expectedTrajectory"}  # as Mastra writes them


@frozen
class Columns:
    """How a record's columns become the fields of a run.

    Args:
        maps: The column or path each field is read from where it is not of that name.
        splits: What separates the joined texts of a field.
        sets: Fields that are the same in every row.
        own: What a single scorer reads otherwise, by its label.
        known: Paths of the tool that the rows are recognised to come from.
    """

    maps: Mapping[str, str] = field(factory=dict)
    splits: Mapping[str, str] = field(factory=dict)
    sets: Mapping[str, Any] = field(factory=dict)
    own: Mapping[str, Mapping[str, str]] = field(factory=dict)
    known: Mapping[str, str] = field(factory=dict)

    def of(self, name: str, given: Mapping[str, Any]) -> str:
        """The column or path that a field is read from."""
        also = _ALSO.get(name, name)
        usual = also if name not in given and also in given else name
        return self.maps.get(name) or self.known.get(name) or usual

    @property
    def told(self) -> Mapping[str, str]:
        """All paths that were asked for, by what was asked to be read from them."""
        return {**self.maps, **{f"{label}.{name}": p for label, own in self.own.items() for name, p in own.items()}}


def columns(maps: Sequence[str], splits: Sequence[str], sets: Sequence[str] = ()) -> Columns:
    """The columns meant by `field=column`, `scorer.field=column`, `field=separator` and `field=value`.

    Raises:
        UsageError: one has another form, names no field, or one that another names too; all at once.
    """
    wrong: list[str] = []
    asked = [*_maps(maps, wrong)]
    parted, given = [*_pairs("--split", splits, SPLIT, wrong)], [*_pairs("--set", sets, SET, wrong)]
    mapped = [(name if label is None else f"{label}.{name}", path) for label, name, path in asked]
    for flag, pairs in (("--map", mapped), ("--split", parted), ("--set", given)):
        wrong += _told_twice(flag, pairs)
    split, fixed = dict(parted), {name: value_of(text) for name, text in given}
    wrong += [f"--set {name}: --map {name} is there, too; a field is the one or the other" for name in fixed
              if (None, name) in {(label, field) for label, field, _ in asked}]  # fmt: skip
    if wrong:
        raise UsageError("\n".join(wrong))
    own: dict[str, dict[str, str]] = {}
    for label, name, path in asked:
        if label is not None:
            own.setdefault(label, {})[name] = path
    return Columns({name: path for label, name, path in asked if label is None}, split, fixed, own)


def with_known(how: Columns, found: Recognised | None) -> tuple[Columns, Recognised | None]:
    """`how` with the paths of a recognised tool, for fields and columns that nothing was told about; and that tool."""
    paths = {
        name: path
        for name, path in (found.paths.items() if found else ())
        if name not in how.maps and name not in how.sets and path not in how.maps.values()
    }
    return evolve(how, known=paths), evolve(found, paths=paths) if found and paths else None


def _maps(given: Sequence[str], wrong: list[str]) -> Iterator[tuple[str | None, str, str]]:
    """Scorer (None for all), field and path of each `--map`; a scorer's label may hold equals signs and dots."""
    for text in given:
        label, name, path = _of_one(text)
        if name is None:
            wrong += _complaints("--map", text, FIELDS)
        elif label is not None and name in ("id", "run_id", "metadata"):
            wrong.append(f"--map {text!r}: {name} is the same for all scorers; map it as {name}={path}")
        else:
            yield label, name, path


def _of_one(text: str) -> tuple[str | None, str | None, str]:
    parts = text.split("=")
    for n in range(1, len(parts)):
        before, path = "=".join(parts[:n]), "=".join(parts[n:])
        label, dot, name = before.rpartition(".")
        if name in FIELDS and path and (not dot or label):
            return (label if dot else None), name, path
    return None, None, ""


def _pairs(flag: str, given: Sequence[str], fields: Sequence[str], wrong: list[str]) -> Iterator[tuple[str, str]]:
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not value or name not in fields:
            wrong += _complaints(flag, text, fields)
        else:
            yield name, value


def _told_twice(flag: str, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    first: dict[str, str] = {}
    for name, value in pairs:
        if first.setdefault(name, value) != value:
            yield f"{flag} {name}={value}: it is {first[name]!r} already; leave out one of the two"


def _complaints(flag: str, text: str, fields: Sequence[str]) -> list[str]:
    name, equals, value = text.partition("=")
    if not equals or not value:
        return [f"{flag} {text!r}: expected FIELD=VALUE, for example {flag} {fields[0]}=VALUE"]
    return [f"{flag} {text!r}: no field {name!r}{suggestion(name, fields)} (have: {', '.join(fields)})"]
