"""A model's message as a reply: its words, why it stopped, and what it tells about itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from ..contract.errors import Kind

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_STOPS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
_LENGTH = {
    "length",
    "max_tokens",
    "max_output_tokens",
    "model_length",
    "model_context_window_exceeded",
    "incomplete",
}
_FILTER = {
    "content_filter",
    "content_filtered",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
    "guardrail_intervened",
}


@frozen(kw_only=True)
class Reply:
    """What a model said.

    Args:
        words: The text, or the arguments of the tool call.
        native: Whether structured output was asked for.
        called: Whether the words are a tool call's arguments.
        truncated: Whether the model was cut off.
        refused: "refusal" or "content_filter" where the model would not answer.
        usage: LangChain's `usage_metadata`.
        fidelity: How far the model itself says it can be trusted.
    """

    words: str
    native: bool
    called: bool
    truncated: bool
    refused: Kind | None
    answered_by: str | None
    fingerprint: str | None
    usage: Mapping[str, Any] | None
    fidelity: str | None


def reply_of(message: BaseMessage, native: bool = False) -> Reply:
    """The reply that `message` is."""
    told = message.response_metadata
    stop, called, refusal = _stop(told), _arguments(message), _refusal(message)
    filtered = stop in _FILTER or (told.get("prompt_feedback") or {}).get("block_reason")
    return Reply(
        words=(_text(message.content) or refusal or "") if called is None else called,
        native=native,
        called=called is not None,
        truncated=stop in _LENGTH,
        refused="content_filter" if filtered else "refusal" if stop == "refusal" or refusal is not None else None,
        answered_by=told.get("model_name") or told.get("model"),
        fingerprint=told.get("system_fingerprint"),
        usage=getattr(message, "usage_metadata", None),
        fidelity=told.get("fidelity"),
    )


def _stop(told: Mapping[str, Any]) -> str:
    """Why the model stopped; OpenAI's Responses API tells it of what is incomplete only."""
    stop = next((told[name] for name in _STOPS if told.get(name)), None) if told else None
    return str(stop or (told.get("incomplete_details") or {}).get("reason") or "").casefold()


def _refusal(message: BaseMessage) -> str | None:
    """The words of a refusal, which may be none; None where there is no refusal but perhaps the stop reason's."""
    if said := message.additional_kwargs.get("refusal"):
        return str(said)
    if isinstance(message.content, list):
        parts = [p for p in message.content if isinstance(p, dict) and p.get("type") == "refusal"]
        if parts:
            return next((said for p in parts if (said := p.get("refusal"))), "")
    return (message.response_metadata.get("stop_details") or {}).get("explanation")


def reply_in(error: BaseException, native: bool) -> Reply | None:
    """The reply that a client's error carries (`completion`): what was said before it was cut off or filtered."""
    completion = getattr(error, "completion", None)
    if not (choices := getattr(completion, "choices", None)):
        return None
    from langchain_core.messages import AIMessage

    spent = getattr(completion, "usage", None)
    sent, back = getattr(spent, "prompt_tokens", 0), getattr(spent, "completion_tokens", 0)
    usage: Any = {"input_tokens": sent, "output_tokens": back, "total_tokens": sent + back} if spent else None
    told = {n: getattr(completion, n, None) for n in ("model", "system_fingerprint")}
    stop = {"finish_reason": choices[0].finish_reason}
    words = choices[0].message.content or ""
    return reply_of(AIMessage(words, usage_metadata=usage, response_metadata=told | stop), native)


def _arguments(message: Any) -> str | None:
    """The argument text of the tool calls; of a stream's chunks the text itself, as the merged calls are completed."""
    if message.type == "AIMessageChunk" and message.tool_call_chunks:
        return "".join(c["args"] or "" for c in message.tool_call_chunks)
    calls = [*(getattr(message, "tool_calls", None) or ()), *(getattr(message, "invalid_tool_calls", None) or ())]
    texts = [c["args"] if isinstance(c["args"], str) else json.dumps(c["args"], ensure_ascii=False) for c in calls]
    return "\n".join(texts) if texts else None


def _text(content: Any) -> str:
    """All text parts; reasoning parts are scratch paper and left out."""
    if isinstance(content, str):
        return content
    return "".join(
        p if isinstance(p, str) else p.get("text", "") for p in content if isinstance(p, str) or p.get("type") == "text"
    )
