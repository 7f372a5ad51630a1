"""How a run that was stopped goes on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve

from scorer_core.judging.configuration import configuration

from ..ordering.models import told_args
from ..ordering.order import Declared, Order, declared
from ..planning.plan import Plan
from ..reading.ids import NO_ORDER


def how_to_go_on(plan: Plan) -> str:
    """The command line of a run whose results are in a file, with `--resume`, without secrets; or why there is none."""
    if plan.data.data.streams and plan.order.id_duplicates == "number":
        return NO_ORDER
    step = plan.description.get("again")
    out, args = plan.order.out or str(plan.out), told_args(plan.order.model_arg)
    command = ["scorer", "rescore", "--from-step", step] if step else ["scorer", "run"]
    return "go on with: " + shlex.join(
        [*command, *_words(evolve(plan.order, out=out, model_arg=args, resume=True, retry_failed=False))]
    )


def _words(order: Order) -> Iterator[str]:
    """What is to be typed: all but defaults, and these too where a settings file would tell something else."""
    settings = configuration().table
    for name, told in declared().items():
        value = getattr(order, name)
        if value != told.default or name in settings:
            for one in value if told.many else [value]:
                yield from _typed(told, one)


def _typed(told: Declared, value: Any) -> Sequence[str]:
    if isinstance(value, bool):
        return [told.flag if value else f"--no-{told.flag[2:]}"]
    flag = [] if told.name == "data" else [told.flag]
    return [] if value is None else [*flag, str(value)]
