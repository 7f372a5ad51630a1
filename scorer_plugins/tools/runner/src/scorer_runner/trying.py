"""Many things made at once: what is wrong with any of them is told together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import define, field

from scorer_core import UsageError

T = TypeVar("T")


@define
class Trier:
    """Makes things and gathers what is wrong with them."""

    problems: list[str] = field(factory=list)

    def __call__(self, make: Callable[..., T], *args: Any) -> T | None:
        """What `make` gives back; None where that is wrong usage."""
        try:
            return make(*args)
        except UsageError as e:
            self.problems.append(str(e))
            return None

    def done(self) -> None:
        """Tell all that is wrong.

        Raises:
            UsageError: something is.
        """
        problems = list(dict.fromkeys(self.problems))
        if len(problems) > 1:
            problems = [f"nothing was run; {len(problems)} things are wrong:", *map(_entry, problems)]
        if problems:
            raise UsageError("\n".join(problems))


def _entry(problem: str) -> str:
    return "- " + problem.replace("\n", "\n  ")
