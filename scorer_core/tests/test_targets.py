"""What gives the outputs: functions, Runnables, graphs and agents, and what of their answers lands in a run."""

from __future__ import annotations

import asyncio
import contextvars
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, TypedDict

import pytest
from attrs import frozen
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.func import entrypoint
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import interrupt
from pydantic import BaseModel

from scorer_core import Run, StepRun, TargetResult, UsageError, create_scorer, run_evals
from scorer_core.contract.plain import plain
from scorer_core.evaluating.targets import given_by, nodes_of
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer


class Seen:
    """A scorer that keeps the trails it was shown."""

    def __init__(self, **about: Any) -> None:
        self.trails: list[Any] = []
        self.scorer = create_scorer(id="seen", **about).generate_score(self.score).bind()

    def score(self, trail):
        self.trails.append(trail)
        return 1.0


def shown(target, row=None, **how):
    """The trail of one row, answered by `target`, and its result."""
    seen = Seen()
    (result,) = run_evals([row or {"input": "2 + 3?"}], seen.scorer, target=target, **how).results
    assert result.error is None, result.error
    return seen.trails[0], result


def failure(target, row=None):
    (result,) = run_evals([row or {"input": "2 + 3?"}], Seen().scorer, target=target).results
    assert result.status == "failed"
    return result.error


@tool
def add(a: int, b: int) -> int:
    """The sum of two numbers."""
    return a + b


def agent(*said, checkpointer=None):
    """An agent that adds, and says what it is told to say."""
    call = {"name": "add", "args": {"a": 2, "b": 3}, "id": "call-1"}
    replies = said or (AIMessage("", tool_calls=[call]), AIMessage("It is 5."))
    model = GenericFakeChatModel(messages=iter(replies))
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([add]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile(checkpointer=checkpointer)


class State(TypedDict, total=False):
    question: str
    context: list[Document]
    answer: str


def rag(checkpointer=None, **more):
    """The usual workflow: it retrieves, then answers."""
    graph = StateGraph(State, **more)
    graph.add_node("retrieve", lambda state: {"context": [Document("Lima lies on the Rímac.", metadata={"page": 7})]})
    graph.add_node("generate", lambda state: {"answer": f"{state['context'][0].page_content} {state['question']}"})
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "generate")
    return graph.compile(checkpointer=checkpointer)


# Agents and graphs


@pytest.mark.parametrize("input", ["2 + 3?", [{"role": "user", "content": "2 + 3?"}], [HumanMessage("2 + 3?")]])
def test_an_agent_is_sent_the_input_as_messages_and_its_tool_results_are_the_context(input):
    trail, result = shown(agent(), {"input": input})
    assert (trail.question, trail.answer) == ("2 + 3?", "It is 5.")
    assert trail.context == ('{"tool": "add", "result": "5"}',)
    assert result.context_source == "tool_results"
    assert [m["type"] for m in result.output] == ["human", "ai", "tool", "ai"]


def test_an_input_that_is_a_state_is_sent_as_it_is():
    trail, _ = shown(agent(), {"input": {"messages": [("human", "2 + 3?")]}})
    assert (trail.question, trail.answer) == ("2 + 3?", "It is 5.")


def test_a_row_without_input_can_not_be_sent_to_an_agent():
    assert failure(agent(), {"id": "r"}).kind == "bad_row"


def test_a_workflow_gets_its_state_and_answer_and_context_are_read_by_their_names():
    trail, result = shown(rag(), {"input": {"question": "Where?"}, "context": "of the row"})
    assert (trail.answer, result.output) == ("Lima lies on the Rímac. Where?",) * 2
    assert (trail.context, trail.context[0].metadata) == (("Lima lies on the Rímac.",), {"page": 7})
    assert result.context_source == "row"


