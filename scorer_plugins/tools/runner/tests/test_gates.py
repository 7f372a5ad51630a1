from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import UsageError
from scorer_core.contract.schema import ErrorInfo, RunResult
from scorer_core.evaluating.summary import Average
from scorer_runner.gates import MIN_COVERAGE, Gate, gate_of, judged
from scorer_runner.ordering.order import Order

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}
BAD = {**GOOD, "output": "a WRONG answer"}
BROKEN = {**GOOD, "output": "a BROKEN answer"}
KEYLESS = {**GOOD, "output": "a KEYLESS answer"}
EMPTY = {**GOOD, "output": ""}
LABEL = "faithfulness"
SCORED = RunResult(
    scorer_id=LABEL, scorer_label=LABEL, scorer_version="1", core_version="1", higher_is="better", run_id="1",
    status="scored", score=1.0,
)  # fmt: skip
FAILED = evolve(SCORED, status="failed", score=None, error=ErrorInfo(kind="timeout", step=None, message=""))
NOT_SCORABLE = evolve(SCORED, status="not_scorable", score=None)
VACUOUS = evolve(SCORED, vacuous=True)


def scores(*given: float | RunResult, scale: float = 1) -> Average:
    average = Average(LABEL, scale=scale)
    for one in given:
        average.add(one if isinstance(one, RunResult) else evolve(SCORED, score=one))
    return average


# Reading


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("faithfulness>=0.8", Gate("", "faithfulness", "mean", ">=", 0.8)),
        (" faithfulness  <  1e-1 ", Gate("", "faithfulness", "mean", "<", 0.1)),
        ("p10(faithfulness)>=0.5", Gate("", "faithfulness", "quantile", ">=", 0.5, share=0.1)),
        ("p99.5( bias )<=1", Gate("", "bias", "quantile", "<=", 1, share=0.995)),
        ("p0(bias)>0", Gate("", "bias", "quantile", ">", 0, share=0)),
        ("rate(faithfulness>=0.7)>=0.95", Gate("", "faithfulness", "rate", ">=", 0.95, each=(">=", 0.7))),
        ("rate( bias < 5 ) > 0", Gate("", "bias", "rate", ">", 0, each=("<", 5))),
        ("bias[scale=10]<=2", Gate("", "bias[scale=10]", "mean", "<=", 2)),
        ("bias[kinds=['age>60']]<=2", Gate("", "bias[kinds=['age>60']]", "mean", "<=", 2)),
        ("rate(bias[scale=10]<=2)>=1", Gate("", "bias[scale=10]", "rate", ">=", 1, each=("<=", 2))),
    ],
)
def test_a_gate_is_read(text: str, gate: Gate) -> None:
    assert gate_of(text) == evolve(gate, text=text)


@pytest.mark.parametrize(
    "text",
    ["", " ", "faithfulness", "faithfulness=0.8", "faithfulness==0.8", ">=0.8", "faithfulness>=", "faithfulness>=high",
     "faithfulness>=nan", "faithfulness>=inf", "faithfulness>=80%", "rate(faithfulness)>=0.9", "p101(faithfulness)>=0",
     "rate(faithfulness>=0.7)", "0.8<=faithfulness"],
)  # fmt: skip
def test_a_text_of_no_form_is_no_gate(text: str) -> None:
    with pytest.raises(UsageError, match=r"^--gate .*expected"):
        gate_of(text)


@given(st.text() | st.from_regex(r"(p\d+|rate)?\(?[a-z]+(<=|>)?\d?\)?(>=|<)[-\d.e]+"))
def test_any_text_is_a_gate_or_a_usage_error(text: str) -> None:
    with suppress(UsageError):
        assert gate_of(text).text == text


