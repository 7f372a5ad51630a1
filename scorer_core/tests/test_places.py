"""Scorers for the answer, for named steps, and for the trajectory, each in its place."""

from __future__ import annotations

from typing import TypedDict

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.graph import START, StateGraph

from scorer_core import Run, StepRun, TargetResult, Trajectory, UsageError, create_scorer, run_evals
from scorer_core.evaluating.trajectory import tool_calls


class State(TypedDict, total=False):
    question: str
    docs: list[str]
    answer: str


def workflow():
    graph = StateGraph(State)
    graph.add_node("retrieve", lambda state: {"docs": [f"about {state['question']}"]})
    graph.add_node("grade", lambda state: {"docs": state["docs"][:1]})
    graph.add_node("generate", lambda state: {"answer": f"says {state['docs'][0]}"})
    graph.add_edge(START, "retrieve")
    graph.add_conditional_edges("retrieve", lambda state: "grade" if state["question"] == "hard" else "generate")
    graph.add_edge("grade", "generate")
    return graph.compile()


def seeing(trails=None):
    def score(trail):
        if trails is not None:
            trails.append(trail)
        return 1.0

    return create_scorer(id="seen").generate_score(score).bind()


def tools_as_expected():
    """A trajectory scorer: the share of the expected tools that were called."""

    def share(trail):
        expected = trail.run.metadata["expected_trajectory"]
        called = [call.name for call in trail.run.output.tool_calls]
        return sum(name in called for name in expected) / len(expected)

    return create_scorer(id="expected_tools").generate_score(share).bind()


# Steps


def test_a_step_is_scored_by_what_it_was_given_and_what_it_gave():
    trails = []
    places = {"workflow": [seeing()], "steps": {"retrieve": [seeing(trails)], "generate": [seeing(trails)]}}
    report = run_evals([{"input": {"question": "easy"}, "lang": "en"}], places, target=workflow())
    assert [r.scorer_label for r in report.results] == ["seen", "steps.retrieve.seen", "steps.generate.seen"]
    assert list(report.scores) == ["seen", "steps.retrieve.seen", "steps.generate.seen"]
    assert [(r.input, r.output) for r in report.results[1:]] == [
        ({"question": "easy"}, {"docs": ["about easy"]}),
        ({"question": "easy", "docs": ["about easy"]}, {"answer": "says about easy"}),
    ]
    assert all(trail.run.metadata == {"lang": "en"} for trail in trails)


def test_a_step_that_did_not_run_is_not_scorable_and_says_so():
    rows = [{"input": {"question": q}} for q in ("hard", "easy")]
    report = run_evals(rows, {"steps": {"grade": [seeing()]}}, target=workflow())
    assert [r.status for r in report.results] == ["scored", "not_scorable"]
    assert report.results[1].reason == "the step 'grade' did not run; these did: retrieve, generate"
    assert str(report.scores["steps.grade.seen"]) == "1.00 over 1 judged · 1 not scorable"


def test_unknown_steps_of_a_graph_are_told_with_the_known_ones_before_anything_runs():
    places = {"steps": {"retreive": [seeing()], "retrieve": [seeing()], "other": [seeing()]}}
    read = []
    with pytest.raises(UsageError) as told:
        run_evals((read.append(n) for n in range(3)), places, target=workflow())
    assert "no step 'retreive' (did you mean 'retrieve'?), 'other' (have: retrieve, grade, generate)" in str(told.value)
    assert read == []


def test_a_function_reports_its_steps_and_of_several_runs_the_last_is_scored():
    def target(asked):
        steps = [StepRun("search", ["a"], input="first"), StepRun("search", ["b"], input="second"), StepRun("say", "x")]
        return TargetResult("x", steps=steps)

    places = {"steps": {"search": [seeing()], "say": [seeing()], "mend": [seeing()]}}
    search, say, mend = run_evals([{"input": "q"}], places, target=target).results
    assert (search.input, search.output) == ("second", ["b"])
    assert search.notes == ("the step 'search' ran 2 times; this is the last",)
    assert (say.input, say.output) == ("q", "x")
    assert mend.reason == "the step 'mend' did not run; these did: search, say"


def test_a_target_that_tells_of_no_steps_has_none_to_score():
    (result,) = run_evals([{"input": "q"}], {"steps": {"x": [seeing()]}}, target=lambda asked: "x").results
    assert (result.status, result.reason) == ("not_scorable", "the step 'x' did not run; the target told of none")


def test_steps_need_a_target():
    with pytest.raises(UsageError, match=r"steps\.x\.seen need a target"):
        run_evals([], {"steps": {"x": [seeing()]}})


# Trajectories

CALLED = [
    ("human", "2 + 3?"),
    AIMessage("", tool_calls=[{"name": "add", "args": {"a": 2, "b": 3}, "id": "1"}]),
    ToolMessage("5", tool_call_id="1", name="add"),
    AIMessage("", tool_calls=[{"name": "print", "args": {}, "id": "2"}]),
    ToolMessage("no paper", tool_call_id="2", name="print", status="error"),
    AIMessage("5"),
]


