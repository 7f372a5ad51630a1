"""A judge with prepared replies."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from ..contract.plain import plain


class ScriptedJudge(BaseChatModel):
    """A chat model that gives prepared replies, step by step, and remembers what it was asked.

    A reply is a text, an exception to raise, a message to give as it is, a function of the messages that gives one of
    these, or anything else to send as JSON. A script that runs out repeats its last reply.

        ScriptedJudge(preprocess={"claims": ["a"]}, analyze=[...], generate_reason="So.")

    Args:
        script: The replies by step, each one or a list; or give them as keywords.
        steps: More of them.

    Raises:
        LookupError: when it is asked: a step has no replies.
    """

    script: dict[str, list[Any]]
    _asked: list[tuple[str, list[BaseMessage]]] = PrivateAttr(default_factory=list)
    _counts: Counter[str] = PrivateAttr(default_factory=Counter)

    def __init__(self, script: Mapping[str, Any] | None = None, **steps: Any) -> None:
        given = {**(script or {}), **steps}
        super().__init__(script={step: _listed(replies) for step, replies in given.items()})  # type: ignore[call-arg]

    @property
    def asked(self) -> list[tuple[str, list[BaseMessage]]]:
        """Every call so far: its step, and the messages sent."""
        return self._asked

    def prompts(self, step: str) -> list[str]:
        """The texts of the last message of each call of a step, in order."""
        return [str(messages[-1].content) for s, messages in self._asked if s == step]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **how: Any
    ) -> ChatResult:
        return self._generate(messages, stop, run_manager, **how)

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **how: Any
    ) -> ChatResult:
        step = ((run_manager and run_manager.metadata) or {}).get("step", "")
        if not self.script.get(step):
            raise LookupError(f"the script has no reply for step {step!r} (has: {', '.join(self.script) or 'none'})")
        nth = self._counts[step]
        self._counts[step] += 1
        self._asked.append((step, list(messages)))
        reply = self.script[step][min(nth, len(self.script[step]) - 1)]
        reply = reply(messages) if callable(reply) and not isinstance(reply, type) else reply
        if isinstance(reply, BaseException):
            raise reply
        return ChatResult(generations=[ChatGeneration(message=_message(reply))])


def _listed(replies: Any) -> list[Any]:
    return list(replies) if isinstance(replies, Sequence) and not isinstance(replies, (str, Mapping)) else [replies]


def _message(reply: Any) -> BaseMessage:
    if isinstance(reply, BaseMessage):
        return reply
    words = reply if isinstance(reply, str) else json.dumps(plain(reply) if attrs.has(type(reply)) else reply)
    return AIMessage(words, response_metadata={"model_name": "scripted"})
