"""Records as rows: fields by name, by path and by scorer; lists out of cells; all else metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_core.contract.errors import Failed
from scorer_runner.reading.columns import columns
from scorer_runner.reading.records import Record
from scorer_runner.reading.rows import own_fields, row_of


def row(
    given: Any, maps: Sequence[str] = (), splits: Sequence[str] = (), sets: Sequence[str] = (), *, cells: bool = False
) -> Any:
    made = row_of(Record(1, 1, given, cells=cells), columns(maps, splits, sets))
    assert not isinstance(made, Failed), made
    return made


def test_columns_of_a_field_s_name_are_fields_and_all_others_metadata() -> None:
    made = row({"id": 7, "output": "a", "label": 3})
    assert (made["id"], made["output"], made["metadata"]) == ("7", "a", {"label": 3})


def test_a_mapped_column_leaves_the_metadata() -> None:
    made = row({"answer": "a", "label": 3}, ["output=answer"])
    assert (made["output"], made["metadata"]) == ("a", {"label": 3})


def test_a_column_whose_name_is_mapped_from_elsewhere_goes_to_the_metadata() -> None:
    made = row({"answer": "a", "output": "other"}, ["output=answer"])
    assert (made["output"], made["metadata"]) == ("a", {"output": "other"})


def test_one_column_can_be_two_fields() -> None:
    made = row({"text": "a"}, ["output=text", "ground_truth=text"])
    assert (made["output"], made["ground_truth"], made["metadata"]) == ("a", "a", {})


def test_a_row_s_own_metadata_is_joined_with_the_other_columns() -> None:
    assert row({"output": "a", "metadata": {"x": 1}, "y": 2})["metadata"] == {"x": 1, "y": 2}
    assert row({"output": "a", "metadata": "text", "y": 2})["metadata"] == {"metadata": "text", "y": 2}


def test_mastra_s_names_are_read_where_ours_are_not_there() -> None:
    assert row({"output": "a", "groundTruth": "g", "runId": 7}).items() >= {"ground_truth": "g", "run_id": "7"}.items()


def test_a_path_reads_from_within_and_the_rest_stays_metadata() -> None:
    given = {"retrieval": {"chunks": [{"text": "a"}], "query": "q"}, "log": {"reply": "r"}}
    made = row(given, ["context=retrieval.chunks[]", "output=log.reply", "input=retrieval.query"])
    assert (made["context"], made["output"], made["input"]) == ([{"text": "a"}], "r", "q")
    assert made["metadata"] == {}


def test_a_chunk_keeps_its_other_keys_as_its_metadata() -> None:
    given = {"chunks": [{"body": "a", "text": "other", "page": 3}, {"body": "b"}]}
    assert row(given, ["context=chunks[].body"])["context"] == [
        {"text": "a", "metadata": {"text": "other", "page": 3}},
        {"text": "b", "metadata": {}},
    ]
    assert row({"chunks": [{"body": "a"}]}, ["ground_truth=chunks[].body"])["ground_truth"] == ["a"]


def test_a_chunk_without_that_key_is_a_problem() -> None:
    made = row_of(Record(3, 7, {"chunks": [{"body": "a"}, {"x": 1}]}), columns(["context=chunks[].body"], ()))
    assert isinstance(made, Failed)
    assert made.message == "line 7 (row 3): chunks[].body, item 2: expected a text, got null"


def test_a_scorer_reads_its_own_column_and_the_others_theirs() -> None:
    given = {"output": "a", "context": ["ours"], "retrieved": {"docs": [{"text": "theirs", "n": 1}]}}
    made = row(given, ["hallucination.context=retrieved.docs[].text", "bias[scale=10].output=context"])
    assert made["context"] == ["ours"]
    assert own_fields("hallucination", made) == {"context": [{"text": "theirs", "metadata": {"n": 1}}]}
    assert own_fields("bias[scale=10]", made) == {"output": ["ours"]}
    assert own_fields("faithfulness", made) == {}
    assert own_fields("faithfulness", "a row of another make") == {}


def test_a_constant_is_the_same_in_every_row_and_goes_before_a_column() -> None:
    made = row({"output": "a", "input": "column"}, sets=["input=Say hello.", 'context=["c"]', "ground_truth=42"])
    assert (made["input"], made["context"], made["ground_truth"]) == ("Say hello.", ["c"], 42)


def test_nothing_is_split_unasked() -> None:
    assert row({"output": "a", "ground_truth": "x/y"}, cells=True)["ground_truth"] == "x/y"


def test_a_joined_text_is_split_where_asked_and_a_list_is_left_alone() -> None:
    assert row({"ground_truth": "x; y ;"}, (), ["ground_truth=;"])["ground_truth"] == ["x", "y"]
    assert row({"context": ["a;b"]}, (), ["context=;"])["context"] == ["a;b"]
    assert row({"output": "a"}, (), ["context==="]).get("context") is None
    assert row({"docs": "a|b"}, ["context=docs"], ["context=|"])["context"] == ["a", "b"]


@pytest.mark.parametrize("text", ['["a", "b"]', "['a', 'b']"])
def test_a_list_in_a_cell_is_read_where_a_list_is_meant(text: str) -> None:
    made = row({"output": text, "context": text, "ground_truth": text, "other": text}, cells=True)
    assert (made["context"], made["ground_truth"]) == (["a", "b"], ["a", "b"])
    assert (made["output"], made["metadata"]) == (text, {"other": text})


@pytest.mark.parametrize(("text", "cells"), [("[3, 5]", True), ('{"a": 1}', True), ('["a"]', False)])
def test_a_ground_truth_that_is_a_text_stays_one(text: str, cells: bool) -> None:
    assert row({"output": "a", "ground_truth": text}, cells=cells)["ground_truth"] == text


def test_messages_in_a_cell_are_read() -> None:
    for text in ('[{"role": "user", "content": "hi"}]', "[{'role': 'user', 'content': 'hi'}]"):
        assert row({"messages": text})["messages"] == [{"role": "user", "content": "hi"}]


@pytest.mark.parametrize("name", ["turns", "inputs"])
def test_turns_in_a_cell_are_read_and_other_texts_of_the_metadata_are_not(name: str) -> None:
    made = row({name: """["q1", {"input": "q2"}]""", "tags": "[1]"})
    assert made["metadata"] == {name: ["q1", {"input": "q2"}], "tags": "[1]"}
    assert row({name: "q1 [2]"})["metadata"] == {name: "q1 [2]"}


def test_R076_what_can_not_be_used_says_where_and_why() -> None:
    nothing = columns((), ())
    for record, told in (
        (Record(1, 1, "[1", "not JSON"), "line 1 (row 1): not JSON"),
        (Record(16, 17, {"context": [1, None]}), "line 17 (row 16): context, item 2: expected a text, got null"),
        (Record(2, 2, {"messages": "hi ["}), "line 2 (row 2): messages: expected messages as JSON, got 'hi ['"),
        (Record(5, None, None, "unfit", file="b.parquet"), "b.parquet, row 5: unfit"),
    ):
        made = row_of(record, nothing)
        assert isinstance(made, Failed)
        assert (made.kind, made.message) == ("bad_row", told)


def test_all_wrong_settings_are_told_at_once_with_suggestions() -> None:
    with pytest.raises(UsageError) as e:
        columns(
            ["outptu=a", "output", "bias.id=x", "input=q", "a.outptu=b"], ["input=/"], ["input=x", "ground_truht=y"]
        )
    told = str(e.value)
    assert "no field 'outptu'" in told
    assert "did you mean 'output'?" in told
    assert "--map 'output': expected FIELD=VALUE" in told
    assert "--map 'bias.id=x': id is the same for all scorers; map it as id=x" in told
    assert "no field 'a.outptu'" in told
    assert "--split 'input=/': no field 'input' (have: ground_truth, context)" in told
    assert "no field 'ground_truht'" in told
    assert "--set input: --map input is there, too" in told


def test_a_field_that_is_told_twice_is_told() -> None:
    maps = ["output=a", "output=b", "bias.output=b", "bias.output=b", "input=a"]
    with pytest.raises(UsageError) as told:
        columns(maps, ["context=/", "context=|"], ["ground_truth=x", "ground_truth=y"])
    assert str(told.value).splitlines() == [
        "--map output=b: it is 'a' already; leave out one of the two",
        "--split context=|: it is '/' already; leave out one of the two",
        "--set ground_truth=y: it is 'x' already; leave out one of the two",
    ]
