"""Every kind of failure of the closed list is reached by a run."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.messages import AIMessage

from scorer_answer_similarity import create_answer_similarity_scorer
from scorer_bias import create_bias_scorer
from scorer_core import Failed, create_scorer, run_evals
from scorer_core.contract.errors import KINDS, STOP_KINDS
from scorer_core.judging.budget import Budget
from scorer_core.testing import ScriptedJudge


class ApiError(Exception):
    """What a client raises, with the status of the answer."""

    def __init__(self, status: int, said: str = "no") -> None:
        super().__init__(said)
        self.status_code = status


class Slow(ScriptedJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        await asyncio.sleep(5)


def bias(*replies, **how):
    return create_bias_scorer(ScriptedJudge(preprocess=list(replies)), call_retries=0, **how)


def verdicts(*said):
    judge = ScriptedJudge(preprocess={"opinions": ["a", "b"]}, analyze={"results": list(said)})
    return create_bias_scorer(judge)


def raising(error):
    def step(trail):
        raise error

    return create_scorer(id="mine").generate_score(step).bind()


def get_context(run, step):
    raise LookupError("the store is down")


def target(question):
    raise LookupError("the agent is down")


def element(number, word="no"):
    return {"number": number, "reason": "r", "result": word}


def matches(unit):
    match = {"number": 1, "explanation": "e", "output_unit": unit, "match_type": "exact"}
    judge = ScriptedJudge(
        preprocess={"output_units": ["a"], "ground_truth_units": ["a"]},
        analyze={"matches": [match], "extra_in_output": [], "contradictions": []},
    )
    return create_answer_similarity_scorer(judge)


ROW = {"output": "a", "ground_truth": "a"}
REACHED = {
    "format": (bias("no JSON"), ROW, {}),
    "incomplete_reply": (verdicts(element(1)), ROW, {}),
    "unknown_label": (verdicts(element(1), element(2, "perhaps")), ROW, {}),
    "out_of_range": (matches(7), ROW, {}),
    "truncated": (bias(AIMessage("{}", response_metadata={"finish_reason": "length"})), ROW, {}),
    "refusal": (bias(AIMessage("", response_metadata={"stop_reason": "refusal"})), ROW, {}),
    "content_filter": (bias(AIMessage("", response_metadata={"finish_reason": "content_filter"})), ROW, {}),
    "too_long": (bias({"opinions": []}, max_input_tokens=400), ROW | {"output": "x" * 9999}, {}),
    "timeout": (create_bias_scorer(Slow(), timeout=0.01, call_retries=0), ROW, {}),
    "rate_limited": (bias(ApiError(429)), ROW, {}),
    "server": (bias(ApiError(503)), ROW, {}),
    "no_majority": (raising(Failed("no_majority", "one judge says yes, one no")), ROW, {}),
    "missing_ground_truth": (matches(1), {"output": "a"}, {}),
    "context_error": (bias({"opinions": []}, get_context=get_context), ROW, {}),
    "target_error": (bias({"opinions": []}), {"input": "q"}, {"target": target}),
    "scorer_error": (raising(ValueError("expected_steps missing")), ROW, {}),
    "bad_row": (bias({"opinions": []}), ["no", "mapping"], {}),
    "auth": (bias(ApiError(401)), ROW, {}),
    "quota": (bias(ApiError(429, "you exceeded your current quota")), ROW, {}),
    "model_not_found": (bias(ApiError(404)), ROW, {}),
}


def test_the_list_of_kinds_is_closed():
    assert REACHED.keys() | {"budget"} == set(KINDS)


def test_a_budget_that_is_spent_stops_the_run_and_what_it_cut_off_has_no_result():
    report = run_evals([ROW] * 40, bias(*[{"opinions": []}] * 40), concurrency=1, budget=Budget(max_calls=2))
    assert report.stopped is not None
    assert report.stopped.kind == "budget"
    assert [r.status for r in report.results] == ["scored", "scored"]


@pytest.mark.parametrize("kind", REACHED)
def test_a_run_ends_in_this_kind_and_one_of_the_whole_run_stops_it(kind):
    scorer, row, how = REACHED[kind]
    report = run_evals([row] * 40, scorer, concurrency=2, **how)
    assert {r.error.kind for r in report.results} == {kind}
    assert all(r.score is None and r.status == "failed" for r in report.results)
    if kind in STOP_KINDS:
        assert report.stopped is not None
        assert report.stopped.kind == kind
        assert len(report.results) <= 3
    else:
        assert report.stopped is None
        assert len(report.results) == 40
