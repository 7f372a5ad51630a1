"""The few shapes that word lists come in."""

from __future__ import annotations

import re
from functools import cached_property


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())


def counted(text: str, start: int = 0) -> dict[str, int]:
    """The words of `text`, each with its place in it from `start`."""
    return {word: place for place, word in enumerate(text.split(), start)}


def both_ways(text: str) -> dict[str, frozenset[str]]:
    """`a b; c d` as a table that leads from each word to its opposites."""
    table: dict[str, set[str]] = {}
    for pair in text.split(";"):
        one, other = pair.split()
        table.setdefault(one, set()).add(other)
        table.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in table.items()}


def first_of(text: str) -> dict[str, str]:
    """`a b c; d e` as a table that leads from each word to the first of its group."""
    groups = [group.split() for group in text.split(";")]
    return {word: group[0] for group in groups for word in group}


class Phrases:
    """Alternatives of a regular expression over several lines; line ends and indents are no part of it.

    Compiled when first asked for, so that importing the lists costs nothing.
    """

    def __init__(self, alternatives: str, *, frame: str = r"(?<![\w'])(?:{})(?!\w)") -> None:
        self._alternatives, self._frame = alternatives, frame

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The alternatives in their frame (whole words, if not told otherwise), in upper or lower case."""
        return re.compile(self._frame.replace("{}", re.sub(r"\n\s*", "", self._alternatives)), re.IGNORECASE)

    def search(self, text: str) -> re.Match[str] | None:
        """The first place where one of them stands."""
        return self.pattern.search(text)
