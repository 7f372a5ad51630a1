"""What a run may take: judge calls, money, time."""

from __future__ import annotations

from attrs import field, frozen, validators

from ..contract.settings import between, whole

GRACE = 10.0  # seconds that calls in flight have to finish once a run is stopped


@frozen(kw_only=True)
class Budget:
    """What a run may take, counted from its begin; None: no limit.

    Args:
        max_calls: Judge calls, 1 or more, with those that failed and were made again. There is never one more.
        max_cost: In the currency of the judges' prices, above 0. A call's cost is known when its reply is there, so
            those that are in flight when it is reached come on top.
        deadline: Seconds, above 0. Calls in flight then have 10 s to finish.

    Raises:
        UsageError: one of them is out of range.
    """

    max_calls: int | None = field(default=None, validator=validators.optional(whole(1)))
    max_cost: float | None = field(default=None, validator=validators.optional(between(0, open=True)))
    deadline: float | None = field(default=None, validator=validators.optional(between(0, open=True)))
