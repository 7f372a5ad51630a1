"""Two sets of results of the same rows set side by side: which agrees better with labels, and which rows flipped."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from scorer_core import RunResult, UsageError
from scorer_core.runs.metadata import told

from .agreement import Measure, measured
from .labels import Rule, rule_of

Result = Mapping[str, Any]  # a line of a results file
Side = Mapping[tuple[str, int], Result]  # by id and, for ids that come again, how often before


@frozen
class Flipped:
    """A row that the two sides see otherwise: its label, and both results."""

    label: str
    a: RunResult
    b: RunResult


@frozen
class Comparison:
    """What two sides of one scorer come to.

    Args:
        scorer: Its id.
        rule: How its scores were set beside the labels, in words.
        rows: How many were compared.
        left_out: How many were not, by the reason.
        measures: The first one decides.
        flipped: The rows that differ, those that differ most first.
    """

    scorer: str
    rule: str
    rows: int
    left_out: Mapping[str, int]
    measures: Sequence[Measure]
    flipped: Sequence[Flipped]


def sides(lines: Iterable[Result]) -> Mapping[str, Side]:
    """Results by scorer label, then by row."""
    found: dict[str, dict[tuple[str, int], Result]] = {}
    for line in sorted(lines, key=lambda line: line["index"] or 0):
        side = found.setdefault(line["scorer_label"], {})
        id, before = str(line["row_id"]), 0
        while (id, before) in side:
            before += 1
        side[id, before] = line
    return found


def compared(scorer: str, a: Side, b: Side, how: Mapping[str, Any]) -> Comparison:
    """Two sides of one scorer, by the labels in a column.

    Args:
        scorer: Its id.
        a, b: The sides.
        how: What `rule_of` takes: column, positive, threshold.

    Raises:
        UsageError: no row is on both sides, or there are no labels that can be read.
    """
    both = [key for key in a if key in b]
    if not both:
        raise UsageError(f"{scorer}: no row is in both; are they results of the same data?")
    rule = rule_of(words=[told(a[key]["metadata"], how["column"]) for key in both], **how)
    left_out = Counter({"on one side only": len(a) + len(b) - 2 * len(both)})
    kept: list[tuple[Result, Result, float]] = []
    for key in both:
        if why := _unfit(a[key], b[key], rule):
            left_out[why] += 1
        else:
            kept.append((a[key], b[key], rule.label(a[key]["metadata"]) or 0.0))
    rows = [(label, rule.value(x), rule.value(y)) for x, y, label in kept]
    measures = [measured(name, metric, rows) for name, metric in rule.metrics.items()]
    first = next(iter(a.values()))
    return Comparison(scorer, rule.said(first), len(rows), +left_out, measures, [*_flipped(kept, rule)])


def _unfit(a: Result, b: Result, rule: Rule) -> str | None:
    """Why a row can't be compared."""
    for name, side in (("A", a), ("B", b)):
        if side["status"] != "scored":
            return f"{side['status'].replace('_', ' ')} under {name}"
    if a["vacuous"] or b["vacuous"]:
        return "vacuous"
    return "without a label" if rule.label(a["metadata"]) is None else None


def _flipped(kept: Sequence[tuple[Result, Result, float]], rule: Rule) -> Iterator[Flipped]:
    differ = [(abs(rule.value(b) - rule.value(a)), abs(_share(b) - _share(a)), a, b) for a, b, _ in kept]
    for change, _, a, b in sorted(differ, key=lambda pair: pair[:2], reverse=True):
        if change:
            yield Flipped(told(a["metadata"], rule.column), _result(a), _result(b))


def _share(result: Result) -> float:
    return float(result["score"] / result["scale"])


def _result(line: Result) -> RunResult:
    return RunResult.from_dict({name: value for name, value in line.items() if name not in ("judge", "templates")})


def results_in(path: str) -> list[Result]:
    """The lines of a results file.

    Raises:
        UsageError: it can't be read, or holds no results.
    """
    found: list[Result] = []
    try:
        with open(Path(path), encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                line = json.loads(text)
                if not isinstance(line, dict) or not {"scorer_id", "scorer_label", "status", "row_id"} <= line.keys():
                    raise UsageError(f"{path}, line {number}: not a result; expected a file that scorer run wrote")
                found.append(line)
    except (OSError, ValueError) as e:
        raise UsageError(f"{path!r} can't be read as results: {e}") from e
    if not found:
        raise UsageError(f"no results in {path!r}")
    return found


def pairs_of(a: Mapping[str, Side], b: Mapping[str, Side], wanted: Sequence[str]) -> Iterator[tuple[str, Side, Side]]:
    """The sides of two files that belong together: by label, or by scorer where each has one of it.

    Raises:
        UsageError: none do.
    """
    ids = [{label: next(iter(side.values()))["scorer_id"] for label, side in file.items()} for file in (a, b)]
    found = False
    for label, id in ids[0].items():
        others = [other for other, of in ids[1].items() if of == id]
        match = label if label in others else others[0] if len(others) == 1 else None
        if match is not None and (not wanted or id in wanted):
            found = True
            yield label, a[label], b[match]
    if not found:
        have = " and ".join(", ".join(file) for file in (a, b))
        raise UsageError(f"the two have no scorer in common{' of those asked for' if wanted else ''} ({have})")
