"""What judge calls took: how many there were, their tokens, cost and time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import define, field

from ..contract.schema import JudgeExecution, RunResult


@define
class Spent:
    """What the judge calls of many results took, up to now; what came from a cache or another scorer took nothing.

    Args:
        calls: Calls made, failed ones included.
        saved: Replies that were there already, and asked for no more.
        untold: Replies made of which the model told no tokens.
        usage: The tokens of all others, as LangChain's `usage_metadata` names them.
        cost: What is known of the cost, in the currency of the price table.
        unpriced: Replies of which the cost is not known.
        seconds: The time of all results together, waiting included.
    """

    calls: int = 0
    saved: int = 0
    untold: int = 0
    usage: dict[str, Any] = field(factory=dict)
    cost: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    def add(self, result: RunResult) -> None:
        """Count `result` in."""
        self.seconds += result.duration_ms / 1000
        for e in (e for done in result.judge.values() for e in done):
            if e.cached:
                self.saved += 1
                continue
            self.calls += e.attempts
            self.usage = total(self.usage, e.usage) if e.usage else self.usage
            self.untold += not e.usage
            self.cost += e.cost or 0.0
            self.unpriced += e.cost is None


def together(many: Iterable[Spent]) -> Spent:
    """What several took."""
    all_of = [*many]
    return Spent(
        calls=sum(s.calls for s in all_of),
        saved=sum(s.saved for s in all_of),
        untold=sum(s.untold for s in all_of),
        usage=total(*(s.usage for s in all_of)),
        cost=sum(s.cost for s in all_of),
        unpriced=sum(s.unpriced for s in all_of),
        seconds=sum(s.seconds for s in all_of),
    )


def total_usage(executions: Iterable[JudgeExecution]) -> Mapping[str, Any] | None:
    """The tokens of all calls together; None if no model told any."""
    return total(*(e.usage for e in executions if e.usage)) or None


def total_cost(executions: Iterable[JudgeExecution]) -> float | None:
    """What all calls cost together; None if that is unknown of one that was paid for."""
    costs = [e.cost for e in executions if not e.cached]
    return None if not costs or None in costs else sum(c for c in costs if c is not None)


def total(*usages: Mapping[str, Any]) -> dict[str, Any]:
    """Counts by name added up, those below a name too."""
    made: dict[str, Any] = {}
    for usage in usages:
        for name, value in usage.items():
            if isinstance(value, Mapping):
                made[name] = total(made.get(name, {}), value)
            else:
                made[name] = made.get(name, 0) + value
    return made
