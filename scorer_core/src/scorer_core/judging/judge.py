"""The judge: one prompt to one LangChain chat model, asked again with what was wrong, on record."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen, validators

from ..answering.answers import NOTHING_YET, Answer, Question, cut_off, read, value_of, wanted
from ..answering.parsing import find_json
from ..contract.errors import Failed, UsageError
from ..contract.schema import JudgeExecution
from ..contract.settings import between, one_of, whole
from ..prompting.templates import Prompt
from ..support.log import warn_once
from .cache import NOT_KEPT, Caching, caching_of
from .calling import Call, Calling, Structured, ask_in_text
from .chat import Reply
from .failures import Failure
from .in_flight import calls_in_flight
from .models import find_model
from .prices import Prices, cost, prices_of
from .sharing import sharing

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage


MOST_KEPT = 100_000  # characters of a raw reply that its record holds


@frozen
class Outcome:
    """What came of a question: its value, or why there is none; what it took; the replies that the value rests on."""

    value: Any = None
    failed: Failed | None = None
    executions: tuple[JudgeExecution, ...] = ()
    fidelity: str | None = None
    replies: tuple[Reply, ...] = ()


def retries_itself(model: Any) -> bool:
    """Whether a chat model repeats its calls on its own, which multiplies with what a judge repeats."""
    return bool(getattr(model, "max_retries", 0) != 0)


def _model(given: Any) -> Any:
    if isinstance(given, str):
        return find_model(given)
    if not hasattr(given, "ainvoke"):
        raise UsageError(f"expected a LangChain chat model or its name, got {given!r}")
    if retries_itself(given):
        named = type(given).__name__
        warn_once(f"{named} has retries of its own, which multiply with ours: make it with max_retries=0")
    return given


@frozen
class Judge:
    """How a chat model is asked.

    Args:
        model: A LangChain chat model, or a text that names one: a name of your settings, "local", "provider:model" or
            "python:module:attribute".
        structured: "native" for the model's structured output, "text" for JSON asked for in the prompt; "auto" takes
            native where the model offers it.
        format_retries: How often a reply that does not fit is asked for again; 0 or more.
        call_retries: How often a call is repeated after a time-out, a lost connection, status 429 or 5xx; 0 or more.
        timeout: Seconds that one call may take.
        items_per_call: How many items are asked about at once, 1 or more; what is beyond is asked about in groups.
        max_input_tokens: What the model takes, where its LangChain profile does not tell; None: not known.
        prices: What models cost: a `Price` by the name of each, or a TOML file that holds a table of such a name for
            each, with `input`, `output` and perhaps `cached_input`. The cost of a model that is not there is None.
        cache: Where replies are kept for the next time the same is asked; a `Caching` says how it is used.

    Raises:
        UsageError: a setting does not fit, or the model says too little about itself for a cache.
    """

    model: BaseChatModel = field(converter=_model)
    structured: Structured = field(default="auto", kw_only=True, validator=one_of("auto", "native", "text"))
    format_retries: int = field(default=2, kw_only=True, validator=whole(0))
    call_retries: int = field(default=5, kw_only=True, validator=whole(0))
    timeout: float = field(default=120.0, kw_only=True, validator=between(0, open=True))
    items_per_call: int = field(default=30, kw_only=True, validator=whole(1))
    max_input_tokens: int | None = field(default=None, kw_only=True, validator=validators.optional(whole(1)))

    prices: Prices = field(default=None, kw_only=True, converter=prices_of)
    cache: Caching | None = field(default=None, kw_only=True, converter=caching_of)

    def __attrs_post_init__(self) -> None:
        if self.cache:
            self.cache.identity(self.model)

    @cached_property
    def name(self) -> str:
        """The name of the model asked for."""
        named = (getattr(self.model, n, None) for n in ("model_name", "model", "_llm_type"))
        return next((n for n in named if isinstance(n, str) and n), type(self.model).__name__)

    @cached_property
    def _calling(self) -> Calling:
        return Calling(self.model, self.structured, self.call_retries, self.timeout)

    @cached_property
    def window(self) -> int | None:
        """How many tokens the model takes, as set, else as its profile tells; None where that is not known."""
        told = (getattr(self.model, "profile", None) or {}).get("max_input_tokens")
        return self.max_input_tokens or (told if isinstance(told, int) else None)

    async def ask(self, prompt: Prompt, question: Question, metadata: Mapping[str, str]) -> Outcome:
        """What the model answers; what the row asked already, or another row is asking, is not paid for twice."""
        shared = sharing.get()
        if shared is None:
            return await self._ask(prompt, question, metadata)
        how = (id(self.model), self.structured, self.cache and self.cache.repeat)
        key = (*how, question.reply, tuple(question.items), prompt.instructions, prompt.text)
        if (asked := shared.find(key)) is not None:
            return _from_other_scorer(await asyncio.shield(asked))
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        shared.add(key, answer)
        try:
            answer.set_result(await self._ask(prompt, question, metadata))
        except Exception as e:
            answer.set_exception(e)
        finally:
            answer.cancel()  # where there is none, as this is cancelled, those who wait for it are too
            shared.done(key)
        return answer.result()

    def _ask(self, prompt: Prompt, question: Question, metadata: Mapping[str, str]) -> Coroutine[Any, Any, Outcome]:
        """What the model answers, or answered when it was asked the same before."""
        if self.cache is None:
            return self._converse(prompt, question, metadata)
        return self._recalled(self.cache, prompt, question, metadata)

    async def _recalled(
        self, cache: Caching, prompt: Prompt, question: Question, metadata: Mapping[str, str]
    ) -> Outcome:
        """What the cache has; else what the model answers, which goes there."""
        started, key = time.perf_counter(), cache.key(self.model, self.structured, prompt, question)
        if kept := cache.recall(key, question):
            took = (time.perf_counter() - started) * 1000 / len(kept)
            return await self._converse(prompt, question, metadata, [Call(r, None, 0, took) for r in kept])
        if cache.mode == "only":
            return self._lost(Call(None, Failure("server", NOT_KEPT), 0, 0.0), None, [])
        outcome = await self._converse(prompt, question, metadata)
        if outcome.failed is None:
            cache.keep(key, outcome.replies)
        return outcome

    async def _converse(
        self, prompt: Prompt, question: Question, metadata: Mapping[str, str], kept: Sequence[Call] = ()
    ) -> Outcome:
        """What comes of asking until the reply fits; `kept` are calls of an earlier time that did."""
        chat = _messages()
        messages: list[BaseMessage] = [chat.SystemMessage(prompt.instructions), chat.HumanMessage(prompt.text)]
        executions, replies, answer, sent = list[JudgeExecution](), list[Reply](), NOTHING_YET, None
        for n in range(len(kept) or 1 + self.format_retries):
            call = kept[n] if kept else await self._called(messages, question, metadata)
            if call.reply is None or call.reply.refused:
                return self._lost(call, sent, executions)
            before, answer = answer, self._read(question, call.reply, answer)
            executions.append(self._execution(call, sent, answer.repairs))
            if not answer.problems or (before.fields, before.items) != (answer.fields, answer.items):
                replies.append(call.reply)
            if not answer.problems:
                value = value_of(question, answer)
                return Outcome(value, None, tuple(executions), call.reply.fidelity, tuple(replies))
            sent = complaint(question, answer)
            said = _shortened(call.reply.words, MOST_KEPT) or "(nothing)"
            messages += [chat.AIMessage(said), chat.HumanMessage(sent)]
        said = f"{answer}; the judge's last reply: {_shortened(executions[-1].reply or '')!r}"
        return Outcome(None, Failed(answer.kind, said), tuple(executions))

    def _called(
        self, messages: Sequence[BaseMessage], question: Question, metadata: Mapping[str, str]
    ) -> Coroutine[Any, Any, Call]:
        """One reply of the model, or why there is none."""
        return self._calling.call(messages, question, metadata)

    def _read(self, question: Question, reply: Reply, before: Answer) -> Answer:
        if reply.truncated:
            return cut_off(before, "the reply was cut off at its length limit; say the same in fewer words")
        answer = read(question, reply.words, before)
        if answer.problems and reply.native and not reply.called and not find_json(reply.words).pieces:
            ask_in_text(self.model)  # neither a call nor JSON: it does not know what was asked of it
        return answer

    def _lost(self, call: Call, sent: str | None, executions: list[JudgeExecution]) -> Outcome:
        """The outcome of a question to which there is no answer."""
        why = call.failure or Failure(call.reply.refused, f"the judge refused: {_shortened(call.reply.words)!r}")  # type: ignore[union-attr,arg-type]
        return Outcome(None, Failed(why.kind, why.message), (*executions, self._execution(call, sent, (), why.message)))

    def _execution(
        self, call: Call, sent: str | None, repairs: tuple[str, ...], error: str | None = None
    ) -> JudgeExecution:
        reply, cached = call.reply, call.attempts == 0
        usage = reply.usage if reply and not cached else None
        paid = cost(self.prices, (reply.answered_by, self.name), usage) if reply and self.prices else None
        if reply and not cached and (flight := calls_in_flight.get()):
            flight.pay(paid, self.name)
        return JudgeExecution(
            reply=_shortened(reply.words, MOST_KEPT) if reply else None,
            prompt=sent,
            model=self.name,
            answered_by=reply.answered_by if reply else None,
            fingerprint=reply.fingerprint if reply else None,
            attempts=call.attempts,
            repairs=repairs,
            error=error,
            usage=usage,
            cost=paid,
            duration_ms=call.duration_ms,
            cached=cached and reply is not None,
        )


@cache
def _messages() -> Any:
    """LangChain's messages, imported when the first call is made; a statement would look for them at each one."""
    import langchain_core.messages

    return langchain_core.messages


def complaint(question: Question, answer: Answer) -> str:
    """What the judge is told about a reply that does not fit."""
    wrong = "\n".join(f"- {p.text}" for p in answer.problems)
    if question.reply is str:
        return f"This reply can't be used:\n{wrong}\nReply again."
    again = (
        f", about number {', '.join(map(str, wanted(question, answer)))} only"
        if answer.items and question.items
        else ""
    )
    return f"This reply can't be used as it is:\n{wrong}\nReply again with JSON of the shape asked for{again}."


def _from_other_scorer(outcome: Outcome) -> Outcome:
    paid = tuple(evolve(e, usage=None, cost=None, duration_ms=0.0, cached=True) for e in outcome.executions)
    return evolve(outcome, executions=paid)


def _shortened(text: str, most: int = 200) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters in all)"
