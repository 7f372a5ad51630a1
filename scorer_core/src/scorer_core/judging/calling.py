"""One call to a chat model: native or in text, within its time, again where another attempt may help."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakValueDictionary

from attrs import field, frozen

from ..answering.answers import Question
from ..contract.errors import Failed
from ..contract.shapes import json_schema
from .chat import Reply, reply_in, reply_of
from .failures import Failure, failure, refuses_structure
from .in_flight import in_time, pause

if TYPE_CHECKING:
    from langchain_core.messages import BaseMessage

Structured = Literal["auto", "native", "text"]
FIRST_WAIT, LONGEST_WAIT = 0.5, 60.0  # seconds between attempts: doubled each time, or as the server states
_without_native: WeakValueDictionary[int, Any] = WeakValueDictionary()  # models that refused structured output


@frozen
class Call:
    """A model's reply to one message, or why there is none, after so many attempts: 0 where it was not asked."""

    reply: Reply | None
    failure: Failure | None
    attempts: int
    duration_ms: float


def ask_in_text(model: Any) -> None:
    """Remember that this model does not offer structured output."""
    _without_native[id(model)] = model


@frozen
class Calling:
    """How a model is called; fields as for `Judge`."""

    model: Any
    structured: Structured
    call_retries: int
    timeout: float
    _set: dict[Any, Any] = field(init=False, eq=False, repr=False, factory=dict)  # the model, by the reply's shape

    async def call(self, messages: Sequence[BaseMessage], question: Question, metadata: Mapping[str, str]) -> Call:
        """One reply, after as many attempts as it takes and is allowed."""
        started = time.perf_counter()
        for attempts in count(1):
            reply, wrong = await self._attempt(messages, question, metadata)
            if wrong is None or not wrong.retried or attempts > self.call_retries:
                break
            await pause(_pause(attempts, wrong))
        return Call(reply, wrong, attempts, (time.perf_counter() - started) * 1000)

    async def _attempt(
        self, messages: Sequence[BaseMessage], question: Question, metadata: Mapping[str, str]
    ) -> tuple[Reply | None, Failure | None]:
        config, native = {"metadata": dict(metadata)}, None
        try:
            native = self._native(question)
            if native is not None:
                told = await in_time(self.timeout, native.ainvoke, messages, config)
                return reply_of(told["raw"], native=True), None
            return reply_of(await in_time(self.timeout, self.model.ainvoke, messages, config)), None
        except Failed as e:
            return None, Failure(e.kind, e.message)
        except Exception as e:
            if (reply := reply_in(e, native is not None)) is not None:
                return reply, None
            if native is not None and self.structured == "auto" and refuses_structure(e):
                ask_in_text(self.model)
                return await self._attempt(messages, question, metadata)
            return None, failure(e, self.timeout)

    def _native(self, question: Question) -> Any:
        """The model set to the reply's JSON Schema; None where it is asked in text."""
        refused = self.structured == "auto" and id(self.model) in _without_native
        if question.reply is str or self.structured == "text" or refused:
            return None
        streams = getattr(self.model, "streaming", False)
        if streams and self.structured == "auto":
            return None
        about = {"title": question.reply.__name__, "description": question.reply.__doc__ or ""}
        model: Any = self.model.model_copy(update={"streaming": False}) if streams else self.model
        key = (question.reply, tuple(question.menus.items()), question.open)
        try:
            if key not in self._set:
                schema = about | json_schema(question.reply, question.menus, question.open)
                self._set[key] = model.with_structured_output(schema, include_raw=True)
            return self._set[key]
        except NotImplementedError:
            if self.structured == "native":
                raise
            ask_in_text(self.model)
            return None


def _pause(attempt: int, wrong: Failure) -> float:
    """Seconds until the next attempt: as the server states, else doubled each time, with some jitter."""
    if wrong.wait is not None:
        return wrong.wait
    return min(FIRST_WAIT * 2.0 ** (attempt - 1), LONGEST_WAIT) * random.uniform(0.5, 1)