def test_an_output_schema_says_what_the_output_is_and_messages_are_kept():
    class Out(TypedDict):
        verdict: str

    class Both(MessagesState):
        verdict: str

    graph = StateGraph(Both, output_schema=Out)
    graph.add_node("only", lambda state: {"verdict": "fine", "messages": [AIMessage("hidden")]})
    graph.add_edge(START, "only")
    trail, result = shown(graph.compile(), {"input": "Well?"})
    assert result.output == {"verdict": "fine"}
    assert [m.content for m in trail.run.messages] == ["Well?", "hidden"]


def test_a_structured_response_is_the_answer_of_an_agent_that_gives_one():
    answer = {"messages": [("human", "q"), ("ai", "words")], "structured_response": {"n": 5}}
    trail, result = shown(lambda asked: answer)
    assert (result.output, trail.answer) == ({"n": 5}, '{"n": 5}')
    assert [message["content"] for message in trail.run.messages] == ["q", "words"]


def test_a_workflow_of_the_functional_kind_is_a_target():
    @entrypoint()
    async def double(input: int) -> int:
        return 2 * input

    assert shown(double, {"input": 4})[1].output == 8
    assert nodes_of(double) == ["double"]


def test_each_row_and_repeat_has_a_thread_of_its_own():
    saver = InMemorySaver()
    graph = agent(*[AIMessage(f"answer {n}") for n in range(6)], checkpointer=saver)
    report = run_evals([{"input": "a"}, {"input": "b"}], Seen().scorer, target=graph, repeats=3, concurrency=1)
    assert len({c.config["configurable"]["thread_id"] for c in saver.list(None)}) == 6
    assert {len(r.output) for r in report.results} == {2}


def test_a_graph_that_stops_to_ask_has_no_answer():
    graph = StateGraph(State)
    graph.add_node("ask", lambda state: {"answer": interrupt("really?")})
    graph.add_edge(START, "ask")
    wrong = failure(graph.compile(checkpointer=InMemorySaver()), {"input": {"question": "q"}})
    assert wrong.kind == "target_error"
    assert "really?" in wrong.message


def test_a_graph_that_stops_to_ask_has_no_answer_either_where_another_node_ends_beside_it():
    graph = StateGraph(State)
    graph.add_node("ask", lambda state: {"answer": interrupt("really?")})
    graph.add_node("look", lambda state: {"context": ["found"]})
    graph.add_edge(START, "ask")
    graph.add_edge(START, "look")
    wrong = failure(graph.compile(checkpointer=InMemorySaver()), {"input": {"question": "q"}})
    assert wrong.kind == "target_error"
    assert "really?" in wrong.message


@pytest.mark.parametrize(
    ("how", "keeps", "stops"),
    [
        ({"interrupt_before": ["answer"]}, True, True),
        ({"interrupt_before": ["answer"]}, False, True),
        ({"interrupt_after": "*"}, True, True),
        ({"interrupt_after": ["answer"]}, True, False),
        ({"interrupt_before": ["never"]}, True, False),
    ],
)
def test_a_graph_compiled_to_stop_at_a_node_has_no_answer_while_there_are_nodes_to_go(how, keeps, stops):
    graph = StateGraph(State)
    for name in ("look", "answer", "never"):
        graph.add_node(name, lambda state: {"answer": "so"})
    graph.add_edge(START, "look")
    graph.add_edge("look", "answer")
    compiled = graph.compile(checkpointer=InMemorySaver() if keeps else None, **how)
    (result,) = run_evals([{"input": {"question": "q"}}], Seen().scorer, target=compiled).results
    assert result.status == ("failed" if stops else "scored")
    assert not stops or "stop at a node, after 'look', and nobody goes on" in result.error.message


def test_a_graph_that_raises_fails_its_row():
    graph = StateGraph(State)
    graph.add_node("loops", lambda state: {"answer": "again"})
    graph.add_edge(START, "loops")
    graph.add_edge("loops", "loops")
    wrong = failure(graph.compile(), {"input": {"question": "q"}})
    assert wrong.kind == "target_error"
    assert "GraphRecursionError" in wrong.message


