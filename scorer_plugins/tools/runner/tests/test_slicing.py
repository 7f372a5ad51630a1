from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}
BAD = {**GOOD, "output": "a WRONG answer"}
BROKEN = {**GOOD, "output": "a BROKEN answer"}
ROWS = (
    {**GOOD, "lang": "ja", "release": 1},
    {**GOOD, "lang": "ja", "release": 2},
    {**BAD, "lang": "en", "release": 2},
    {**GOOD, "lang": "en", "release": 2},
    {**GOOD, "release": 2},
)
RUN = ("--scorer", "faithfulness")


def line(out: str, begins: str) -> str:
    """The cells of the table's line that begins so."""
    found = next(row for row in out.splitlines() if row.startswith(begins))
    return re.sub(" {2,}", " | ", found.strip())


@pytest.fixture
def run(scorer: Any, rows: Any, judged: Any) -> Any:
    return lambda *more, data=ROWS: scorer("run", rows(*data), *judged, *more)


def test_each_value_has_a_line_of_its_own(run: Any) -> None:
    told = run("--by", "lang")
    assert told.code == 0
    assert line(told.out, "ja") == "ja | 1.00 over 2~ | 1.00 over 2~"
    assert line(told.out, "en") == "en | 0.50 over 2~ | 0.50 over 2~"
    assert line(told.out, "(none)") == "(none) | 1.00 over 1~ | 1.00 over 1~"
    assert "~ fewer than 30 judged rows: says little of rows to come" in told.out


def test_labels_and_columns_with_brackets_head_the_table_as_they_are(scorer: Any, rows: Any) -> None:
    both = ("--scorer", "includes:text=yes", "--scorer", "includes:text=no")
    told = scorer("run", rows({"output": "no", "[/lang]": "ja"}), *both, "--by", "[/lang]")
    assert told.code == 0
    assert line(told.out, "[/lang]") == "[/lang] | includes[text=yes] | includes[text=no]"


def test_columns_are_combined_or_told_one_by_one(run: Any) -> None:
    told = run("--by", "lang,release", "--by", "release")
    assert line(told.out, "en, 2").startswith("en, 2 | 0.50 over 2~")
    assert line(told.out, "2").startswith("2 | 0.75 over 4~")


def test_slices_that_are_large_enough_have_no_warning(run: Any) -> None:
    told = run("--by", "lang", data=[{**GOOD, "lang": "ja"}] * 30)
    assert line(told.out, "ja").startswith("ja | 1.00 over 30 |")
    assert "fewer than" not in told.out


def test_failures_stand_in_their_slice(run: Any) -> None:
    told = run("--by", "lang", data=[{**BROKEN, "lang": "ja"}, {**GOOD, "lang": "en"}])
    assert line(told.out, "ja").startswith("ja | no score · 1 failed")


def test_a_gate_can_be_about_one_slice(run: Any) -> None:
    met = run("--gate", "faithfulness[lang=ja]>=1", "--gate", "rate(faithfulness[release=2]>=1)>=0.75")
    assert met.code == 0
    assert "faithfulness[lang=ja]>=1" in met.out
    missed = run("--gate", "faithfulness[lang=en, release=2]>=0.8")
    assert missed.code == 1
    assert "gate missed: faithfulness[lang=en, release=2]>=0.8: 0.50 (2 judged" in missed.err


def test_a_label_with_brackets_can_have_a_slice_too(scorer: Any, rows: Any) -> None:
    said = [{"output": "She is lazy like all of them.", "lang": "ja"}, {"output": "", "lang": "en"}]
    both = ("--scorer", "bias:scale=10", "--scorer", "bias")
    told = scorer("run", rows(*said), *both, "--gate", "bias[scale=10][lang=ja]<=1", "--gate", "bias[scale=1.0]<=1")
    assert told.code == 0
    told = scorer("run", rows(*said), *both, "--gate", "bias[scale=10][lang=en]<=1")
    assert (told.code, "no score (no row was judged)" in told.err) == (1, True)


def test_a_slice_in_which_nothing_was_judged_is_missed(run: Any) -> None:
    told = run("--gate", "faithfulness[lang=ja,release=3]>=0", data=[*ROWS, {**GOOD, "lang": "de", "release": 3}])
    assert told.code == 1
    assert "no score (no row was judged)" in told.err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--by", "lnag"), "--by lnag: no row has 'lnag' in its metadata (did you mean 'lang'?) (columns: "),
        (("--by", "output"), "--by output: 'output' is read as a field of the row, and so is not in its metadata"),
        (("--by", "lang,"), "--by 'lang,': expected columns of the metadata, as in --by lang,release"),
        (("--by", "lang,lang"), "--by 'lang,lang': expected columns"),
        (
            ("--gate", "faithfulness[lang=jp]>=0"),
            "no row has lang 'jp' (there are: ja, en, (none))",
        ),
        (("--gate", "faithfulness[lnag=ja]>=0"), "no row has 'lnag' in its metadata (did you mean 'lang'?)"),
        (("--gate", "faithfulness[lang]>=0"), "expected [COLUMN=VALUE,...], got 'lang'"),
        (("--gate", "faithfulnes[lang=ja]>=0"), "no scorer 'faithfulnes[lang=ja]' in this run (did you mean 'faith"),
    ],
)
def test_what_no_row_can_meet_is_told_before_the_first_call(run: Any, flags: Any, message: str) -> None:
    told = run(*flags)
    assert told.code == 2
    assert message in told.err
    assert not Path("results.jsonl").exists()


def test_a_column_of_too_many_values_is_no_slice(run: Any) -> None:
    told = run("--by", "n", data=[{**GOOD, "n": n} for n in range(201)])
    assert told.code == 2
    assert "--by n: more than 200 different values; slice by a column that has few" in told.err


def test_slices_of_a_run_that_goes_on_hold_the_rows_of_before(run: Any, rows: Any) -> None:
    whole = run("--by", "lang", "--out", "r.jsonl")
    path = Path("r.jsonl")
    path.write_text("".join(f"{text}\n" for text in path.read_text("utf-8").splitlines()[:3]), encoding="utf-8")
    again = run("--by", "lang", "--out", "r.jsonl", "--resume")
    assert [line(again.out, name) for name in ("ja", "en")] == [line(whole.out, name) for name in ("ja", "en")]
    assert len({json.loads(text)["row_id"] for text in path.read_text("utf-8").splitlines()}) == len(ROWS)
