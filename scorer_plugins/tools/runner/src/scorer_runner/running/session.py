"""A run as a person sees it: told what it is, watched while it goes on, and summed up at its end."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from pathlib import Path

from rich.table import Table
from rich.text import Text

from scorer_core import RunResult
from scorer_core.evaluating.scoring import Needed
from scorer_core.evaluating.slices import Slices
from scorer_core.evaluating.turns import Answer
from scorer_core.support.background import contained, enduring_loop

from ..gates import Verdict, against_direction, judged
from ..ordering.repeating import repeats_of, told_of
from ..planning.plan import Plan
from ..planning.targets import asked_once
from ..results.journal import description_of, journal
from ..results.kept import kept_of
from ..results.lock import alone
from ..results.parts import parts_of, told_place
from ..results.resume import going_on
from ..results.tally import Tally
from ..results.writing import Unwritable
from ..showing.evidence import evidence
from ..showing.summary import by_slice, summary, took
from ..terminal.console import clean, say, screen, shortened
from ..terminal.figures import many, ruled
from .again import how_to_go_on
from .batch import score_all
from .progress import progress

LOCAL = (
    "the local judge reads words, not meaning (fidelity: low); it is for trying the tool: pass --model for real scores"
)


def scored(plan: Plan, *, quiet: bool = False, over: bool = False) -> Tally:
    """What came of the run; all that is complete is in the file, also when it is interrupted."""
    times, started = plan.order.repeats, time.perf_counter()
    repeats, slices = repeats_of(plan.scorers, times, plan.passing), [Slices(by, times=times) for by in plan.by]
    tally = Tally(plan.scorers, plan.gates, slices, repeats, times)
    if (plan.model or "").partition(":")[0] == "local" and not quiet:
        say(LOCAL, style="dim")
    if plan.data.known and not quiet:
        say(f"{plan.data.known}", style="dim")
    for warning in () if quiet else against_direction(plan.gates, plan.scorers):
        say(f"warning: {warning}", style="yellow")
    try:
        with alone(plan.out) if plan.out else nullcontext():
            _score(plan, tally, quiet=quiet, over=over or plan.order.resumes)
    except Unwritable as e:
        tally.stopped = str(e)
    except (KeyboardInterrupt, asyncio.CancelledError) as e:
        raise KeyboardInterrupt(f"interrupted; {_kept(plan, tally)}{_further(plan)}") from e
    finally:
        if plan.cache:
            plan.cache.close()
    for row in repeats.values():
        row.close()
    tally.took = time.perf_counter() - started
    tally.verdicts = [judged(gate, average, min_coverage=plan.order.min_coverage) for gate, average in tally.gated]
    return tally


def _asking(plan: Plan, needed: Needed | None, *, over: bool) -> AbstractContextManager[Answer | None]:
    """What asks the target, if there is one; where results go to a file it asks for no row twice."""
    if plan.answer is None or plan.out is None:
        return nullcontext(plan.answer)
    placed = plan.earlier is None or plan.earlier.placed
    return asked_once(plan.answer, plan.out, needed, placed=placed, over=over)


def _score(plan: Plan, tally: Tally, *, quiet: bool, over: bool) -> None:
    """Score what is not yet done."""
    kept = kept_of(plan.earlier, [*tally.averages], tally.count) if plan.earlier else None
    needed = kept.missing(plan.scorers) if kept else None
    begun = going_on(kept, plan.parts) if kept else journal(plan.out, plan.description, over=over, parts=plan.parts)
    with (
        begun as write,
        _asking(plan, needed, over=over) as answer,
        progress(plan.total and plan.total * plan.order.repeats, quiet=quiet) as watch,
    ):
        gc.freeze()  # what is there by now stays; looking through it again and again took a quarter of the time
        try:
            # what a target or a scorer prints is no result of ours
            with redirect_stdout(sys.stderr), asyncio.Runner(loop_factory=enduring_loop) as runner:
                runner.run(contained(score_all(plan, write, tally, watch=watch, needed=needed, answer=answer)))
        finally:
            gc.unfreeze()


def report(plan: Plan, tally: Tally, shown: Sequence[RunResult], *, title: str = "the worst rows") -> None:
    """The summary, some results with their evidence, and where all are; on standard error if results went to output."""
    console = screen(stderr=plan.out is None or plan.shown != "table")
    if plan.out is None and not console.is_terminal:
        if tally.verdicts:
            console.print(_gates(tally.verdicts))
        return
    console.print(_what(plan, tally), "", summary(tally, console.width), "", sep="\n")
    for label, told in told_of(tally.repeats.values()):
        console.print(Text.assemble((f"{label}  ", "bold"), told))
    for slices in tally.slices:
        console.print(by_slice(tally, slices), "", sep="\n")
    if tally.verdicts:
        console.print(_gates(tally.verdicts), "", sep="\n")
    if shown:
        console.print(evidence(shown, title), "", sep="\n")
    since = " since it went on" if plan.earlier else ""
    for name, told in took(tally.spent, priced=plan.priced, begun=tally.begun) if plan.model else ():
        console.print(Text.assemble((f"{name:<9}", "dim"), told, since))
    if plan.out is not None:
        where = (
            (told_place(plan.out), "bold"),
            f"  {many(tally.results, 'line')}{_in_parts(plan.out)}; what the run was: {description_of(plan.out)}",
        )
        console.print(Text.assemble(("results  ", "dim"), *where), soft_wrap=True)


def _in_parts(out: Path) -> str:
    return f" in {many(len(parts_of(out)), 'part')}" if out.is_dir() else ""


def _gates(verdicts: Sequence[Verdict]) -> Table:
    table = ruled(("gate", "value", "", "over"))
    table.columns[0].overflow = table.columns[1].overflow = "fold"
    table.columns[2].no_wrap = True
    for verdict in verdicts:
        told = Text("met", style="green") if verdict.met else Text("missed", style="red")
        table.add_row(Text(clean(verdict.gate.text)), verdict.value, told, Text(verdict.why, style="dim"))
    return table


def _what(plan: Plan, tally: Tally) -> Text:
    times = plan.order.repeats
    again = f" × {times} repeats" if times > 1 else ""
    counts = f"{many(tally.rows // times, 'row')}{again} · {many(len(tally.scorers), 'scorer')}"
    judge = f"judge {shortened(plan.model, 60)}" if plan.model else "no judge"
    return Text.assemble((counts, "bold"), (f" · {judge} · {tally.took:.1f} s", "dim"))


def complaints(plan: Plan, tally: Tally) -> None:
    """The first rows that failed, why the run stopped, if it did, and the gates that were missed."""
    if tally.stopped:
        say(f"stopped: {shortened(tally.stopped, 400)}; {_kept(plan, tally)}{_further(plan)}", style="red")
    elif tally.n_failed:
        say(f"{tally.n_failed} failed:", style="red")
        for result in tally.failed:
            assert result.error is not None
            row = shortened(result.row_id or f"row {(result.index or 0) + 1}", 40)
            told = shortened(result.error.message, 200)
            say(f"  {row}  {result.scorer_label}  {result.error.kind}: {told}")
        if more := tally.n_failed - len(tally.failed):
            say(f"  and {more} more")
    for verdict in tally.verdicts:
        if not verdict.met:
            say(f"gate missed: {verdict.gate.text}: {verdict.value} ({verdict.why})", style="red")


def exit_code(tally: Tally) -> int:
    """1 where a gate was missed, else 3 with failed rows or stopped, else 0."""
    if any(not verdict.met for verdict in tally.verdicts):
        return 1
    return 3 if tally.n_failed or tally.stopped else 0


def _further(plan: Plan) -> str:
    """How a run that stopped goes on; one without a file does not."""
    return f"; {how_to_go_on(plan)}" if plan.out else ""


def _kept(plan: Plan, tally: Tally) -> str:
    rows = "" if plan.earlier else f" of {many(tally.rows, 'complete row')}"  # those of later rows may stand there too
    was, is_ = ("was", "is") if tally.results == 1 else ("were", "are")
    where = f"{was} written" if plan.out is None else f"{is_} in {told_place(plan.out)!r}"
    return f"{many(tally.results, 'result')}{rows} {where}"
