from __future__ import annotations

from typing import Any

import pytest

from scorer_answer_similarity import spec as answer_similarity
from scorer_core import ScorerSpec
from scorer_core.evaluating.slices import MOST
from scorer_faithfulness import spec as faithfulness
from scorer_hallucination import spec as hallucination
from scorer_runner.reading.columns import Columns
from scorer_runner.reading.needs import unknown_columns, unknown_scorers, unmet_needs
from scorer_runner.reading.records import Record
from scorer_runner.reading.survey import MOST_COLUMNS, MOST_TOLD, Survey, survey, unfit_rows

AS_NAMED = Columns()


def found(*given: Any, how: Columns = AS_NAMED) -> Survey:
    return survey([Record(n, n, g) for n, g in enumerate(given, 1)], how)


def asking(*specs: ScorerSpec[Any, Any], **options: Any) -> list[tuple[str, ScorerSpec[Any, Any], Any]]:
    return [(spec.id, spec, spec.make_options(options)) for spec in specs]


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
    assert not unmet_needs("d", rows, AS_NAMED, asking(answer_similarity))


def test_R076_a_null_in_a_context_names_row_line_column_and_item() -> None:
    how = Columns({"context": "contexts"})
    rows = survey([Record(16, 17, {"output": "a", "contexts": ["1", None, "x"]})], how)
    assert rows.problems == ["line 17 (row 16): contexts, item 2: expected a text, got null"]


def test_all_unfit_rows_are_counted_and_the_first_are_told() -> None:
    rows = survey([Record(n, n, None, "not JSON") for n in range(1, 26)], AS_NAMED)
    (told,) = unfit_rows("d.jsonl", rows)
    assert told.count("not JSON") == MOST_TOLD
    assert told.endswith("and 15 more")


def test_no_rows_at_all_is_told() -> None:
    assert unfit_rows("standard input", found()) == ["no rows in standard input"]


def test_a_mapped_column_that_is_not_there_is_told_with_the_nearest() -> None:
    how = Columns({"output": "anser"})
    (told,) = unknown_columns(found({"answer": "a", "label": 1}, how=how), how)
    assert "--map output=anser: no column 'anser'" in told
    assert "'answer'" in told
    assert "(have: answer, label)" in told


def test_a_path_that_leads_nowhere_is_told_and_one_that_leads_somewhere_in_one_row_is_enough() -> None:
    how = Columns({"context": "r.chunks[].text", "output": "o"}, own={"bias": {"output": "r.other"}})
    rows = found({"o": 1, "r": {"chunk": []}}, {"o": 1, "r": {"chunks": [{"body": "b"}]}}, how=how)
    told = unknown_columns(rows, how)
    assert [line.partition(": ")[0] for line in told] == ["--map context=r.chunks[].text", "--map bias.output=r.other"]
    assert "no row has anything there; 'r' is a column, look at what it holds (have: o, r)" in told[0]
    rows = found({"o": 1}, {"o": 1, "r": {"chunks": [{"text": "t"}], "other": 1}}, how=how)
    assert unknown_columns(rows, how) == []


def test_a_map_for_a_scorer_that_is_not_asked_for_is_told() -> None:
    how = Columns(own={"hallucinaton": {"context": "c"}, "bias": {"context": "c"}})
    assert unknown_scorers(how, ["bias", "hallucination"]) == [
        "--map hallucinaton.context=c: no scorer 'hallucinaton' is asked for (did you mean 'hallucination'?) "
        "(have: bias, hallucination)"
    ]


@pytest.fixture
def three() -> list[Any]:
    return asking(faithfulness, hallucination, answer_similarity)


def test_R072_all_missing_fields_come_in_one_message_with_scorers_columns_and_maps(three: list[Any]) -> None:
    (told,) = unmet_needs("d.csv", found({"question": "q", "response": "r", "contexts": "c"}), AS_NAMED, three)
    assert told.splitlines() == [
        "no row of d.csv has what is needed:",
        "  output        for faithfulness, hallucination, answer_similarity",
        "  context       for faithfulness, hallucination",
        "  ground_truth  for answer_similarity",
        "the columns are: question, response, contexts",
        "tell which one holds it: --map output=response --map context=contexts --map ground_truth=COLUMN",
    ]


def test_what_a_scorer_reads_of_its_own_meets_its_needs_alone(three: list[Any]) -> None:
    how = Columns(own={"hallucination": {"context": "seen"}})
    rows = found({"output": "o", "seen": ["c"], "ground_truth": "g"}, how=how)
    (told,) = unmet_needs("d.csv", rows, how, three)
    assert "  context  for faithfulness\n" in told


def test_rows_that_lie_deeper_are_told_of(three: list[Any]) -> None:
    (told,) = unmet_needs("d.json", found({"title": "t", "paragraphs": [{"qas": []}]}), AS_NAMED, three)
    assert told.endswith(
        "\nof these, paragraphs holds objects: where they are the rows of a .json file, tell --rows-at"
    )


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
    (told,) = unmet_needs("d", found({"output": "a", column: "g"}), AS_NAMED, asking(answer_similarity))
    assert told.endswith(f"--map ground_truth={map}")


def test_an_option_can_lift_the_need_of_a_ground_truth() -> None:
    lifted = asking(answer_similarity, require_ground_truth=False)
    assert not unmet_needs("d", found({"output": "a"}), AS_NAMED, lifted)


def test_a_column_that_is_empty_in_every_row_is_told_as_that_and_never_suggested() -> None:
    rows = found({"output": "a", "context": [], "contexts": None}, {"output": "b", "context": None})
    (told,) = unmet_needs("d", rows, AS_NAMED, asking(faithfulness))
    assert "  context  for faithfulness; the column 'context' is empty in every row" in told
    assert told.endswith("--map context=COLUMN")


def test_a_file_that_names_its_columns_anew_in_each_row_is_not_kept_whole() -> None:
    how = Columns({"output": "c4999"})
    rows = survey([Record(n, n, {f"c{n}": "x"}) for n in range(5000)], how)
    assert len(rows.columns) <= MOST_COLUMNS
    assert not unknown_columns(rows, how)


def test_of_columns_that_rows_are_sliced_by_the_values_are_kept() -> None:
    rows = survey(
        [Record(n, n, {"lang": "ja" if n % 2 else "de", "n": n}) for n in range(900)], AS_NAMED, ["lang", "n"]
    )
    assert list(rows.values["lang"]) == ["de", "ja"]
    assert len(rows.values["n"]) == MOST + 1