@pytest.mark.parametrize(
    ("gate", "parts"),
    [
        (
            "faithfullness>=0.8",
            ["no scorer 'faithfullness'", "did you mean 'faithfulness'?", "have: faithfulness, halluc"],
        ),
        ("rate(halucination<=0.5)>=1", ["no scorer 'halucination'", "did you mean 'hallucination'?"]),
        ("mean(faithfulness)>=0.8", ["no scorer 'mean(faithfulness)'", "p10(LABEL)"]),
        ("faithfulness>=80", ["scores of faithfulness are from 0 to 1, got 80"]),
        ("faithfulness>=-1", ["scores of faithfulness are from 0 to 1, got -1"]),
        ("rate(faithfulness>=0.7)>=95", ["a rate is from 0 to 1, got 95"]),
        ("rate(faithfulness>=7)>=0.9", ["scores of faithfulness are from 0 to 1, got 7"]),
        ("", ["expected LABEL>=NUMBER"]),
    ],
)
def test_a_gate_that_cannot_be_judged_is_told_before_any_call(
    scorer: Any, rows: Any, judged: Any, folder: Any, gate: str, parts: list[str]
) -> None:
    told = scorer("run", rows(GOOD), *judged, "--gate", gate)
    assert told.code == 2
    assert all(part in " ".join(told.err.split()) for part in parts), told.err
    assert "judge_of_tests" not in sys.modules or not (folder / "results.jsonl").exists()


def test_all_that_is_wrong_with_gates_and_data_is_told_at_once(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows("not json"), *judged, "--gate", "x", "--gate", "fathfulness>=0.8", "--gate", "bias>=9")
    assert told.code == 2
    for part in ("4 things", "--gate 'x'", "'fathfulness'", "'bias'", "line 1"):
        assert part in told.err


# Verdicts


@pytest.mark.parametrize(
    ("text", "met", "value", "why"),
    [
        ("rate(faithfulness>=0.8)>=0.9", True, "0.93", "37 of 40 judged, 95 % 0.80 to 0.97"),
        ("faithfulness>=0.9", True, "0.91", "40 judged, 95 % 0.86 to 0.96"),
        ("p0(faithfulness)>=0.8", False, "0.40", "40 judged"),
        ("rate(faithfulness>=0.8)>=1", False, "0.93", "37 of 40 judged, 95 % 0.80 to 0.97"),
        ("rate(faithfulness>=0.8)>0.925", False, "0.925", "37 of 40 judged, 95 % 0.80 to 0.97"),
    ],
)
def test_R068_of_forty_rows_thirty_seven_reach_the_threshold(text: str, met: bool, value: str, why: str) -> None:
    of = scores(*[0.95] * 37, *[0.4] * 3)
    verdict = judged(gate_of(text), of)
    assert (verdict.met, verdict.value, verdict.why) == (met, value, why)


@pytest.mark.parametrize(("text", "met"), [("faithfulness>=0", True), ("rate(faithfulness>=0)>=1", True),
    ("p0(faithfulness)>=0.0", True), ("faithfulness>0", True), ("p0(faithfulness)>0", False)])  # fmt: skip
def test_R067_a_threshold_of_0_is_one(text: str, met: bool) -> None:
    assert judged(gate_of(text), scores(0.0, 0.3)).met is met


def test_R051_a_mean_over_a_small_rest_does_not_pass() -> None:
    verdict = judged(gate_of("faithfulness>=0.8"), scores(*[1.0] * 10, *[FAILED] * 90))
    assert (verdict.met, verdict.value) == (False, "1.00")
    assert verdict.why == "10 judged; coverage 0.10 of 100 scorable is below 0.99; 90 failed (timeout 90)"


@pytest.mark.parametrize(
    ("given", "least", "met"),
    [
        ([*[1.0] * 99, FAILED], 0.99, True),
        ([*[1.0] * 98, FAILED], 0.99, False),
        ([*[1.0] * 98, VACUOUS, FAILED], 0.99, True),
        ([*[1.0] * 98, NOT_SCORABLE, FAILED], 0.99, False),
        ([1.0, FAILED], 0.5, True),
        ([1.0, FAILED, FAILED], 0.0, True),
        ([1.0, FAILED], 1.0, False),
        ([1.0, NOT_SCORABLE], 1.0, True),
        ([VACUOUS, NOT_SCORABLE], 0.0, False),
        ([FAILED], 0.0, False),
        ([], 0.0, False),
    ],
)
def test_a_gate_needs_a_judged_row_and_few_failures(given: list[Any], least: float, met: bool) -> None:
    assert judged(gate_of("faithfulness>=0"), scores(*given), min_coverage=least).met is met


def test_R052_without_a_judged_row_the_verdict_says_so() -> None:
    verdict = judged(gate_of("p10(faithfulness)>=0"), scores(VACUOUS, FAILED))
    assert (verdict.met, verdict.value, verdict.why) == (False, "no score", "no row was judged; 1 failed (timeout 1)")


