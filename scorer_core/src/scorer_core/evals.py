"""Evaluations: rows scored as they are read, and the report of what they come to."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from attrs import define, field, frozen

from .contract.errors import UsageError
from .contract.schema import ErrorInfo, RunResult
from .contract.settings import suggestion
from .evaluating.labels import listed
from .evaluating.places import Scorers, placed
from .evaluating.repeats import Passes, Passing, RepeatedRow, Repeats, Rule
from .evaluating.scoring import Item, check_budget, check_whole, score_rows
from .evaluating.side_by_side import check_rows
from .evaluating.slices import Slice, Slices, columns_of
from .evaluating.summary import Average
from .evaluating.targets import TargetResult, nodes_of
from .evaluating.turns import answer_of
from .judging.budget import Budget
from .judging.flight import Flight
from .runs.tables import rows_of
from .scorer import Scorer
from .support.background import call, run_here
from .support.log import warn_once
from .support.raised import error_text


@frozen
class EvalReport:
    """All results in the order of the rows, and what they come to.

    Args:
        results: One a row, repeat and label.
        scores: An average a label; of the repeats of a row it takes the mean.
        stopped: Why the run stopped before its end, if it did.
        repeats: What the repeats of all rows come to, by label; empty where there are none and no `passes` was given.
        rows: What the repeats of each row come to, for each label; empty as above.
        slices: An average a label for each slice of the rows; empty where no `by` was given.
    """

    results: tuple[RunResult, ...]
    scores: Mapping[str, Average]
    stopped: ErrorInfo | None = None
    repeats: Mapping[str, Repeats] = field(factory=dict)
    rows: tuple[RepeatedRow, ...] = ()
    slices: Mapping[Slice, Mapping[str, Average]] = field(factory=dict)


def run_evals(data: Iterable[Any] | AsyncIterable[Any], scorers: Scorers, **how: Any) -> EvalReport:
    """Score every row of `data` with every scorer: `arun_evals` for code that is not async; works in a notebook too.

        scorers = [create_bias_scorer("openai:gpt-5-mini")]
        report = run_evals(rows, scorers, budget=Budget(max_calls=500))
        print(report.scores["bias"])

    Args:
        data: As for `arun_evals`.
        scorers: As for `arun_evals`.
        how: As for `arun_evals`.

    Raises:
        UsageError: anything of this does not fit; all that is wrong is told at once.
        Exception: as for `arun_evals`.
    """
    return run_here(arun_evals(data, scorers, **how), "arun_evals(...)")


async def arun_evals(
    data: Iterable[Any] | AsyncIterable[Any],
    scorers: Scorers,
    *,
    target: Any = None,
    concurrency: int = 8,
    budget: Budget | None = None,
    repeats: int = 1,
    passes: Passes | Mapping[str, Passes] | None = None,
    pass_rule: Rule | None = None,
    by: str | Sequence[str] = (),
    on_item_complete: Callable[[Any, TargetResult | None, Mapping[str, RunResult]], Any] | None = None,
) -> EvalReport:
    """Score every row of `data` with every scorer. A row that can't be scored is a result, and ends nothing.

    Args:
        data: Runs, or mappings with the names of a run's fields; other keys become metadata, `id` names the row. A data
            frame (pandas, polars), an Arrow table or a Hugging Face `Dataset` is read row by row. With a target, a list
            `turns` or `inputs` in place of `input` is sent one after another.
        scorers: One or several; their labels are made to differ. Or a mapping of what of a row is scored to scorers:
            "agent" or "workflow" (the answer), "turns" (each one), "trajectory" (the way to it), and "steps", which
            maps names of steps to scorers. Labels are then `turns.1.ID`, `trajectory.ID` and `steps.NAME.ID`.
        target: What gives the output for a row's input: a function, sync or async, which may also name `run` and
            `thread_id`; a LangChain Runnable; a compiled LangGraph graph or agent. None: outputs are logged ones.
        concurrency: Judge calls, and rows, in flight at once; 1 or more.
        budget: What the run may take. Once it is spent the run stops; rows that were not done then have no results.
        repeats: How often each row is done, 1 or more: by the target, where there is one, and by the judge.
        passes: The score from which on a result passes, in the scorer's units (up to which, where higher is worse); or
            a function of a result that gives True, False, or None for no verdict. A mapping tells it for some labels.
        pass_rule: When a row passes that has repeats: "mean" (the mean of its scores passes), "majority" (more than
            half of its results do), "all" or "any". "mean" unless given, with a function "majority".
        by: A column of the metadata, or several, that rows are told apart by; a dotted name looks inside mappings.
        on_item_complete: Called with (item, target_result, scorer_results) as rows complete; what it raises is logged.

    Raises:
        UsageError: anything of this does not fit; all that is wrong is told at once.
        Exception: whatever the data raises, once all rows before are done; its `report` holds them.
    """
    budget = Budget() if budget is None else budget
    scorers = scorers if isinstance(scorers, Mapping) else listed(scorers)
    more = (
        partial(_passing, scorers, passes, pass_rule), partial(_affordable, scorers, budget), partial(columns_of, by),
        partial(_look_at_callback, on_item_complete),
    )  # fmt: skip
    _look_at(data, scorers, target, concurrency, repeats, more)
    places, passing = placed(scorers), _passing(scorers, passes, pass_rule)
    slices = Slices(columns_of(by), times=repeats)
    counts = _Counts(passing, repeats, averages_of((p.scorer for p in places if p.at != "turns"), repeats), slices)
    answer = None if target is None else answer_of(target)
    flight = Flight(concurrency, budget)
    try:
        async for item in score_rows(data, scorers, answer=answer, flight=flight, repeats=repeats):
            counts.add(item)
            await _tell(on_item_complete, item)
    except Exception as e:
        _keep(counts.report(), e)
        raise
    if flight.stopped:
        counts.stopped = counts.stopped or ErrorInfo(kind="budget", step=None, message=flight.stopped)
    return counts.report()


def _keep(report: EvalReport, error: Exception) -> None:
    """Keep what was complete with the exception that ended it, so that nothing is lost that was paid for."""
    error.report = report  # type: ignore[attr-defined]
    error.add_note(f"results that were complete by then: {len(report.results)}, in the `report` of this exception")


def averages_of(scorers: Iterable[Scorer], times: int = 1) -> dict[str, Average]:
    """An average a label, of no rows yet, which are scored so many times each."""
    return {s.label: Average(s.label, s.spec.higher_is, s.options.scale, times=times) for s in scorers}


@define
class _Counts:
    """What the items so far come to."""

    passing: Mapping[str, Passing]
    times: int
    averages: dict[str, Average]
    slices: Slices
    done: list[RunResult] = field(factory=list)
    repeats: dict[str, Repeats] = field(factory=dict)
    rows: list[RepeatedRow] = field(factory=list)
    stopped: ErrorInfo | None = None

    def add(self, item: Item) -> None:
        self.stopped = self.stopped or item.stop
        for label, result in item.results.items():
            self.done.append(result)
            if label not in self.averages:
                self.averages[label] = Average(label, result.higher_is, result.scale, times=self.times)
            self.averages[label].add(result)
            if self.slices.by:
                self.slices.add(result)
            passing = self.passing.get(_without_turn(label))
            if self.times > 1 or passing:
                self._repeat(self.repeats.setdefault(label, Repeats(label, self.times, passing)), result)

    def _repeat(self, repeats: Repeats, result: RunResult) -> None:
        row = repeats.add(result)
        self.rows += [row] if row else []

    def report(self) -> EvalReport:
        rows = [*self.rows, *(row for r in self.repeats.values() for row in r.close())]
        return EvalReport(
            tuple(sorted(self.done, key=lambda r: (r.index or 0, r.repeat or 0))),
            self.averages,
            self.stopped,
            self.repeats,
            tuple(sorted(rows, key=lambda row: row.index)),
            self.slices.averages,
        )


def _look_at(
    data: Any, scorers: Any, target: Any, concurrency: Any, repeats: Any, more: Iterable[Callable[[], Any]]
) -> None:
    """Raise all that is wrong with what was asked for, as one error."""
    checks: list[Callable[[], Any]] = [
        lambda: check_rows(rows_of(data)),
        partial(_fits, scorers, target),
        *([partial(answer_of, target)] if target is not None else []),
        partial(check_whole, "concurrency", concurrency),
        partial(check_whole, "repeats", repeats),
        *more,
    ]
    wrong: list[str] = []
    for check in checks:
        try:
            check()
        except UsageError as e:
            wrong.append(str(e))
    if wrong:
        raise UsageError("\n".join(dict.fromkeys(wrong)))


def _fits(scorers: Any, target: Any) -> None:
    """Nothing, if the scorers fit the target.

    Raises:
        UsageError: steps that the graph does not have, or steps or turns without a target.
    """
    places, nodes = placed(scorers), nodes_of(target)
    if target is None and (lost := [p.label for p in places if p.at in ("step", "turns")]):
        raise UsageError(f"scorers: {', '.join(lost)} need a target; logged rows have neither steps nor turns")
    unknown = dict.fromkeys(p.step for p in places if nodes is not None and p.step is not None and p.step not in nodes)
    if nodes is not None and unknown:
        told = ", ".join(f"{step!r}{suggestion(step, nodes)}" for step in unknown)
        raise UsageError(f"scorers: the graph has no step {told} (have: {', '.join(nodes)})")


def _look_at_callback(callback: Any) -> None:
    if callback is not None and not callable(callback):
        raise UsageError(f"on_item_complete: expected a function, got {callback!r}")


def _affordable(scorers: Scorers, budget: Any) -> None:
    if not isinstance(budget, Budget):
        raise UsageError(f"budget: expected a Budget, such as Budget(max_calls=500), got {budget!r}")
    check_budget(budget, [p.scorer for p in placed(scorers)])


def _passing(scorers: Scorers, passes: Passes | Mapping[str, Passes] | None, rule: Rule | None) -> dict[str, Passing]:
    """When results pass, by label; a turn's label has no number here."""
    labels = [p.label for p in placed(scorers)]
    told = passes if isinstance(passes, Mapping) else {} if passes is None else dict.fromkeys(labels, passes)
    if rule is not None and not told:
        raise UsageError("pass_rule: there is nothing to pass; give passes")
    if unknown := [label for label in told if label not in labels]:
        raise UsageError(
            f"passes: no scorer {unknown[0]!r}{suggestion(unknown[0], labels)} (have: {', '.join(labels)})"
        )
    how: Any = {} if rule is None else {"rule": rule}
    return {label: Passing(bound, **how) for label, bound in told.items()}


def _without_turn(label: str) -> str:
    return re.sub(r"^turns\.\d+\.", "turns.", label)


async def _tell(callback: Any, item: Item) -> None:
    if callback is None:
        return
    try:
        await call(callback, item.given, item.target_result, item.results)
    except Exception as e:
        warn_once(f"on_item_complete raised {error_text(e)}")
