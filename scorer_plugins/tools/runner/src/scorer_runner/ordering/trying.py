"""Many things made at once: what is wrong with any of them is told together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from scorer_core import UsageError

from .order import Places

T = TypeVar("T")


@frozen
class Trier:
    """Makes things and gathers what is wrong with them.

    Args:
        problems: What is wrong so far.
        places: Where options stand that come from a file.
        place: Where what is made now stands.
    """

    problems: list[str] = field(factory=list)
    places: Places = field(factory=dict)
    place: str = ""

    def of(self, option: str, item: int | None = None) -> Trier:
        """One that makes what an option, or an item of it, asks for."""
        return evolve(self, place=self.places.get((option, item), ""))

    def __call__(self, make: Callable[..., T], *args: Any) -> T | None:
        """What `make` gives back; None where that is wrong usage, or there is no way to a file."""
        try:
            return make(*args)
        except UsageError as e:
            problem = str(e)
        except OSError as e:  # a folder that may not be looked into, a name that is too long
            problem = f"{e.filename!r} can't be used: {e.strerror}" if e.filename else str(e)
        self.problems.append(f"{self.place}: {problem}" if self.place else problem)
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
