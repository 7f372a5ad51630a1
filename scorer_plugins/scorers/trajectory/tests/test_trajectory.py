"""Trajectory: each dimension by example, the mean and what is within by property, and what is not scorable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, ToolMessage

from scorer_core import Run, Trajectory, UsageError
from scorer_core.runs.tool_calls import ToolCall
from scorer_core.testing import Example, ScorerConformance
from scorer_steps import TakenStep
from scorer_trajectory import (
    TrajectoryOptions,
    create_trajectory_scorer,
    efficiency,
    evaluated,
    failures,
    spec,
    within_budget,
)

names = st.lists(st.sampled_from("abc"), max_size=7)
weights = st.fixed_dictionaries(
    {n: st.floats(0.1, 1) for n in ("accuracy", "efficiency", "tool_failures", "blacklist")}
)


def step(name, failed=False, children=(), **told):
    return TakenStep(name=name, failed=failed, children=tuple(children), told=told)


def path(*steps, **told):
    return step("", children=[step(s) if isinstance(s, str) else s for s in steps], **told)


def options(**given):
    return TrajectoryOptions(**given)


def scored(*steps, row=None, total=None, **given):
    way = {"steps": list(steps)} | ({} if total is None else {"totalDurationMs": total})
    metadata = {} if row is None else {"expected_trajectory": row}
    return create_trajectory_scorer(**given).run(output=way, metadata=metadata)


@given(names, names, weights, st.integers(0, 5), st.lists(st.sampled_from("xyz")))
def test_the_score_lies_in_0_to_1_and_between_its_dimensions(expected, taken, weighs, most, listed):
    o = options(expected_trajectory=expected, max_steps=most, weights=weighs, blacklisted_tools=listed)
    found = evaluated(o, path(*taken))
    assert min(found.dimensions.values()) - 1e-9 <= found.score <= max(found.dimensions.values()) + 1e-9
    assert 0 <= found.score <= 1


@given(names.filter(bool), weights)
def test_one_forbidden_step_makes_all_of_it_0(taken, weighs):
    o = options(expected_trajectory=taken, weights=weighs, blacklisted_tools=(taken[0],))
    assert evaluated(o, path(*taken)).score == 0


@given(names, st.floats(0.1, 10))
def test_weights_count_by_their_share(taken, factor):
    o = options(expected_trajectory=["a", "b"], max_steps=2)
    many = options(expected_trajectory=["a", "b"], max_steps=2, weights={k: v * factor for k, v in o.weights.items()})
    assert evaluated(o, path(*taken)).score == pytest.approx(evaluated(many, path(*taken)).score)


def test_weights_not_given_keep_their_own():
    assert options(weights={"accuracy": 1}).weights == {
        "accuracy": 1, "efficiency": 0.3, "tool_failures": 0.2, "blacklist": 0.1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("used", "limit", "score"), [(2, 3, 1), (3, 3, 1), (3, 2, 0.5), (9, 2, 0), (1, 0, 0), (0, 0, 1)]
)
def test_a_budget_is_lost_by_the_share_beyond_it(used, limit, score):
    assert within_budget(used, limit) == score


def test_redundant_calls_are_the_same_tool_with_the_same_arguments_right_after_each_other():
    same = [step("a", args={"p": 1, "q": 2}), step("a", args={"q": 2.0, "p": 1})]
    other = [step("a", args={"p": 1}), step("a", args={"p": 2}), step("b"), step("a", args={"p": 1})]
    assert efficiency(options(no_redundant_calls=True), path(*same))[0] == pytest.approx(0.8)
    assert efficiency(options(no_redundant_calls=True), path(*other))[0] == 1
    assert efficiency(options(max_steps=9), path(*same))[0] == pytest.approx(0.9)
    assert efficiency(options(max_steps=9, no_redundant_calls=False), path(*same))[0] == 1
    assert efficiency(options(), path(*same)) is None


@pytest.mark.parametrize(("most", "score"), [(2, 1), (1, 0.8), (0, 0.6)])
def test_retries_beyond_those_allowed_cost(most, score):
    way = path(step("a", True), step("a", True), "a", "b", "a")
    assert failures(options(max_retries_per_tool=most), way)[0] == pytest.approx(score)
    assert failures(options(), path("a", "a", step("b", True), "a")) is None


def test_sequences_are_forbidden_only_where_they_follow_each_other():
    o = options(blacklisted_sequences=[["a", "b"]])
    assert evaluated(o, path("x", "a", "b")).score == 0
    assert evaluated(o, path("a", "x", "b")).score == 1


def test_budgets_of_tokens_and_time_need_to_be_measured():
    generation = {"stepType": "model_generation", "name": "g", "promptTokens": 60, "completionTokens": 70}
    assert scored(generation, max_total_tokens=100).score == pytest.approx(0.85)
    assert scored("a", total=150, max_total_duration_ms=100).score == pytest.approx(0.75)
    for lacks in ("max_total_tokens", "max_total_duration_ms"):
        result = scored("a", **{lacks: 100})
        assert result.status == "not_scorable"
        assert lacks in result.reason


def test_steps_within_steps_count_three_tenths():
    sub = {"name": "sub", "stepType": "agent_run", "children": ["x"]}
    row = [{"name": "sub", "children": {"steps": ["x", "y"]}}]
    result = scored(sub, row=row)
    assert result.score == pytest.approx(0.85)
    assert result.reason.splitlines()[-1] == "sub > accuracy 0.50: 1 of 2 expected steps were taken. Missing: y."
    missing = scored("other", row=row)
    assert (missing.score, missing.reason.splitlines()[-1]) == (0, "sub > not there")
    forbidden = [{"name": "sub", "children": {"blacklistedTools": ["x"]}}]
    assert scored(sub, row=forbidden).score == 0
    assert scored(sub, row=[{"name": "sub", "children": {"ordering": "strict"}}]).score == 1


def test_a_row_goes_before_the_options_field_by_field():
    how = {"expected_trajectory": ["a", "b"], "max_steps": 1, "no_redundant_calls": False}
    assert scored("a", "b", **how).score == pytest.approx((0.4 + 0) / 0.7)
    assert scored("a", "b", row={"maxSteps": 2}, **how).score == 1
    result = scored("a", "b", row={"steps": ["a", "c"], "max_step": 9}, **how)
    assert result.score == pytest.approx(0.4 * 0.5 / 0.7)
    assert result.notes == ("expected_trajectory: passed over: max_step",)


def test_ways_are_read_from_messages_and_trajectories():
    calls = [AIMessage("", tool_calls=[{"name": "a", "args": {}, "id": str(n)}]) for n in (1, 2)]
    talk = [calls[0], ToolMessage("no", tool_call_id="1", status="error"), calls[1], ToolMessage("1", tool_call_id="2")]
    result = create_trajectory_scorer(max_retries_per_tool=0).run(output=talk)
    assert (round(result.score, 9), result.reason) == (0.8, "tool failures 0.80: retries: a 1.")
    target = Trajectory((ToolCall("a", finished=True),), ("model", "tools"))
    assert create_trajectory_scorer(expected_trajectory=["a"]).run(output=target).score == 1
    assert create_trajectory_scorer(expected_trajectory=["model", "tools"]).run(output=target).score == 1


@pytest.mark.parametrize(
    ("output", "given", "status"),
    [
        ({"steps": ["a"]}, {}, "not_scorable"),
        ({"steps": ["a"]}, {"no_redundant_calls": False}, "not_scorable"),
        (None, {"max_steps": 3}, "not_scorable"),
        ("Done.", {"max_steps": 3}, "not_scorable"),
        ("Done.", {"blacklisted_tools": ["a"]}, "not_scorable"),
        ("Done.", {"expected_trajectory": ["a"], "max_steps": 3}, "scored"),
        ({"steps": []}, {"expected_trajectory": []}, "scored"),
    ],
)
def test_no_full_mark_for_what_is_not_told(output, given, status):
    result = create_trajectory_scorer(**given).run(output=output)
    assert result.status == status
    assert result.score == (None if status == "not_scorable" else 0 if output == "Done." else 1)


def test_weights_of_0_leave_out_a_dimension():
    how = {"expected_trajectory": ["a", "b"], "weights": {"accuracy": 0}}
    assert scored("a", **how).status == "not_scorable"
    assert scored("a", max_steps=3, **how).score == 1


@pytest.mark.parametrize(
    "given",
    [
        {"max_steps": -1},
        {"max_steps": float("nan")},
        {"max_total_tokens": "many"},
        {"max_retries_per_tool": 1.5},
        {"weights": {"accuracy": -1}},
        {"weights": {"speed": 1}},
        {"weights": dict.fromkeys(("accuracy", "efficiency", "tool_failures", "blacklist"), 0)},
        {"weights": 3},
        {"blacklisted_tools": "delete"},
        {"blacklisted_sequences": ["ab"]},
        {"no_redundant_calls": "no"},
        {"ordering": "wild"},
        {"expected_trajectory": {"steps": ["a"], "maxSteps": 3}},
    ],
)
def test_options_that_do_not_fit_are_refused(given):
    with pytest.raises(UsageError):
        create_trajectory_scorer(**given)


@pytest.mark.parametrize("row", [3, {"maxSteps": -1}, {"steps": [3]}, {"blacklistedTools": "a"}])
def test_a_row_with_an_expectation_that_is_none_fails_and_says_so(row):
    result = scored("a", row=row)
    assert (result.status, result.error.kind) == ("failed", "bad_row")
    assert "expected_trajectory" in result.error.message


class TestTrajectoryIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(output={"steps": ["a"]}), options={"expected_trajectory": ["a", "b"]}, score=0.5),
        Example(Run(output={"steps": ["a"]}), options={"blacklisted_tools": ["a"]}, score=0.0),
        Example(Run(output={"steps": ["a"]}), score=None),
    )
