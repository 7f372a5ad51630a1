"""The way to an answer: where it is found, and how users write what they expect of it."""

import json

import pytest

from scorer_core import NotScorable, Run, Trajectory, UsageError, run_evals
from scorer_core.contract.errors import Failed
from scorer_core.evaluating.trajectory import tool_calls
from scorer_core.runs.tool_calls import ToolCall
from scorer_steps import ExpectedStep, TakenStep, expected_of, expected_steps, path_of
from scorer_steps.steps import AnyOf


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        ("search", "search", {}),
        ({"name": "search", "kwargs": {"q": 1}}, "search", {"args": {"q": 1}}),
        ({"name": "search", "arguments": '{"q": 1}', "id": "x"}, "search", {"args": {"q": 1}}),
        ({"type": "function", "function": {"name": "search", "arguments": '{"q": 1}'}}, "search", {"args": {"q": 1}}),
        ({"tool": "search", "args": {"q": 1}}, "search", {"args": {"q": 1}}),
        ({"name": "a", "stepType": "agent_run", "agentId": "x", "durationMs": 3}, "a", {"agent_id": "x"}),
        (
            {"name": "a", "inputParameters": {"q": 1}, "description": "d", "output": 2},
            "a",
            {"args": {"q": 1}, "result": 2},
        ),
        ({"a": None, "f.g": {"q": [1]}}, "f.g", {"args": {"q": AnyOf((1,))}}),
        ({"f.g": {"q": [1, ""]}}, "f.g", {"args": {"q": AnyOf((1, ""))}}),
    ],
)
def test_a_step_is_written_as_users_and_benchmarks_write_it(given, name, told):
    (step,) = expected_steps([given])
    assert (step.name, dict(step.told)) == (name, told)
    assert expected_steps(json.dumps([given])) == (step,)


def test_messages_expect_the_calls_that_are_in_them():
    talk = [{"role": "user", "content": "?"}, *CALLING, {"role": "tool", "tool_call_id": "1", "content": "found"}]
    for given in (talk, {"messages": talk}, json.dumps(talk)):
        assert expected_of(Run(metadata={"expected_trajectory": given})) == {
            "steps": (ExpectedStep(name="a", told={"args": {"q": 1}}),)
        }
    assert expected_steps(talk[:1]) == ()


@pytest.mark.parametrize("given", [3, "search", [3], [{"args": {}}], [{"a": 1}], {"ordering": "strict"}, [None]])
def test_what_is_no_step_is_refused(given):
    with pytest.raises(UsageError, match="expected a"):
        expected_steps(given)


def test_a_row_expects_a_list_or_a_mapping_with_steps_and_more():
    assert expected_of(Run()) is None
    listed, mapped = (
        expected_of(Run(metadata={"expected_trajectory": given}))
        for given in (["a"], {"steps": ["a"], "maxSteps": 3, "ordering": None})
    )
    assert listed == {"steps": (ExpectedStep(name="a"),)}
    assert mapped == {"steps": (ExpectedStep(name="a"),), "max_steps": 3}
    with pytest.raises(Failed, match="expected_trajectory: expected a list of steps, got 3"):
        expected_of(Run(metadata={"expected_trajectory": 3}))


CALLING = [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": '{"q": 1}'}}]}]
STEP = TakenStep(name="a", told={"args": {"q": 1}})


@pytest.mark.parametrize(
    ("run", "kind", "steps"),
    [
        (Run(output=CALLING), "trajectory", (STEP,)),
        (Run(output="x", messages=CALLING), "trajectory", (STEP,)),
        (Run(output="x", messages=[{"role": "user", "content": "?"}]), "trajectory", ()),
        (Run(messages=[{"role": "assistant", "content": "x"}]), "trajectory", ()),
        (Run(messages=CALLING), "trajectory", (STEP,)),
        (Run(output="x"), "text", ()),
        (Run(output=[]), "text", ()),
        (Run(output={"answer": 3}), "text", ()),
        (Run(output={"steps": []}), "trajectory", ()),
        (Run(output=Trajectory((ToolCall("a", {"q": 1}),), ("model",))), "trajectory", (STEP,)),
    ],
)
def test_the_way_is_read_from_messages_trajectories_and_texts(run, kind, steps):
    assert (path_of(run).kind, path_of(run).children) == (kind, steps)


def test_a_run_without_output_and_messages_has_no_way():
    with pytest.raises(NotScorable, match="no messages that could tell"):
        path_of(Run(input="?"))


def test_a_trajectory_in_the_form_of_mastra_has_steps_within_steps_and_what_was_measured():
    inner = {"stepType": "tool_call", "name": "x", "toolArgs": {"q": 1}, "success": False}
    steps = [{"stepType": "agent_run", "name": "sub", "durationMs": 9, "children": [inner]}]
    path = path_of(Run(output={"steps": steps, "totalDurationMs": 12}))
    (sub,) = path.children
    assert (path.told, path.names, sub.kind, sub.told) == (
        {"duration_ms": 12},
        ["sub"],
        "agent_run",
        {"duration_ms": 9},
    )
    assert sub.children == (TakenStep(name="x", told={"args": {"q": 1}, "success": False}, failed=True),)


def test_of_tools_and_nodes_the_nodes_are_the_way_if_they_are_what_is_expected():
    run = Run(output=Trajectory((ToolCall("a"),), ("model", "tools")))
    assert path_of(run).names == ["a"]
    assert path_of(run, expected_steps(["a", "model"])).names == ["a"]
    nodes = path_of(run, expected_steps(["model", {"name": "x", "stepType": "workflow_step"}]))
    assert nodes.names == ["model", "tools"]
    assert {step.kind for step in nodes.children} == {"workflow_step"}


def calling(id, name, args="{}"):
    return {"role": "assistant", "tool_calls": [{"id": id, "function": {"name": name, "arguments": args}}]}


def answering(id, text):
    return {"role": "tool", "tool_call_id": id, "content": text}


def test_a_call_whose_id_comes_again_is_a_call_of_its_own():
    talk = [calling("1", "a"), answering("1", "x"), calling("1", "a"), answering("1", "y"), calling("1", "b")]
    assert [(c.name, c.result) for c in tool_calls(talk)] == [("a", "x"), ("a", "y"), ("b", None)]
    assert [c.name for c in tool_calls([calling("1", "a")], [calling("1", "a")])] == ["a"]


def test_a_result_without_an_id_is_that_of_the_first_call_without_one_that_waits_for_it():
    talk = [
        {"type": "ai", "content": "", "tool_calls": [{"name": "a", "args": {}}, {"name": "b", "args": {}}]},
        {"type": "tool", "content": "x"},
        {"type": "tool", "content": "y"},
        {"type": "tool", "content": "z", "name": "c"},
    ]
    assert [(c.name, c.result) for c in tool_calls(talk)] == [("a", "x"), ("b", "y"), ("c", "z")]


def test_a_logged_trajectory_is_the_way_in_its_place():
    from scorer_core import create_scorer

    steps = create_scorer(id="steps", description="How many steps").generate_score(
        lambda trail: len(path_of(trail.run).children) / 10
    )
    rows = [{"output": {"steps": ["a", "b"]}}, {"output": [calling("1", "a")]}, {"output": "x"}]
    results = run_evals(rows, {"trajectory": [steps.bind()]}).results
    assert [r.score for r in results] == [0.2, 0.1, None]
    assert results[2].status == "not_scorable"
