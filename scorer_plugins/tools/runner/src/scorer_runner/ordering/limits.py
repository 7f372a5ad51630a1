"""The limits of a run, as they are typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scorer_core import Scorer, UsageError
from scorer_core.evaluating.scoring import check_budget
from scorer_core.judging.budget import Budget

from .order import Order

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def budget_of(order: Order, scorers: Sequence[Scorer]) -> Budget:
    """What the run may take.

    Raises:
        UsageError: a limit is none, or the cost is limited and a price is not known.
    """
    seconds = None if order.deadline is None else seconds_of(order.deadline)
    budget = Budget(max_calls=order.max_calls, max_cost=order.max_cost, deadline=seconds)
    check_budget(budget, scorers)
    return budget


def seconds_of(text: str) -> float:
    """The seconds in `90`, `90s`, `30m`, `1h30m`, `2 h`, `1d`.

    Raises:
        UsageError: it is no time, or none at all.
    """
    parts = re.findall(r"(\d+(?:\.\d+)?)\s*([smhd]?)", told := text.strip().lower())
    whole = re.fullmatch(r"(\d+(\.\d+)?)\s*s?|(\d+(\.\d+)?\s*[smhd]\s*)+", told)
    seconds = sum(float(n) * _UNITS[unit] for n, unit in parts) if whole else 0.0
    if not seconds:
        raise UsageError(f"--deadline {text}: no time; write seconds, or 30m, 2h, 1h30m")
    return seconds
