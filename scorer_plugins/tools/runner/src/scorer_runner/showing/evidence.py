"""The worst rows, with what the judge said about each piece of them and what it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from scorer_core import Run, RunResult
from scorer_core.runs.messages import said

from ..results.pieces import Piece, pieces_of
from ..results.tally import Tally, badness
from ..terminal.console import LONG, both_ends, shortened
from ..terminal.figures import number, tone

MOST_PIECES = 4
_MARKS = {"green": "✓", "yellow": "~", "red": "✗"}


def worst(tally: Tally, most: int) -> Sequence[RunResult]:
    """The results that tell most: the worst of each scorer in turn, each row once while there are others."""
    in_turn = [r for r in chain.from_iterable(zip_longest(*tally.worst.values())) if r is not None]
    seen: set[int | None] = set()
    first = [r for r in in_turn if not (r.index in seen or seen.add(r.index))]  # type: ignore[func-returns-value]
    return (first + [r for r in in_turn if r not in first])[:most]


def evidence(results: Sequence[RunResult], title: str) -> Group:
    """The results one below the other, under a title."""
    return Group(Text(title, style="bold"), *(_shown(result) for result in results))


def _shown(result: RunResult) -> RenderableType:
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(no_wrap=True, min_width=10)
    lines.add_column(overflow="fold")
    for name, text in (("question", _question(result)), ("answer", _answer(result)), ("reference", _truth(result))):
        if text:
            lines.add_row(Text(name, style="dim"), Text(shortened(text, LONG)))
    pieces = sorted(pieces_of(result), key=lambda p: 0.5 if p.good is None else p.good)
    for piece in pieces[:MOST_PIECES]:
        lines.add_row(_verdict(piece), _about(piece))
    if len(pieces) > MOST_PIECES:
        lines.add_row("", Text(f"and {len(pieces) - MOST_PIECES} more", style="dim"))
    if not pieces and result.reason:
        lines.add_row(Text("reason", style="dim"), Text(shortened(result.reason, LONG)))
    return Group(Text(), _head(result), Padding(lines, (0, 0, 0, 2)))


def _head(result: RunResult) -> RenderableType:
    colour, _ = tone(1 - badness(result))
    score = number(result.score or 0.0, result.scale)
    band = f" · {shortened(result.band, 60)}" if result.band else ""
    title = Text.assemble(
        (shortened(result.row_id, 40), "bold"),
        "  ",
        both_ends(result.scorer_label),
        " ",
        (f"{score}{band}", colour),
    )
    return Rule(title, align="left", style="dim", characters="─")


def _verdict(piece: Piece) -> Text:
    colour = "" if piece.good is None else tone(piece.good)[0]
    return Text(f"{_MARKS.get(colour, '·')} {shortened(piece.label, 24)}", style=colour)


def _about(piece: Piece) -> Text:
    text = Text(shortened(piece.text, LONG))
    if piece.reason:
        text.append(f"\n{shortened(piece.reason, LONG)}", style="dim")
    if piece.chunk:
        text.append(f"\n{piece.chunk}", style="cyan")
    return text


def _question(result: RunResult) -> str:
    return said(Run(input=result.input, output=result.output)).question


def _answer(result: RunResult) -> str:
    return said(Run(output=result.output)).answer


def _truth(result: RunResult) -> str:
    """The reference, where the scorer compared with it."""
    if "ground_truth" not in str(result.analyze_step_result or ""):
        return ""
    truth = result.ground_truth
    return " / ".join(map(str, truth)) if isinstance(truth, list) else str(truth)
