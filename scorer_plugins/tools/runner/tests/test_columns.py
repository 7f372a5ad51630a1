from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.columns import columns, row_of
from scorer_runner.dataset import Record


def row(given: Any, maps: Sequence[str] = (), splits: Sequence[str] = ()) -> Any:
    return row_of(Record(1, 1, given), columns(maps, splits))


def test_columns_of_a_field_s_name_are_fields_and_all_others_metadata() -> None:
    made = row({"id": "r1", "output": "a", "label": 3})
    assert (made["id"], made["output"], made["metadata"]) == ("r1", "a", {"label": 3})


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


def test_nothing_is_split_unasked() -> None:
    assert row({"output": "a", "ground_truth": "x/y"})["ground_truth"] == "x/y"


def test_a_joined_text_is_split_where_asked_and_a_list_is_left_alone() -> None:
    assert row({"ground_truth": "x; y ;"}, (), ["ground_truth=;"])["ground_truth"] == ["x", "y"]
    assert row({"context": ["a;b"]}, (), ["context=;"])["context"] == ["a;b"]
    assert row({"output": "a"}, (), ["context==="])["context"] is None


def test_messages_in_a_cell_are_read_as_json() -> None:
    assert row({"messages": '[{"role": "user", "content": "hi"}]'})["messages"] == [{"role": "user", "content": "hi"}]
    assert row({"messages": "hi ["})["messages"] == "hi ["


def test_a_record_that_can_not_be_read_is_handed_on_as_a_text() -> None:
    assert row_of(Record(1, 1, [1, 2], "expected an object"), columns((), ())) == "[1, 2]"
    assert row_of(Record(1, 1, '{"out', "not JSON"), columns((), ())) == '{"out'


def test_all_wrong_settings_are_told_at_once_with_suggestions() -> None:
    with pytest.raises(UsageError) as e:
        columns(["outptu=a", "output"], ["input=/"])
    assert "no field 'outptu'" in str(e.value)
    assert "did you mean 'output'?" in str(e.value)
    assert "--map 'output': expected FIELD=VALUE" in str(e.value)
    assert "--split 'input=/': no field 'input' (have: ground_truth, context)" in str(e.value)
