"""The judge with prepared replies."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace

import pytest
from attrs import frozen
from langchain_core.messages import AIMessage

from scorer_core.testing import ScriptedJudge


@frozen
class Claims:
    claims: tuple[str, ...]


def say(judge, step="analyze"):
    return judge.invoke("prompt", {"metadata": {"step": step}})


def test_replies_come_step_by_step_and_the_last_one_again():
    judge = ScriptedJudge(analyze=["one", "two"], preprocess="three")
    assert [say(judge).content for _ in range(3)] == ["one", "two", "two"]
    assert say(judge, "preprocess").content == "three"
    assert [step for step, _ in judge.asked] == ["analyze", "analyze", "analyze", "preprocess"]
    assert judge.prompts("preprocess") == ["prompt"]


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"claims": ["é"]}, '{"claims": ["\\u00e9"]}'),
        (Claims(("a",)), '{"claims": ["a"]}'),
        (AIMessage("as it is"), "as it is"),
        (lambda messages: messages[-1].content.upper(), "PROMPT"),
        (lambda messages: {"n": len(messages)}, '{"n": 1}'),
        ("{not json", "{not json"),
    ],
)
def test_a_reply_may_have_many_forms(reply, words):
    assert say(ScriptedJudge(analyze=reply)).content == words


def test_a_call_costs_the_same_however_many_came_before():
    judge = ScriptedJudge(analyze="a")

    def cpu(calls):
        begun = time.process_time()
        for _ in range(calls):
            judge._generate([], run_manager=SimpleNamespace(metadata={"step": "analyze"}))
        return time.process_time() - begun

    cpu(100)
    first = cpu(2_000)
    cpu(20_000)
    assert cpu(2_000) < 5 * first + 0.05


def test_an_exception_is_raised():
    with pytest.raises(ConnectionResetError):
        say(ScriptedJudge(analyze=ConnectionResetError("reset")))


def test_a_step_without_a_reply_is_told_with_what_there_is():
    with pytest.raises(LookupError, match=r"no reply for step 'analyze' \(has: preprocess\)"):
        say(ScriptedJudge(preprocess="x"))


def test_it_answers_in_async_code_as_well():
    judge = ScriptedJudge({"analyze": "so"})
    assert asyncio.run(judge.ainvoke("prompt", {"metadata": {"step": "analyze"}})).content == "so"
