"""Steps taken and expected: where they are found, how users write them, and when one is the other."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import ExpectedStep, NotScorable, Run, TakenStep, Trajectory, UsageError, expected_of, same
from scorer_core.errors import Failed
from scorer_core.messages import ToolCall
from scorer_core.steps import AnyOf, expected_steps, path_of

scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


def turned(value):
    """The same value with the keys of mappings in the opposite order."""
    if isinstance(value, dict):
        return {k: turned(v) for k, v in reversed(value.items())}
    return [turned(v) for v in value] if isinstance(value, list) else value


@given(values)
def test_a_value_is_the_same_whatever_the_order_of_its_keys(value):
    assert same(value, turned(value))
    assert same(value, json.loads(json.dumps(value)))


@pytest.mark.parametrize(
    ("expected", "taken", "is_same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        ((1, 2), [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": None}, {}, False),
        (AnyOf((1, 2)), 2, True),
        (AnyOf((1, 2)), 3, False),
        ({"a": AnyOf((1, ""))}, {}, True),
        ({"a": AnyOf((1,))}, {}, False),
        ({"a": AnyOf(({"b": AnyOf((1, 2))},))}, {"a": {"b": 2}}, True),
        (AnyOf(((1, 2), (2, 1))), [2, 1], True),
    ],
)
def test_values_are_held_against_each_other_as_values(expected, taken, is_same):
    assert same(expected, taken) is is_same


@pytest.mark.parametrize(
    ("given", "name", "told"),
    [
        ("search", "search", {}),
        ({"name": "search", "kwargs": {"q": 1}}, "search", {"args": {"q": 1}}),
        ({"name": "search", "arguments": '{"q": 1}', "id": "x"}, "search", {"args": {"q": 1}}),
        ({"type": "function", "function": {"name": "search", "arguments": '{"q": 1}'}}, "search", {"args": {"q": 1}}),
        ({"tool": "search", "args": {"q": 1}}, "search", {"args": {"q": 1}}),
        ({"name": "a", "stepType": "agent_run", "agentId": "x", "durationMs": 3}, "a", {"agent_id": "x"}),
        ({"f.g": {"q": [1, ""]}}, "f.g", {"args": {"q": AnyOf((1, ""))}}),
    ],
)
def test_a_step_is_written_as_users_and_benchmarks_write_it(given, name, told):
    (step,) = expected_steps([given])
    assert (step.name, dict(step.told)) == (name, told)
    assert expected_steps(json.dumps([given])) == (step,)


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


def test_an_expected_step_leaves_open_what_it_does_not_say():
    taken = TakenStep(name="a", told={"args": {"q": 1}, "result": 2})
    assert ExpectedStep(name="a").fits(taken)
    assert ExpectedStep(name="a", kind="tool_call", told={"args": {"q": 1.0}}).fits(taken)
    assert not ExpectedStep(name="b").fits(taken)
    assert not ExpectedStep(name="a", kind="agent_run").fits(taken)
    assert not ExpectedStep(name="a", told={"args": {}}).fits(taken)


CALLING = [{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "a", "arguments": '{"q": 1}'}}]}]
STEP = TakenStep(name="a", told={"args": {"q": 1}})


@pytest.mark.parametrize(
    ("run", "kind", "steps"),
    [
        (Run(output=CALLING), "trajectory", (STEP,)),
        (Run(output="x", messages=CALLING), "trajectory", (STEP,)),
        (Run(output="x", messages=[{"role": "user", "content": "?"}]), "trajectory", ()),
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
    with pytest.raises(NotScorable, match="no output"):
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