def test_a_graph_with_settings_of_its_own_is_still_a_graph():
    bound = agent().with_config({"tags": ["mine"]})
    assert nodes_of(bound) == ["model", "tools"]
    assert shown(bound)[0].answer == "It is 5."


# Runnables and functions


def test_a_chain_and_a_chat_model_are_targets():
    model = GenericFakeChatModel(messages=iter([AIMessage("one"), AIMessage("two")]))
    chain = ChatPromptTemplate.from_messages([("human", "{topic}")]) | model
    assert shown(chain, {"input": {"topic": "t"}})[0].answer == "one"
    assert shown(model)[0].answer == "two"


def test_a_function_is_given_the_run_and_the_thread_where_it_names_them():
    told = []

    def target(input, *, run, thread_id):
        told.append((input, run.metadata["lang"], thread_id))
        return "x"

    def alone(run: Run):
        return run.input

    run_evals([{"input": "a", "lang": "ja"}] * 2, Seen().scorer, target=target)
    assert [t[:2] for t in told] == [("a", "ja")] * 2
    assert len({t[2] for t in told}) == 2
    assert shown(alone)[1].output == "2 + 3?"


def test_a_function_may_tell_more_than_its_answer():
    given = TargetResult(
        "5", messages=[("human", "2 + 3?"), ("ai", "5")], context=["arithmetic"], steps=[StepRun("add", 5)]
    )
    trail, result = shown(lambda asked: given)
    assert (result.output, trail.context, trail.question) == ("5", ("arithmetic",), "2 + 3?")
    assert trail.run.messages == given.messages


@pytest.mark.parametrize(
    ("gave", "answer"),
    [
        ({"input": "q", "context": [Document("c")], "answer": "a"}, "a"),
        ({"input": "q", "output": "o"}, "o"),
        ({"total": 3}, '{"total": 3}'),
        ([{"role": "user", "content": "q"}, {"role": "assistant", "content": "m"}], "m"),
        (AIMessage("one message"), "one message"),
        (["a", "b"], '["a", "b"]'),
        ("", ""),
        (None, ""),
    ],
)
def test_what_a_target_gives_is_read_as_what_it_is(gave, answer):
    assert shown(lambda asked: gave)[0].answer == answer


@frozen
class OfAttrs:
    answer: str = "a"
    context: Sequence[str] = ("c",)


@dataclass
class OfDataclass:
    answer: str = "a"
    context: Sequence[str] = ("c",)


class OfPydantic(BaseModel):
    answer: str = "a"
    context: list[str] = ["c"]


@dataclass
class Spoken:
    response: str

    def __str__(self):
        return self.response


@pytest.mark.parametrize("gave", [OfAttrs(), OfDataclass(), OfPydantic()])
def test_what_an_object_has_in_its_fields_is_read_as_of_a_mapping(gave):
    trail, result = shown(lambda asked: gave)
    assert (trail.answer, trail.context, result.output) == ("a", ("c",), "a")


def test_a_dataclass_without_an_answer_is_shown_by_its_fields_unless_it_says_itself_what_it_is():
    assert shown(lambda asked: {"output": OfDataclass("5", ())})[0].answer == '{"answer": "5", "context": []}'
    assert shown(lambda asked: Spoken("five"))[1].output == "five"


def test_a_target_that_gave_nothing_is_not_judged_by_the_conversation_of_its_row():
    logged = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "logged"}]
    assert shown(lambda asked: None, {"input": "q", "messages": logged})[0].answer == ""


def test_a_target_may_add_to_what_it_is_sent_and_each_repeat_begins_anew():
    def target(talk):
        talk.append({"role": "assistant", "content": f"answer {len(talk)}"})
        return talk

    row = {"input": [{"role": "user", "content": "q"}]}
    report = run_evals([row], Seen().scorer, target=target, repeats=3)
    assert [len(r.output) for r in report.results] == [2, 2, 2]
    assert [len(r.input) for r in report.results] == [1, 1, 1]
    assert len(row["input"]) == 1


