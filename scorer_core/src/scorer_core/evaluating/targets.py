"""What gives the outputs of a run: how a target is called, and what it gave."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from inspect import Parameter
from typing import Any

from attrs import evolve, field, frozen

from ..contract.errors import Failed, UsageError
from ..contract.plain import as_text, field_names
from ..contract.schema import Run
from ..runs.messages import conversation, raw_messages, without_pairs
from ..support.background import call
from ..support.raised import error_text

_BESIDE = ("run", "thread_id")
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.VAR_POSITIONAL)
_ANSWERS = ("output", "answer", "structured_response")


@frozen
class StepRun:
    """One step that a target ran.

    Args:
        name: Its name: of a graph that of the node.
        output: What it gave.
        input: What it was given; None where that is not told.
    """

    name: str
    output: Any
    input: Any = None


def _steps(_: object, __: object, value: Any) -> None:
    if not isinstance(value, Sequence) or not all(isinstance(step, StepRun) for step in value):
        raise UsageError(f"steps: expected a list of StepRun, got {value!r:.200}")


@frozen
class TargetResult:
    """What a target gave; a function may return one to tell more than its answer.

    Args:
        output: The answer, in the forms of `Run`; None where the last of `messages` is the answer.
        messages: The conversation that led to it, with the calls of tools and their results.
        context: What the target found for the answer to rest on; it goes before the row's own.
        steps: The steps it ran, in the order in which they ended.
        turns: Of a row with several turns: what it gave in each.
    """

    output: Any = field(default=None, converter=without_pairs)
    messages: Any = field(default=(), kw_only=True, converter=without_pairs)
    context: Any = field(default=None, kw_only=True)
    steps: Sequence[StepRun] = field(default=(), kw_only=True, validator=_steps)
    turns: Sequence[TargetResult] = field(default=(), kw_only=True)


def _anew(value: Any) -> Any:
    """Lists and mappings made anew, as a target may add to what it is given; what is in them is the same."""
    if type(value) is dict:
        return {name: _anew(one) for name, one in value.items()}
    return type(value)(map(_anew, value)) if type(value) in (list, tuple) else value


@frozen(kw_only=True)
class Request:
    """What a target is asked once.

    Args:
        input: The row's input, or that of a turn; its lists and mappings are the request's own.
        run: The row.
        thread_id: The thread of the conversation; each row has its own, and each repeat of a row.
        before: The messages of the turns before this one; None in a row that has no turns.
    """

    input: Any = field(converter=_anew)
    run: Run
    thread_id: str
    before: Sequence[Any] | None = None

    @property
    def talk(self) -> list[Any]:
        """The messages so far, the new one last."""
        return [*(self.before or ()), *user_messages(self.input)]

    @property
    def config(self) -> dict[str, Any]:
        """The thread, as LangChain is told of it."""
        return {"configurable": {"thread_id": self.thread_id}}


Caller = Callable[[Request], Awaitable[TargetResult]]


def caller_of(target: Any) -> Caller:
    """How `target` is called: a LangGraph graph, a LangChain Runnable, or a function.

    A graph gets its state, all else gets the input, or where a row has turns the messages so far. A function may name
    `run` and `thread_id`, and is given them; one that names its thread keeps the conversation itself and gets each
    turn's input alone.

    Raises:
        UsageError: it is none of these, or a function that can't be called so.
    """
    if nodes_of(target) is not None:
        return partial(_from_graph, target)
    if hasattr(target, "ainvoke"):
        return partial(_from_runnable, target)
    if not callable(target):
        compiled = "; compile it first: target=graph.compile()" if hasattr(target, "compile") else ""
        kinds = "a function, a LangChain Runnable or a compiled LangGraph graph"
        raise UsageError(f"target: expected {kinds}, got {type(target).__name__}{compiled}")
    return partial(_from_function, target, *_signature(target))


def nodes_of(target: Any) -> list[str] | None:
    """The names of a graph's nodes; None for what is no compiled LangGraph graph."""
    nodes = getattr(target, "nodes", None)
    graph = isinstance(nodes, Mapping) and all(hasattr(target, name) for name in ("astream", "channels", "aget_state"))
    return [name for name in nodes if not name.startswith("__")] if graph and nodes is not None else None


def user_messages(input: Any) -> list[Any]:
    """An input as messages: those it holds, or one of the user."""
    return raw_messages(input) or [{"role": "user", "content": as_text(input)}]


def given_by(raw: Any) -> TargetResult:
    """What a target's return value tells: a message list is a conversation, what has names is read by the usual ones.

    Raises:
        Failed: it is a stream of pieces.
    """
    if isinstance(raw, TargetResult):
        return raw
    if isinstance(raw, (Iterator, AsyncIterator)):
        pieces = f"the target gave its answer in pieces ({type(raw).__name__})"
        raise Failed("target_error", f"{pieces}; join them, and return the whole")
    named = _by_name(raw)
    if not {"messages", *_ANSWERS}.isdisjoint(named):
        output = next((named[name] for name in _ANSWERS if named.get(name) is not None), None)
        return TargetResult(output, messages=named.get("messages") or (), context=named.get("context"))
    talk = isinstance(raw, (list, tuple)) and bool(conversation(raw))
    return TargetResult(messages=raw) if talk else TargetResult(raw)


def _by_name(raw: Any) -> Mapping[str, Any]:
    """What a mapping holds, or an object in its fields: of an attrs class, a dataclass or a pydantic model."""
    if isinstance(raw, Mapping):
        return raw
    kind: Any = type(raw)
    names = field_names(kind) or getattr(kind, "model_fields", None) or ()
    return {name: getattr(raw, name) for name in names}


def lost(error: Exception, where: str = "") -> Failed:
    """What a target raised, as the failure of its row."""
    if isinstance(error, Failed):
        return error
    return Failed("target_error", f"the target raised {error_text(error)}{where}")


def _signature(function: Any) -> tuple[bool, tuple[str, ...]]:
    """Whether a function takes the input, and what else it names."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return True, ()
    beside = tuple(name for name in _BESIDE if name in signature.parameters)
    takes = any(p.kind in _BY_PLACE and name not in beside for name, p in signature.parameters.items())
    try:
        signature.bind(*([None] if takes or not beside else []), **dict.fromkeys(beside))
    except TypeError as e:
        raise UsageError(f"target: a function is given the input, and run and thread_id if it names them: {e}") from e
    return takes, beside


async def _from_function(function: Any, takes: bool, beside: Sequence[str], request: Request) -> TargetResult:
    keeps = request.before is None or "thread_id" in beside
    sent = request.input if keeps else request.talk
    known = {"run": evolve(request.run, input=sent), "thread_id": request.thread_id}
    return given_by(await call(function, *([sent] if takes else []), **{name: known[name] for name in beside}))


async def _from_runnable(runnable: Any, request: Request) -> TargetResult:
    sent = request.input if request.before is None else request.talk
    return given_by(await runnable.ainvoke(sent, config=request.config))


async def _from_graph(graph: Any, request: Request) -> TargetResult:
    """The end of a graph's state, and the nodes that led to it."""
    state, asks, given, ran, stopped = None, None, dict[str, Any](), list[StepRun](), False
    modes = ["tasks", "values", *(["updates"] if _may_stop(graph) else [])]
    async for mode, told in graph.astream(_state(graph, request), request.config, stream_mode=modes):
        if mode == "values":
            state, asks = told, asks or (told.get("__interrupt__") if isinstance(told, Mapping) else None)
        elif mode == "updates":
            stopped = "__interrupt__" in told
        elif "result" in told:
            ran.append(StepRun(told["name"], told["result"], given.pop(told["id"], None)))
        else:
            given[told["id"]] = told["input"]
    if asks:
        raise Failed("target_error", f"the graph stopped to ask, and nobody answers: {asks}")
    if stopped and await _goes_on(graph, request):
        at = f"after {ran[-1].name!r}" if ran else "before its first node"
        raise Failed("target_error", f"the graph is compiled to stop at a node, {at}, and nobody goes on with it")
    return evolve(_end_of(graph, state), steps=tuple(ran))


def _may_stop(graph: Any) -> bool:
    """Whether a graph is compiled to stop before or after some of its nodes."""
    return any(getattr(graph, name, ()) for name in ("interrupt_before_nodes", "interrupt_after_nodes"))


async def _goes_on(graph: Any, request: Request) -> bool:
    """Whether a graph that has stopped has nodes to go; one that keeps no state is taken to."""
    return not graph.checkpointer or bool((await graph.aget_state(request.config)).next)


def _end_of(graph: Any, state: Any) -> TargetResult:
    """What a graph's last state tells: the output of its output channels, messages and context of all."""
    channels = graph.output_channels
    if not isinstance(state, Mapping) or isinstance(channels, str):
        return given_by(state)
    shown = given_by({name: state[name] for name in channels if name in state})
    return evolve(shown, messages=state.get("messages") or (), context=state.get("context"))


def _state(graph: Any, request: Request) -> Any:
    """The state that a turn begins with; a graph that keeps its threads gets only what is new."""
    keeps, input = getattr(graph, "checkpointer", None) not in (None, False), request.input
    if "messages" in graph.channels and (not isinstance(input, Mapping) or raw_messages(input)):
        if input is None:
            raise Failed("bad_row", "the row has no input to send to the graph")
        rest = input if isinstance(input, Mapping) and "messages" in input else {}
        return {**rest, "messages": user_messages(input) if keeps else request.talk}
    if request.before is not None and not keeps:
        raise Failed("bad_row", "the row has turns, and the graph keeps no state: compile it with a checkpointer")
    return input
