"""Everything that can go wrong, in one small tree.

ScorerError
├── UsageError       the call itself is wrong: unknown option, template, scorer, model or column (raised)
└── Ending           the walk of one run ends here (becomes its result)
    ├── NotScorable  the run holds nothing to score
    ├── Settled      the specification fixes the score without a judge
    └── Failed       no score could be had, for one of KINDS
"""

from __future__ import annotations

from typing import Literal, get_args

import attrs

from ..support.scrub import scrubbed

RowKind = Literal[
    "format",
    "incomplete_reply",
    "unknown_label",
    "out_of_range",
    "truncated",
    "refusal",
    "content_filter",
    "too_long",
    "timeout",
    "rate_limited",
    "server",
    "no_majority",
    "missing_ground_truth",
    "context_error",
    "target_error",
    "scorer_error",
    "bad_row",
]
StopKind = Literal["auth", "quota", "model_not_found", "budget"]
Kind = RowKind | StopKind

ROW_KINDS: tuple[str, ...] = get_args(RowKind)
STOP_KINDS: tuple[str, ...] = get_args(StopKind)  # of the whole run: every further row would fail alike
KINDS = ROW_KINDS + STOP_KINDS


class ScorerError(Exception):
    """Base of all errors of this library."""


class UsageError(ScorerError, ValueError):
    """The call asks for something that does not exist or does not fit; always raised, never a result.

    It is a `ValueError` too. Several faults are told at once, one a line; commands end with exit code 2.
    """


class Ending(ScorerError):
    """The walk of this run ends here."""


class NotScorable(Ending):
    """Raised by a step when this run holds nothing to score; the text becomes the result's reason.

    The result has `status` "not_scorable" and no score, and stays out of averages.
    """


@attrs.frozen
class Settled(Ending):
    """Raised by a step when the score is fixed without asking the judge. No further step is taken.

    Args:
        score: The fraction, in [0, 1], before `Options.scale`.
        why: Becomes the result's reason.
        vacuous: Whether there was nothing to judge; such scores are left out of averages.
        note: Joins the result's notes; "" is none.
    """

    score: float
    why: str
    vacuous: bool = True
    note: str = ""

    def __str__(self) -> str:
        return self.why


@attrs.frozen
class Failed(Ending):
    """Raised when this run could not be scored; becomes a result with `status` "failed" and this as its `ErrorInfo`.

    Args:
        kind: Of the row: "format", "incomplete_reply", "unknown_label", "out_of_range", "truncated", "refusal",
            "content_filter", "too_long", "timeout", "rate_limited", "server", "no_majority", "missing_ground_truth",
            "context_error", "target_error", "scorer_error" or "bad_row". Of the whole run, which stops: "auth",
            "quota", "model_not_found" or "budget".
        message: What happened, with the value, and what to do; key-like strings are taken out.
    """

    kind: Kind
    message: str = attrs.field(converter=scrubbed)

    def __str__(self) -> str:
        return self.message
