"""Counts, scores and tables as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import Box
from rich.table import Table

from .console import both_ends

_RULED = Box(
    "    \n    \n ── \n    \n    \n    \n    \n    \n", ascii=True
)  # so that rich leaves it to `console` to replace
_TONES = ((0.7, "green", "good"), (0.4, "yellow", "mixed"), (0.0, "red", "bad"))


def many(n: int, name: str) -> str:
    """`1 row`, `2 rows`."""
    return f"{n} {name}{'' if n == 1 else 's'}"


def ruled(names: Sequence[str]) -> Table:
    """A table without a frame; the names of its columns may be anything."""
    table = Table(
        box=_RULED, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim", border_style="dim"
    )
    for name in names:
        table.add_column(both_ends(name))
    return table


def tone(goodness: float) -> tuple[str, str]:
    """Colour and word for how good something is, in [0, 1]."""
    return next((colour, word) for start, colour, word in _TONES if goodness >= start)


def number(score: float, scale: float) -> str:
    """`0.67 of 1`."""
    return f"{score:.2f} of {scale:g}"