def test_a_value_that_rounds_to_its_bound_is_told_with_digits_enough_to_see_why_it_was_missed() -> None:
    assert judged(gate_of("faithfulness>=0.8"), scores(0.7996)).value == "0.7996"
    assert judged(gate_of("faithfulness<0.8"), scores(0.7996)).value == "0.7996"
    assert judged(gate_of("faithfulness>=0.8"), scores(0.7, 0.9, 0.8)).value == "0.80"


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=20),
    st.sampled_from([">=", "<=", ">", "<"]),
    st.decimals(0, 1, places=3),
    st.sampled_from(["faithfulness", "p10(faithfulness)", "rate(faithfulness>=0.5)"]),
)
def test_what_is_shown_agrees_with_the_verdict(given: list[float], op: Any, bound: Any, what: str) -> None:
    verdict = judged(gate_of(f"{what}{op}{bound}"), scores(*given))
    value, limit = float(verdict.value), float(bound)
    near = abs(value - limit) <= 1e-9
    assert verdict.met == ("=" in op if near else value > limit if ">" in op else value < limit)


@given(st.lists(st.floats(0, 10), min_size=1).flatmap(lambda s: st.tuples(st.just(s), st.permutations(s))))
def test_the_order_in_which_rows_complete_does_not_matter(orders: tuple[list[float], list[float]]) -> None:
    bound = sum(orders[0]) / len(orders[0])
    for text in (f"faithfulness>={bound!r}", f"faithfulness<{bound!r}", "p10(faithfulness)>=5"):
        one, other = (judged(gate_of(text), scores(*order, scale=10)) for order in orders)
        assert (one.met, one.value) == (other.met, other.value)


# On the command line


def test_gates_met_are_shown_and_the_exit_code_is_0(scorer: Any, rows: Any, judged: Any) -> None:
    gates = ("--gate", "faithfulness>=0.5", "--gate", "rate(faithfulness>0.9)>=0.5", "--gate", "hallucination<=0.5")
    told = scorer("run", rows(GOOD, BAD), *judged, *gates)
    assert (told.code, told.err) == (0, "")
    lines = [line.split() for line in told.out.splitlines() if " met " in line]
    assert [line[:3] for line in lines] == [
        ["faithfulness>=0.5", "0.50", "met"],
        ["rate(faithfulness>0.9)>=0.5", "0.50", "met"],
        ["hallucination<=0.5", "0.50", "met"],
    ]
    assert "missed" not in told.out


def test_R068_a_gate_missed_is_shown_with_its_numbers_and_the_exit_code_is_1(
    scorer: Any, rows: Any, judged: Any
) -> None:
    told = scorer("run", rows(GOOD, BAD), *judged, "--gate", "faithfulness>=0.8", "--gate", "faithfulness>=0")
    assert told.code == 1
    assert [line.split()[2] for line in told.out.splitlines() if line.startswith("faithfulness>=")] == ["missed", "met"]
    assert "gate missed: faithfulness>=0.8: 0.50 (2 judged" in told.err


def test_quiet_says_nothing_but_which_gates_were_missed(scorer: Any, rows: Any, judged: Any) -> None:
    gates = ("--gate", "faithfulness>=0.8", "--gate", "faithfulness>=0", "--gate", "hallucination>=0.5")
    told = scorer("run", rows(BAD), *judged, "--quiet", *gates)
    assert (told.code, told.out) == (1, "")
    assert told.err.splitlines() == [
        "gate missed: faithfulness>=0.8: 0.00 (1 judged)",
        "gate missed: hallucination>=0.5: 0.00 (1 judged)",
    ]


def test_results_on_standard_output_leave_the_verdicts_to_standard_error(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD), *judged, "--out", "-", "--gate", "faithfulness>=0.8")
    assert told.code == 0
    assert all(line.startswith("{") for line in told.out.splitlines())
    assert told.err.splitlines()[-1].split()[:3] == ["faithfulness>=0.8", "1.00", "met"]