def test_a_trajectory_is_the_calls_of_tools_with_arguments_and_results_in_order():
    add, paper = tool_calls(CALLED)
    assert (add.name, add.args, add.finished, add.result) == ("add", {"a": 2, "b": 3}, True, "5")
    assert (paper.name, paper.finished, paper.result) == ("print", False, "no paper")


def test_tool_calls_are_read_from_messages_of_every_form():
    openai = [
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "add", "arguments": '{"a": 2}'}}]},
        {"role": "tool", "tool_call_id": "1", "content": "5"},
        {"role": "assistant", "tool_calls": [{"id": "2", "function": {"name": "odd", "arguments": "{a"}}]},
    ]
    parts = [{"type": "tool-invocation", "toolInvocation": {"toolName": "add", "args": {"a": 2}, "state": "call"}}]
    mastra = [{"role": "assistant", "content": {"parts": parts}}]
    assert [(c.name, c.args, c.finished) for c in tool_calls(openai, mastra)] == [
        ("add", {"a": 2}, True),
        ("odd", "{a", False),
        ("add", {"a": 2}, False),
    ]


def test_an_id_that_comes_again_with_another_call_loses_none():
    """As in a published log of an agent, in which ids of calls repeat."""
    talk = [
        message
        for name, result in (("get", "21.5"), ("cancel", "done"))
        for message in (
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": name, "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": result},
        )
    ]
    assert [(c.name, c.result) for c in tool_calls(talk)] == [("get", "21.5"), ("cancel", "done")]


def test_a_trajectory_scorer_gets_the_trajectory_and_what_the_row_expects():
    rows = [{"input": "2 + 3?", "expectedTrajectory": ["add", "halve"]}]
    places = {"agent": [seeing()], "trajectory": [tools_as_expected()]}
    answer, found = run_evals(rows, places, target=lambda asked: {"messages": CALLED}).results
    assert (found.scorer_label, found.score) == ("trajectory.expected_tools", 0.5)
    assert [call["name"] for call in found.output["tool_calls"]] == ["add", "print"]
    assert found.output["tool_calls"][0]["args"] == {"a": 2, "b": 3}
    assert answer.metadata == {"expected_trajectory": ["add", "halve"]}


def test_an_agent_that_called_nothing_has_an_empty_trajectory_and_a_text_has_none():
    def told(gave):
        row = {"input": "q", "expected_trajectory": ["add"]}
        (result,) = run_evals([row], {"trajectory": [tools_as_expected()]}, target=lambda asked: gave).results
        return result.score, result.reason

    assert told({"messages": [("human", "q"), ("ai", "x")]}) == (0.0, None)
    assert told("x") == (None, "the target told neither messages nor steps")


def test_the_trajectory_of_a_workflow_has_the_names_of_its_steps():
    trails = []
    run_evals([{"input": {"question": "hard"}}], {"trajectory": [seeing(trails)]}, target=workflow())
    assert trails[0].run.output == Trajectory(steps=("retrieve", "grade", "generate"))


def test_a_trajectory_of_turns_is_that_of_all_of_them():
    given = iter([{"messages": CALLED}, TargetResult("x", steps=[StepRun("say", "x")])])
    trails = []
    run_evals([{"turns": ["2 + 3?", "and?"]}], {"trajectory": [seeing(trails)]}, target=lambda asked: next(given))
    found = trails[0].run.output
    assert ([c.name for c in found.tool_calls], found.steps) == (["add", "print"], ("say",))


def test_logged_messages_have_a_trajectory_without_a_target():
    rows = [Run(messages=CALLED, metadata={"expected_trajectory": ["add"]}), {"output": "x"}]
    logged, none = run_evals(rows, {"trajectory": [tools_as_expected()]}).results
    assert logged.score == 1
    assert none.reason == "this run has no messages to read a trajectory from"


# Places


@pytest.mark.parametrize(
    ("places", "said"),
    [
        (
            {"step": {}},
            r"no place 'step' \(did you mean 'steps'\?\) \(have: agent, workflow, steps, turns, trajectory\)",
        ),
        ({"steps": [seeing()]}, "steps maps names of steps to scorers"),
        ({}, "got none in any place"),
        ({"agent": []}, "expected one or more scorers"),
        ({"steps": {"x": "bias"}}, "expected one or more scorers"),
    ],
)
def test_places_that_do_not_fit_are_refused(places, said):
    with pytest.raises(UsageError, match=said):
        run_evals([], places)


def test_a_place_may_hold_one_scorer_alone_and_labels_differ_within_it():
    places = {"agent": seeing(), "trajectory": [seeing(), seeing()], "steps": {"x": seeing()}}
    report = run_evals([{"input": "q"}], places, target=lambda asked: "x")
    assert list(report.scores) == ["seen", "trajectory.seen", "trajectory.seen#2", "steps.x.seen"]
