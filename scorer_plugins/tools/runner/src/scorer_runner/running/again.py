"""How a run that was stopped goes on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from attrs import evolve

from ..ordering.models import told_args
from ..ordering.order import Order, declared
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
    for name, told in declared().items():
        value = getattr(order, name)
        if value != told.default:
            flag = [] if name == "data" else [told.flag]
            for one in value if told.many else [value]:
                yield from flag if one is True else [*flag, str(one)]
