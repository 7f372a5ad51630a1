"""A model's message as a reply: its words, why it stopped, and what it tells about itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import frozen

from .errors import Kind

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

_LENGTH = {"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"}
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
    stop = str(next((v for k in ("finish_reason", "stop_reason", "done_reason") if (v := told.get(k))), "")).casefold()
    called = _arguments(message)
    refusal = stop == "refusal" or message.additional_kwargs.get("refusal")
    return Reply(
        words=_text(message.content) if called is None else called,
        native=native,
        called=called is not None,
        truncated=stop in _LENGTH,
        refused="content_filter" if stop in _FILTER else "refusal" if refusal else None,
        answered_by=told.get("model_name") or told.get("model"),
        fingerprint=told.get("system_fingerprint"),
        usage=getattr(message, "usage_metadata", None),
        fidelity=told.get("fidelity"),
    )


def _arguments(message: Any) -> str | None:
    """The argument text of the tool calls; of a stream's chunks the text itself, as the merged calls are completed."""
    if chunks := getattr(message, "tool_call_chunks", None):
        return "".join(c["args"] or "" for c in chunks)
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
