"""Steps that were taken, held against those that were expected: how many are there, too many, or repeated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import converters, field, frozen, validators

from scorer_core import Options, Trail, one_of

from .paths import expected_of, expected_steps
from .steps import ExpectedStep, Ordering, TakenStep, matched


@frozen(kw_only=True)
class ExpectedOptions(Options):
    """What is expected.

    Args:
        expected_trajectory: The steps, as `expected_steps` takes them; unless given, those of each row's metadata.
    """

    expected_trajectory: tuple[ExpectedStep, ...] | None = field(
        default=None, converter=converters.optional(expected_steps)
    )


def expected(trail: Trail[Any, Any]) -> tuple[ExpectedStep, ...] | None:
    """The steps that the option expects, else those of the row; None if neither does."""
    own: tuple[ExpectedStep, ...] | None = trail.options.expected_trajectory
    return (expected_of(trail.run) or {}).get("steps") if own is None else own


@frozen(kw_only=True)
class ComparedOptions(ExpectedOptions):
    """How steps are held against those expected; where a row says it too, the row's word goes.

    Args:
        ordering: "relaxed" takes them in order, others between them or not; "strict" place by place; "unordered" in any
            order. See `matched`.
        allow_repeated_steps: Unless so, each tool that was called again, and more often than expected, costs 0.1.
    """

    ordering: Ordering = field(default="relaxed", validator=one_of("relaxed", "strict", "unordered"))
    allow_repeated_steps: bool = field(default=True, validator=validators.instance_of(bool))


@frozen(kw_only=True)
class Comparison:
    """What became of the expected steps; as text, how many were taken, and which were not.

    Args:
        score: In [0, 1]; higher is better. See `compare`.
        pairs: The places of the expected steps that were taken, from 0, each with the place of the step that it is.
        expected_steps: The names of all that were expected.
        actual_steps: The names of all that were taken.
        missing_steps: The names of the expected ones that were not taken.
        extra_steps: The names of those taken of which none was expected.
        repeated_steps: The names of tools called again, and more often than expected, where that is not allowed.
    """

    score: float
    pairs: Mapping[int, int]
    expected_steps: tuple[str, ...]
    actual_steps: tuple[str, ...]
    missing_steps: tuple[str, ...]
    extra_steps: tuple[str, ...]
    repeated_steps: tuple[str, ...]

    def __str__(self) -> str:
        lists = {"Missing": self.missing_steps, "Extra": self.extra_steps, "Repeated": self.repeated_steps}
        told = "".join(f" {name}: {', '.join(steps)}." for name, steps in lists.items() if steps)
        return f"{len(self.pairs)} of {len(self.expected_steps)} expected steps were taken.{told}"


def compare(
    wanted: Sequence[ExpectedStep], taken: Sequence[TakenStep], ordering: Ordering, *, allow_repeated_steps: bool
) -> Comparison:
    """Steps held against those that are expected.

        score = matched / expected
                - (if strict: steps too many / expected / 2)
                - (0.1 for each tool repeated)

    The share and the score are at least 0. Where nothing is expected it is 1 if nothing was done, else 0.

    Args:
        wanted: The steps that are expected.
        taken: The steps that were taken.
        ordering: As for `matched`.
        allow_repeated_steps: Unless so, each tool that was called again, and more often than expected, costs 0.1.

    Source: Mastra's trajectory accuracy, by code.
    """
    pairs = matched(wanted, taken, ordering)
    names, made = Counter(step.name for step in wanted), Counter(step.name for step in taken)
    repeated = () if allow_repeated_steps else tuple(n for n, count in made.items() if count > max(1, names[n]))
    too_many = max(0, len(taken) - len(wanted)) if ordering == "strict" else 0
    share = (len(pairs) - too_many / 2) / len(wanted) if wanted else float(not taken)
    used = {*pairs.values()}
    return Comparison(
        score=max(max(share, 0.0) - 0.1 * len(repeated), 0.0),
        pairs=pairs,
        expected_steps=tuple(step.name for step in wanted),
        actual_steps=tuple(step.name for step in taken),
        missing_steps=tuple(step.name for n, step in enumerate(wanted) if n not in pairs),
        extra_steps=tuple(step.name for n, step in enumerate(taken) if n not in used and step.name not in names),
        repeated_steps=repeated,
    )