@pytest.mark.parametrize(
    "gave",
    [
        [("user", "2 + 3?"), ("ai", "5")],
        ("ai", "5"),
        {"output": ("ai", "5"), "messages": [("human", "2 + 3?")]},
        TargetResult("5", context=[Document("sums", metadata={"page": 1})]),
        Decimal(5),
        {"output": date(2026, 5, 5)},
        OfDataclass(),
    ],
)
def test_what_a_target_gives_is_read_alike_from_its_json(gave):
    trail, _ = shown(lambda asked: gave)
    again = TargetResult(**json.loads(json.dumps(plain(given_by(gave)))))
    trail_again, _ = shown(lambda asked: again)
    assert (trail_again.answer, trail_again.question) == (trail.answer, trail.question)
    assert [(c, c.metadata) for c in trail_again.context] == [(c, c.metadata) for c in trail.context]
    assert trail.answer in ("5", "a", "2026-05-05")


def test_the_output_of_the_row_is_not_the_targets():
    assert shown(lambda asked: None, {"input": "q", "output": "logged"})[1].output is None


class Stream:
    """Pieces as the clients of providers give them, in a class of their own."""

    def __aiter__(self):
        return self

    async def __anext__(self):
        raise StopAsyncIteration


@pytest.mark.parametrize("gave", [(x for x in "ab"), map(str, "ab"), Stream()])
def test_an_answer_in_pieces_is_no_answer(gave):
    wrong = failure(lambda asked: gave)
    assert wrong.message == (
        f"the target gave its answer in pieces ({type(gave).__name__}); join them, and return the whole"
    )


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (3, "a function, a LangChain Runnable or a compiled LangGraph graph, got int"),
        (StateGraph(State), "compile it first"),
        (lambda: 1, "a function is given the input"),
        (lambda asked, other: 1, "a function is given the input"),
    ],
    ids=["number", "graph", "nothing", "two"],
)
def test_what_can_not_be_called_as_a_target_is_refused_before_anything_runs(target, said):
    read = []
    with pytest.raises(UsageError, match=said):
        run_evals((read.append(n) for n in range(3)), Seen().scorer, target=target)
    assert read == []


# Guests


def test_R096_rows_of_targets_are_capped_and_sync_ones_run_in_threads():
    twelve, lock, flying, most, threads = threading.Barrier(12, timeout=20), threading.Lock(), [0], [0], set()

    def target(asked):
        with lock:
            flying[0] += 1
            most[0] = max(most[0], flying[0])
            threads.add(threading.current_thread())
        twelve.wait()
        with lock:
            flying[0] -= 1
        return "x"

    report = run_evals([{"input": n} for n in range(24)], Seen().scorer, target=target, concurrency=12)
    assert [r.error for r in report.results if r.error] == []
    assert most[0] == 12
    assert threading.current_thread() not in threads


def test_a_target_runs_on_the_callers_loop_and_sees_the_callers_context():
    mine = contextvars.ContextVar("mine", default="nobody's")
    told = []

    async def target(input):
        told.append((asyncio.get_running_loop(), mine.get()))
        mine.set("the target's")
        return "x"

    async def inside():
        from scorer_core import arun_evals

        mine.set("the caller's")
        await arun_evals([{"input": "a"}] * 2, Seen().scorer, target=target, concurrency=1)
        return asyncio.get_running_loop(), mine.get()

    loop, after = asyncio.run(inside())
    assert told == [(loop, "the caller's")] * 2
    assert after == "the caller's"


def test_callbacks_of_the_target_see_its_calls_and_none_of_the_judges():
    class Watching(BaseCallbackHandler):
        def __init__(self):
            self.models = []

        def on_chat_model_start(self, serialized, messages, **how):
            self.models.append(messages[0][-1].content)

        def on_llm_start(self, serialized, prompts, **how):
            self.models.append(prompts)

    watching = Watching()
    judge = ScriptedJudge(preprocess={"claims": []})
    model = GenericFakeChatModel(messages=iter([AIMessage("5", usage_metadata=USAGE)]))
    target = RunnableLambda(lambda asked, config: model.invoke(asked, config)).with_config(callbacks=[watching])
    (result,) = run_evals([{"input": "q"}], create_faithfulness_scorer(judge, context="c"), target=target).results
    assert watching.models == ["q"]
    assert len(judge.asked) == 1
    assert result.usage is None  # the target's tokens are not the judge's


