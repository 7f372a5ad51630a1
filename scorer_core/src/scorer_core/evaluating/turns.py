"""A row of several turns: what the user says in each, the conversation that comes of it, and its turns as runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any
from uuid import uuid4

from attrs import evolve

from ..contract.errors import Failed
from ..contract.plain import as_text
from ..contract.schema import Run
from ..runs.messages import Message, conversation, raw_messages
from ..runs.rows import Row, run_of
from .targets import Caller, Request, TargetResult, caller_of, lost, user_messages

Answer = Callable[[Row], Awaitable[TargetResult]]
_NAMES = ("turns", "inputs")


def answer_of(target: Any) -> Answer:
    """A function that gives what `target` gives for a row, for all of its turns.

    Raises:
        UsageError: `target` is nothing that can be called.
    """
    call = caller_of(target)

    async def answer(row: Row) -> TargetResult:
        turns, thread_id = turns_of(row.run), str(uuid4())
        if turns:
            return await converse(call, row.run, turns, thread_id)
        return await call(Request(input=row.run.input, run=row.run, thread_id=thread_id))

    return answer


def turns_of(run: Run) -> tuple[Run, ...]:
    """The turns of a row that has a list of `turns` or `inputs`, each as a run with its input; none for other rows.

    A turn is a text, messages, or a mapping with `input`, and if it likes a `ground_truth`, a `context`, and more.

    Raises:
        Failed: there are no turns in the list, one of them has no input, or the row has an input beside them.
    """
    named = [name for name in _NAMES if name in run.metadata]
    if not named:
        return ()
    both = [*(["input"] if run.input is not None else []), *named]
    if len(both) > 1:
        raise Failed("bad_row", f"the row has {' and '.join(both)}; give one of them")
    told = run.metadata[named[0]]
    if not isinstance(told, (list, tuple)) or not told:
        raise Failed("bad_row", f"{named[0]}: expected a list of one or more user inputs, got {told!r:.200}")
    return tuple(_turn(f"{named[0]}, {n}", turn) for n, turn in enumerate(told, 1))


def _turn(where: str, told: Any) -> Run:
    whole = not isinstance(told, Mapping) or raw_messages(told)
    turn = Run(input=told) if whole else run_of(told)[0]
    if turn.input is None:
        raise Failed("bad_row", f"{where}: expected a text, messages or a mapping with an input, got {told!r:.200}")
    return turn


async def converse(call: Caller, run: Run, turns: Sequence[Run], thread_id: str) -> TargetResult:
    """What a target gave for all turns, sent one after another on one thread."""
    talk, done = list[Any](), list[TargetResult]()
    for n, turn in enumerate(turns, 1):
        try:
            given = await call(Request(input=turn.input, run=run, thread_id=thread_id, before=tuple(talk)))
        except Exception as e:
            raise lost(e, f" in turn {n} of {len(turns)}") from e
        done.append(given)
        talk += [*user_messages(turn.input), *_answers(turn, given)]
    steps = tuple(step for given in done for step in given.steps)
    return evolve(done[-1], messages=tuple(talk), steps=steps, turns=tuple(done))


def turns_as_runs(run: Run, turns: Sequence[Run], given: Sequence[TargetResult]) -> Iterator[Run]:
    """Each turn as a run: its input is the conversation up to its question, its output what the target gave then.

    Context and metadata are those of the turn where it has them, else the row's; the ground truth is its own.
    """
    talk: list[Any] = []
    for turn, result in zip(turns, given, strict=True):
        asked, new = user_messages(turn.input), _answers(turn, result)
        yield evolve(
            run,
            input=(*talk, *asked),
            output=new if result.output is None else result.output,
            messages=(*talk, *asked, *new),
            context=next((c for c in (result.context, turn.context, run.context) if c is not None), None),
            ground_truth=turn.ground_truth,
            metadata={**run.metadata, **turn.metadata},
        )
        talk += [*asked, *new]


def _answers(turn: Run, given: TargetResult) -> list[Any]:
    """The messages that answer a turn: those behind its question, or an answer that is no message as one."""
    raw = raw_messages(given.messages)
    talk, (*_, question) = conversation(raw), conversation(user_messages(turn.input))
    new = raw[next((n for n in range(len(talk), 0, -1) if _same(talk[n - 1], question)), 0) :]
    if given.output is None:
        return new
    answer = raw_messages(given.output) or [{"role": "assistant", "content": as_text(given.output)}]
    told = bool(new) and _same(conversation(new)[-1], conversation(answer)[-1])
    return new if told else [*new, *answer]


def _same(one: Message, other: Message) -> bool:
    return (one.role, one.text) == (other.role, other.text)
