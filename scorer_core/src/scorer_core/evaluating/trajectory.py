"""The way that a target took to its answer: the tools it called, and the steps it ran."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from ..contract.errors import NotScorable
from ..contract.schema import Run
from ..runs.messages import conversation
from ..runs.tool_calls import ToolCall


@frozen
class Trajectory:
    """What a trajectory scorer finds in `trail.run.output`.

    Args:
        tool_calls: The calls of tools in the order in which they were made: `name`, `args` (a mapping, where they are
            JSON), `id`, and if `finished` the `result`; that of a call that went wrong is its error.
        steps: The names of the steps that the target ran, in the order in which they ended: of a graph its nodes.

    What the row expects is `trail.run.metadata["expected_trajectory"]`, in the row's own form.
    """

    tool_calls: tuple[ToolCall, ...] = ()
    steps: tuple[str, ...] = ()


def path_told(value: Any) -> bool:
    """Whether `value` is itself a way: a `Trajectory`, or a mapping with a list of `steps`."""
    steps = value.get("steps") if isinstance(value, Mapping) else None
    return isinstance(value, Trajectory) or isinstance(steps, (list, tuple))


def tool_calls(*places: Any) -> tuple[ToolCall, ...]:
    """All calls of tools in messages of any form, in order, each with its result where one came.

    An id may come again, in long conversations: a call that is not the one before of that id is a call of its own.
    A result without an id is that of the first call without one that waits for its result.
    """
    calls, at = list[ToolCall](), dict[str | None, int]()
    for message in (m for place in places for m in conversation(place)):
        for call in message.calls:
            call = evolve(call, args=_read(call.args))
            known = _waiting(calls, call.name) if message.role == "tool" and not call.id else at.get(call.id)
            if known is None or (message.role != "tool" and _another(calls[known], call)):
                at |= {call.id: len(calls)} if call.id else {}
                calls.append(call)
            elif message.role == "tool" or call.finished:
                done = {"finished": call.finished, "result": call.result, "failed": call.failed}
                calls[known] = evolve(calls[known], **done)
    return tuple(calls)


def _waiting(calls: Sequence[ToolCall], name: str) -> int | None:
    waiting = (n for n, c in enumerate(calls) if not (c.id or c.finished or c.failed) and name in ("", c.name))
    return next(waiting, None)


def _another(known: ToolCall, call: ToolCall) -> bool:
    return (known.name, known.args) != (call.name, call.args) or (known.finished and not call.finished)


def tool_calls_of(run: Run) -> tuple[ToolCall, ...]:
    """The calls of tools that led to the output of `run`, in order: those in its messages and its output, each once.

    Raises:
        NotScorable: it has no messages, or nobody has answered yet, so that nothing tells of calls.
    """
    if isinstance(run.output, Trajectory):
        return run.output.tool_calls
    talk, out = conversation(run.messages), conversation(run.output)
    answered = run.output is not None or any(m.role in ("assistant", "tool") for m in talk)
    if not (talk or out) or not answered:
        raise NotScorable("this run has no messages that could tell of tool calls")
    within = any(talk[n : n + len(out)] == out for n in range(len(talk)))
    return tool_calls(run.messages, *([] if within else [run.output]))


def trajectory(messages: Iterable[Any], steps: Iterable[str] = ()) -> Trajectory:
    """The trajectory in places that hold messages, and of named steps."""
    return Trajectory(tool_calls(*messages), tuple(steps))


def _read(args: Any) -> Any:
    """Arguments as models give them, which is JSON in a text, as values."""
    try:
        return json.loads(args) if isinstance(args, str) else args
    except ValueError:
        return args
