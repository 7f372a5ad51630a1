from __future__ import annotations

from typing import Any

import pytest

from scorer_answer_similarity import spec as answer_similarity
from scorer_core import ScorerSpec
from scorer_faithfulness import spec as faithfulness
from scorer_hallucination import spec as hallucination
from scorer_runner.columns import Columns
from scorer_runner.dataset import Record
from scorer_runner.needs import unknown_columns, unmet_needs
from scorer_runner.survey import MOST_COLUMNS, MOST_TOLD, Survey, survey, unfit_rows

AS_NAMED = Columns({}, {})


def found(*given: Any, how: Columns = AS_NAMED) -> Survey:
    return survey([Record(n, n, g) for n, g in enumerate(given, 1)], how)


@pytest.mark.parametrize(
    ("row", "needs"),
    [
        ({"output": "a"}, {"answer"}),
        ({"output": None, "input": "q"}, {"question"}),
        ({"messages": [{"role": "user", "content": "q"}]}, {"answer", "question", "context", "context_source"}),
        ({"output": [{"role": "assistant", "content": "a"}]}, {"answer", "question", "context", "context_source"}),
        ({"context": []}, {"context_source"}),
        ({"context": ["c"]}, {"context", "context_source"}),
        ({"ground_truth": 0}, {"ground_truth"}),
        ({"ground_truth": False}, {"ground_truth"}),
        ({"ground_truth": "  "}, set()),
        ({"ground_truth": []}, set()),
    ],
)
def test_a_need_is_met_by_what_the_core_can_read_it_from(row: dict[str, Any], needs: set[str]) -> None:
    assert found(row).met == needs


def test_one_row_that_has_a_field_is_enough() -> None:
    rows = found({"output": "a"}, {"output": "b", "ground_truth": "g"})
    assert not unmet_needs("d", rows, AS_NAMED, [(answer_similarity, answer_similarity.options())])


def test_a_null_in_a_context_names_row_line_column_and_item() -> None:
    how = Columns({"context": "contexts"}, {})
    rows = survey([Record(16, 17, {"output": "a", "contexts": ["1", None, "x"]})], how)
    assert rows.problems == ["line 17 (row 16): contexts, item 2: expected a text, got null"]


def test_messages_that_are_no_json_are_a_problem() -> None:
    assert "messages: expected messages as JSON, got 'hi there'" in found({"messages": "hi there"}).problems[0]


def test_all_unfit_rows_are_counted_and_the_first_are_told() -> None:
    rows = survey([Record(n, n, None, "not JSON") for n in range(1, 26)], AS_NAMED)
    (told,) = unfit_rows("d.jsonl", rows)
    assert told.count("not JSON") == MOST_TOLD
    assert told.endswith("and 15 more")


def test_no_rows_at_all_is_told() -> None:
    assert unfit_rows("-", found()) == ["no rows in standard input"]


def test_a_mapped_column_that_is_not_there_is_told_with_the_nearest() -> None:
    how = Columns({"output": "anser"}, {})
    (told,) = unknown_columns(found({"answer": "a", "label": 1}, how=how), how)
    assert "--map output=anser: no column 'anser'" in told
    assert "'answer'" in told
    assert "(have: answer, label)" in told


@pytest.fixture
def three() -> list[tuple[ScorerSpec[Any, Any], Any]]:
    return [(spec, spec.options()) for spec in (faithfulness, hallucination, answer_similarity)]


def test_all_missing_fields_come_in_one_message_with_scorers_columns_and_maps(three: list[Any]) -> None:
    (told,) = unmet_needs("d.csv", found({"question": "q", "response": "r", "contexts": "c"}), AS_NAMED, three)
    assert told.splitlines() == [
        "no row of d.csv has what is needed:",
        "  output        for faithfulness, hallucination, answer_similarity",
        "  context       for faithfulness, hallucination",
        "  ground_truth  for answer_similarity",
        "the columns are: question, response, contexts",
        "tell which one holds it: --map output=response --map context=contexts --map ground_truth=COLUMN",
    ]


@pytest.mark.parametrize(
    ("column", "map"),
    [
        ("Best Answer", '"Best Answer"'),
        ("expected_output", "expected_output"),
        ("Reference", "Reference"),
        ("refrence", "refrence"),
        ("x", "COLUMN"),
    ],
)
def test_the_nearest_column_is_suggested(column: str, map: str) -> None:
    rows = found({"output": "a", column: "g"})
    (told,) = unmet_needs("d", rows, AS_NAMED, [(answer_similarity, answer_similarity.options())])
    assert told.endswith(f"--map ground_truth={map}")


def test_an_option_can_lift_the_need_of_a_ground_truth() -> None:
    options = answer_similarity.make_options({"require_ground_truth": False})
    assert not unmet_needs("d", found({"output": "a"}), AS_NAMED, [(answer_similarity, options)])


def test_a_column_that_is_empty_in_every_row_is_told_as_that_and_never_suggested() -> None:
    rows = found({"output": "a", "context": [], "contexts": None}, {"output": "b", "context": None})
    (told,) = unmet_needs("d", rows, AS_NAMED, [(faithfulness, faithfulness.options())])
    assert "  context  for faithfulness; the column 'context' is empty in every row" in told
    assert told.endswith("--map context=COLUMN")


def test_a_file_that_names_its_columns_anew_in_each_row_is_not_kept_whole() -> None:
    how = Columns({"output": "c4999"}, {})
    rows = survey([Record(n, n, {f"c{n}": "x"}) for n in range(5000)], how)
    assert len(rows.columns) <= MOST_COLUMNS + 1
    assert not unknown_columns(rows, how)
