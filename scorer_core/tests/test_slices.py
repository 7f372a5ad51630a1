"""Slices: which rows are in which, and that they can't fill the memory."""

import math
from datetime import date

import pytest
from attrs import evolve

from scorer_core import create_scorer, run_evals
from scorer_core.contract.schema import ErrorInfo, RunResult
from scorer_core.evaluating.slices import MOST, OTHERS, Slice, Slices
from scorer_core.runs.metadata import NONE, told

SCORED = RunResult(
    scorer_id="mine", scorer_label="mine", scorer_version="1", core_version="1", higher_is="better", run_id="1",
    status="scored", score=1.0,
)  # fmt: skip
FAILED = evolve(SCORED, status="failed", score=None, error=ErrorInfo(kind="timeout", step=None, message=""))


def sliced(*rows, by=("lang",)):
    slices = Slices(by)
    for score, metadata in rows:
        slices.add(evolve(FAILED if score is None else SCORED, score=score, metadata=metadata))
    return {str(of): averages["mine"] for of, averages in slices.averages.items()}


def test_each_slice_has_a_mean_and_counts_of_its_own():
    found = sliced((1.0, {"lang": "ja"}), (0.0, {"lang": "en"}), (0.5, {"lang": "ja"}), (None, {"lang": "en"}))
    assert {name: str(average) for name, average in found.items()} == {
        "lang=ja": "0.75 over 2 judged",
        "lang=en": "0.00 over 1 judged · 1 failed (timeout 1)",
    }


def test_several_columns_slice_by_each_combination_that_occurs():
    found = sliced((1.0, {"lang": "ja", "release": 2}), (0.0, {"lang": "ja"}), by=("lang", "release"))
    assert list(found) == ["lang=ja, release=2", "lang=ja, release=(none)"]


def test_scorers_keep_their_scale_and_direction_in_a_slice():
    slices = Slices(("lang",))
    slices.add(evolve(SCORED, scorer_label="bias", higher_is="worse", scale=10, score=5.0, metadata={"lang": "ja"}))
    (averages,) = slices.averages.values()
    assert (averages["bias"].higher_is, averages["bias"].scale, averages["bias"].mean) == ("worse", 10, 5.0)


def test_a_column_of_a_million_values_fills_no_memory():
    found = sliced(*((1.0, {"lang": str(n)}) for n in range(MOST + 50)))
    assert len(found) == MOST + 1
    assert found[f"lang={OTHERS}"].judged == 50


@pytest.mark.parametrize(
    ("metadata", "column", "value"),
    [
        ({"lang": "ja"}, "lang", "ja"),
        ({"lang": " ja "}, "lang", " ja "),
        ({"n": 2}, "n", "2"),
        ({"ok": True}, "ok", "true"),
        ({"tags": ["a", "ü"]}, "tags", '["a", "ü"]'),
        ({"user": {"tier": "gold"}}, "user.tier", "gold"),
        ({"user.tier": "flat", "user": {"tier": "gold"}}, "user.tier", "flat"),
        ({"a": {"b.c": 1}}, "a.b.c", "1"),
        ({"day": date(2026, 1, 2)}, "day", "2026-01-02"),
        ({"lang": None}, "lang", NONE),
        ({"lang": math.nan}, "lang", NONE),
        ({}, "lang", NONE),
        ({"user": "gold"}, "user.tier", NONE),
        ("no mapping", "lang", NONE),
    ],
)
def test_what_a_row_says_in_a_column(metadata, column, value):
    assert told(metadata, column) == value


def test_a_slice_holds_the_rows_that_have_all_its_values():
    slice = Slice((("lang", "ja"), ("release", "2")))
    assert slice.holds({"lang": "ja", "release": 2})
    assert not slice.holds({"lang": "ja"})


def test_run_evals_tells_rows_apart_by_columns():
    chain = create_scorer(id="long", description="d").generate_score(lambda trail: float(len(trail.answer) > 1))
    rows = [{"output": "ab", "lang": "ja"}, {"output": "a", "lang": "ja"}, {"output": "a", "lang": "en"}]
    found = run_evals(rows, chain.bind(), by="lang").slices
    assert {str(of): averages["long"].mean for of, averages in found.items()} == {"lang=ja": 0.5, "lang=en": 0.0}
    assert [str(of) for of in run_evals(rows[:1], chain.bind(), by=["lang", "release"]).slices] == [
        "lang=ja, release=(none)"
    ]
    assert run_evals(rows, chain.bind()).slices == {}
