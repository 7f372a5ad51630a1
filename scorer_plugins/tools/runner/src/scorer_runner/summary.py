"""The table at the end of a run: each scorer's mean, what it means, and the counts beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import Box
from rich.table import Table
from rich.text import Text

from scorer_core import Scorer
from scorer_core.evals import Average

from .batch import Tally
from .console import shortened

BAR = 16
_RULED = Box(
    "    \n    \n ── \n    \n    \n    \n    \n    \n", ascii=True
)  # so that rich leaves it to `console` to replace
_TONES = ((0.7, "green", "good"), (0.4, "yellow", "mixed"), (0.0, "red", "bad"))


def summary(tally: Tally) -> Table:
    """A row a scorer, in the order asked for."""
    table = ruled(("scorer", "mean", "", "rows", "time/row"))
    table.columns[0].no_wrap, table.columns[2].min_width = True, BAR + len("  mixed")
    for n, scorer in enumerate(tally.scorers, 1):
        average = tally.averages[scorer.label]
        table.add_row(
            _who(scorer), _mean(average), _meaning(scorer, average), _counts(average),
            _time(tally.seconds[scorer.label] / max(tally.rows, 1)), end_section=n < len(tally.scorers),
        )  # fmt: skip
    return table


def ruled(names: Sequence[str]) -> Table:
    """A table without a frame."""
    table = Table(
        box=_RULED, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", border_style="dim"
    )
    for name in names:
        table.add_column(name)
    return table


def tone(goodness: float) -> tuple[str, str]:
    """Colour and word for how good something is, in [0, 1]."""
    return next((colour, word) for start, colour, word in _TONES if goodness >= start)


def number(score: float, scale: float) -> str:
    """`0.67 of 1`."""
    return f"{score:.2f} of {scale:g}"


def _time(seconds: float) -> Text:
    return Text(f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.0f} ms", style="dim")


def _who(scorer: Scorer) -> Text:
    better = "higher" if scorer.spec.higher_is == "better" else "lower"
    return Text.assemble((shortened(scorer.label, 40), "bold"), "\n", (f"{better} is better", "dim"))


def _mean(average: Average) -> Text:
    if average.mean is None:
        return Text("no score", style="dim")
    return Text.assemble((f"{average.mean:.2f}", "bold"), "\n", (f"of {average.scale:g}", "dim"))


def _meaning(scorer: Scorer, average: Average) -> Text:
    """A bar as long as the mean, coloured by how good that is, which is also said; below it, the band of the mean."""
    if average.mean is None:
        return Text("nothing could be judged", style="dim")
    fraction = min(max(average.mean / average.scale, 0.0), 1.0)
    colour, word = tone(fraction if average.higher_is == "better" else 1 - fraction)
    full = round(fraction * BAR)
    band = scorer.spec.band(fraction) or ""
    bar = (("█" * full, colour), ("░" * (BAR - full), "dim"))
    return Text.assemble(*bar, "  ", (word, colour), "\n", (shortened(band, 60), "dim"))


def _counts(average: Average) -> Text:
    return Text.assemble(f"{average.judged} judged", *(piece for n in _others(average) for piece in ("\n", n)))


def _others(average: Average) -> Iterator[Text]:
    for n, name in ((average.vacuous, "vacuous"), (average.not_scorable, "not scorable")):
        if n:
            yield Text(f"{n} {name}", style="dim")
    if average.failed:
        kinds = ", ".join(f"{kind} {n}" for kind, n in average.failed.most_common())
        yield Text(f"{average.failed.total()} failed ({kinds})", style="red")
