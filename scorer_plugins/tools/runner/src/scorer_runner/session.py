"""A run as a person sees it: told what it is, watched while it goes on, and summed up at its end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from rich.text import Text

from scorer_core import RunResult

from .batch import Tally, score_all
from .console import say, screen, shortened
from .evidence import evidence
from .journal import description_of, journal
from .plan import Plan
from .progress import progress
from .summary import summary

LOCAL = (
    "the local judge reads words, not meaning (fidelity: low); it is for trying the tool: pass --model for real scores"
)


def scored(plan: Plan, *, quiet: bool = False, over: bool = False) -> Tally:
    """What came of the run; all that is complete is in the file, also when it is interrupted."""
    tally, started = Tally(plan.scorers), time.perf_counter()
    if (plan.model or "").partition(":")[0] == "local" and not quiet:
        say(LOCAL, style="dim")
    try:
        with (
            journal(plan.out, plan.description, over=over) as write,
            progress(plan.total, quiet=quiet) as tick,
        ):
            asyncio.run(score_all(plan, write, tally, tick=tick))
    except KeyboardInterrupt as e:
        raise KeyboardInterrupt(f"interrupted; {_kept(plan, tally)}") from e
    finally:
        if plan.cache:
            plan.cache.close()
    tally.took = time.perf_counter() - started
    return tally


def report(plan: Plan, tally: Tally, shown: Sequence[RunResult], *, title: str = "the worst rows") -> None:
    """The summary, some results with their evidence, and where all are; on standard error if results went to output."""
    console = screen(stderr=plan.out is None)
    if plan.out is None and not console.is_terminal:
        return
    console.print(_what(plan, tally), "", summary(tally), "", sep="\n")
    if shown:
        console.print(evidence(shown, title), "", sep="\n")
    if plan.priced:
        console.print(Text.assemble(("cost     ", "dim"), _cost(tally)))
    if plan.cache:
        calls = f"{tally.asked} asked, {plan.cache.hits} from the cache"
        console.print(Text.assemble(("calls    ", "dim"), calls))
    if plan.out is not None:
        where = (
            (f"{plan.out}", "bold"),
            f"  {_many(tally.results, 'line')}; what the run was: {description_of(plan.out)}",
        )
        console.print(Text.assemble(("results  ", "dim"), *where), soft_wrap=True)


def _what(plan: Plan, tally: Tally) -> Text:
    counts = f"{_many(tally.rows, 'row')} · {_many(len(tally.scorers), 'scorer')}"
    judge = f"judge {shortened(plan.model, 60)}" if plan.model else "no judge"
    return Text.assemble((counts, "bold"), (f" · {judge} · {tally.took:.1f} s", "dim"))


def _cost(tally: Tally) -> str:
    """What the run cost; never a number that hides what is not known."""
    if not tally.unpriced:
        return f"{tally.cost:.6g}"
    return f"at least {tally.cost:.6g}; unknown for {_many(tally.unpriced, 'call')}"


def _many(n: int, name: str) -> str:
    return f"{n} {name}{'' if n == 1 else 's'}"


def complaints(plan: Plan, tally: Tally) -> None:
    """The first rows that failed, and why the run stopped, if it did."""
    if tally.stopped:
        why = f"{tally.stopped.kind}: {shortened(tally.stopped.message, 400)}"
        say(f"stopped: {why}; {_kept(plan, tally)}", style="red")
    elif tally.n_failed:
        say(f"{tally.n_failed} failed:", style="red")
        for result in tally.failed:
            assert result.error is not None
            row = shortened(result.row_id or f"row {(result.index or 0) + 1}", 40)
            told = shortened(result.error.message, 200)
            say(f"  {row}  {result.scorer_label}  {result.error.kind}: {told}")
        if more := tally.n_failed - len(tally.failed):
            say(f"  and {more} more")


def exit_code(tally: Tally) -> int:
    """0 done, 3 with failed rows or stopped."""
    return 3 if tally.n_failed or tally.stopped else 0


def _kept(plan: Plan, tally: Tally) -> str:
    rows = _many(tally.rows, "complete row")
    where = "were written" if plan.out is None else f"are in {str(plan.out)!r}"
    return f"{_many(tally.results, 'result')} of {rows} {where}"
