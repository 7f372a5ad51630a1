"""Question, answer and tool results out of what users pass: LangChain messages, OpenAI mappings, Mastra's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ..contract.plain import as_text
from ..contract.schema import Run
from .tool_calls import ToolCall, ToolResult, calls_in, listed, part_of, results_of

_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "AIMessageChunk": "assistant",
    "system": "system", "developer": "system", "tool": "tool", "function": "tool",
    "function_call": "assistant", "function_call_output": "tool",
}  # fmt: skip
EMPTY: tuple[Any, ...] = ([], ())  # no message at all, as against a text or a number
_LISTS = ("systemMessages", "rememberedMessages", "inputMessages", "messages")
_UNSEEN = {kind: kind for kind in ("image", "audio", "file", "video", "document")}
_UNSEEN |= {"image_url": "image", "input_image": "image", "input_audio": "audio", "input_file": "file"}


@frozen
class Message:
    """One message of a conversation.

    Args:
        role: "user", "assistant", "system" or "tool"; any other as it was given.
        text: Its text; that of several parts joined, with `[image]` and the like for those that are none.
        calls: The calls of tools in it, and in a message of a tool its result.
        unseen: What parts it has that are no text: "image", "audio", "file", "video" or "document".
        unread: How much of what stands among its calls is no call.
    """

    role: str
    text: str
    calls: tuple[ToolCall, ...] = ()
    unseen: tuple[str, ...] = ()
    unread: int = 0


@frozen
class Said:
    """What a run says: the question, the answer judged, tool results in order, and what could not be read."""

    question: str = ""
    answer: str = ""
    tool_results: tuple[ToolResult, ...] = ()
    notes: tuple[str, ...] = field(default=())


def said(run: Run) -> Said:
    """The question and the answer of `run`.

    The answer is the last assistant message with text, of `output` where that is given, else of `messages`.
    The question is the last user message before it, of `input` where that is given.
    """
    if type(run.output) is str and type(run.input) in (str, type(None)) and not run.messages:
        return Said(run.input or "", run.output)
    asked, talk, out = (conversation(place) for place in (run.input, run.messages, run.output))
    source = out if run.output is not None else talk
    at = _last(source, "assistant")
    answer = (
        source[at]
        if at is not None
        else Message("assistant", "" if out or run.output in EMPTY else as_text(run.output))
    )
    question = _question(run, asked, talk, source[:at] if at is not None else (), answer)
    seen = (*asked, *talk, *out)
    return Said(
        question.text,
        answer.text,
        results_of(c for m in seen for c in m.calls),
        (*_unseen(question, answer), *_passed_over(seen)),
    )


def messages_of(run: Run) -> tuple[Message, ...]:
    """All that was said in a run, in order: in `input`, `messages` and `output`, each once.

    A plain input is a message of the user, a plain output one of the assistant. A run may say nothing.
    """
    asked, talk, out = conversation(run.input), conversation(run.messages), conversation(run.output)
    asked = asked or _plain("user", run.input)
    out = out or _plain("assistant", run.output)
    return (
        *(() if _within(asked, talk) or _within(asked, out) else asked),
        *talk,
        *(() if _within(out, talk) else out),
    )


def _plain(role: str, value: Any) -> tuple[Message, ...]:
    return () if value is None or value in EMPTY else (Message(role, as_text(value)),)


def _within(part: Sequence[Message], whole: Sequence[Message]) -> bool:
    """Whether `part` stands in `whole`, one message after the other."""
    return any(tuple(whole[n : n + len(part)]) == tuple(part) for n in range(len(whole)))


def extract_tool_results(*places: Any) -> tuple[ToolResult, ...]:
    """The results of all finished tool calls in messages, in order.

    Args:
        places: What may hold messages: LangChain's, OpenAI's mappings, Mastra's stored form. A text holds none.
    """
    return results_of(c for place in places for m in conversation(place) for c in m.calls)


def conversation(value: Any) -> tuple[Message, ...]:
    """The messages in `value`; none if it is a text or any other value."""
    return tuple(map(_message, raw_messages(value)))


def raw_messages(value: Any) -> list[Any]:
    """The messages in `value` as they are there; none if it is a text or any other value."""
    if value is None or isinstance(value, str):
        return []
    if isinstance(value, Mapping) and not _is_message(value):
        value = [m for key in _LISTS for m in listed(value.get(key))]
    elif _is_message(value):
        value = [value]
    return [m for m in value if _is_message(m) or _is_pair(m)] if isinstance(value, (list, tuple)) else []


def without_pairs(value: Any) -> Any:
    """`value` with the pairs of role and content among its messages as mappings, as JSON would make lists of them."""
    raw = raw_messages(value)
    return [_mapped(m) for m in raw] if any(isinstance(m, tuple) for m in raw) else value


def _mapped(raw: Any) -> Any:
    return {"role": raw[0], "content": raw[1]} if isinstance(raw, tuple) else raw


def _question(
    run: Run, asked: Sequence[Message], talk: Sequence[Message], before: Sequence[Message], answer: Message
) -> Message:
    for messages in (asked, before, _until(talk, answer)):
        if (at := _last(messages, "user")) is not None:
            return messages[at]
    return Message("user", "" if asked or _holds_none(run.input) else as_text(run.input))


def _holds_none(value: Any) -> bool:
    """Whether `value`, in which no message was found, is a place for messages all the same."""
    return value in EMPTY or (isinstance(value, Mapping) and any(value.get(key) in EMPTY for key in _LISTS))


def _until(talk: Sequence[Message], answer: Message) -> Sequence[Message]:
    """The messages before the one that is the answer; all of them if it is not there."""
    at = next(
        (n for n in range(len(talk) - 1, -1, -1) if talk[n].role == "assistant" and talk[n].text == answer.text), None
    )
    return talk[:at]


def _last(messages: Sequence[Message], role: str) -> int | None:
    return next(
        (n for n in range(len(messages) - 1, -1, -1) if messages[n].role == role and messages[n].text.strip()), None
    )


def _unseen(*messages: Message) -> list[str]:
    kinds = [kind for m in messages for kind in m.unseen]
    return [f"unseen: {kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)]


def _passed_over(messages: Sequence[Message]) -> list[str]:
    """Notes of messages of unknown roles, and of what stands among calls and is none."""
    unread = sum(m.unread for m in messages)
    unknown = dict.fromkeys(m.role for m in messages if m.role not in _ROLES.values())
    roles = [f"messages of the unknown role {role!r} were passed over" for role in unknown]
    return [*roles, *([f"{unread} of what stands among the calls of tools is no call"] if unread else [])]


def _is_message(value: Any) -> bool:
    if isinstance(value, Mapping):
        named = value.get("type")
        bare = isinstance(named, str) and named in _ROLES and ("content" in value or "call_id" in value)
        return bare or isinstance(value.get("role"), str)
    if isinstance(value, tuple):
        return _is_pair(value) and value[0] in _ROLES
    return hasattr(value, "content") and any(isinstance(getattr(value, n, None), str) for n in ("type", "role"))


def _is_pair(value: Any) -> bool:
    """Whether `value` is a pair of role and content, as LangChain takes them."""
    return isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str) and value[0].isidentifier()


def _message(raw: Any) -> Message:
    raw = _mapped(raw)
    named = str(part_of(raw, "role") or part_of(raw, "type"))
    role, content = _ROLES.get(named, named), part_of(raw, "content")
    content = raw if content is None and part_of(raw, "parts") else content
    text, unseen = _text_of(content)
    calls = tuple(calls_in(raw, role, content))
    made = tuple(call for call in calls if call is not None)
    return Message(role, text, made, unseen, len(calls) - len(made))


def _text_of(content: Any) -> tuple[str, tuple[str, ...]]:
    """All text parts joined, `[image]` for what is not text, and the kinds of that."""
    if isinstance(content, Mapping):
        text, unseen = _text_of(content.get("parts") or ())
        return text or as_text(content.get("content") or content.get("text")), unseen
    if not isinstance(content, (list, tuple)):
        return as_text(content), ()
    kinds = tuple(kind for part in content if (kind := _kind_unseen(part)))
    text = "".join(map(_part_text, content))
    return text.strip("\n") if kinds else text, kinds


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if part_of(part, "type") in ("text", "input_text", "output_text"):
        return as_text(part_of(part, "text"))
    return f"\n[{kind}]\n" if (kind := _kind_unseen(part)) else ""


def _kind_unseen(part: Any) -> str | None:
    named = None if isinstance(part, str) else part_of(part, "type")
    return _UNSEEN.get(named) if isinstance(named, str) else None
