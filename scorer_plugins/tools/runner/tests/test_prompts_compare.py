"""`scorer prompts compare`: which pack agrees better with labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_core.runs.metadata import NONE
from scorer_runner.prompting.agreement import RESAMPLES, agreement, kappa, measured, pearson, spearman
from scorer_runner.prompting.labels import rule_of

JUDGE = '''
from scorer_core.testing import ScriptedJudge


def verdicts(messages):
    """The strict pack sees what is WRONG, the other one nothing."""
    prompt = str(messages[1].content)
    wrong = "Be strict." in prompt and "WRONG" in prompt
    return {"verdicts": [{"number": 1, "reason": "so", "chunk": 1, "verdict": "no" if wrong else "yes"}]}


def claims(messages):
    return {"claims": [str(messages[1].content).rpartition(">a ")[2].partition("<")[0]]}


judge = ScriptedJudge(preprocess=claims, analyze=verdicts, generate_reason="Because.")
'''


@pytest.fixture(autouse=True)
def judge(folder: Path) -> Path:
    """A judge by the name `python:judge_of_packs:judge`."""
    path = folder.parent / "modules/judge_of_packs.py"
    path.write_text(JUDGE, encoding="utf-8")
    return path


@pytest.fixture
def strict(folder: Path) -> str:
    place = folder / "strict/faithfulness"
    place.mkdir(parents=True)
    text = '{% extends "default/faithfulness/analyze.j2" %}{% block task %}Be strict.{% endblock %}'
    (place / "analyze.j2").write_text(text, encoding="utf-8")
    return "strict"


@pytest.fixture
def labelled(rows: Callable[..., str]) -> str:
    """Forty rows, every other one wrong, with a person's word on each, under `label.value`."""
    made = (
        {
            "id": str(n),
            "output": f"a {'WRONG' if n % 2 else 'right'} claim {n}",
            "context": ["c"],
            "label": {"value": "unfaithful" if n % 2 else "faithful"},
        }
        for n in range(40)
    )
    return rows(*made)


ASKED = ("--scorer", "faithfulness", "--model", "python:judge_of_packs:judge")
HOW = ("--label", "label.value", "--positive", "faithful")


def test_two_packs_are_run_on_the_same_claims_and_the_better_one_is_told(
    scorer: Any, strict: str, labelled: str, results: Any
) -> None:
    told = scorer("prompts", "compare", "own", strict, labelled, *ASKED, *HOW)
    assert told.code == 0, told.err
    assert "40 rows compared" in told.out
    assert "label.value 'faithful' should have a score of 0.5 or more" in told.out
    assert "B agrees better with the labels, by 0.500 in agreement (1,000 resamples" in told.out
    assert "rows that differ: 5 of 20" in told.out
    assert "no: WRONG claim" in told.out
    lines = results()
    assert {line["scorer_label"] for line in lines} == {"faithfulness@own", "faithfulness@strict"}
    calls = [call for line in lines for call in line["judge"]["preprocess"]]
    assert sum(not call["cached"] for call in calls) == 40  # once for both, because the template is the same
    assert sum(call["cached"] for call in calls) == 40
    assert all(line["reason"] is None for line in lines)


def test_it_works_as_well_on_two_finished_files(scorer: Any, strict: str, labelled: str) -> None:
    for name, packs in (("a.jsonl", ()), ("b.jsonl", ("--prompts", strict))):
        assert scorer("run", labelled, *ASKED, *packs, "--out", name).code == 0
    told = scorer("prompts", "compare", "a.jsonl", "b.jsonl", *HOW)
    assert told.code == 0, told.err
    assert "B agrees better with the labels, by 0.500 in agreement" in told.out
    (one,) = json.loads(scorer("prompts", "compare", "b.jsonl", "a.jsonl", *HOW, "--json").out)
    assert (one["rows"], one["left_out"], len(one["flipped"])) == (40, {}, 20)
    agreed, kappas = one["measures"]
    assert (agreed["a"], agreed["b"], agreed["difference"], agreed["real"]) == (1.0, 0.5, -0.5, True)
    assert (kappas["name"], kappas["a"], kappas["b"]) == ("Cohen's kappa", 1.0, 0.0)
    assert one["flipped"][0]["a"]["analyze"]["verdicts"][0]["verdict"] == "no"


def test_a_pack_compared_with_other_words_of_no_effect_shows_no_difference(
    scorer: Any, folder: Path, labelled: str
) -> None:
    place = folder / "kind/faithfulness"
    place.mkdir(parents=True)
    (place / "instructions.j2").write_text("You are kind. </ID>", encoding="utf-8")
    told = scorer("prompts", "compare", "own", "kind", labelled, *ASKED, *HOW)
    assert "no difference in agreement that these rows could show" in told.out
    assert "rows that differ" not in told.out


def test_rows_that_can_not_be_compared_are_counted_with_the_reason(scorer: Any, rows: Any, strict: str) -> None:
    fine = {"output": "a WRONG claim", "context": ["c"], "label": 0}
    data = rows(fine, {**fine, "label": 1}, {"output": "a claim", "context": ["c"]}, {**fine, "context": None})
    (one,) = json.loads(scorer("prompts", "compare", "own", strict, data, *ASKED, "--json").out)
    assert one["left_out"] == {"without a label": 1, "not scorable under A": 1}
    assert one["rule"] == "label '1' should have a score of 0.5 or more"


