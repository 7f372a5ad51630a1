"""The table at the end of a run: each scorer's mean, what it means, and the counts beside it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from scorer_core import Scorer
from scorer_core.evaluating.slices import SMALL, Slices
from scorer_core.evaluating.summary import Average
from scorer_core.judging.spent import Spent

from ..results.tally import Tally
from ..terminal.console import WIDTH, both_ends, shortened
from ..terminal.figures import many, ruled, tone

BAR = 16
WIDE = 96  # characters that the table takes, with some to spare for kinds of failures


def summary(tally: Tally, width: int = WIDTH) -> Table | Group:
    """A row a scorer, in the order asked for; where there is no room for that beside each other, below each other."""
    table = _beside(tally)
    if WIDE <= width >= Measurement.get(anywhere := Console(width=1000), anywhere.options, table).minimum:
        return table
    told = (_stacked(scorer, tally.averages[scorer.label], tally.rows) for scorer in tally.scorers)
    return Group(*(line for lines in told for line in lines))


def _beside(tally: Tally) -> Table:
    table = ruled(("scorer", "mean", "", "spread", "rows", "time/row"))
    table.columns[0].no_wrap, table.columns[2].min_width, table.columns[5].min_width = True, BAR + len("  mixed"), 8
    for n, scorer in enumerate(tally.scorers, 1):
        average = tally.averages[scorer.label]
        table.add_row(
            _who(scorer), _mean(average), _meaning(scorer, average), _spread(average), _counts(average),
            _time(average.spent.seconds / max(tally.rows, 1)), end_section=n < len(tally.scorers),
        )  # fmt: skip
    return table


def _stacked(scorer: Scorer, average: Average, rows: int) -> Iterator[Text]:
    """What a row of the table tells, for a narrow terminal; nothing of it is left out."""
    better = ("higher is better" if scorer.spec.higher_is == "better" else "lower is better", "dim")
    word, *band = _meaning(scorer, average, bar=False).split("\n")
    yield _between(" · ", Text(scorer.label, "bold"), _between(" ", *_mean(average).split("\n")), word, Text(*better))
    spent = _time(average.spent.seconds / max(rows, 1)) + Text(" a row")
    rest = [part for told in (_spread(average), _counts(average)) for part in told.split("\n") if part]
    yield from (Text("  ") + line for line in (*band, _between(" · ", *rest, spent)))


def _between(sign: str, *texts: Text) -> Text:
    return Text(sign).join(texts)


def by_slice(tally: Tally, slices: Slices) -> Group:
    """A line a slice, and what each scorer came to there; coloured by how good that is, dim where rows are few."""
    table = ruled((", ".join(slices.by), *(scorer.label for scorer in tally.scorers)))
    for of, averages in sorted(slices.averages.items(), key=lambda pair: pair[0].values):
        told = (_in_short(averages[s.label]) if s.label in averages else Text() for s in tally.scorers)
        table.add_row(Text(shortened(", ".join(value for _, value in of.values), 40)), *told)
    small = any(a.rows < SMALL for averages in slices.averages.values() for a in averages.values())
    warning = f"~ fewer than {SMALL} judged rows: says little of rows to come"
    return Group(table, *([Text(warning, style="yellow")] if small else []))


def took(spent: Spent, *, priced: bool, begun: int = 0) -> Iterator[tuple[str, str]]:
    """What the calls took, by name; nothing that is unknown looks like none, and of those `begun` none is left out."""
    cut = [f"{begun - spent.calls} of them for rows that were cut off"] if begun > spent.calls else []
    saved = [f"{spent.saved} saved"] if spent.saved else []
    yield "calls", " · ".join([f"{max(begun, spent.calls)} made", *cut, *saved])
    if spent.usage:
        told = f"{spent.usage.get('input_tokens', 0):,} in · {spent.usage.get('output_tokens', 0):,} out"
        yield "tokens", told if not spent.untold else f"at least {told}; unknown for {many(spent.untold, 'call')}"
    if priced:
        known = f"{spent.cost:.6g}"
        yield "cost", known if not spent.unpriced else f"at least {known}; unknown for {many(spent.unpriced, 'call')}"


def _time(seconds: float) -> Text:
    return Text(f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms", style="dim")


def _who(scorer: Scorer) -> Text:
    better = "higher" if scorer.spec.higher_is == "better" else "lower"
    return Text.assemble((both_ends(scorer.label), "bold"), "\n", (f"{better} is better", "dim"))


def _mean(average: Average) -> Text:
    if average.mean is None:
        return Text("no score", style="dim")
    return Text.assemble((f"{average.mean:.2f}", "bold"), "\n", (f"of {average.scale:g}", "dim"))


def _meaning(scorer: Scorer, average: Average, *, bar: bool = True) -> Text:
    """A bar as long as the mean, coloured by how good that is, which is also said; below it, the band of the mean."""
    if average.mean is None:
        return Text("nothing could be judged", style="dim")
    fraction = min(max(average.mean / average.scale, 0.0), 1.0)
    colour, word = tone(fraction if average.higher_is == "better" else 1 - fraction)
    full = round(fraction * BAR)
    band = scorer.spec.band(fraction) or ""
    drawn = (("█" * full, colour), ("░" * (BAR - full), "dim"), "  ") if bar else ()
    return Text.assemble(*drawn, (word, colour), "\n", (shortened(band, 60), "dim"))


def _spread(average: Average) -> Text:
    """How sure the mean is (half of Student's 95 % interval), and between which scores most rows lie."""
    low, high = average.quantile(0.1), average.quantile(0.9)
    if low is None or high is None or average.interval is None:
        return Text()
    half = (average.interval.high - average.interval.low) / 2
    return Text.assemble(f"± {half:.2f}", "\n", (f"p10 {low:.2f} p90 {high:.2f}", "dim"))


def _in_short(average: Average) -> Text:
    """`0.82 over 41`, and what failed."""
    failed = (f" · {average.failed.total()} failed", "red") if average.failed else ""
    if average.mean is None:
        return Text.assemble(("no score", "dim"), failed)
    fraction = average.mean / average.scale
    colour, _ = tone(fraction if average.higher_is == "better" else 1 - fraction)
    few = average.rows < SMALL
    return Text.assemble((f"{average.mean:.2f}", colour), (f" over {average.judged}{'~' * few}", "dim"), failed)


def _counts(average: Average) -> Text:
    counted = average.counted.replace(" in ", "\nin ")
    return Text.assemble(counted, *(piece for n in _others(average) for piece in ("\n", n)))


def _others(average: Average) -> Iterator[Text]:
    for n, name in ((average.vacuous, "vacuous"), (average.not_scorable, "not scorable")):
        if n:
            yield Text(f"{n} {name}", style="dim")
    if average.failed:
        kinds = ", ".join(f"{kind} {n}" for kind, n in average.failed.most_common())
        yield Text(f"{average.failed.total()} failed ({kinds})", style="red")
