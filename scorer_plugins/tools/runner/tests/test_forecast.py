from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from scorer_core import RunResult
from scorer_core.contract.trail import STEPS
from scorer_runner.ordering.order import Order
from scorer_runner.planning.making import made
from scorer_runner.running.forecast import forecast
from scorer_runner.running.standin import sentences

GOOD = {"input": "q?", "output": "A cat sat. A dog ran.", "context": ["so it is"]}
EMPTY = {**GOOD, "output": ""}
NEVER = """
from scorer_core.testing import ScriptedJudge


class Never(ScriptedJudge):
    temperature: float | None = None
    max_retries: int | None = None

    async def _agenerate(self, *args, **how):
        raise AssertionError("a judge was asked")


class Calm(Never):
    temperature: float | None = 0
    max_retries: int | None = 0


judge, calm = Never(), Calm()
"""


@pytest.fixture(autouse=True)
def judge_that_may_not_be_asked(folder: Path) -> None:
    (folder.parent / "modules/never.py").write_text(NEVER)


def steps(told: Any) -> dict[tuple[str, str], Any]:
    return {(s["scorer"], s["step"]): s for s in json.loads(told.out)["steps"]}


def plan(scorer: Any, *args: str) -> Any:
    told = scorer("plan", *args, "--model", "python:never:calm", "--json")
    assert told.code == 0, told.err
    return told


def test_a_first_step_is_counted_and_later_ones_are_a_range(scorer: Any, rows: Any) -> None:
    told = plan(scorer, rows(GOOD, {**GOOD, "output": "A cat."}, EMPTY), "--scorer", "faithfulness")
    calls = {step: found["calls"] for (_, step), found in steps(told).items()}
    assert calls == {"preprocess": [2, 2], "analyze": [0, 2], "generate_reason": [0, 2]}
    assert json.loads(told.out)["total"]["calls"] == [2, 6]
    assert json.loads(told.out)["without_a_call"] == {"faithfulness": {"not scorable": 1}}


def test_what_two_scorers_share_is_counted_once_and_nothing_after_it_is_sure(scorer: Any, rows: Any) -> None:
    told = steps(plan(scorer, rows(GOOD), "--scorer", "faithfulness", "--scorer", "hallucination"))
    assert told["faithfulness", "preprocess"]["calls"] == [1, 1]
    assert ("hallucination", "preprocess") not in told
    assert told["hallucination", "analyze"]["calls"] == [0, 1]


def test_reasons_of_scores_that_may_differ_are_not_taken_for_one(scorer: Any, rows: Any) -> None:
    both = ("--scorer", "answer_similarity", "--scorer", "answer_similarity:missing_penalty=0.5")
    told = plan(scorer, rows({**GOOD, "ground_truth": "A cat sat."}), *both)
    calls = {step: found["calls"] for (_, step), found in steps(told).items()}
    assert calls == {"preprocess": [1, 1], "analyze": [0, 1], "generate_reason": [0, 1]}
    assert json.loads(told.out)["total"]["calls"] == [1, 4]


def test_each_of_several_ground_truths_is_compared_by_a_call_of_its_own(scorer: Any, rows: Any) -> None:
    told = plan(scorer, rows({**GOOD, "ground_truth": ["A cat sat.", "A dog."]}), "--scorer", "answer_similarity")
    calls = {step: found["calls"] for (_, step), found in steps(told).items()}
    assert calls == {"preprocess": [2, 2], "analyze": [0, 2], "generate_reason": [0, 1]}


def test_tokens_are_those_of_the_prompts_a_run_sends(scorer: Any, rows: Any, results: Any) -> None:
    source = rows(GOOD)
    told = steps(plan(scorer, source, "--scorer", "faithfulness"))
    scorer("run", source, "--scorer", "faithfulness", "--model", "python:judge_of_tests:judge")
    prompt = results()[0]["preprocess_prompt"]
    assert prompt.isascii()
    assert told["faithfulness", "preprocess"]["input_tokens"][0] > len(prompt) // 4
    japanese = rows({**GOOD, "output": "猫は座った。犬は走った。" * 100}, name="ja.jsonl")
    more = steps(plan(scorer, japanese, "--scorer", "faithfulness"))
    assert more["faithfulness", "preprocess"]["input_tokens"][0] >= 1200


@pytest.mark.parametrize("how", [(), ("--reasons", "none"), ("--reasons", "summary")])
def test_a_run_asks_between_the_least_and_the_most(scorer: Any, results: Any, how: Any) -> None:
    scorer("demo")
    args = ("scorer-demo/rows.jsonl", "--scorer", "faithfulness", "--scorer", "bias", *how)
    told = steps(scorer("plan", *args, "--json"))
    assert scorer("run", *args, "--out", "out.jsonl").code == 0
    lines = [RunResult.from_dict(line) for line in results("out.jsonl")]
    for label in ("faithfulness", "bias"):
        for step in STEPS:
            done = [e for r in lines if r.scorer_label == label for e in r.judge.get(step, ()) if not e.cached]
            least, most = told.get((label, step), {"calls": [0, 0]})["calls"]
            assert least <= sum(e.attempts for e in done) <= most


