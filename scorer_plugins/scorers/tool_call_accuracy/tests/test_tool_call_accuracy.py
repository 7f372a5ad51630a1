"""Tool call accuracy: the share and the order by property, what a judge may get wrong, and what is not scorable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from scorer_core import Run, Trail, Trajectory, UsageError, run_evals
from scorer_core.runs.tool_calls import ToolCall
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_tool_call_accuracy import (
    Calls,
    Evaluation,
    Evaluations,
    appropriate_share,
    code_spec,
    create_tool_call_accuracy_code_scorer,
    create_tool_call_accuracy_scorer,
    in_order,
    spec,
)

QUESTION = "Will it rain in Lima tomorrow?"
names = st.lists(st.sampled_from("abc"), max_size=8)


def said(*calls):
    made = [{"name": name, "args": args, "id": str(n)} for n, (name, args) in enumerate(calls)]
    return [AIMessage("", tool_calls=made), AIMessage("Rain until noon.")]


def replies(*verdicts, missing=()):
    told = [{"number": n, "reason": "r", "verdict": word} for n, word in enumerate(verdicts, 1)]
    return {"evaluations": told, "missing_tools": list(missing)}


def judged(reply, output, *more, tools=("forecast", "news"), **run):
    judge = ScriptedJudge(analyze=[reply, *more], generate_reason="So.")
    how = {"available_tools": tools} if tools else {}
    return create_tool_call_accuracy_scorer(judge, **how).run(**{"input": QUESTION, "output": output} | run), judge


def computed(output, expected=None, messages=(), **options):
    metadata = {} if expected is None else {"expected_trajectory": expected}
    scorer = create_tool_call_accuracy_code_scorer(**options)
    return scorer.run(output=output, messages=messages, metadata=metadata)


# The share


@given(st.lists(st.sampled_from(["yes", "no"]), max_size=9), st.lists(st.text(), max_size=4))
def test_the_share_is_that_of_the_appropriate_calls_among_those_made_and_missing(verdicts, missing):
    made = [Evaluation(number=n, call="c", reason="r", verdict=v) for n, v in enumerate(verdicts, 1)]
    trail = Trail(preprocess=Calls((), ()), analyze=Evaluations(tuple(made), tuple(missing)))
    share = appropriate_share(trail)
    assert share == (verdicts.count("yes") / len([*verdicts, *missing]) if verdicts or missing else 1.0)
    worse = Trail(preprocess=None, analyze=Evaluations(tuple(made), (*missing, "x")))
    assert appropriate_share(worse) <= share


def test_each_call_is_judged_by_its_number_and_told_with_its_arguments():
    output = said(("forecast", {"city": "Lima", "day": "明日"}), ("news", {}))
    result, judge = judged(replies("yes", "no"), output)
    assert (result.score, result.band, result.reason) == (0.5, "mostly right", "So.")
    assert [e["call"] for e in result.analyze_step_result["evaluations"]] == [
        'forecast({"city": "Lima", "day": "明日"})',
        "news({})",
    ]
    prompt = judge.prompts("analyze")[0]
    assert "<call 1 " in prompt
    assert ">news</" in prompt


def test_missing_tools_count_beside_calls_that_were_made():
    result, _ = judged(replies("yes", missing=["News", "news", "mail"]), said(("forecast", {})))
    assert result.score == 0.5
    assert result.analyze_step_result["missing_tools"] == ["news"]
    assert result.notes == ("passed over, as there is none of that name: mail",)


@pytest.mark.parametrize("output", ["It will rain.", said(), [{"role": "assistant", "content": "雨でしょう。"}]])
@pytest.mark.parametrize(("missing", "score"), [([], 1.0), (["forecast"], 0.0)])
def test_a_run_without_calls_is_judged_by_what_is_missing(output, missing, score):
    result, judge = judged(replies(missing=missing), output)
    assert (result.status, result.score, result.vacuous) == ("scored", score, False)
    assert "No call was made." in judge.prompts("analyze")[0]


def test_without_calls_and_without_known_tools_there_is_nothing_to_judge():
    result, judge = judged(replies(), "It will rain.", tools=())
    assert result.status == "not_scorable"
    assert "available_tools" in result.reason
    assert judge.asked == []


def test_a_run_without_a_question_is_not_scorable_and_asks_nobody():
    result, judge = judged(replies("yes"), said(("forecast", {})), input=None)
    assert (result.status, result.reason, judge.asked) == ("not_scorable", "this run has no question", [])


@tool
def forecast(city: str) -> str:
    """The weather to come."""
    return city


@pytest.mark.parametrize(
    "tools",
    [
        [{"id": "forecast", "description": "The weather to come."}],
        [{"name": "forecast", "description": "The weather to come."}],
        [{"type": "function", "function": {"name": "forecast", "description": "The weather to come."}}],
        {"forecast": "The weather to come."},
        [forecast],
    ],
)
def test_tools_are_told_in_any_form(tools):
    result, judge = judged(replies("yes"), said(("forecast", {})), tools=tools)
    assert result.preprocess_step_result["available_tools"] == ["forecast: The weather to come."]
    assert "forecast: The weather to come." in judge.prompts("analyze")[0]


def test_the_rows_own_tools_are_those_available():
    result, _ = judged(replies("yes"), said(("forecast", {})), tools=(), metadata={"tools": [{"name": "forecast"}]})
    assert result.preprocess_step_result["available_tools"] == ["forecast"]


@pytest.mark.parametrize("tools", ["forecast", 3, [{"description": "x"}], [3]])
def test_what_is_no_tool_is_refused(tools):
    with pytest.raises(UsageError, match="available_tools"):
        create_tool_call_accuracy_scorer(ScriptedJudge(), available_tools=tools)


# The judge misbehaving


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("All fine.", "format"),
        ({"evaluations": [{"number": 1, "reason": "r", "verdict": "yes"}], "missing_tools": []}, "incomplete_reply"),
        ({"evaluations": replies("yes", "no")["evaluations"]}, "format"),
        (replies("yes", "perhaps"), "unknown_label"),
        (replies("yes", "no", "yes"), "format"),
    ],
)
def test_a_reply_that_does_not_fit_is_asked_again_and_then_fails(reply, kind):
    result, judge = judged(reply, said(("a", {}), ("b", {})), reply, reply)
    assert (result.status, result.error.kind, len(judge.asked)) == ("failed", kind, 3)


def test_fences_and_prose_around_the_reply_are_no_harm():
    text = '```json\n{"evaluations": [{"number": 1, "reason": "r", "verdict": " YES."}], "missing_tools": []}\n```'
    result, _ = judged(f"Here it is: {text}", said(("forecast", {})))
    assert result.score == 1


# Computed


@given(names, names)
def test_the_order_is_that_of_a_subsequence(expected, called):
    kept = iter(called)
    assert in_order(expected, called) == all(name in kept for name in expected)
    assert in_order(called, called)
    assert in_order(expected, [*called, *expected])


@pytest.mark.parametrize(
    ("options", "called", "score"),
    [
        ({"expected_tool": "a"}, "ba", 1),
        ({"expected_tool": "a"}, "b", 0),
        ({"expected_tool": "a", "strict_mode": True}, "a", 1),
        ({"expected_tool": "a", "strict_mode": True}, "aa", 0),
        ({"expected_tool_order": ["a", "b"]}, "bab", 1),
        ({"expected_tool_order": ["a", "a"]}, "aba", 1),
        ({"expected_tool_order": ["a", "a"]}, "ab", 0),
        ({"expected_tool_order": ["a", "b"], "strict_mode": True}, "acb", 0),
    ],
)
def test_one_tool_or_tools_in_order_strictly_or_not(options, called, score):
    assert computed(said(*((name, {}) for name in called)), **options).score == score


@pytest.mark.parametrize(
    "expected",
    [
        ["a", "b"],
        '["a", "b"]',
        {"steps": ["a", "b"]},
        [{"name": "a"}, {"name": "b", "args": {"x": 1}}],
        [{"function": {"name": "a", "arguments": "{}"}, "type": "function"}, {"tool": "b"}],
        [{"stepType": "tool_call", "name": "a", "toolArgs": {}}, {"name": "b"}],
        [{"a": {"x": [1, 2]}}, {"b": {}}],
    ],
)
def test_a_row_says_in_its_own_form_what_it_expects(expected):
    assert computed(said(("a", {}), ("b", {})), expected).score == 1
    assert computed(said(("b", {}), ("a", {})), expected).score == 0


def test_a_row_that_expects_no_call_is_right_without_one():
    assert computed(said(), []).score == 1
    text = computed("No.", [])
    assert (text.score, text.vacuous) == (1, True)
    result = computed(said(("a", {})), [])
    assert (result.score, result.reason) == (0, "Called: a. Expected: no tool.")


def test_calls_are_found_in_messages_with_results_and_in_trajectories():
    talk = [HumanMessage("?"), said(("a", {}))[0], ToolMessage("1", tool_call_id="0"), AIMessage("Done.")]
    assert computed("Done.", expected_tool="a", messages=talk).score == 1
    assert computed({"steps": [{"stepType": "tool_call", "name": "a"}]}, expected_tool="a").score == 1
    path = Trajectory((ToolCall("a"),), ("model", "tools"))
    assert computed(path, ["a"]).score == 1
    assert computed(path, ["model", "tools"]).score == 1
    row = {"messages": talk, "expected_trajectory": ["a"]}
    report = run_evals([row], {"trajectory": [create_tool_call_accuracy_code_scorer()]})
    assert [r.score for r in report.results] == [1]


@pytest.mark.parametrize(
    ("output", "expected", "why"),
    [("x", None, "nothing is expected"), (None, ["a"], "no messages that could tell")],
)
def test_without_a_side_to_compare_it_is_not_scorable(output, expected, why):
    result = computed(output, expected)
    assert result.status == "not_scorable"
    assert why in result.reason


@pytest.mark.parametrize("expected", [3, [3], [{"args": {}}], "not JSON"])
def test_what_is_no_trajectory_fails_the_row_and_says_so(expected):
    result = computed(said(("a", {})), expected)
    assert (result.status, result.error.kind) == ("failed", "bad_row")
    assert "expected_trajectory" in result.error.message


@pytest.mark.parametrize(
    "options",
    [{"expected_tool": ""}, {"expected_tool_order": []}, {"expected_tool_order": "ab"}, {"strict_mode": "no"}],
)
def test_options_that_do_not_fit_are_refused(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        create_tool_call_accuracy_code_scorer(**options)


def test_the_label_tells_what_is_expected():
    scorer = create_tool_call_accuracy_code_scorer(expected_tool="a", strict_mode=True)
    assert scorer.label == "tool_call_accuracy_code[expected_tool=a,strict_mode=True]"


CALLS = said(("forecast", {"city": "Lima"}), ("news", {}))


class TestToolCallAccuracyIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input=QUESTION, output=CALLS), answers=(replies("yes", "no"),), score=0.5),
        Example(
            Run(input=QUESTION, output="I don't know."),
            answers=(replies(missing=["forecast"]),),
            options={"available_tools": ["forecast"]},
            score=0.0,
        ),
        Example(Run(input=QUESTION, output="I don't know."), score=None),
    )


class TestToolCallAccuracyCodeIsAScorer(ScorerConformance):
    spec = code_spec
    examples = (
        Example(Run(output=CALLS), options={"expected_tool": "news"}, score=1.0),
        Example(Run(output=CALLS), options={"expected_tool_order": ["news", "forecast"]}, score=0.0),
        Example(Run(output=CALLS, metadata={"expected_trajectory": ["forecast"]}), score=1.0),
        Example(Run(output=CALLS), score=None),
    )
