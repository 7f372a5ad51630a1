"""Gates: what the scores of a run must come to for it to pass, read from texts such as `faithfulness>=0.8`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

from attrs import evolve, frozen

from scorer_core import Scorer, UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.evaluating.slices import Slice
from scorer_core.evaluating.statistics import Comparison, Interval, holds
from scorer_core.evaluating.summary import ROUNDING, Average

FORMS = (
    "LABEL>=NUMBER, p10(LABEL)>=NUMBER or rate(LABEL>=NUMBER)>=NUMBER, with >=, <=, > or <; "
    "for rows of which metadata says so, LABEL[COLUMN=VALUE]"
)
MIN_COVERAGE = 0.99
MOST_DIGITS = 16

_COMPARED = re.compile(r"(.*?\S)\s*(>=|<=|>|<)\s*([^\s<>=]+)\s*", re.S)
_NEXT_COLUMN = re.compile(r",(?=[^,=]*=)")
_OF = re.compile(r"(p(?P<percent>\d+(?:\.\d+)?)|rate)\s*\((?P<inner>.*)\)", re.S)


@frozen
class Gate:
    """What a number taken from the scores of one label is compared with.

    Args:
        text: As typed.
        label: The scorer's label.
        what: The number: the mean or a quantile, in [0, scale], or a rate, in [0, 1].
        comparison: How it must compare with `bound`.
        share: Of a quantile, in [0, 1].
        each: Of a rate: what a score must be like to count.
        slice: The rows it is about; None: all of them.
    """

    text: str
    label: str
    what: Literal["mean", "quantile", "rate"]
    comparison: Comparison
    bound: float
    share: float = 0.0
    each: tuple[Comparison, float] = (">=", 0.0)
    slice: Slice | None = None

    @property
    def wants(self) -> str:
        """The direction in which the scores meet the gate more easily, as `higher_is` says it: "better" is up."""
        up = self.comparison in (">=", ">")
        return "better" if up == (self.what != "rate" or self.each[0] in (">=", ">")) else "worse"


@frozen
class Verdict:
    """What came of a gate.

    Args:
        gate: The gate.
        met: Whether the run passes it.
        value: The number that was compared, as a reader is told it.
        why: The rows it is over, and what else there is to know, such as a coverage for which it is missed.
    """

    gate: Gate
    met: bool
    value: str
    why: str


def gate_of(text: str) -> Gate:
    """The gate that `text` spells.

    Raises:
        UsageError: it has none of the forms, or a number is none.
    """
    whole, comparison, bound = _compared(text, text)
    of = _OF.fullmatch(whole)
    if of is None:
        return Gate(text, whole, "mean", comparison, bound)
    if of["percent"] is None:
        label, *each = _compared(of["inner"], text)
        return Gate(text, label, "rate", comparison, bound, each=cast(Any, tuple(each)))
    if float(of["percent"]) > 100:
        raise UsageError(f"--gate {text!r}: expected p0 to p100, got 'p{of['percent']}'")
    return Gate(text, of["inner"].strip(), "quantile", comparison, bound, share=float(of["percent"]) / 100)


def _compared(part: str, text: str) -> tuple[str, Comparison, float]:
    found = _COMPARED.fullmatch(part)
    if found is None:
        raise UsageError(f"--gate {text!r}: expected {FORMS}")
    left, comparison, right = found.groups()
    try:
        bound = float(right)
    except ValueError:
        bound = math.nan
    if not math.isfinite(bound):
        raise UsageError(f"--gate {text!r}: no number after {comparison!r}: {right!r}; expected {FORMS}")
    return left.strip(), cast(Comparison, comparison), bound


def placed(gate: Gate, scorers: Sequence[Scorer]) -> Gate:
    """The gate with its label and slice told apart: labels have brackets of their own where options differ.

    Raises:
        UsageError: no scorer has its label, its slice has another form, or it compares with a number out of range.
    """
    scales = {s.label: s.options.scale for s in scorers}
    heads = [label for label in scales if gate.label == label or _slice_after(label, gate.label)]
    if not heads:
        named = gate.label.partition("[")[0]
        shape = f"; the forms are {FORMS}" if "(" in gate.label else ""
        near, have = suggestion(named, scales), ", ".join(scales)
        raise UsageError(f"--gate {gate.text!r}: no scorer {gate.label!r} in this run{near} (have: {have}){shape}")
    label = max(heads, key=len)
    within = _slice_after(label, gate.label)
    _check_bounds(gate, label, scales[label])
    return evolve(gate, label=label, slice=_slice(within, gate.text) if within else None)


def _slice_after(label: str, text: str) -> str:
    """`lang=ja` of `faithfulness[lang=ja]`, where the label is faithfulness; else nothing."""
    return text[len(label) + 1 : -1] if text.startswith(f"{label}[") and text.endswith("]") else ""


def _slice(within: str, text: str) -> Slice:
    pairs = [part.partition("=") for part in _NEXT_COLUMN.split(within)]
    if wrong := next((column for column, equals, _ in pairs if not equals or not column.strip()), None):
        raise UsageError(f"--gate {text!r}: expected [COLUMN=VALUE,...], got {wrong!r}")
    return Slice(tuple((column.strip(), value.strip()) for column, _, value in pairs))


def _check_bounds(gate: Gate, label: str, scale: float) -> None:
    limits = [(gate.bound, scale)] if gate.what != "rate" else [(gate.each[1], scale), (gate.bound, 1)]
    for n, (bound, most) in enumerate(limits):
        if not 0 <= bound <= most:
            what = "a rate is" if n else f"scores of {label} are"
            raise UsageError(f"--gate {gate.text!r}: {what} from 0 to {most:g}, got {bound:g}")


def against_direction(gates: Sequence[Gate], scorers: Sequence[Scorer]) -> Iterator[str]:
    """A warning for each gate that wants scores to be bad."""
    towards = {s.label: s.spec.higher_is for s in scorers}
    for gate in gates:
        if gate.wants != towards[gate.label]:
            good = "higher" if towards[gate.label] == "better" else "lower"
            yield f"--gate {gate.text!r} asks for bad scores: of {gate.label}, {good} is better"


def judged(gate: Gate, average: Average, *, min_coverage: float = MIN_COVERAGE) -> Verdict:
    """The verdict over the judged rows.

    Args:
        gate: The gate.
        average: The scores it is about.
        min_coverage: The share of the scorable rows, in [0, 1], that must not have failed.
    """
    value, slack = _value(gate, average), ROUNDING * (1.0 if gate.what == "rate" else average.scale)
    if value is None:
        return Verdict(gate, False, "no score", "; ".join(["no row was judged", *_failures(average)]))
    covered = (average.coverage or 0.0) >= min_coverage
    why = [_rows(gate, average), *([] if covered else [_too_few(average, min_coverage)]), *_failures(average)]
    met = covered and holds(value, gate.comparison, gate.bound, rounding=slack)
    return Verdict(gate, met, _shown(value, gate.comparison, gate.bound, rounding=slack), "; ".join(why))


def _shown(value: float, comparison: Comparison, bound: float, *, rounding: float = 0.0) -> str:
    """`value` with as many digits as a reader needs to come to the same end."""
    end = holds(value, comparison, bound, rounding=rounding)
    told = (f"{value:.{digits}f}" for digits in range(2, MOST_DIGITS + 1))
    same = (text for text in told if holds(float(text), comparison, bound, rounding=rounding) == end)
    return next(same, repr(value))


def _value(gate: Gate, average: Average) -> float | None:
    if gate.what == "mean":
        return average.mean
    if gate.what == "quantile":
        return average.quantile(gate.share)
    rate = average.rate(*gate.each)
    return rate.share if rate else None


def _rows(gate: Gate, average: Average) -> str:
    """`37 of 40 judged, 95 % 0.80 to 0.97`; scores that are all one say nothing of how sure their mean is."""
    if gate.what == "rate" and (rate := average.rate(*gate.each)):
        return f"{rate.met} of {average.counted}{_likely(rate.interval)}"
    return f"{average.counted}{_likely(average.interval if gate.what == 'mean' and average.deviation else None)}"


def _likely(interval: Interval | None) -> str:
    return f", 95 % {interval.low:.2f} to {interval.high:.2f}" if interval else ""


def _too_few(average: Average, min_coverage: float) -> str:
    covered = _shown(average.coverage or 0.0, ">=", min_coverage)
    return f"coverage {covered} of {average.scorable} scorable is below {min_coverage:g}"


def _failures(average: Average) -> Iterator[str]:
    """`2 failed (timeout 2)`, where any did."""
    if average.failed:
        kinds = ", ".join(f"{kind} {n}" for kind, n in average.failed.most_common())
        yield f"{average.failed.total()} failed ({kinds})"
