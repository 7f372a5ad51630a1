"""The judge: one prompt to one chat model, asked again with what was wrong, on record."""

from __future__ import annotations

import asyncio
import json
import time
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from attrs import evolve, frozen
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from pydantic import Field

from scorer_core import ItemText, Judge, UsageError
from scorer_core.answering.answers import Question
from scorer_core.contract.schema import JudgeExecution
from scorer_core.prompting.templates import Prompt
from scorer_faithfulness import create_faithfulness_scorer


@frozen(kw_only=True)
class Verdict:
    number: int
    claim: ItemText
    reason: Annotated[str, "one sentence"]
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    """One verdict for each claim."""

    verdicts: tuple[Verdict, ...]


PROMPT = Prompt("You judge.", "Judge each claim.", ())
TWO = Question(Verdicts, ("a", "b"))
WORDS = Question(str)


class Model(BaseChatModel):
    """A chat model that gives its replies in order, the last one again and again, and keeps what it was sent."""

    replies: list[Any]
    sent: list[Any] = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "fake"

    def _generate(self, messages, stop=None, run_manager=None, **how):
        self.sent.append(SimpleNamespace(messages=messages, how=how, metadata=run_manager and run_manager.metadata))
        reply = self.replies[min(len(self.sent), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        message = AIMessage(reply) if isinstance(reply, str) else reply
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        return self._generate(messages, stop, run_manager, **how)


class Native(Model):
    """One that offers tools, and so structured output."""

    def bind_tools(self, tools, **how):
        return self.bind(tools=tools, **how)


class APIError(Exception):
    def __init__(self, status, said="", headers=None):
        super().__init__(said)
        self.status_code = status
        self.response = SimpleNamespace(status_code=status, headers=headers or {})


def verdicts(*numbers, verdict="yes"):
    return {"verdicts": [{"number": n, "reason": "so", "verdict": verdict} for n in numbers]}


GOOD = json.dumps(verdicts(1, 2))


def called(args, kind=AIMessage, **more):
    return kind("", tool_calls=[{"name": "Verdicts", "args": args, "id": "1"}], **more)


def ask(model, question=TWO, **how):
    judge = Judge(model, **how)
    return asyncio.run(judge.ask(PROMPT, question, {"scorer": "s", "step": "analyze", "template": "s/analyze"}))


def words(outcome):
    return [v.verdict for v in outcome.value.verdicts]


@pytest.fixture(autouse=True)
def no_waits(monkeypatch):
    monkeypatch.setattr("scorer_core.judging.calling.FIRST_WAIT", 0)


# Asking again


def test_a_reply_that_fits_is_the_answer_with_its_record():
    told = {"model_name": "m-1", "system_fingerprint": "fp", "finish_reason": "stop"}
    usage = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}
    outcome = ask(Model(replies=[AIMessage(GOOD, response_metadata=told, usage_metadata=usage)]))
    assert words(outcome) == ["yes", "yes"]
    (done,) = outcome.executions
    assert (done.reply, done.answered_by, done.fingerprint, done.attempts) == (GOOD, "m-1", "fp", 1)
    assert (done.usage["total_tokens"], done.prompt, done.repairs, done.error) == (12, None, (), None)
    assert done.model == "fake"
    assert done.duration_ms > 0


def test_the_system_message_holds_the_instructions_and_the_user_message_the_prompt():
    model = Model(replies=[GOOD])
    ask(model)
    assert [(m.type, m.content) for m in model.sent[0].messages] == [
        ("system", "You judge."),
        ("human", "Judge each claim."),
    ]


def test_R028_what_is_missing_is_asked_for_in_the_same_conversation_and_what_fits_is_kept():
    model = Model(replies=[json.dumps(verdicts(1, verdict="no")), json.dumps(verdicts(2))])
    outcome = ask(model)
    assert words(outcome) == ["no", "yes"]
    *_, said, again = model.sent[1].messages
    assert said.content == json.dumps(verdicts(1, verdict="no"))
    assert "nothing about number 2" in again.content
    assert "about number 2 only" in again.content
    assert [e.prompt for e in outcome.executions] == [None, again.content]


def test_R017_what_was_wrong_is_told():
    model = Model(replies=[json.dumps(verdicts(1, 2, verdict="partly")), GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    assert "verdicts[1].verdict: expected one of ['yes', 'no'], got 'partly'" in model.sent[1].messages[-1].content


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_R019_a_reply_that_never_fits_fails_after_the_retries_allowed_and_is_shown(retries):
    model = Model(replies=["I'm sorry, I can't grade this content."])
    outcome = ask(model, format_retries=retries)
    assert len(model.sent) == len(outcome.executions) == 1 + retries
    assert outcome.failed.kind == "format"
    assert "I'm sorry, I can't grade this content." in outcome.failed.message
    assert outcome.executions[0].reply == "I'm sorry, I can't grade this content."


def test_R144_the_item_that_stays_open_is_named():
    outcome = ask(Model(replies=[json.dumps(verdicts(1)), "(Salary table, hr.example)"]), format_retries=1)
    assert outcome.value is None
    assert outcome.failed.kind in ("format", "incomplete_reply")
    outcome = ask(Model(replies=[json.dumps(verdicts(1)), json.dumps(verdicts())]))
    assert outcome.failed.kind == "incomplete_reply"
    assert "nothing about number 2" in outcome.failed.message


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({"finish_reason": "length"}, "truncated"),
        ({"stop_reason": "max_tokens"}, "truncated"),
        ({"done_reason": "length"}, "truncated"),
        ({"finish_reason": "MAX_TOKENS"}, "truncated"),
        ({"finish_reason": "content_filter"}, "content_filter"),
        ({"finish_reason": "SAFETY"}, "content_filter"),
        ({"stop_reason": "refusal"}, "refusal"),
    ],
)
def test_the_reason_to_stop_is_read_before_the_content(told, kind):
    outcome = ask(Model(replies=[AIMessage(GOOD, response_metadata=told)]))
    assert (outcome.value, outcome.failed.kind) == (None, kind)


def test_a_cut_off_reply_is_asked_again_and_a_refusal_is_not():
    model = Model(replies=[AIMessage(GOOD, response_metadata={"finish_reason": "length"}), GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    model = Model(replies=[AIMessage("No.", additional_kwargs={"refusal": "I won't."}), GOOD])
    assert ask(model).failed.kind == "refusal"
    assert len(model.sent) == 1


def test_R020_reasoning_parts_are_not_read():
    parts = [
        {"type": "reasoning", "reasoning": json.dumps(verdicts(1, 2, verdict="no"))},
        {"type": "text", "text": GOOD},
    ]
    assert words(ask(Model(replies=[AIMessage(parts)]))) == ["yes", "yes"]


def test_words_alone_are_taken_where_words_are_asked_for():
    assert ask(Model(replies=["<think>hm</think>Because."]), WORDS).value == "Because."
    assert ask(Model(replies=[""]), WORDS).failed.kind == "format"


def test_R104_every_call_is_on_record_with_its_usage():
    usage = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}
    outcome = ask(Model(replies=[AIMessage("x", usage_metadata=usage), AIMessage(GOOD, usage_metadata=usage)]))
    assert [e.usage["total_tokens"] for e in outcome.executions] == [12, 12]


# Structured output


def test_native_output_is_read_from_the_tool_call():
    model = Native(replies=[called(verdicts(1, 2))])
    assert words(ask(model)) == ["yes", "yes"]
    (schema,) = model.sent[0].how["tools"]
    assert "verdicts" in json.dumps(schema)
    assert "claim" not in json.dumps(schema.get("properties", schema))


def test_R123_a_model_that_offers_none_is_asked_in_text():
    model = Model(replies=[GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    assert "tools" not in model.sent[0].how


@pytest.mark.parametrize(
    "refusal", [APIError(400, "unknown field response_schema"), APIError(400, "tool_choice not supported"),
                NotImplementedError("no structured output")],
)  # fmt: skip
def test_R123_the_first_refusal_falls_back_to_text_and_is_remembered(refusal):
    model = Native(replies=[refusal, GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    assert words(ask(model)) == ["yes", "yes"]
    assert ["tools" in s.how for s in model.sent] == [True, False, False]


def test_R123_another_400_is_not_mistaken_for_it():
    model = Native(replies=[APIError(400, "temperature: only the default is supported"), GOOD])
    assert ask(model).failed.kind == "server"
    assert len(model.sent) == 1


def test_R018_an_answer_in_words_is_read_though_a_tool_call_was_asked_for():
    assert words(ask(Native(replies=[AIMessage(GOOD)]))) == ["yes", "yes"]


def test_R018_a_model_that_makes_no_tool_call_and_no_answer_is_asked_in_text_from_then_on():
    model = Native(replies=[AIMessage(""), GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    assert ["tools" in s.how for s in model.sent] == [True, False]


def test_R017_structured_output_of_another_shape_is_told_and_asked_again():
    model = Native(replies=[called({"reasoning": "fine", "correct": True})])
    outcome = ask(model)
    assert outcome.failed.kind == "format"
    assert "`correct`, `reasoning`" in outcome.failed.message


def test_R028_structured_output_with_too_few_verdicts_is_no_verdict():
    assert ask(Native(replies=[called(verdicts(1))])).failed.kind == "incomplete_reply"


def test_only_the_raw_message_is_read():
    """What LangChain's own parser makes of it does not count."""

    class Wrapped(Model):
        def with_structured_output(self, schema, *, include_raw=False, **how):
            assert include_raw
            parsed = verdicts(1, 2, verdict="no")
            return self | RunnableLambda(lambda raw: {"raw": raw, "parsed": parsed, "parsing_error": None})

    assert words(ask(Wrapped(replies=[called(verdicts(1, 2))]))) == ["yes", "yes"]
    assert ask(Wrapped(replies=[called(verdicts(1))])).failed.kind == "incomplete_reply"


def chunk(args):
    return AIMessageChunk("", tool_call_chunks=[{"name": "Verdicts", "args": args, "id": "1", "index": 0}])


def test_a_cut_off_stream_is_not_completed():
    """LangChain's merged `tool_calls` of a stream close a truncated list; the argument text does not."""
    whole = json.dumps(verdicts(1, 2))
    assert words(ask(Native(replies=[chunk(whole)]))) == ["yes", "yes"]
    cut = chunk(whole[:-2])
    assert cut.tool_calls[0]["args"] == verdicts(1, 2)
    assert ask(Native(replies=[cut])).failed.kind == "truncated"


def test_a_streaming_model_is_asked_in_text():
    class Streaming(Native):
        streaming: bool = True

    model = Streaming(replies=[GOOD])
    assert words(ask(model)) == ["yes", "yes"]
    assert "tools" not in model.sent[0].how


def test_R123_the_mode_can_be_fixed():
    model = Native(replies=[GOOD])
    assert words(ask(model, structured="text")) == ["yes", "yes"]
    assert "tools" not in model.sent[0].how
    model = Native(replies=[APIError(400, "tool_choice not supported"), GOOD])
    assert ask(model, structured="native").failed
    assert ask(Model(replies=[GOOD]), structured="native").failed
    assert len(model.sent) == 1


def test_R062_a_plain_judge_and_a_structured_one_give_the_same():
    for reply in (verdicts(1, 2), verdicts(1), verdicts(), {"verdicts": None}):
        plain, native = ask(Model(replies=[json.dumps(reply)])), ask(Native(replies=[called(reply)]))
        assert plain.value == native.value
        assert (plain.failed and plain.failed.kind) == (native.failed and native.failed.kind)


# Calls that fail


def test_R098_a_lost_connection_and_503_are_retried_on_record():
    outcome = ask(Model(replies=[ConnectionResetError("reset"), APIError(503), GOOD]))
    assert words(outcome) == ["yes", "yes"]
    assert outcome.executions[0].attempts == 3


@pytest.mark.parametrize("status", [429, 500, 503, 408])
def test_retries_come_to_an_end(status):
    model = Model(replies=[APIError(status, "busy")])
    outcome = ask(model, call_retries=2)
    assert len(model.sent) == outcome.executions[0].attempts == 3
    assert outcome.failed.kind == {429: "rate_limited", 408: "timeout"}.get(status, "server")
    assert outcome.executions[0].reply is None
    assert "busy" in outcome.executions[0].error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (APIError(401, "no"), "auth"),
        (APIError(404, "no such model"), "model_not_found"),
        (APIError(429, "insufficient_quota"), "quota"),
        (APIError(400, "maximum context length"), "too_long"),
        (ValueError("odd"), "server"),
    ],
)
def test_R098_R100_what_would_fail_again_is_not_retried(error, kind):
    model = Model(replies=[error])
    assert ask(model).failed.kind == kind
    assert len(model.sent) == 1


def test_the_stated_waiting_time_is_kept():
    outcome = ask(Model(replies=[APIError(429, headers={"retry-after": "0.2"}), GOOD]))
    assert outcome.executions[0].duration_ms >= 200


def test_waits_double_up_to_a_limit(monkeypatch):
    waits, sleep = [], asyncio.sleep

    async def remembered(seconds, *_):
        waits.append(seconds)
        await sleep(0)

    monkeypatch.setattr("scorer_core.judging.calling.FIRST_WAIT", 1)
    monkeypatch.setattr("scorer_core.judging.calling.LONGEST_WAIT", 4)
    monkeypatch.setattr("scorer_core.judging.judge.asyncio.sleep", remembered)
    ask(Model(replies=[APIError(503)]), call_retries=5)
    assert len(waits) == 5
    assert all(most / 2 <= w <= most for w, most in zip(waits, (1, 2, 4, 4, 4), strict=True))


class Hanging(Model):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        self.sent.append(None)
        await asyncio.sleep(60)


def test_R087_a_judge_that_never_answers_is_given_up_after_the_time_limit():
    started = time.perf_counter()
    outcome = ask(Hanging(replies=[]), timeout=0.05, call_retries=1)
    assert time.perf_counter() - started < 5
    assert outcome.failed.kind == "timeout"
    assert outcome.failed.message == "the judge did not answer within 0.05 s"
    assert outcome.executions[0].attempts == 2


def test_secrets_in_errors_reach_no_record():
    outcome = ask(Model(replies=[APIError(401, "Incorrect API key provided: sk-abcdefghijklmnop")]))
    assert "sk-abc" not in repr(outcome)


# What is sent, and who sees it


def test_R122_no_parameter_is_added():
    model = Model(replies=[GOOD])
    ask(model)
    assert model.sent[0].how == {}
    native = Native(replies=[called(verdicts(1, 2))])
    ask(native)
    assert not {"temperature", "top_p", "seed", "max_tokens"} & set(native.sent[0].how)


@pytest.mark.parametrize("model", [Model(replies=[GOOD]), Native(replies=[called(verdicts(1, 2))])])
def test_a_call_carries_scorer_step_and_template(model):
    ask(model)
    metadata = model.sent[0].metadata
    assert {k: metadata[k] for k in ("scorer", "step", "template")} == {
        "scorer": "s",
        "step": "analyze",
        "template": "s/analyze",
    }


class Ear(BaseCallbackHandler):
    def __init__(self):
        self.heard = []

    def on_chat_model_start(self, serialized, messages, **how):
        self.heard.append(messages)


def test_the_callers_callbacks_hear_nothing_and_the_models_own_hear_each_call():
    callers, models = Ear(), Ear()
    model = Model(replies=[GOOD], callbacks=[models])

    async def graph(_):
        return await Judge(model).ask(PROMPT, TWO, {})

    asyncio.run(RunnableLambda(graph).ainvoke(None, {"callbacks": [callers], "metadata": {"user": "u"}}))
    assert callers.heard == []
    assert len(models.heard) == 1
    assert "user" not in model.sent[0].metadata


def test_R097_the_models_callbacks_hear_native_calls_too():
    ear = Ear()
    ask(Native(replies=[called(verdicts(1, 2))], callbacks=[ear]))
    assert len(ear.heard) == 1


def test_a_model_is_set_to_the_shape_of_a_reply_once():
    shapes = []

    class Counting(Native):
        def with_structured_output(self, schema, **how):
            shapes.append(schema["title"])
            return super().with_structured_output(schema, **how)

    judge = Judge(Counting(replies=[called(verdicts(1, 2))] * 4))
    for question in (TWO, TWO, evolve(TWO, items=("a", "b")), TWO):
        assert words(asyncio.run(judge.ask(PROMPT, question, {}))) == ["yes", "yes"]
    assert shapes == ["Verdicts"]


class Looped(Model):
    """A model whose client belongs to the loop that used it first, as some providers' do."""

    loops: list[Any] = Field(default_factory=list)

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        self.loops.append(asyncio.get_running_loop())
        return self._generate(messages, stop, run_manager, **how)


def test_R086_every_sync_run_uses_a_model_on_the_same_loop():
    model = Looped(replies=['{"claims": []}'])
    scorer = create_faithfulness_scorer(model, context="c")

    async def inside():
        return scorer.run(output="a").status

    assert [scorer.run(output="a").status, asyncio.run(inside()), asyncio.run(inside())] == ["not_scorable"] * 3
    assert len(set(map(id, model.loops))) == 1


# Settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"format_retries": -1},
        {"call_retries": True},
        {"call_retries": 1.5},
        {"timeout": 0},
        {"timeout": float("inf")},
        {"timeout": "10"},
        {"structured": "json"},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Judge(Model(replies=[]), **wrong)


@pytest.mark.parametrize("model", [None, 3, object(), ["x"]])
def test_what_is_no_chat_model_is_refused(model):
    with pytest.raises(UsageError, match="chat model"):
        Judge(model)


def test_the_defaults_are_those_decided():
    judge = Judge(Model(replies=[]))
    assert (judge.structured, judge.format_retries, judge.call_retries, judge.timeout) == ("auto", 2, 5, 120)


def test_a_record_without_usage_says_so():
    assert ask(Model(replies=[GOOD])).executions[0].usage is None
    assert JudgeExecution(reply=None).cost is None
