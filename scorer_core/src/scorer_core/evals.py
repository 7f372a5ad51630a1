"""Many runs: logged outputs or a target's, scored side by side and bounded; one bad row never ends it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from .background import call, run_here
from .errors import STOP_KINDS, Failed, UsageError
from .in_flight import calls_in_flight
from .judge import Sharing, sharing
from .log import warn_once
from .rows import digest, run_of
from .schema import ErrorInfo, Run, RunResult, plain
from .scorer import Scorer
from .side_by_side import completed, numbered
from .summary import Average as Average
from .tables import rows_of

Needed = Callable[[int, str | None], Sequence[Scorer]]
Own = Callable[[str, Any], Mapping[str, Any]]


@frozen
class Item:
    """What came of one row: the row as given, what the target gave for it, and a result a scorer label."""

    index: int
    given: Any
    target_result: Any
    results: Mapping[str, RunResult]

    @property
    def stop(self) -> ErrorInfo | None:
        """The error for which all further rows would fail alike."""
        return next((r.error for r in self.results.values() if r.error and r.error.kind in STOP_KINDS), None)


@frozen
class EvalReport:
    """All results in the order of the rows, an average a label, and why the run stopped before its end, if it did."""

    results: tuple[RunResult, ...]
    scores: Mapping[str, Average]
    stopped: ErrorInfo | None = None


def run_evals(data: Iterable[Any] | AsyncIterable[Any], scorers: Scorer | Sequence[Scorer], **how: Any) -> EvalReport:
    """`arun_evals` for code that is not async; works in a notebook too."""
    return run_here(arun_evals(data, scorers, **how), "arun_evals(...)")


async def arun_evals(
    data: Iterable[Any] | AsyncIterable[Any],
    scorers: Scorer | Sequence[Scorer],
    *,
    target: Any = None,
    concurrency: int = 8,
    on_item_complete: Callable[[Any, Any, Mapping[str, RunResult]], Any] | None = None,
) -> EvalReport:
    """Score every row of `data` with every scorer.

    Args:
        data: Runs, or mappings with the names of a run's fields; other keys become metadata, `id` names the row. A data
            frame (pandas, polars), an Arrow table or a Hugging Face `Dataset` is read row by row.
        scorers: One or several; their labels are made to differ.
        target: A function or LangChain Runnable that gives the output for a row's input; None: outputs are logged ones.
        concurrency: Judge calls, and rows, in flight at once.
        on_item_complete: Called with (item, target_result, scorer_results) as rows complete; what it raises is logged.

    Raises:
        UsageError: there are no scorers, `data` is no collection of rows, or `concurrency` is below 1.
    """
    done: list[RunResult] = []
    stopped: ErrorInfo | None = None
    named = labelled(scorers)
    averages = averages_of(named)
    async for item in score_rows(data, named, target=target, concurrency=concurrency):
        for label, result in item.results.items():
            averages[label].add(result)
        done += item.results.values()
        stopped = stopped or item.stop
        await _tell(on_item_complete, item)
    return EvalReport(tuple(sorted(done, key=lambda r: r.index or 0)), averages, stopped)


def score_rows(
    data: Iterable[Any] | AsyncIterable[Any],
    scorers: Sequence[Scorer],
    *,
    target: Any = None,
    concurrency: int = 8,
    scorers_of: Needed | None = None,
    own: Own = lambda label, given: {},
) -> AsyncGenerator[Item]:
    """The items of `data` as they complete; read as they are consumed, and no further once a run-wide error came.

    `scorers_of` tells which scorers a row still needs, by its index and id (None where it can't be read); a row that
    needs none is passed over: it has no results, and its target is not asked. `own` gives the fields of a run that a
    scorer, by its label, reads otherwise from a row than the others do.
    """
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 1:
        raise UsageError(f"concurrency: expected a whole number of 1 or more, got {concurrency!r}")
    slots, seen, asking = asyncio.Semaphore(concurrency), Counter[str](), dict[Any, asyncio.Future[Any]]()

    async def score(index: int, given: Any) -> Item:
        calls_in_flight.set(slots)
        sharing.set(Sharing(asking))
        return await _item(index, given, scorers_of or (lambda *_: scorers), own, target, seen)

    return completed(numbered(rows_of(data)), score, most=concurrency, last=lambda item: item.stop)


def labelled(scorers: Scorer | Sequence[Scorer]) -> list[Scorer]:
    """The scorers with labels that differ: the id, or `id[option=value]` of the options in which they differ.

    Raises:
        UsageError: there are none, or one of them is no scorer.
    """
    many = [scorers] if isinstance(scorers, Scorer) else list(scorers)
    if not many or any(not isinstance(s, Scorer) for s in many):
        raise UsageError(f"expected one or more scorers, got {scorers!r}")
    counts = Counter(s.label for s in many)
    named = [evolve(s, label=_long_label(s, many)) if counts[s.label] > 1 else s for s in many]
    seen: Counter[str] = Counter()
    return [evolve(s, label=f"{s.label}#{n}") if (n := _nth(seen, s.label)) > 1 else s for s in named]


def averages_of(scorers: Iterable[Scorer]) -> dict[str, Average]:
    """An average a label, of no rows yet."""
    return {s.label: Average(s.label, s.spec.higher_is, s.options.scale) for s in scorers}


def _nth(seen: Counter[str], name: str) -> int:
    seen[name] += 1
    return seen[name]


def _long_label(scorer: Scorer, among: Sequence[Scorer]) -> str:
    alike = [plain(s.options) for s in among if s.label == scorer.label]
    options = plain(scorer.options)
    differ = [name for name in options if len({json.dumps(o.get(name), sort_keys=True) for o in alike}) > 1]
    return f"{scorer.label}[{','.join(f'{n}={options[n]}' for n in differ)}]" if differ else scorer.label


async def _item(index: int, given: Any, scorers_of: Needed, own: Own, target: Any, seen: Counter[str]) -> Item:
    try:
        run, row_id = run_of(given)
    except Failed as e:
        return Item(index, given, None, {s.label: _unscored(s, Run(), e, index, None) for s in scorers_of(index, None)})
    row_id = row_id or digest(run, seen)
    if not (scorers := scorers_of(index, row_id)):
        return Item(index, given, None, {})
    try:
        answered = await _answer(target, run) if target is not None else None
    except Exception as e:
        lost = Failed("target_error", f"the target raised {type(e).__name__}: {e}")
        return Item(index, given, None, {s.label: _unscored(s, run, lost, index, row_id) for s in scorers})
    run = run if target is None else evolve(run, output=_output(answered))
    results = await asyncio.gather(*(s.arun(evolve(run, **own(s.label, given))) for s in scorers))
    placed = {s.label: evolve(r, index=index, row_id=row_id) for s, r in zip(scorers, results, strict=True)}
    return Item(index, given, answered, placed)


async def _answer(target: Any, run: Run) -> Any:
    return await target.ainvoke(run.input) if hasattr(target, "ainvoke") else await call(target, run.input)


def _output(answered: Any) -> Any:
    """The output in a target's answer: the messages of a graph's or agent's state, else the answer itself."""
    return answered["messages"] if isinstance(answered, Mapping) and "messages" in answered else answered


def _unscored(scorer: Scorer, run: Run, why: Failed, index: int, row_id: str | None) -> RunResult:
    return evolve(scorer.failed(run, why), index=index, row_id=row_id)


async def _tell(callback: Any, item: Item) -> None:
    if callback is None:
        return
    try:
        await call(callback, item.given, item.target_result, item.results)
    except Exception as e:
        warn_once(f"on_item_complete raised {type(e).__name__}: {e}")