@pytest.mark.parametrize(
    ("given", "more", "code"),
    [
        ([GOOD, BROKEN], (), 3),
        ([GOOD, BROKEN], ("--gate", "faithfulness>=0.8"), 1),
        ([GOOD, BROKEN], ("--gate", "faithfulness>=0.8", "--min-coverage", "0.5"), 3),
        ([GOOD, BROKEN], ("--gate", "faithfulness>=0.8", "--gate", "nothing>=0"), 2),
        ([KEYLESS], ("--gate", "faithfulness>=0"), 1),
        ([KEYLESS], (), 3),
        ([EMPTY], ("--gate", "faithfulness>=0"), 1),
        ([EMPTY], (), 0),
        ([GOOD], ("--gate", "faithfulness>=0.8", "--min-coverage", "1"), 0),
        ([GOOD], ("--gate", "faithfulness>=0.8", "--min-coverage", "99"), 2),
    ],
)
def test_the_exit_code_is_the_highest_of_2_then_1_then_3(
    scorer: Any, rows: Any, judged: Any, given: Any, more: Any, code: int
) -> None:
    told = scorer("run", rows(*given), *judged[:2], *judged[4:], *more)
    assert told.code == code
    assert ("missed" in told.out) == (code == 1)


@pytest.mark.parametrize(
    ("gate", "warned"),
    [
        ("hallucination>=0.5", "lower is better"),
        ("p90(hallucination)>0", "lower is better"),
        ("faithfulness<=0.5", "higher is better"),
        ("rate(hallucination>=0.5)>=0.1", "lower is better"),
        ("rate(faithfulness>=0.5)<=0.1", "higher is better"),
        ("rate(hallucination>=0.5)<=0.1", None),
        ("rate(hallucination<0.5)>=0.1", None),
        ("rate(faithfulness<0.5)<0.1", None),
        ("faithfulness>=0.5", None),
    ],
)
def test_a_gate_that_wants_bad_scores_is_warned_of_and_judged(
    scorer: Any, rows: Any, judged: Any, gate: str, warned: str | None
) -> None:
    told = scorer("run", rows(GOOD), *judged, "--gate", gate)
    assert told.code in (0, 1)
    assert ("warning: " in told.err) == (warned is not None)
    assert (warned or "") in told.err


def test_scorers_of_one_kind_each_have_their_gate_in_their_own_units(scorer: Any, rows: Any, judged: Any) -> None:
    two = ("--scorer", "faithfulness", "--scorer", "faithfulness:scale=10", *judged[4:])
    gates = ("--gate", "faithfulness[scale=10]>=8", "--gate", "rate(faithfulness[scale=1.0]>=0.8)>=1")
    assert scorer("run", rows(GOOD), *two, *gates).code == 0
    told = scorer("run", rows(GOOD), *two, "--gate", "faithfulness>=0.8")
    assert told.code == 2
    assert "have: faithfulness[scale=1.0], faithfulness[scale=10]" in told.err


def test_the_command_line_and_the_library_agree_on_the_coverage_needed() -> None:
    assert Order(data=["x"]).min_coverage == MIN_COVERAGE == 0.99


def test_an_interrupted_run_ends_with_130_whatever_its_gates(
    scorer: Any, rows: Any, judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scorer_runner.running.session.score_all", interrupted)
    told = scorer("run", rows(GOOD), *judged, "--gate", "faithfulness>=1")
    assert told.code == 130
    assert "missed" not in told.out + told.err


def test_a_row_is_one_observation_of_a_gate_however_often_it_was_scored() -> None:
    average = Average(LABEL, times=10)
    for index, row in enumerate([[1.0] * 10, [0.8] * 10, [*[0.0] * 5, *[FAILED] * 5]]):
        for one in row:
            average.add(evolve(one if isinstance(one, RunResult) else evolve(SCORED, score=one), index=index))
    mean, rate, low = (
        judged(gate_of(t), average, min_coverage=0.5)
        for t in ("faithfulness>=0.6", "rate(faithfulness>=0.5)>=0.6", "p10(faithfulness)>=0.5")
    )
    assert (mean.met, mean.value) == (True, "0.60")
    assert mean.why == "25 judged in 3 rows, 95 % -0.71 to 1.91; 5 failed (timeout 5)"
    assert (rate.met, rate.value) == (True, "0.67")
    assert rate.why == "20 of 25 judged in 3 rows, 95 % 0.21 to 0.94; 5 failed (timeout 5)"
    assert (low.met, low.value) == (False, "0.00")
