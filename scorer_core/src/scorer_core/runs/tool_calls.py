"""Calls of tools and their results, out of messages of any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import frozen

from ..contract.plain import as_text


@frozen
class ToolCall:
    """A call of a tool.

    Args:
        name: The name of the tool.
        args: Its arguments as they were given; where they are JSON in a text, `tool_calls_of` reads them.
        id: The id of the call; None where it has none.
        finished: Whether its result is there.
        result: What it gave; of a call that went wrong its error.
        failed: Whether it is known to have gone wrong.
    """

    name: str
    args: Any = None
    id: str | None = None
    finished: bool = False
    result: Any = None
    failed: bool = False


@frozen
class ToolResult:
    """The result of one finished tool call.

    Args:
        tool: The name of the tool.
        result: What it gave.
        args: The arguments that it was called with; None where that is not told.
        id: The id of the call; None where it has none.
    """

    tool: str
    result: Any
    args: Any = None
    id: str | None = None

    def __str__(self) -> str:
        return as_text({"tool": self.tool, "result": self.result})


def part_of(message: Any, name: str) -> Any:
    """What a message, a mapping or an object, has under a name; None if nothing."""
    return message.get(name) if isinstance(message, Mapping) else getattr(message, name, None)


def calls_in(raw: Any, role: str, content: Any) -> Iterable[ToolCall | None]:
    """The calls that a message makes, or the one whose result it is; None for what stands among them and is none."""
    if role == "tool":
        failed = part_of(raw, "status") == "error"
        named = as_text(part_of(raw, "name")), None, _id(part_of(raw, "tool_call_id") or part_of(raw, "call_id"))
        gave = part_of(raw, "output") if part_of(raw, "type") == "function_call_output" else part_of(raw, "content")
        yield ToolCall(*named, not failed, gave, failed)
    if part_of(raw, "type") == "function_call":  # a message of its own, of OpenAI's responses
        yield ToolCall(as_text(part_of(raw, "name")), part_of(raw, "arguments"), _id(part_of(raw, "call_id")))
    for call in listed(part_of(raw, "tool_calls")):
        function = part_of(call, "function")
        name, args = part_of(call, "name") or part_of(function, "name"), part_of(call, "args")
        if isinstance(call, Mapping) or function is not None:
            told = args if args is not None else part_of(function, "arguments")
            yield ToolCall(as_text(name), told, _id(part_of(call, "id")))
        else:
            yield None
    if isinstance(content, Mapping):
        yield from _stored_calls(content)


def listed(value: Any) -> Sequence[Any]:
    """The items of a list; of anything else but nothing one that is none."""
    return value if isinstance(value, (list, tuple)) else (None,) if value else ()


def _id(value: Any) -> str | None:
    return None if value is None else str(value)


def _stored_calls(content: Mapping[str, Any]) -> Iterable[ToolCall | None]:
    """Mastra's two places for tool calls; a part wins over the older list where both have a call.

    A call that is still being written is none.
    """
    parts = (part for part in listed(content.get("parts")) if part_of(part, "type") == "tool-invocation")
    told = [part_of(part, "toolInvocation") for part in parts]
    older = listed(content.get("toolInvocations"))
    yield from (None for one in (*told, *older) if not isinstance(one, Mapping))
    calls = _merged(_with_ids(older), _with_ids(told))
    for c in (c for c in calls if c.get("state") != "partial-call"):
        finished = c.get("state") == "result" and "result" in c
        failed = c.get("state") == "output-error" or bool(c.get("isError"))
        yield ToolCall(as_text(c.get("toolName")), c.get("args"), c["toolCallId"], finished, c.get("result"), failed)


def _with_ids(calls: Iterable[Any]) -> list[Mapping[str, Any]]:
    return [{**call, "toolCallId": _id(call.get("toolCallId"))} for call in calls if isinstance(call, Mapping)]


def _merged(older: list[Any], parts: Sequence[Any]) -> Iterable[Any]:
    """The calls of both; those of the list alone keep their places among those that are in both."""
    ids = {c.get("toolCallId") for c in older} - {None}
    both = ids & {p.get("toolCallId") for p in parts}
    for part in parts:
        while part.get("toolCallId") in both and older:
            call = older.pop(0)
            if call.get("toolCallId") == part["toolCallId"]:
                break
            if call.get("toolCallId") not in both:
                yield call
        yield part
    yield from (c for c in older if c.get("toolCallId") not in both)


def results_of(calls: Iterable[ToolCall]) -> tuple[ToolResult, ...]:
    """The results of calls: they stand in the call, or in a message of their own that names the call's id.

    An id may come again with another result, in long conversations; the same result of it is one.
    """
    names: dict[str | None, ToolCall] = {}
    found: dict[Any, ToolResult] = {}
    for call in calls:
        if call.id and not call.finished:
            names[call.id] = call
        elif call.finished:
            known = names.setdefault(call.id, call) if call.id else call
            result = ToolResult(call.name or known.name or "tool", call.result, known.args, call.id)
            found.setdefault((call.id, as_text(call.result)) if call.id else len(found), result)
    return tuple(found.values())
