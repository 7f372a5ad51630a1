"""Rows of several turns: sent on one thread, judged as a whole and turn by turn."""

from __future__ import annotations

from typing import TypedDict

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from scorer_core import StepRun, TargetResult, UsageError, create_scorer, run_evals
from scorer_core.runs.messages import conversation


def seeing(trails, **about):
    def score(trail):
        trails.append(trail)
        return 1.0

    return create_scorer(id="seen", **about).generate_score(score).bind()


def conversed(target, row, **how):
    """The trails of one row: of the whole, and by turn."""
    whole, turns = [], []
    places = {"agent": [seeing(whole)], "turns": [seeing(turns)]}
    report = run_evals([row], places, target=target, **how)
    assert [r.error for r in report.results if r.error] == []
    return whole[0], sorted(turns, key=lambda t: len(t.run.input)), report


def counting(messages):
    """A target that says how many messages it was sent."""
    return f"answer to {messages[-1]['content']} after {len(messages) - 1}"


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return f"rain in {city}"


def agent(checkpointer):
    """An agent that looks up the weather in its first turn and says how much it remembers in the second."""
    call = {"name": "weather", "args": {"city": "Lima"}, "id": "call-1"}
    first = iter([AIMessage("", tool_calls=[call]), AIMessage("Rain.")])

    def say(state):
        users = sum(m.type == "human" for m in state["messages"])
        return {"messages": [next(first) if users == 1 else AIMessage(f"You asked {users} things.")]}

    graph = StateGraph(MessagesState)
    graph.add_node("model", say)
    graph.add_node("tools", ToolNode([weather]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=checkpointer)


@pytest.mark.parametrize("saver", [InMemorySaver(), None], ids=["with threads", "without"])
def test_an_agent_remembers_the_turns_before_and_all_messages_are_kept(saver):
    whole, (first, second), report = conversed(agent(saver), {"turns": ["The weather in Lima?", "How much was that?"]})
    assert (whole.question, whole.answer) == ("How much was that?", "You asked 2 things.")
    assert whole.context == ('{"tool": "weather", "result": "rain in Lima"}',)  # of the first turn, and once
    roles = [m.role for m in conversation(whole.run.messages)]
    assert roles == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert (first.question, first.answer) == ("The weather in Lima?", "Rain.")
    assert (second.question, second.answer, second.context) == (whole.question, whole.answer, whole.context)
    assert [r.scorer_label for r in report.results] == ["seen", "turns.1.seen", "turns.2.seen"]
    assert [m["content"] for m in report.results[0].output] == ["You asked 2 things."]


@pytest.mark.parametrize("target", [counting, RunnableLambda(counting)], ids=["function", "runnable"])
def test_what_takes_messages_gets_the_conversation_so_far(target):
    whole, turns, _ = conversed(target, {"inputs": ["a", "b", "c"]})
    assert [t.answer for t in turns] == ["answer to a after 0", "answer to b after 2", "answer to c after 4"]
    assert whole.answer == turns[-1].answer
    assert len(whole.run.messages) == 6


def test_a_chat_model_converses():
    model = GenericFakeChatModel(messages=iter([AIMessage("one"), AIMessage("two")]))
    whole, turns, _ = conversed(model, {"turns": ["a", "b"]})
    assert [t.answer for t in turns] == ["one", "two"]
    assert [m.text for m in conversation(whole.run.messages)] == ["a", "one", "b", "two"]


def test_a_function_that_names_its_thread_keeps_the_conversation_itself():
    threads = {}

    def target(asked, thread_id):
        threads.setdefault(thread_id, []).append(asked)
        return TargetResult(f"{len(threads[thread_id])}", steps=[StepRun("say", asked)])

    report = run_evals([{"turns": ["a", "b"]}] * 2, seeing([]), target=target)
    assert sorted(threads.values()) == [["a", "b"], ["a", "b"]]
    assert [r.output for r in report.results] == ["2", "2"]


def test_a_turn_brings_its_own_ground_truth_context_and_metadata():
    row = {
        "turns": [{"input": "a", "groundTruth": "A", "context": "of a", "k": 1}, "b"],
        "ground_truth": "of the whole", "context": "of the row",
    }  # fmt: skip
    whole, (first, second), _ = conversed(counting, row)
    assert (whole.ground_truth, whole.context, "k" in whole.run.metadata) == ("of the whole", ("of the row",), False)
    assert (first.ground_truth, first.context, first.run.metadata["k"]) == ("A", ("of a",), 1)
    assert (second.ground_truth, second.context) == (None, ("of the row",))


def test_the_whole_has_the_ground_truth_of_its_last_turn_where_the_row_has_none():
    whole, _, _ = conversed(counting, {"turns": ["a", {"input": "b", "ground_truth": "B"}]})
    assert whole.ground_truth == "B"


def test_a_last_turn_without_an_answer_is_not_hidden_by_one_before_it():
    whole, _, _ = conversed(lambda talk: "first" if len(talk) == 1 else "", {"turns": ["a", "b"]})
    assert (whole.question, whole.answer) == ("b", "")


def test_a_workflow_that_keeps_its_state_takes_turns_and_another_does_not():
    class State(TypedDict, total=False):
        question: str
        count: int
        answer: str

    def step(state):
        n = state.get("count", 0) + 1
        return {"count": n, "answer": f"{n}: {state['question']}"}

    graph = StateGraph(State)
    graph.add_node("step", step)
    graph.add_edge(START, "step")
    row = {"turns": [{"input": {"question": "a"}}, {"input": {"question": "b"}}]}
    whole, _, _ = conversed(graph.compile(checkpointer=InMemorySaver()), row)
    assert whole.answer == "2: b"
    (wrong,) = run_evals([row], seeing([]), target=graph.compile()).results
    assert (wrong.error.kind, "checkpointer" in wrong.error.message) == ("bad_row", True)


def test_a_row_without_turns_is_one_turn():
    report = run_evals([{"input": "a"}], {"turns": [seeing([])]}, target=lambda asked: "x")
    assert [(r.scorer_label, r.output) for r in report.results] == [("turns.1.seen", "x")]


def test_scores_of_turns_are_averaged_turn_by_turn():
    scorer = create_scorer(id="late").generate_score(lambda trail: float("after 2" in trail.answer)).bind()
    report = run_evals([{"turns": ["a", "b"]}, {"turns": ["c"]}], {"turns": [scorer]}, target=counting)
    assert {label: str(a) for label, a in report.scores.items()} == {
        "turns.1.late": "0.00 over 2 judged",
        "turns.2.late": "1.00 over 1 judged",
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"input": "a", "turns": ["b"]}, "the row has input and turns; give one of them"),
        ({"inputs": ["a"], "turns": ["b"]}, "the row has turns and inputs; give one of them"),
        ({"turns": []}, "turns: expected a list of one or more user inputs, got []"),
        ({"inputs": {"question": "a"}}, "inputs: expected a list"),
        ({"turns": "a"}, "turns: expected a list"),
        ({"turns": ["a", {"ground_truth": "A"}]}, "turns, 2: expected a text, messages or a mapping with an input"),
        ({"turns": ["a", None]}, "turns, 2: expected"),
    ],
)
def test_turns_that_are_none_are_a_bad_row_and_the_target_is_not_asked(row, said):
    asked = []
    report = run_evals([row, {"turns": ["fine"]}], {"agent": [seeing([])], "turns": [seeing([])]}, target=asked.append)
    wrong = [r for r in report.results if r.index == 0]
    assert {r.error.kind for r in wrong} == {"bad_row"}
    assert all(said in r.error.message for r in wrong)
    assert len(asked) == 1


def test_logged_rows_may_have_columns_of_these_names():
    (result,) = run_evals([{"output": "x", "turns": 3, "inputs": {"q": 1}}], seeing([])).results
    assert (result.status, result.metadata) == ("scored", {"turns": 3, "inputs": {"q": 1}})


def test_turns_need_a_target():
    with pytest.raises(UsageError, match=r"turns\.seen need a target"):
        run_evals([], {"turns": [seeing([])]})
