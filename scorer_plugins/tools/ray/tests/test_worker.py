from __future__ import annotations

import json
import os
import sys

import pytest

pytest.importorskip(
    "ray", reason="Ray is not installed; uv run --group test --group ray pytest scorer_plugins/tools/ray"
)

import pyarrow as pa

from scorer_core import UsageError
from scorer_ray.making import Making
from scorer_ray.rows import Row, placed, rows_of, tables
from scorer_ray.worker import Worker
from scorer_runner.results.parquet import RESULTS


def packed(*rows: Row) -> pa.Table:
    (table,) = tables(rows, len(rows))
    return table


def test_a_worker_tells_the_place_of_each_row_in_the_whole_data_and_their_order_is_that_of_the_batch():
    worker = Worker(Making(scorer=("bias", "faithfulness"), model="local"), concurrency=3)
    table = worker(packed(*(Row(n, f"r{n}", {"output": "It is red."}) for n in (7, 3, 9))))
    assert table.schema == RESULTS
    told = [(r["index"], r["row_id"], r["scorer_label"]) for r in table.to_pylist()]
    assert told == [(n, f"r{n}", label) for n in (7, 3, 9) for label in ("bias", "faithfulness")]


def test_a_worker_scores_only_what_a_row_still_needs():
    worker = Worker(Making(scorer=("bias", "faithfulness"), model="local"), concurrency=3)
    given = {"output": "It is red."}
    table = worker(packed(Row(0, "a", given, [["faithfulness"]]), Row(1, "b", given, [[]]), Row(2, "c", given)))
    assert [(r["index"], r["scorer_label"]) for r in table.to_pylist()] == [
        (0, "faithfulness"), (2, "bias"), (2, "faithfulness")
    ]  # fmt: skip


def test_what_a_worker_lacks_is_told_with_its_first_batch():
    """Ray shows at length what is raised while an actor is made, and makes it again."""
    worker = Worker(Making(scorer="bias", model="python:nowhere:judge"), concurrency=1)
    with pytest.raises(UsageError, match="model 'python:nowhere:judge'"):
        worker(packed(Row(0, "a", {"output": "It is red."})))


def test_an_error_that_all_rows_would_meet_is_raised(keyless):
    worker = Worker(keyless, concurrency=1)
    with pytest.raises(UsageError, match=r"stopped: auth: .*no such key"):
        worker(packed(*(Row(n, f"{n}", {"output": text}) for n, text in enumerate(("a", "KEYLESS", "b", "c")))))


def test_where_it_is_not_raised_rows_that_were_not_begun_have_no_result(keyless):
    worker = Worker(keyless, concurrency=1, raises=False)
    table = worker(packed(*(Row(n, f"{n}", {"output": text}) for n, text in enumerate(("a", "KEYLESS", "b", "c")))))
    assert [(r["index"], r["error_kind"]) for r in table.to_pylist()] == [(0, None), (1, "auth")]


def test_packed_rows_come_back_as_they_were_given():
    given = [{"output": 1, "metadata": {"a": None}}, {"metadata": {"b": (1, 2)}}, "no row", None]
    rows = [row for row, _ in placed(given)]
    assert [row for table in tables(rows, 3) for row in rows_of(table)] == rows
    assert [row.given for row in rows] == given
    assert [row.row_id and row.row_id[-2:] for row in rows] == ["-1", "-1", None, None]


def test_a_result_is_whole_also_where_arrow_can_not_hold_its_text():
    worker = Worker(Making(scorer="bias", model="local"), concurrency=1)
    (row,) = worker(packed(Row(0, "\ud800", {"output": ""}))).to_pylist()
    assert (row["row_id"], json.loads(row["result"])["row_id"]) == ("?", "\ud800")


def test_a_worker_finds_the_modules_and_files_of_the_driver(keyless, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scorer.toml").write_text("")
    making = Making(scorer="bias", model="python:keyless_judge:judge")
    monkeypatch.chdir("/")
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p != str(tmp_path)])
    assert [s.label for s in making.on_a_worker()] == ["bias"]
    assert os.getcwd() == str(tmp_path)