USAGE = {"input_tokens": 1000, "output_tokens": 1000, "total_tokens": 2000}


def test_a_target_that_cancels_itself_or_ends_the_process_fails_its_row_alone():
    async def target(input):
        if input == "cancels":
            raise asyncio.CancelledError
        if input == "exits":
            raise SystemExit(3)
        return "x"

    rows = [{"input": i} for i in ("cancels", "exits", "fine")]
    report = run_evals(rows, Seen().scorer, target=target)
    assert [r.error and r.error.kind for r in report.results] == ["target_error", "target_error", None]


class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (StopIteration(7), "the target raised RuntimeError: raised StopIteration: 7"),
        (Mute(), "the target raised Mute"),
        (KeyError(), "the target raised KeyError"),
    ],
)
def test_a_target_whose_exception_is_odd_fails_its_row_and_holds_nobody_up(error, said):
    def target(input):
        raise error

    (result,) = run_evals([{"input": "q"}], Seen().scorer, target=target).results
    assert (result.error.kind, result.error.message) == ("target_error", said)


def test_an_exception_without_a_text_tells_its_cause():
    def target(input):
        raise RuntimeError from ValueError("the disk")

    (result,) = run_evals([{"input": "q"}], Seen().scorer, target=target).results
    assert result.error.message == "the target raised RuntimeError from ValueError: the disk"


def test_of_a_group_of_exceptions_each_is_told():
    def target(input):
        raise ExceptionGroup("tools", [ValueError("no such city"), ExceptionGroup("more", [KeyError("x")])])

    (result,) = run_evals([{"input": "q"}], Seen().scorer, target=target).results
    told = "ExceptionGroup: tools (2 sub-exceptions): ValueError: no such city; ExceptionGroup: more (1 sub-exception)"
    assert result.error.message == f"the target raised {told}: KeyError: 'x'"


@pytest.mark.parametrize("steps", ["search", {"search": 1}, [("search", 1)], None])
def test_steps_that_are_none_are_told_where_they_are_given(steps):
    wrong = failure(lambda asked: TargetResult("5", steps=steps))
    assert wrong.message.startswith("the target raised UsageError: steps: expected a list of StepRun, got ")


def test_what_a_target_gives_that_can_not_be_read_is_its_own_rows_fault():
    class Odd(dict):
        def get(self, *_):
            raise RuntimeError("no")

    report = run_evals([{"input": 1}, {"input": 2}], Seen().scorer, target=lambda n: Odd(answer=1) if n == 1 else "x")
    assert [r.error and r.error.kind for r in report.results] == ["target_error", None]


def test_a_target_error_is_that_of_every_scorer_in_every_place():
    def target(input):
        raise ValueError("broken")

    one = Seen().scorer
    places = {"agent": [one], "turns": [one], "trajectory": [one], "steps": {"x": [one]}}
    report = run_evals([{"turns": ["a", "b"]}], places, target=target)
    assert {r.scorer_label: r.error.kind for r in report.results} == dict.fromkeys(
        ["seen", "turns.1.seen", "turns.2.seen", "trajectory.seen", "steps.x.seen"], "target_error"
    )
    assert all("in turn 1 of 2" in r.error.message for r in report.results)


def test_all_that_is_wrong_is_told_at_once():
    with pytest.raises(UsageError) as told:
        run_evals("rows.jsonl", [], target=3, concurrency=0, repeats=0)
    for said in ("collection of rows", "one or more scorers", "target: expected", "concurrency:", "repeats:"):
        assert said in str(told.value)
