"""What a run may take: never a call too many, a clean stop, and nothing half done."""

from __future__ import annotations

import asyncio
import time

import pytest
from langchain_core.messages import AIMessage

from scorer_bias import create_bias_scorer
from scorer_core import Judge, UsageError, arun_evals, run_evals
from scorer_core.evaluating import side_by_side
from scorer_core.evaluating.scoring import score_rows
from scorer_core.judging import flight
from scorer_core.judging.budget import Budget
from scorer_core.judging.flight import Flight
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer

CLAIMS = {"claims": ["a claim"]}
VERDICTS = {"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]}
PRICES = {"m": {"input": 1.0, "output": 1.0}}


class APIError(Exception):
    status_code = 503


def rows(n):
    return [{"id": f"r{i}", "output": f"row {i}", "context": [f"of row {i}"]} for i in range(n)]


class Slow(ScriptedJudge):
    """A judge that notes how often it is called, and hangs where it is told to."""

    calls: int = 0
    seconds: float = 0.0
    hangs: str = "never"

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        self.calls += 1
        text = str(messages[-1].content)
        await asyncio.sleep(60 if self.hangs in text else self.seconds)
        return self._generate(messages, stop, run_manager, **how)


def judge(**how):
    script = {"preprocess": CLAIMS, "analyze": VERDICTS, "generate_reason": "So."}
    made = Slow(script | how.pop("script", {}))
    for name, value in how.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def short_grace(monkeypatch):
    monkeypatch.setattr(flight, "GRACE", 0.1)
    monkeypatch.setattr(side_by_side, "MOST_AFTER", 0.3)


def three_calls_a_row(model, n, **how):
    return run_evals(rows(n), create_faithfulness_scorer(model), **how)


@pytest.mark.parametrize("concurrency", [1, 3, 8])
@pytest.mark.parametrize("most", [1, 2, 10, 11, 12])
def test_there_is_never_one_call_more(most, concurrency):
    model = judge()
    report = three_calls_a_row(model, 20, budget=Budget(max_calls=most), concurrency=concurrency)
    assert model.calls == most
    assert report.stopped.kind == "budget"
    assert report.stopped.message == f"max_calls of {most} is reached"
    assert len(report.results) <= most // 3
    assert {r.status for r in report.results} <= {"scored"}
    assert all(r.reason == "So." for r in report.results)  # none is half done


def test_a_run_that_needs_as_many_calls_as_it_may_make_is_not_stopped():
    report = three_calls_a_row(judge(), 4, budget=Budget(max_calls=12))
    assert report.stopped is None
    assert len(report.results) == 4


def test_replies_that_are_asked_for_again_and_repeated_attempts_count():
    again = judge(script={"preprocess": ["no JSON", "no JSON", CLAIMS]})
    report = three_calls_a_row(again, 5, budget=Budget(max_calls=2))
    assert (again.calls, report.results, report.stopped.kind) == (2, (), "budget")
    lost = judge(script={"preprocess": [APIError("later"), APIError("later"), CLAIMS]})
    report = three_calls_a_row(lost, 1, budget=Budget(max_calls=2))
    assert (lost.calls, report.results, report.stopped.kind) == (2, (), "budget")


def test_replies_that_two_scorers_share_are_one_call():
    model = judge()
    both = [create_faithfulness_scorer(model), create_hallucination_scorer(model)]
    report = run_evals(rows(1), both, budget=Budget(max_calls=5))
    assert (model.calls, report.stopped, len(report.results)) == (5, None, 2)


def test_what_one_scorer_has_done_is_kept_where_the_other_was_cut_off():
    model = judge()
    both = [create_faithfulness_scorer(model, reasons="none"), create_hallucination_scorer(model)]
    report = run_evals(rows(1), both, budget=Budget(max_calls=3), concurrency=1)
    assert [r.scorer_id for r in report.results] == ["faithfulness"]


def test_a_ground_truth_that_was_cut_off_leaves_the_row_to_be_done():
    from scorer_answer_similarity import create_answer_similarity_scorer

    units = [{"output_units": ["a"], "ground_truth_units": [truth]} for truth in ("b", "c")]
    model = judge(script={"preprocess": units, "analyze": "no JSON"})
    scorer = create_answer_similarity_scorer(Judge(model, format_retries=0))
    row = {"output": "a", "ground_truth": ["b", "c"]}
    report = run_evals([row], scorer, budget=Budget(max_calls=3), concurrency=1)
    assert (report.results, report.stopped.kind) == ((), "budget")


# Cost


def told(text="", **usage):
    words = text or '{"claims": []}'
    tokens = {"input_tokens": 500_000, "output_tokens": 0, "total_tokens": 500_000}
    return AIMessage(words, usage_metadata=tokens, response_metadata={"model_name": "m"})


def priced(model, prices=PRICES):
    from scorer_core.judging.prices import Price

    model.__dict__["model_name"] = "m"
    return Judge(model, prices={name: Price(**p) for name, p in prices.items()})


def test_a_run_stops_when_its_calls_cost_as_much_as_it_may():
    model = judge(script={"preprocess": told()})
    report = three_calls_a_row(priced(model), 20, budget=Budget(max_cost=1.6), concurrency=1)
    assert model.calls == 4  # 0.5 each
    assert report.stopped.message == "max_cost of 1.6 is reached: the calls cost 2"
    assert len(report.results) == 4


def test_R103_a_limit_to_a_cost_that_is_not_known_is_refused_up_front():
    model = judge()
    with pytest.raises(
        UsageError, match=r"max_cost: what calls of .* cost is not known; give a price table .*--prices"
    ):
        three_calls_a_row(model, 2, budget=Budget(max_cost=1))
    assert model.calls == 0


def test_R103_a_reply_whose_cost_is_not_known_stops_a_run_of_limited_cost():
    model = judge()
    report = three_calls_a_row(priced(model), 20, budget=Budget(max_cost=100), concurrency=1)
    assert model.calls == 1
    assert "told no tokens, so what it cost is not known" in report.stopped.message


# Time


def test_a_run_stops_at_its_deadline_and_calls_in_flight_are_finished(short_grace):
    model = judge(seconds=0.04)
    started = time.monotonic()
    report = three_calls_a_row(model, 500, budget=Budget(deadline=0.3), concurrency=2)
    assert time.monotonic() - started < 2
    assert report.stopped.message == "deadline of 0.3 s is reached"
    assert 0 < len(report.results) < 30
    assert all(r.reason == "So." for r in report.results)


def test_R087_a_call_that_hangs_is_given_up_after_the_stated_time_and_the_others_are_kept(short_grace):
    model = judge(hangs="row 3")
    both = [create_faithfulness_scorer(model), create_bias_scorer(ScriptedJudge(preprocess={"opinions": []}))]
    report = run_evals(rows(6), both, budget=Budget(deadline=0.3), concurrency=8)
    assert report.stopped.kind == "budget"
    found = {(r.row_id, r.scorer_id) for r in report.results}
    assert found == {(f"r{n}", s) for n in range(6) for s in ("faithfulness", "bias")} - {("r3", "faithfulness")}


def test_rows_that_never_come_do_not_hold_up_a_stop(short_grace):
    async def data():
        yield rows(1)[0]
        await asyncio.sleep(60)

    report = asyncio.run(arun_evals(data(), create_faithfulness_scorer(judge()), budget=Budget(deadline=0.2)))
    assert (len(report.results), report.stopped.kind) == (1, "budget")


def test_a_target_that_never_answers_does_not_hold_up_a_stop(short_grace):
    async def target(input):
        await asyncio.sleep(60)

    report = run_evals(rows(2), create_faithfulness_scorer(judge()), target=target, budget=Budget(deadline=0.2))
    assert (report.results, report.stopped.kind) == ((), "budget")


def test_a_wait_before_the_next_attempt_ends_with_the_run(short_grace, monkeypatch):
    from scorer_core.judging import calling

    monkeypatch.setattr(calling, "FIRST_WAIT", 60.0)
    model = judge(script={"preprocess": APIError("later")})
    started = time.monotonic()
    report = three_calls_a_row(model, 3, budget=Budget(deadline=0.2))
    assert (report.results, report.stopped.kind) == ((), "budget")
    assert time.monotonic() - started < 1


@pytest.mark.parametrize("limits", [{"max_calls": 0}, {"max_calls": 1.5}, {"max_cost": 0}, {"deadline": -1}])
def test_a_limit_that_is_none_is_refused(limits):
    with pytest.raises(UsageError, match=next(iter(limits))):
        Budget(**limits)


# Watching


def test_R087_a_flight_tells_how_many_calls_are_in_flight_and_for_how_long_the_oldest():
    model, watched = judge(hangs=""), Flight(3)

    async def watch():
        run = score_rows(rows(9), [create_faithfulness_scorer(model)], flight=watched)
        items = asyncio.ensure_future(_all(run))
        await asyncio.sleep(0.25)
        seen = watched.now
        watched.stop("enough")
        watched.give_up()
        await items
        return seen

    number, oldest = asyncio.run(watch())
    assert number == 3
    assert 0.2 < oldest < 2
    assert watched.now == (0, 0.0)
    assert watched.calls == model.calls


async def _all(run):
    return [item async for item in run]