WRONG = {
    "no label": (("own", "strict", "rows.jsonl", *ASKED, "--label", "gold"), "--label gold: no row has a label there"),
    "which is good": (
        ("own", "strict", "rows.jsonl", *ASKED, "--label", "label.value"),
        "tell which label means a good row: --positive LABEL (there are: 'faithful', 'unfaithful')",
    ),
    "no scorer": (("own", "strict", "rows.jsonl"), "name a scorer: --scorer ID"),
    "with itself": (("strict", "strict", "rows.jsonl", *ASKED), "is compared with itself"),
    "no such pack": (("own", "nowhere", "rows.jsonl", *ASKED), "no folder 'nowhere' with templates"),
    "no such file": (("a.jsonl", "b.jsonl"), "'a.jsonl' can't be read as results"),
    "no results": (("rows.jsonl", "rows.jsonl"), "not a result"),
    "to output": (("own", "strict", "rows.jsonl", *ASKED, "--out", "-"), "name a file"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_told(scorer: Any, strict: str, labelled: str, what: str) -> None:
    args, said = WRONG[what]
    told = scorer("prompts", "compare", *args)
    assert (told.code, said in told.err) == (2, True), told.err


def test_files_of_other_scorers_or_rows_can_not_be_compared(scorer: Any, labelled: str, rows: Any) -> None:
    other = rows({"id": "x", "output": "a b", "context": ["c"], "label": 1}, name="other.jsonl")
    for name, data, id in (
        ("a", labelled, "faithfulness"),
        ("b", labelled, "hallucination"),
        ("c", other, "faithfulness"),
    ):
        assert scorer("run", data, "--scorer", id, "--model", "local", "--out", f"{name}.jsonl", "--quiet").code == 0
    told = scorer("prompts", "compare", "a.jsonl", "b.jsonl", *HOW)
    assert "the two have no scorer in common (faithfulness and hallucination)" in told.err
    assert "no row is in both" in scorer("prompts", "compare", "a.jsonl", "c.jsonl", *HOW).err


def result(score: float, *, higher_is: str = "better", scale: float = 1.0) -> dict[str, Any]:
    return {"score": score, "scale": scale, "higher_is": higher_is}


def test_the_rule_of_two_kinds_goes_by_the_scorers_direction() -> None:
    rule = rule_of("gold", ["true", "false", NONE], None, None)
    assert [rule.label({"gold": word}) for word in (True, False, None)] == [1.0, 0.0, None]
    assert [rule.value(result(s)) for s in (0.5, 0.4)] == [1.0, 0.0]
    assert [rule.value(result(s, higher_is="worse")) for s in (0.5, 0.6)] == [1.0, 0.0]
    assert rule.value(result(5, scale=10)) == 1.0
    assert rule.said(result(0, higher_is="worse")) == "gold 'true' should have a score of 0.5 or less"
    assert rule_of("gold", ["true", "false"], None, 0.9).value(result(0.8)) == 0.0
    assert rule_of("gold", ["ok", "bad", "ugly"], "OK", None).label({"gold": "ok "}) == 1.0


def test_the_rule_of_numbers_is_a_correlation_with_how_good_a_row_is() -> None:
    ratings = rule_of("stars", ["1", "2", "5"], None, None)
    assert [*ratings.metrics] == ["Spearman's correlation"]
    assert ratings.label({"stars": 2}) == 2.0
    assert ratings.label({"stars": "many"}) is None
    assert ratings.value(result(2, scale=10, higher_is="worse")) == 0.8
    assert [*rule_of("x", [str(n / 7) for n in range(12)], None, None).metrics] == ["Pearson's correlation"]
    faults = rule_of("faults", ["0", "3", "4"], "low", None)
    assert faults.label({"faults": 3}) == -3.0
    assert faults.said(result(1)) == "faults: low numbers are good, as are high scores"


@pytest.mark.parametrize("words", [[], [NONE]])
def test_no_labels_are_told(words: list[str]) -> None:
    with pytest.raises(UsageError, match="no row has a label"):
        rule_of("gold", words, None, None)


def test_measures_are_those_of_their_sources() -> None:
    labels, told = [1.0] * 25 + [0.0] * 25, [1.0] * 20 + [0.0] * 5 + [1.0] * 10 + [0.0] * 15
    assert agreement(labels, told) == 0.7
    assert kappa(labels, told) == pytest.approx(0.4)  # worked by hand: (0.7 - 0.5) / 0.5
    assert kappa([1.0, 1.0], [1.0, 1.0]) is None
    assert pearson([1.0, 2.0, 3.0], [2.0, 4.0, 6.0]) == pytest.approx(1.0)
    assert pearson([1.0, 1.0], [1.0, 2.0]) is None
    assert spearman([1.0, 2.0, 3.0, 4.0], [1.0, 4.0, 9.0, 90.0]) == pytest.approx(1.0)
    assert spearman([1.0, 2.0, 2.0], [3.0, 1.0, 1.0]) == pytest.approx(-1.0)
    assert agreement([], []) is kappa([], []) is None


def test_the_interval_of_a_difference_is_the_same_every_time_and_holds_it() -> None:
    rows = [(float(n % 2), float(n % 3 == 0), float(n % 2 if n % 5 else 0)) for n in range(60)]
    one, again = (measured("agreement", agreement, rows) for _ in "12")
    assert one == again
    assert one.interval is not None
    assert one.interval.low < one.difference < one.interval.high  # type: ignore[operator]
    assert one.real == (one.interval.low > 0)
    same = measured("agreement", agreement, [(1.0, 1.0, 1.0)] * 9)
    assert (same.difference, same.real) == (0.0, False)
    assert RESAMPLES == 1000
