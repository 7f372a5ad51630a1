from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

pytest.importorskip(
    "ray", reason="Ray is not installed; uv run --group test --group ray pytest scorer_plugins/tools/ray"
)

import ray

from scorer_core import RunResult, Scorer, UsageError, run_evals
from scorer_ray import numbered, score_dataset, write_lines
from scorer_ray.making import Making

FOUR = ("faithfulness", "hallucination", "bias", "answer_similarity:contradiction_penalty=0.5")
PASSING = ("run_id", "started_at", "duration_ms", "usage", "cost", "judge")


def lasting(results: Iterable[RunResult]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """What of each result is the same whenever it is made, by place, id and label."""
    told = [{k: v for k, v in r.to_dict().items() if k not in PASSING} for r in results]
    return {(r["index"], r["row_id"], r["scorer_label"]): r for r in told}


def in_one_process(rows: list[Any], *scorers: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    return lasting(run_evals(rows, made(*scorers)).results)


def made(*scorers: str) -> list[Scorer]:
    return Making(scorer=scorers, model="local").here()


def read(results: Iterable[dict[str, Any]]) -> list[RunResult]:
    return [RunResult.from_dict(json.loads(r["result"])) for r in results]


@pytest.mark.cluster
def test_the_scores_of_two_workers_are_those_of_one_process(cluster, demo_rows, tmp_path):
    nameless = {k: v for k, v in demo_rows[0].items() if k != "id"}
    rows = [*demo_rows[:12], nameless, "no row at all", nameless, {"id": "\ud800", "output": "It is red."}]
    ds = score_dataset(numbered(rows, block_rows=3), scorers=FOUR, model="local", batch_size=3)
    assert ds.stats() == ""  # nothing has run
    results = ds.materialize()
    got = read(results.iter_rows())
    assert Counter((r.index, r.scorer_label) for r in got) == Counter(
        (n, s.label) for n in range(16) for s in made(*FOUR)
    )
    assert lasting(got) == in_one_process(rows, *FOUR)
    assert {r.error.kind for r in got if r.index == 13} == {"bad_row"}
    assert [r.row_id[-2:] for r in got if r.index in (12, 14) and r.scorer_id == "bias"] == ["-1", "-2"]

    write_lines(results, str(tmp_path / "lines"))
    lines = [line for part in (tmp_path / "lines").glob("*.jsonl") for line in part.read_text("utf-8").splitlines()]
    assert lasting(RunResult.from_dict(json.loads(line)) for line in lines) == lasting(got)


@pytest.mark.cluster
def test_the_rows_of_a_worker_that_is_killed_are_done_again_and_all_are_there_once(cluster, demo_rows, asked):
    rows = [row | {"id": f"{row['id']}-{n}"} for n in range(5) for row in demo_rows]
    ds = score_dataset(
        numbered(rows, block_rows=8),
        scorers="faithfulness", model="python:telling_judge:judge", concurrency=2, batch_size=8,
    )  # fmt: skip
    got, killed = [], None
    for row in ds.iter_rows():
        if killed is None:
            os.kill(killed := asked()[-1], signal.SIGKILL)
        got.append(row)
    assert Counter(r["index"] for r in got) == Counter(range(len(rows)))
    assert lasting(read(got)) == in_one_process(rows, "faithfulness")
    asking = asked()
    assert asking[-1] != killed
    assert len(set(asking)) >= 3  # two workers, and the one that came for the killed one


@pytest.mark.cluster
def test_a_dataset_of_the_users_is_scored_by_its_columns(cluster):
    rows = [
        {"id": f"r{n}", "n": n, "output": f"There are {n} mills.", "context": ["There are 2 mills."]} for n in (2, 3)
    ]
    ds = score_dataset(ray.data.from_items(rows), scorers="faithfulness", model="local", index="n", workers=1)
    got = sorted(read(ds.iter_rows()), key=lambda r: r.index)
    assert [(r.index, r.row_id, r.score) for r in got] == [(2, "r2", 1.0), (3, "r3", 0.0)]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"scorers": "faithfulnes", "model": "local"}, "did you mean 'faithfulness'"),
        ({"scorers": "bias:scale=0", "model": "local"}, "scale"),
        ({"scorers": ()}, "nothing to measure"),
        ({"scorers": "bias", "model": "locale"}, "unknown model 'locale'"),
        ({"scorers": "bias", "model": None}, "unknown model"),
        ({"scorers": "bias", "model": "local", "prompts": "nowhere"}, "nowhere"),
        ({"scorers": "bias", "model": "local", "workers": 0}, "workers: expected a whole number of 1 or more, got 0"),
        ({"scorers": "bias", "model": "local", "concurrency": True}, "concurrency"),
        ({"scorers": "bias", "model": "local", "batch_size": -1}, "batch_size"),
    ],
)
def test_nonsense_is_refused_before_ray_does_anything(how, told):
    with pytest.raises(UsageError, match=told):
        score_dataset(None, **how)
