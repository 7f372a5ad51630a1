"""Trajectory accuracy: both formulas by property, orderings, rows' own expectations, and what a judge may get wrong."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from scorer_core import Run, Trail, Trajectory, UsageError, run_evals
from scorer_core.runs.tool_calls import ToolCall
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_steps import ExpectedStep, TakenStep
from scorer_trajectory_accuracy import (
    StepEvaluation,
    StepEvaluations,
    Steps,
    code_spec,
    compare,
    create_trajectory_accuracy_code_scorer,
    create_trajectory_accuracy_scorer,
    right_share,
    spec,
)

ORDERINGS = ["relaxed", "strict", "unordered"]
names = st.lists(st.sampled_from("abcd"), max_size=8)
words = st.lists(st.tuples(st.sampled_from(["yes", "no"]), st.sampled_from(["yes", "no"])), max_size=8)


def way(*steps):
    return {"steps": [{"name": s} if isinstance(s, str) else s for s in steps]}


def replies(*said, missing=()):
    told = [{"number": n, "reason": "r", "necessary": a, "in_order": b} for n, (a, b) in enumerate(said, 1)]
    return {"step_evaluations": told, "missing_steps": list(missing)}


def judged(reply, output, *more, expected=None, question="Book the cheapest room.", **how):
    judge = ScriptedJudge(analyze=[reply, *more], generate_reason="So.")
    metadata = {} if expected is None else {"expected_trajectory": expected}
    return create_trajectory_accuracy_scorer(judge, **how).run(input=question, output=output, metadata=metadata), judge


def computed(output, expected=None, **options):
    metadata = {} if expected is None else {"expected_trajectory": expected}
    return create_trajectory_accuracy_code_scorer(**options).run(output=output, metadata=metadata)


def held(expected, taken, ordering="relaxed", repeats=True):
    wanted, made = [ExpectedStep(name=n) for n in expected], [TakenStep(name=n) for n in taken]
    return compare(wanted, made, ordering, allow_repeated_steps=repeats)


# Judged


def trail(said, missing=()):
    made = [StepEvaluation(number=n, step="s", reason="r", necessary=a, in_order=b) for n, (a, b) in enumerate(said, 1)]
    return Trail(preprocess=Steps((), ()), analyze=StepEvaluations(tuple(made), tuple(missing)))


@given(words, st.lists(st.text(), max_size=3))
def test_the_share_lies_in_0_to_1_and_what_is_missing_lowers_it(said, missing):
    share = right_share(trail(said, missing))
    assert 0 <= share <= 1
    assert right_share(trail(said, [*missing, "x"])) <= share
    assert right_share(trail([*said, ("yes", "yes")], missing)) >= share


@given(words)
def test_a_perfect_trajectory_reaches_1(said):
    assert right_share(trail([("yes", "yes")] * len(said))) == 1


def test_each_step_is_told_with_its_arguments_its_result_and_the_steps_within():
    inner = {"stepType": "tool_call", "name": "look", "toolArgs": {"場所": "京都"}, "toolResult": "x" * 900}
    output = way({"name": "sub", "stepType": "agent_run", "children": [inner]}, {"name": "book", "success": False})
    result, judge = judged(replies(("yes", "yes"), ("yes", "no")), output)
    assert result.score == pytest.approx(5 / 6)
    first, second = (e["step"] for e in result.analyze_step_result["step_evaluations"])
    assert first.startswith('agent_run sub\n  look({"場所": "京都"}) -> xxx')
    assert len(first) < 600
    assert second == "book (failed)"
    assert "Expected steps are given" not in judge.prompts("analyze")[0]


@pytest.mark.parametrize("option", [True, False])
def test_expected_steps_are_shown_and_no_others_can_be_missing(option):
    expected = ["list_rooms", {"name": "book", "args": {"room": 3}}]
    how = {"expected_trajectory": expected} if option else {"expected": expected}
    result, judge = judged(replies(("yes", "yes"), missing=["List_Rooms", "pay"]), way("book"), **how)
    assert result.score == 0.5
    assert result.analyze_step_result["missing_steps"] == ["list_rooms"]
    assert result.notes == ("passed over, as there is none of that name: pay",)
    assert '>book({"room": 3})</' in judge.prompts("analyze")[0]


def test_no_step_taken_of_those_expected_is_0_without_a_call():
    result, judge = judged(replies(), "I can't.", expected=["book"])
    assert (result.score, result.vacuous, judge.asked) == (0, False, [])
    assert result.reason == "no step was taken, 1 were expected"


@pytest.mark.parametrize("output", ["Which room?", way(), [AIMessage("Which room?")]])
@pytest.mark.parametrize(("missing", "score"), [([], 1), (["book"], 0)])
def test_without_an_expectation_the_judge_says_what_is_missing_of_no_step(output, missing, score):
    result, judge = judged(replies(missing=missing), output)
    assert (result.score, result.vacuous) == (score, False)
    assert "No step was taken." in judge.prompts("analyze")[0]


def test_a_run_without_a_question_is_not_scorable():
    result, judge = judged(replies(), way("a"), question=None)
    assert (result.status, judge.asked) == ("not_scorable", [])


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("All fine.", "format"),
        (replies(("yes", "yes")), "incomplete_reply"),
        ({"step_evaluations": replies(("yes", "yes"), ("no", "no"))["step_evaluations"]}, "format"),
        (replies(("yes", "yes"), ("maybe", "no")), "unknown_label"),
        (replies(("yes", "yes"), ("yes", "yes"), ("yes", "yes")), "format"),
    ],
)
def test_a_reply_that_does_not_fit_is_asked_again_and_then_fails(reply, kind):
    result, judge = judged(reply, way("a", "b"), reply, reply)
    assert (result.status, result.error.kind, len(judge.asked)) == ("failed", kind, 3)


# Computed


@given(names, names, st.sampled_from(ORDERINGS), st.booleans())
def test_the_score_lies_in_0_to_1_and_is_1_for_what_is_expected(expected, taken, ordering, repeats):
    assert 0 <= held(expected, taken, ordering, repeats).score <= 1
    assert held(expected, expected, ordering, repeats).score == 1


@given(names, names, st.sampled_from(["relaxed", "unordered"]), st.sampled_from("abcd"), st.integers(0, 8))
def test_one_more_step_never_lowers_a_score_that_allows_for_others(expected, taken, ordering, more, at):
    if expected:
        assert held(expected, [*taken[:at], more, *taken[at:]], ordering).score >= held(expected, taken, ordering).score


@given(names, names)
def test_the_stricter_ordering_never_scores_higher(expected, taken):
    strict, relaxed, unordered = (
        held(expected, taken, ordering).score for ordering in ("strict", "relaxed", "unordered")
    )
    assert strict <= relaxed <= unordered


@given(names, st.randoms())
def test_unordered_steps_score_the_same_in_any_order(taken, random):
    turned = [*taken]
    random.shuffle(turned)
    assert held("abc", taken, "unordered").score == held("abc", turned, "unordered").score


@pytest.mark.parametrize(
    ("expected", "taken", "ordering", "repeats", "score"),
    [
        ("ab", "axb", "relaxed", True, 1),
        ("ab", "ba", "relaxed", True, 1 / 2),
        ("abc", "bca", "relaxed", True, 2 / 3),
        ("ab", "abc", "strict", True, 3 / 4),
        ("ab", "xab", "strict", True, 0),
        ("ab", "ba", "unordered", True, 1),
        ("aa", "ab", "unordered", True, 1 / 2),
        ("ab", "aab", "relaxed", False, 0.9),
        ("aa", "aa", "relaxed", False, 1),
        ("aa", "aaa", "relaxed", False, 0.9),
        ("", "", "relaxed", True, 1),
        ("", "a", "relaxed", True, 0),
        ("a", "", "strict", True, 0),
    ],
)
def test_orderings_and_repeats(expected, taken, ordering, repeats, score):
    assert held(expected, taken, ordering, repeats).score == pytest.approx(score)


def test_a_step_that_fits_two_expectations_goes_to_the_one_that_has_no_other():
    expected = ["a", {"name": "a", "args": {"q": 1}}]
    taken = way({"name": "a", "args": {"q": 1}}, {"name": "a", "args": {"q": 2}})
    assert computed(taken, expected, ordering="unordered").score == 1


def test_what_an_expected_step_says_is_compared_by_value():
    taken = way({"name": "a", "args": {"x": 1, "y": {"p": 1, "q": [2.0]}}})
    assert computed(taken, [{"name": "a", "args": {"y": {"q": [2], "p": 1}, "x": 1}}]).score == 1
    assert computed(taken, [{"name": "a", "args": {"x": 2}}]).score == 0
    assert computed(taken, [{"name": "a", "kind": "mcp_tool_call"}]).score == 0
    assert computed(taken, [{"a": {"x": [1, 7], "y": [{"p": [1], "q": [[2]]}], "z": [3, ""]}}]).score == 1


def test_missing_extra_and_repeated_steps_are_told():
    result = computed(way("b", "b", "x"), ["a", "b"], allow_repeated_steps=False)
    assert result.reason == "1 of 2 expected steps were taken. Missing: a. Extra: x. Repeated: b."
    assert result.analyze_step_result["pairs"] == {"1": 0}
    assert result.score == pytest.approx(0.4)


def test_the_rows_ordering_goes_before_the_option_and_the_options_steps_before_the_rows():
    row = {"steps": ["z"], "ordering": "strict"}
    assert computed(way("b", "a"), row, expected_trajectory=["a", "b"], ordering="unordered").score == 0
    assert computed(way("b", "a"), None, expected_trajectory=["a", "b"], ordering="unordered").score == 1


def test_trajectories_of_targets_and_of_logged_runs_are_read():
    path = Trajectory((ToolCall("a", {"q": 1}),), ("model", "tools"))
    assert computed(path, [{"name": "a", "args": {"q": 1}}]).score == 1
    assert computed(path, ["model", "tools"]).score == 1
    calls = [{"name": "a", "args": {"q": 1}, "id": "1"}]
    scorer = create_trajectory_accuracy_code_scorer(expected_trajectory=["a"])
    rows = [{"output": [AIMessage("", tool_calls=calls)]}, {"output": way("a")}, {"output": path}]
    for scorers in (scorer, {"trajectory": [scorer]}):
        assert [r.score for r in run_evals(rows, scorers).results] == [1, 1, 1]


def test_nothing_expected_is_not_scorable_and_an_empty_expectation_is_one():
    assert computed(way("a")).status == "not_scorable"
    assert computed(None, ["a"]).status == "not_scorable"
    assert computed(way(), []).score == 1
    assert computed(way("a"), []).score == 0
    text = computed("No.", [])
    assert (text.score, text.vacuous) == (1, True)
    assert computed("No.", ["a"]).score == 0


@pytest.mark.parametrize("row", [3, ["a", 3], {"steps": ["a"], "ordering": "wild"}, {"steps": 3}])
def test_a_row_with_an_expectation_that_is_none_fails_and_says_so(row):
    result = computed(way("a"), row)
    assert (result.status, result.error.kind) == ("failed", "bad_row")
    assert "expected_trajectory" in result.error.message


@pytest.mark.parametrize(
    "options",
    [{"ordering": "wild"}, {"allow_repeated_steps": 1}, {"expected_trajectory": 3}, {"expected_trajectory": [3]}],
)
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises(UsageError):
        create_trajectory_accuracy_code_scorer(**options)


def test_a_made_scorer_is_the_same_with_its_options_again():
    scorer = create_trajectory_accuracy_code_scorer(expected_trajectory=["a", {"b": {"q": [1, ""]}}])
    assert evolve(scorer.options, ordering="strict").expected_trajectory == scorer.options.expected_trajectory


BOOKED = way({"name": "book", "args": {"room": 3}}, "list_rooms")
WANTED = {"expected_trajectory": ["list_rooms", "book"]}


class TestTrajectoryAccuracyIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input="Book.", output=BOOKED), answers=(replies(("yes", "yes"), ("yes", "no")),), score=5 / 6),
        Example(Run(input="Book.", output="No.", metadata=WANTED), score=0.0),
        Example(
            Run(input="Book.", output=way("book"), metadata=WANTED),
            answers=(replies(("yes", "yes"), missing=["list_rooms"]),),
            score=0.5,
        ),
    )


class TestTrajectoryAccuracyCodeIsAScorer(ScorerConformance):
    spec = code_spec
    examples = (
        Example(Run(output=BOOKED), options=WANTED, score=0.5),
        Example(Run(output=BOOKED), options=WANTED | {"ordering": "unordered"}, score=1.0),
        Example(Run(output=BOOKED), score=None),
    )