def test_what_is_in_the_cache_is_no_call_and_what_follows_from_it_is_sure(scorer: Any, rows: Any, folder: Path) -> None:
    source, judge = rows(GOOD), ("--scorer", "faithfulness", "--model", "python:judge_of_tests:judge")
    cached = (*judge, "--cache", "kept.sqlite", "--cache-name", "tests")
    told = scorer("plan", source, *cached, "--json")
    assert not (folder / "kept.sqlite").exists()
    assert json.loads(told.out)["cached"] == 0
    scorer("run", source, *cached)
    told = json.loads(scorer("plan", source, *cached, "--json").out)
    assert (told["cached"], told["total"]["calls"], told["without_a_call"]) == (3, [0, 0], {})
    told = json.loads(scorer("plan", source, *cached, "--language", "Japanese", "--json").out)
    assert told["total"]["calls"][0] < told["total"]["calls"][1]


def test_what_comes_again_word_for_word_may_be_asked_once_and_each_repeat_asks_anew(scorer: Any, rows: Any) -> None:
    source = rows(GOOD, GOOD)
    told = plan(scorer, source, "--scorer", "faithfulness", "--reasons", "none")
    assert json.loads(told.out)["total"]["calls"] == [1, 4]
    how = ("--scorer", "faithfulness", "--model", "python:judge_of_tests:judge", "--reasons", "none")
    cached = (source, *how, "--cache", "kept.sqlite", "--cache-name", "tests")
    assert scorer("run", *cached).code == 0
    told = json.loads(scorer("plan", *cached, "--repeats", "3", "--json").out)
    assert (told["rows"], told["cached"]) == (6, 4)
    assert told["total"]["calls"] == [2, 8]


def test_the_cost_is_told_by_the_price_table_and_unknown_without_one(scorer: Any, rows: Any) -> None:
    order = Order(data=[rows(GOOD)], scorer=("faithfulness",), model="python:never:calm")
    told = forecast(made(order))
    assert told.judge
    assert told.cost(told.total.most) is None
    Path("prices.toml").write_text(f'["{told.judge.name}"]\ninput = 1000000\noutput = 0')
    told = forecast(made(evolve(order, prices="prices.toml")))
    assert told.cost(told.total.least) == told.total.least.sent
    args = ("plan", *order.data, "--scorer", "faithfulness", "--model", order.model, "--prices")
    assert f" {told.total.least.sent:.4g} to " in scorer(*args, "prices.toml").out
    Path("other.toml").write_text("[other]\ninput = 1\noutput = 0")
    shown = scorer(*args, "other.toml")
    assert "unknown" in shown.out
    assert f"warning: no price for {told.judge.name if told.judge else ''}" in shown.err


def test_R097_no_temperature_doubled_retries_and_a_gate_for_bad_scores_are_warned_of(scorer: Any, rows: Any) -> None:
    args = ("plan", rows(GOOD), "--scorer", "hallucination", "--gate", "hallucination>=0.5")
    told = scorer(*args, "--model", "python:never:judge")
    assert told.code == 0
    assert "warning: no temperature is set" in told.err
    assert "warning: Never has retries of its own, which multiply with ours" in told.err
    assert "asks for bad scores" in told.err
    assert "warning" not in told.out
    calm = scorer(*args[:-2], "--model", "python:never:calm")
    assert calm.err == ""


def test_a_file_that_the_run_goes_on_with_is_told_and_left_alone(
    scorer: Any, rows: Any, judged: Any, folder: Path
) -> None:
    args = (rows(GOOD), *judged, "--out", "out.jsonl")
    scorer("run", *args)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    told = scorer("plan", *args, "--resume")
    assert "warning: out.jsonl is there: the run goes on with it" in told.err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert scorer("plan", *args).code == 2


def test_all_that_is_wrong_is_named_as_for_a_run(scorer: Any, rows: Any) -> None:
    told = scorer("plan", rows(GOOD), "--scorer", "faithfulnes", "--gate", "bias>=high", "--map", "input=question")
    assert (told.code, told.out) == (2, "")
    assert "3 things are wrong" in told.err


def test_the_head_of_a_stream_is_measured(process: Any) -> None:
    given = "".join(json.dumps({**GOOD, "id": str(n)}) + "\n" for n in range(150)).encode()
    told = process("plan", "-", "--scorer", "faithfulness", "--model", "python:never:calm", stdin=given)
    assert told.code == 0, told.err
    assert "the first 100 rows · 1 scorer" in told.out


def test_a_plan_is_shown_as_a_table_with_what_is_assumed(scorer: Any, rows: Any) -> None:
    told = scorer("plan", rows(GOOD, EMPTY), "--scorer", "faithfulness", "--model", "python:never:calm")
    assert (told.code, told.err) == (0, "")
    for part in (
        "2 rows · 1 scorer · judge python:never:calm",
        "0 to 1",
        "no call  faithfulness: 1 not scorable",
        "assumed",
    ):
        assert part in told.out


def test_a_file_is_measured_in_flat_memory(rows: Any) -> None:
    peaks = []
    for n in (1500, 150, 1500):  # the first fills the caches
        ready = made(Order(data=[rows(*[GOOD] * n)], scorer=("bias",), model="python:never:calm"))
        tracemalloc.start()
        assert forecast(ready).rows == n
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 1.5 * peaks[1]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A cat. A dog!", ["A cat.", "A dog!"]),
        ("猫だ。犬だ。", ["猫だ。", "犬だ。"]),
        ("one\n\ntwo", ["one", "two"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts
