"""Other tools' names: told by their set, never by one that may mean two things; what was asked for goes first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scorer_core import tool_calls_of
from scorer_core.contract.errors import Failed
from scorer_core.runs.messages import said
from scorer_core.runs.rows import run_of
from scorer_runner.reading.columns import columns, with_known
from scorer_runner.reading.dialects import recognised
from scorer_runner.reading.forms import find_data
from scorer_runner.reading.looking import look_at
from scorer_runner.reading.records import Record
from scorer_runner.reading.rows import row_of


def row(*given: Any, maps: tuple[str, ...] = (), sets: tuple[str, ...] = ()) -> Any:
    """The first of the rows, read by what they are recognised as."""
    how, _ = with_known(columns(maps, (), sets), recognised(given))
    made = row_of(Record(1, 1, given[0]), how)
    assert not isinstance(made, Failed), made
    return {name: value for name, value in made.items() if value is not None and name != "metadata"}


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"user_input": "q", "response": "o", "retrieved_contexts": ["c"], "reference": "g"},
         {"input": "q", "output": "o", "context": ["c"], "ground_truth": "g"}),
        ({"user_input": "q", "reference": "g", "reference_contexts": ["r"]}, {"input": "q", "ground_truth": "g"}),
        ({"question": "q", "answer": "o", "contexts": ["c"], "ground_truth": "g"},
         {"input": "q", "output": "o", "context": ["c"], "ground_truth": "g"}),
        ({"question": "q", "answer": "o", "contexts": ["c"], "ground_truths": ["g", "h"]},
         {"input": "q", "output": "o", "context": ["c"], "ground_truth": ["g", "h"]}),
        ({"input": "q", "actual_output": "o", "expected_output": "g", "retrieval_context": ["c"], "context": ["ideal"],
          "tools_called": None}, {"input": "q", "output": "o", "context": ["c"], "ground_truth": "g"}),
        ({"input": "q", "actualOutput": "o", "expectedOutput": "g", "retrievalContext": ["c"], "context": ["ideal"]},
         {"input": "q", "output": "o", "context": ["c"], "ground_truth": "g"}),
        ({"input": "q", "actual_output": "o", "context": ["only"]}, {"input": "q", "output": "o", "context": ["only"]}),
        ({"inputs": "q", "outputs": "o", "reference_outputs": "g", "context": "c"},
         {"input": "q", "output": "o", "ground_truth": "g", "context": "c"}),
        ({"inputs": {"question": "q", "k": 3}, "outputs": {"answer": "o", "documents": ["c"]},
          "reference_outputs": {"answer": "g"}}, {"input": "q", "output": "o", "context": ["c"], "ground_truth": "g"}),
        ({"inputs": {"topic": "q"}, "outputs": {"joke": "o"}}, {"input": "q", "output": "o"}),
        ({"inputs": {"a": 1, "b": 2}, "outputs": {"c": 1, "d": 2}},
         {"input": {"a": 1, "b": 2}, "output": {"c": 1, "d": 2}}),
        ({"inputs": {"question": "q"}, "outputs": {"answer": "g"}, "dataset_id": "7", "id": "e"},
         {"id": "e", "input": "q", "ground_truth": "g"}),
        ({"inputs.question": "q", "outputs.answer": "o", "error": None, "reference.answer": "g", "feedback.score": 1.0,
          "execution_time": 0.1, "example_id": "e", "id": "r"},
         {"id": "r", "input": "q", "output": "o", "ground_truth": "g"}),
        ({"inputs.question": "q", "outputs.answer": "o", "reference_outputs.answer": "g"},
         {"input": "q", "output": "o", "ground_truth": "g"}),
        ({"runId": "r", "input": "q", "output": "o", "groundTruth": "g"},
         {"run_id": "r", "input": "q", "output": "o", "ground_truth": "g"}),
    ],
)  # fmt: skip
def test_a_tool_s_names_are_recognised(given: Any, fields: dict[str, Any]) -> None:
    assert row(given) == fields


@pytest.mark.parametrize(
    "given",
    [
        {"question": "q", "answer": "a"},
        {"qid": "1", "type": "t", "question": "q", "answer": "a", "derivations": [], "page_ids": []},
        {"question": "q", "expected_answer": "a"},
        {"response": "r"},
        {"prompt": "p", "reference": "g"},
        {"input": "q", "output": "o", "reference": "g"},
    ],
)
def test_columns_that_may_mean_two_things_are_not_guessed(given: Any) -> None:
    assert recognised([given]) is None


CHAT = {"messages": [{"role": "user", "content": "q"}]}
REPLY = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}}], "usage": {"total_tokens": 3}}


@pytest.mark.parametrize(
    "given",
    [
        {"request": {**CHAT, "model": "m"}, "response": REPLY},
        {"request": {"body": CHAT}, "response": {"body": REPLY, "status_code": 200}, "custom_id": "7"},
        {"body": CHAT, "response": {"body": REPLY}},
        {**CHAT, **REPLY, "object": "chat.completion"},
        {"messages": [*CHAT["messages"], {"role": "assistant", "content": "a"}]},
    ],
)
def test_logs_of_chats_are_read(given: Any) -> None:
    run, _ = run_of(row(given))
    assert (said(run).question, said(run).answer) == ("q", "a")


RESPONSE = [
    {"type": "reasoning", "summary": []},
    {"type": "function_call", "call_id": "1", "name": "weather", "arguments": '{"city": "Lima"}'},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]},
]


@pytest.mark.parametrize("asked", ["q", [{"role": "user", "content": "q"}]])
@pytest.mark.parametrize("batch", [True, False])
def test_logs_of_responses_are_read_with_their_calls(asked: Any, batch: bool) -> None:
    request, response = {"input": asked, "model": "m"}, {"output": RESPONSE, "id": "7"}
    given = {"body": request, "response": {"body": response}} if batch else {"request": request, "response": response}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert (said(run).question, said(run).answer) == ("q", "a")
    assert [(call.name, call.args) for call in tool_calls_of(run)] == [("weather", {"city": "Lima"})]


TALK = [
    {"content": "Rain in Lima?", "type": "human"},
    {"content": "", "type": "ai", "tool_calls": [{"name": "weather", "args": {"city": "Lima"}}]},
    {"content": "rain", "type": "tool"},
    {"content": "It rains.", "type": "ai"},
]


@pytest.mark.parametrize("written", [TALK, str(TALK)])
def test_a_conversation_of_ragas_is_read_with_its_calls_and_those_expected(written: Any) -> None:
    given = {"user_input": written, "reference": "g", "reference_tool_calls": [{"name": "weather", "args": {}}]}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert (said(run).question, said(run).answer, run.ground_truth) == ("Rain in Lima?", "It rains.", "g")
    (call,) = tool_calls_of(run)
    assert (call.name, call.args, call.result) == ("weather", {"city": "Lima"}, "rain")
    assert run.metadata == {"expected_trajectory": [{"name": "weather", "args": {}}]}


def test_a_conversation_of_deepeval_is_read() -> None:
    turns = [{"role": "user", "content": "q", "tools_called": None}, {"role": "assistant", "content": "a"}]
    given = {"scenario": "s", "turns": turns, "expected_outcome": "g", "context": None}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert (said(run).question, said(run).answer, run.ground_truth) == ("q", "a", "g")
    assert run.metadata == {"scenario": "s"}


CALLED = {"name": "weather", "description": "d", "inputParameters": {"city": "Lima"}, "output": {"mm": 3}}


@pytest.mark.parametrize("called", [[CALLED, {"name": "map"}], str([CALLED, "map"])])
def test_calls_beside_an_answer_of_deepeval_are_read_with_those_expected(called: Any) -> None:
    given = {"input": "q", "actual_output": "o", "tools_called": called, "expected_tools": [{"name": "weather"}]}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert (said(run).question, said(run).answer) == ("q", "o")
    rain, other = tool_calls_of(run)
    assert (rain.name, rain.args, rain.result) == ("weather", {"city": "Lima"}, '{"mm": 3}')
    assert (other.name, other.args, other.finished) == ("map", None, False)
    assert run.metadata == {"expected_trajectory": [{"name": "weather"}]}


@pytest.mark.parametrize(("called", "calls"), [([], ()), (None, None), ("weather;map", None)])
def test_no_calls_of_deepeval_are_none_and_what_is_no_list_stays_as_it_is(called: Any, calls: Any) -> None:
    given = {"input": "q", "actual_output": "o", "expected_output": "g", "tools_called": called}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    if calls is None:
        assert (run.messages, run.metadata) == ((), {"tools_called": called})
    else:
        assert (tool_calls_of(run), run.metadata) == (calls, {})


def test_calls_in_the_turns_of_deepeval_are_read() -> None:
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "tools_called": [CALLED]}]
    given = {"scenario": "s", "turns": turns}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert [(call.name, call.finished) for call in tool_calls_of(run)] == [("weather", True)]
    assert (said(run).question, said(run).answer) == ("q", "a")


@pytest.mark.parametrize("within", [True, False])
def test_reference_outputs_that_are_messages_are_what_is_expected_of_an_agent(within: bool) -> None:
    right = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "g"}]
    given = {"inputs": "q", "outputs": TALK, "reference_outputs": {"messages": right} if within else right}
    how, _ = with_known(columns((), ()), recognised([given]))
    run, _ = run_of(row_of(Record(1, 1, given), how))
    assert (run.ground_truth, run.metadata) == (right, {"expected_trajectory": right})
    assert [call.name for call in tool_calls_of(run)] == ["weather"]


def test_turns_of_our_own_are_no_conversation_of_deepeval() -> None:
    assert recognised([{"turns": ["q", {"input": "r"}], "scenario": "s"}]) is None
    assert recognised([{"turns": [{"role": "user", "content": "q"}]}]) is None


def test_what_a_row_expects_of_the_way_can_be_mapped() -> None:
    given = {"output": "o", "tools": '["weather"]', "k": 1}
    made = row_of(Record(1, 1, given), columns(["expected_trajectory=tools"], ()))
    assert made == {"output": "o", "metadata": {"k": 1, "expected_trajectory": ["weather"]}}
    one = row_of(Record(1, 1, given), columns(["tone.expected_trajectory=tools"], ()))
    assert (one["metadata"], one.own["tone"]) == ({"k": 1}, {"metadata": {"k": 1, "expected_trajectory": ["weather"]}})


def test_a_log_s_other_keys_stay_in_the_metadata() -> None:
    given = {"request": {**CHAT, "model": "m"}, "response": REPLY, "custom_id": "7"}
    how, found = with_known(columns((), ()), recognised([given]))
    made = row_of(Record(1, 1, given), how)
    assert not isinstance(made, Failed)
    assert (made["id"], made["metadata"]) == (
        "7",
        {"request": {"model": "m"}, "response": {"choices": [{"index": 0}], "usage": {"total_tokens": 3}}},
    )
    assert str(found) == (
        "columns are read as those of OpenAI's logs: id from 'custom_id', messages from 'request.messages', "
        "output from 'response.choices[0].message'; --map FIELD=COLUMN tells it otherwise"
    )


def test_a_real_table_of_deepeval_is_recognised_and_split_where_asked() -> None:
    file = Path(__file__).parents[1] / "data" / "deepeval_goldens.csv"
    found = look_at(find_data([str(file)]), columns((), ["context=|"]), limit=None)
    read = list(found.rows)
    assert [(row["output"], row["ground_truth"]) for row in read[:2]] == [
        ("Mount Everest", "Mount Everest"),
        ("35", "35"),
    ]
    assert [row["context"] for row in read[:2]] == [["Mountain heights list", "Moutain list"], ["Basic arithmetic"]]
    assert read[0]["metadata"]["context"] == "Geography|Mountains"


def test_a_field_is_read_from_one_place_in_all_rows() -> None:
    one, two = {"inputs": {"q": "1"}, "outputs": {"a": "1"}}, {"inputs": {"q": "2", "k": 3}, "outputs": {"a": "2"}}
    assert row(one, two) == {"input": {"q": "1"}, "output": "1"}
    failed = {"inputs": {"question": "q"}, "outputs": None}
    assert row({"inputs": {"question": "q"}, "outputs": {"answer": "a", "n": 1}}, failed)["output"] == "a"


def test_our_own_names_stay_what_they_are() -> None:
    assert row({"question": "q", "answer": "a", "contexts": ["c"], "output": "o"})["output"] == "o"


def test_what_is_mapped_goes_first_and_a_mapped_column_is_not_read_twice() -> None:
    given = {"question": "q", "answer": "a", "contexts": ["c"], "reply": "r"}
    assert row(given, maps=("output=reply",)) == {"input": "q", "output": "r", "context": ["c"]}
    assert row(given, maps=("ground_truth=answer",)) == {"input": "q", "context": ["c"], "ground_truth": "a"}
    assert row(given, sets=("output=fixed",))["output"] == "fixed"


def test_nothing_is_told_where_everything_was_mapped() -> None:
    given = {"inputs": "q", "outputs": "o"}
    _, found = with_known(columns(["input=inputs", "output=outputs"], ()), recognised([given]))
    assert found is None
