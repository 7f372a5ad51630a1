"""A comparison as a person sees it: the measures, whether the difference is real, and the flipped rows side by side."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from scorer_core import RunResult

from ..results.pieces import Piece, pieces_of
from ..terminal.console import clean, shortened
from ..terminal.figures import many, number, ruled
from .agreement import RESAMPLES, Measure
from .comparing import Comparison, Flipped

MOST_PIECES, LONG = 3, 120


def comparison(found: Comparison, a: str, b: str, most: int) -> Group:
    """All of it, with at most so many flipped rows."""
    return Group(*_parts(found, shortened(a, 30), shortened(b, 30), most))


def _parts(found: Comparison, a: str, b: str, most: int) -> Iterator[RenderableType]:
    left = "".join(f" · {n} {why}" for why, n in found.left_out.items())
    told = f"  {many(found.rows, 'row')} compared{left}"
    yield Text.assemble((clean(found.scorer), "bold"), (told, "dim"), "\n", (clean(found.rule), "dim"), "\n")
    table = ruled(("", f"A {a}", f"B {b}", "B - A", "95 % interval"))
    for measure in found.measures:
        table.add_row(measure.name, *_numbers(measure))
    yield table
    yield Text.assemble("\n", _verdict(found), "\n")
    if found.flipped and most:
        yield Text(f"rows that differ: {min(most, len(found.flipped))} of {len(found.flipped)}", style="dim")
        yield from (_row(flipped, a, b) for flipped in found.flipped[:most])


def _numbers(measure: Measure) -> Iterator[str]:
    yield from ("–" if n is None else f"{n:.3f}" for n in (measure.a, measure.b))
    yield "–" if measure.difference is None else f"{measure.difference:+.3f}"
    yield "–" if measure.interval is None else f"{measure.interval.low:+.3f} to {measure.interval.high:+.3f}"


def _verdict(found: Comparison) -> Text:
    first = found.measures[0]
    if first.difference is None or first.interval is None:
        return Text("nothing can be said: labels or scores are the same in all rows", style="yellow")
    how = f"{RESAMPLES:,} resamples of the rows, each with both sides"
    if first.real:
        better = "B" if first.difference > 0 else "A"
        told = f"{better} agrees better with the labels, by {abs(first.difference):.3f} in {first.name} ({how})"
        return Text(told, style="green")
    return Text(f"no difference in {first.name} that these rows could show ({how})", style="yellow")


def _row(flipped: Flipped, a: str, b: str) -> RenderableType:
    table = Table.grid(padding=(0, 3, 0, 0), expand=True)
    table.add_column(ratio=1)
    table.add_column(ratio=1)
    table.add_row(*(_side(name, result) for name, result in (("A", flipped.a), ("B", flipped.b))))
    answer = shortened(flipped.a.output, LONG)
    head = Text.assemble(
        "\n",
        (shortened(flipped.a.row_id, 40), "bold"),
        f"  label {shortened(flipped.label, 30)}",
        "\n",
        (answer, "dim"),
    )
    return Group(head, table)


def _side(name: str, result: RunResult) -> Text:
    text = Text.assemble((f"{name} ", "bold"), number(result.score or 0.0, result.scale))
    for piece in sorted(pieces_of(result), key=_badness)[:MOST_PIECES]:
        text.append(f"\n{shortened(piece.label, 20)}: {shortened(piece.text, LONG)}")
        if piece.reason:
            text.append(f"\n  {shortened(piece.reason, LONG)}", style="dim")
    return text


def _badness(piece: Piece) -> float:
    return 0.5 if piece.good is None else piece.good
