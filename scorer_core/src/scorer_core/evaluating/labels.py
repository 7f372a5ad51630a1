"""The names that tell the scores of several scorers apart."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

from attrs import evolve

from ..contract.errors import UsageError
from ..contract.plain import plain
from ..contract.spec import labelled as options_told
from ..scorer import Scorer


def labelled(scorers: Scorer | Sequence[Scorer]) -> list[Scorer]:
    """The scorers with labels that differ: the id, or `id[option=value]` of the options in which they differ.

    Raises:
        UsageError: there are none, or one of them is no scorer.
    """
    many = listed(scorers)
    if not many or any(not isinstance(s, Scorer) for s in many):
        raise UsageError(f"expected one or more scorers, got {scorers!r}")
    counts = Counter(s.label for s in many)
    named = [evolve(s, label=_long_label(s, many)) if counts[s.label] > 1 else s for s in many]
    return told_apart(named)


def told_apart(scorers: Sequence[Scorer]) -> list[Scorer]:
    """The scorers with a number behind each label that comes again: `id`, `id#2`, one that no other has."""
    taken, made = {s.label for s in scorers}, dict[str, Scorer]()
    for scorer in scorers:
        label, again = scorer.label, (f"{scorer.label}#{n}" for n in count(2))
        while label in made or (label in taken and label != scorer.label):
            label = next(again)
        made[label] = scorer if label == scorer.label else evolve(scorer, label=label)
    return [*made.values()]


def listed(scorers: Any) -> list[Any]:
    """One scorer, or several, as a list."""
    return list(scorers) if hasattr(scorers, "__iter__") and not isinstance(scorers, (str, Mapping)) else [scorers]


def _long_label(scorer: Scorer, among: Sequence[Scorer]) -> str:
    alike = [plain(s.options) for s in among if s.label == scorer.label]
    options = plain(scorer.options)
    differ = [name for name in options if len({json.dumps(o.get(name), sort_keys=True) for o in alike}) > 1]
    if scorer.label == scorer.spec.label(scorer.options):
        return scorer.spec.label(scorer.options, differ)
    return options_told(scorer.label, {name: options[name] for name in differ})
