"""Calls of tools as deepeval lists them, beside an answer or in a turn, as messages that tell of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

CALLED = ("tools_called", "toolsCalled")
TURNS = "turns"


def told_as_messages(value: Any, path: str) -> Any:
    """What stands at the place of the messages; of calls, and of turns that list some, the messages that make them."""
    if not isinstance(value, list):
        return value
    if path.removesuffix("[]") in CALLED:
        return list(_messages(value))
    if path == TURNS:
        return [message for turn in value for message in (*_calls_of(turn), turn)]
    return value


def _calls_of(turn: Any) -> Iterator[dict[str, Any]]:
    called = next((turn[name] for name in CALLED if turn.get(name)), None) if isinstance(turn, Mapping) else None
    return _messages(called) if isinstance(called, list) else iter(())


def _messages(called: list[Any]) -> Iterator[dict[str, Any]]:
    """A message of the assistant that makes the calls, or none at all, and one of the tool for each result."""
    calls = [one if isinstance(one, Mapping) else {"name": str(one)} for one in called]
    made = [
        {"id": str(n), "name": call.get("name"), "args": call.get("input_parameters", call.get("inputParameters"))}
        for n, call in enumerate(calls, 1)
    ]
    yield {"role": "assistant", "content": "", "tool_calls": made}
    for call, told in zip(calls, made, strict=True):
        if call.get("output") is not None:
            result = call["output"]
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            yield {"role": "tool", "tool_call_id": told["id"], "content": text}
