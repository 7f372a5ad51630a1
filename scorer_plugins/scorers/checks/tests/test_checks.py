"""Checks: each by example, what runs without messages or answer come to, and labels that never collide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

import scorer_checks as checks
from scorer_core import Run, Trajectory, UsageError, run_evals
from scorer_core.evaluating.trajectory import tool_calls
from scorer_core.testing import Example, ScorerConformance

TALK = [
    HumanMessage("Book it."),
    AIMessage("", tool_calls=[{"name": "search", "args": {"q": "Oslo"}, "id": "1"}]),
    ToolMessage("found", tool_call_id="1"),
    AIMessage("", tool_calls=[{"name": "pay", "args": {}, "id": "2"}, {"name": "search", "args": {}, "id": "3"}]),
    ToolMessage("done", tool_call_id="2"),
    ToolMessage("found", tool_call_id="3"),
    AIMessage("Booked."),
]


@pytest.mark.parametrize(
    ("scorer", "output", "score"),
    [
        (checks.includes("rain"), "It RAINS", 1),
        (checks.includes("rain"), "sun", 0),
        (checks.includes("rain", ignore_case=False), "It RAINS", 0),
        (checks.includes("caf\u00e9"), "un cafe\u0301", 1),
        (checks.includes("雨"), "明日は雨です。", 1),
        (checks.includes("STRASSE"), "die Straße", 1),
        (checks.excludes("error"), "all fine", 1),
        (checks.excludes("error"), "An ERROR", 0),
        (checks.excludes("error", ignore_case=False), "An ERROR", 1),
        (checks.equals("Yes"), "yes", 1),
        (checks.equals("Yes"), "yes!", 0),
        (checks.equals("Yes"), " yes", 0),
        (checks.equals(""), "", 1),
        (checks.matches(r"\d+"), "It is 42", 1),
        (checks.matches(r"\d+", exact=True), "It is 42", 0),
        (checks.matches("cat|dog", exact=True), "catfish", 0),
        (checks.matches("cat|dog", exact=True), "dog", 1),
        (checks.matches("^$"), "", 1),
        (checks.matches(r"^\w+だ。$"), "雨だ。", 1),
        (checks.similarity("sunny day"), "sunny days", 14 / 15),
        (checks.similarity("sunny day", threshold=0.7), "sunny days", 1),
        (checks.similarity("sunny day", threshold=0.95), "sunny days", 0),
    ],
    ids=lambda v: getattr(v, "label", None),
)
def test_a_check_of_the_answer(scorer, output, score):
    assert scorer.run(output=output).score == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(
    ("scorer", "score"),
    [
        (checks.called_tool("search"), 1),
        (checks.called_tool("search", times=2), 1),
        (checks.called_tool("search", times=3), 0),
        (checks.called_tool("fly"), 0),
        (checks.did_not_call("fly"), 1),
        (checks.did_not_call("pay"), 0),
        (checks.tool_order(["search", "search"]), 1),
        (checks.tool_order(["pay", "search"]), 1),
        (checks.tool_order(["search", "pay", "pay"]), 0),
        (checks.max_tool_calls(3), 1),
        (checks.max_tool_calls(2), 0),
        (checks.used_no_tools(), 0),
        (checks.no_tool_errors(), 1),
    ],
    ids=lambda v: getattr(v, "label", None),
)
@pytest.mark.parametrize(
    "run",
    [
        {"output": TALK},
        {"messages": TALK},
        {"messages": TALK[:-1], "output": "Booked."},
        {"messages": TALK, "output": TALK[-1]},
        {"messages": TALK, "output": TALK[1:]},
        {"messages": TALK[:1], "output": TALK[1:]},
        {"output": Trajectory(tool_calls(TALK))},
    ],
    ids=["output", "messages", "text beside them", "last of them", "within them", "after them", "trajectory"],
)
def test_a_check_of_the_calls_wherever_they_stand(scorer, score, run):
    assert scorer.run(**run).score == score


def test_calls_without_ids_that_stand_twice_are_counted_once():
    call = {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "a", "arguments": "{}"}}]}
    assert checks.max_tool_calls(1).run(messages=[call], output=[call]).score == 1.0


@pytest.mark.parametrize("name", ["called_tool", "did_not_call"])
@pytest.mark.parametrize("run", [{"output": "Done."}, {"output": None}, {"output": {"a": 1}}, {"messages": TALK[:1]}])
def test_a_run_without_messages_tells_of_no_calls(name, run):
    result = getattr(checks, name)("a").run(input="Do it.", **run)
    assert (result.status, result.reason) == (
        "not_scorable",
        "this run has no messages that could tell of tool calls",
    )


@pytest.mark.parametrize(
    ("result", "passes"),
    [
        ({"state": "result", "result": {"ok": 1}}, True),
        ({"state": "result", "result": {"error": "boom"}}, False),
        ({"state": "result", "result": {"error": None}}, True),
        ({"state": "result", "result": {"ok": 1}, "isError": True}, False),
        ({"state": "output-error"}, False),
        ({"state": "call"}, False),
    ],
)
def test_an_error_is_a_call_that_failed_or_never_ended(result, passes):
    call = {"toolCallId": "c", "toolName": "a", "args": {}} | result
    found = checks.no_tool_errors().run(output=[{"role": "assistant", "content": {"toolInvocations": [call]}}])
    assert found.score == passes
    assert found.reason == ("0 of 1 calls failed." if passes else "1 of 1 calls failed: a.")


def test_a_message_of_a_tool_that_tells_of_an_error_is_one():
    talk = [*TALK[:2], ToolMessage("no such place", tool_call_id="1", status="error")]
    assert checks.no_tool_errors().run(messages=talk).score == 0.0


def test_no_errors_where_nothing_was_called_is_vacuous():
    result = checks.no_tool_errors().run(output=[AIMessage("Hello.")])
    assert (result.score, result.vacuous) == (1.0, True)


def test_a_call_that_is_still_being_written_is_none():
    call = {"toolCallId": "c", "toolName": "a", "args": {}, "state": "partial-call"}
    talk = [{"role": "assistant", "content": {"toolInvocations": [call]}}]
    assert checks.used_no_tools().run(output=talk).score == 1.0


@pytest.mark.parametrize("output", ["", "  ", None, []])
def test_an_empty_answer_fails_what_it_must_hold_and_what_it_must_not_hold_is_vacuous(output):
    assert checks.includes("a").run(output=output).score == 0.0
    assert checks.similarity("ab").run(output=output).score == 0.0
    absent = checks.excludes("a").run(output=output)
    assert (absent.score, absent.vacuous) == (1.0, True)


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: checks.includes(""), "text"),
        (lambda: checks.excludes(""), "text"),
        (lambda: checks.similarity(""), "text"),
        (lambda: checks.similarity("a", threshold=1.1), "threshold"),
        (lambda: checks.matches("("), "pattern.*no regular expression"),
        (lambda: checks.matches(3), "pattern"),
        (lambda: checks.called_tool("a", times=0), "times"),
        (lambda: checks.called_tool(""), "name"),
        (lambda: checks.tool_order([]), "names"),
        (lambda: checks.max_tool_calls(-1), "most"),
        (lambda: checks.max_tool_calls(1.5), "most"),
        (lambda: checks.used_no_tools("a"), "takes 0 options"),
    ],
)
def test_a_check_that_can_not_fail_or_does_not_fit_is_refused_when_it_is_made(made, told):
    with pytest.raises(UsageError, match=told):
        made()


@given(st.text(min_size=1, max_size=20), st.text(max_size=40), st.text(max_size=40))
def test_what_an_answer_includes_it_does_not_exclude(text, before, after):
    output = f"x{before}{text}{after}"
    scores = [c(text, ignore_case=False).run(output=output).score for c in (checks.includes, checks.excludes)]
    assert sorted(scores) == [0.0, 1.0]


@given(st.lists(st.text(min_size=1, max_size=8), min_size=2, max_size=4, unique=True))
def test_no_two_checks_of_a_kind_have_one_label(texts):
    report = run_evals([{"output": "x"}], [checks.equals(text) for text in texts])
    assert len(report.scores) == len(texts)
    assert len({checks.equals(text).label for text in texts}) == len(texts)


def test_a_label_tells_what_is_looked_for():
    assert checks.includes("rain").label == "includes[text=rain]"
    assert checks.includes("a,b", ignore_case=False).label == 'includes[text="a,b",ignore_case=False]'
    assert checks.tool_order(["a", "b"]).label == 'tool_order[names=["a", "b"]]'
    assert checks.used_no_tools().label == "used_no_tools"


ANSWER, CALLS = Run(input="Weather?", output="It rains."), Run(messages=TALK)
NONE = Run(messages=[TALK[0], TALK[-1]])
EXAMPLES = {
    "includes": [(ANSWER, 1.0, {"text": "rain"}), (ANSWER, 0.0, {"text": "sun"})],
    "excludes": [(ANSWER, 0.0, {"text": "rain"}), (ANSWER, 1.0, {"text": "sun"})],
    "equals": [(ANSWER, 1.0, {"text": "it rains."}), (ANSWER, 0.0, {"text": "rain"})],
    "matches": [(ANSWER, 1.0, {"pattern": "r.in"}), (ANSWER, 0.0, {"pattern": "r.in", "exact": True})],
    "similarity": [(ANSWER, 1.0, {"text": "it rains."}), (ANSWER, 0.0, {"text": "sun"})],
    "called_tool": [(CALLS, 1.0, {"name": "pay"}), (NONE, 0.0, {"name": "pay"})],
    "did_not_call": [(CALLS, 0.0, {"name": "pay"}), (NONE, 1.0, {"name": "pay"})],
    "tool_order": [(CALLS, 1.0, {"names": ("search", "pay")}), (NONE, 0.0, {"names": ("search", "pay")})],
    "max_tool_calls": [(CALLS, 0.0, {"most": 2}), (NONE, 1.0, {"most": 2})],
    "used_no_tools": [(CALLS, 0.0, {}), (NONE, 1.0, {})],
    "no_tool_errors": [(CALLS, 1.0, {}), (Run(messages=TALK[:2]), 0.0, {})],
}


def kit(name):
    """The tests that every scorer is held to, for one of the checks."""
    examples = tuple(Example(run, score=score, options=options) for run, score, options in EXAMPLES[name])
    return type("TestOne", (ScorerConformance,), {"spec": getattr(checks, name).spec, "examples": examples})()


@pytest.mark.parametrize("test", sorted(name for name in dir(ScorerConformance) if name.startswith("test_")))
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_check_is_a_scorer(name, test):
    getattr(kit(name), test)()
