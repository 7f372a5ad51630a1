"""How much two texts have in common, by their pairs of characters: no word need be cut for it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from unicodedata import normalize


def dice(one: str, other: str, *, ignore_case: bool = True) -> float:
    """Twice the pairs of neighbouring characters that two texts share, over all of both; 1 for the same text.

    In [0, 1]. White space does not count, nor how marks are put on letters. A text of a single character has no pairs.

    Args:
        one: A text.
        other: Another; which is which makes no difference.
        ignore_case: Whether upper and lower case are the same.

    Source: Dice (1945), "Measures of the amount of ecologic association between species".
    """
    one, other = ("".join((t.casefold() if ignore_case else t).split()) for t in (one, other))
    ours, theirs = (Counter(pairwise(normalize("NFC", t))) for t in (one, other))
    return 1.0 if one == other else 2 * (ours & theirs).total() / ((ours + theirs).total() or 1)
