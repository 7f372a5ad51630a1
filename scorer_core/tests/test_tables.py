"""Data frames: read by rows, and what holds no value is nothing."""

from __future__ import annotations

import pandas
import pyarrow
import pytest

from scorer_answer_similarity import create_answer_similarity_scorer
from scorer_core import Scorer, ScorerSpec, UsageError, run_evals
from scorer_core.contract.errors import Failed
from scorer_core.runs.tables import AT_ONCE, rows_of
from scorer_core.testing import ScriptedJudge

ROWS = [{"id": 7, "output": "a", "context": ["x", "y"]}, {"id": 8, "output": None, "context": []}]


def scorer():
    return Scorer.of(ScorerSpec(id="always", higher_is="better", generate_score=lambda trail: 1.0))


class Polars:
    """What a polars frame offers."""

    columns = ("id", "output", "context")

    def __iter__(self):
        return iter(self.columns)

    def iter_rows(self, *, named):
        return iter(ROWS if named else [tuple(row.values()) for row in ROWS])


@pytest.mark.parametrize(
    "table",
    [
        pandas.DataFrame(ROWS),
        Polars(),
        pyarrow.Table.from_pylist(ROWS),
        ROWS,
    ],
    ids=["pandas", "polars", "arrow", "list"],
)
def test_a_table_is_scored_row_by_row(table):
    report = run_evals(table, scorer())
    assert [(r.row_id, r.output, r.context) for r in report.results] == [("7", "a", ["x", "y"]), ("8", None, [])]


def test_a_long_frame_is_read_whole_and_in_order():
    frame = pandas.DataFrame({"output": [str(n) for n in range(2 * AT_ONCE + 1)]})
    assert [row["output"] for row in rows_of(frame)] == [str(n) for n in range(2 * AT_ONCE + 1)]


def test_polars_gives_its_rows():
    polars = pytest.importorskip("polars", reason="the group `frames` is not installed; a stand-in of polars was read")
    assert list(rows_of(polars.DataFrame(ROWS))) == ROWS


def test_a_hugging_face_data_set_gives_its_rows():
    datasets = pytest.importorskip("datasets", reason="the group `frames` is not installed: no datasets to read")
    assert list(rows_of(datasets.Dataset.from_list(ROWS))) == ROWS


def test_R073_a_cell_without_a_value_is_no_reference_and_texts_of_that_name_are_texts():
    frame = pandas.DataFrame(
        {
            "output": ["a"] * 6,
            "ground_truth": ["g", float("nan"), "nan", "None", "", pandas.NA],
            "seen": [pandas.NaT, pandas.NA, None, 1, 2, 3],
        }
    ).astype({"seen": object})
    judge = ScriptedJudge(
        preprocess={"output_units": ["a"], "ground_truth_units": ["g"]},
        analyze={"matches": [{"number": 1, "match_type": "missing", "output_unit": None, "explanation": "no"}],
                 "extra_in_output": [], "contradictions": []},
    )  # fmt: skip
    results = run_evals(frame, create_answer_similarity_scorer(model=judge)).results
    assert [r.ground_truth for r in results] == ["g", None, "nan", "None", "", None]
    missing = [n for n, r in enumerate(results) if r.error and r.error.kind == "missing_ground_truth"]
    assert missing == [1, 4, 5]
    assert [r.metadata["seen"] for r in results] == [None, None, None, 1, 2, 3]


def test_R071_arrays_in_cells_are_lists():
    frame = pandas.DataFrame({"output": ["a"], "ground_truth": [pandas.Series(["42", "forty-two"]).to_numpy()]})
    (row,) = rows_of(frame)
    assert row["ground_truth"] == ["42", "forty-two"]


def test_what_has_a_length_and_items_by_number_has_rows():
    class Rows:
        def __len__(self):
            return 2

        def __getitem__(self, n):
            return {"output": f"{'ab'[n]}"}

    assert [r.output for r in run_evals(Rows(), scorer()).results] == ["a", "b"]


def test_columns_of_one_name_are_an_error():
    frame = pandas.DataFrame([["a", "b"]], columns=["output", "output"])
    with pytest.raises(UsageError, match="two columns are named 'output'; rename one"):
        run_evals(frame, scorer())


def test_a_row_that_could_not_be_read_fails_with_what_its_reader_said():
    (result,) = run_evals([Failed("bad_row", "line 3: not JSON")], scorer()).results
    assert (result.error.kind, result.error.message) == ("bad_row", "line 3: not JSON")
