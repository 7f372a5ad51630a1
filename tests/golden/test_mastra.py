"""What Mastra made of the same judge's replies, case by case: the same score, or a difference listed with its rule.

The cases come from the folder that `SCORER_GOLDEN_DIR` names (from the root of the repository; unless set,
`../shared/golden`), and from `tests/data/golden`, which holds a third of them, so that a bare clone tests too.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from attrs import frozen

from scorer_core import RunResult, Scorer, UsageError
from scorer_core.testing import ScriptedJudge

Case: TypeAlias = dict[str, Any]

ROOT = Path(__file__).parents[2]
FOLDER = (ROOT / os.environ.get("SCORER_GOLDEN_DIR", "../shared/golden")).resolve()
SCORERS = ("faithfulness", "hallucination", "bias", "answer-similarity")
STEPS = ("preprocess", "analyze", "generate_score", "generate_reason")
DIFFERENCES: dict[str, dict[str, str]] = tomllib.loads(Path(__file__).with_name("differences.toml").read_text("utf-8"))
RULE = re.compile(r"2\.\d|4 (empty output|no claims|no context|ground truth|options)")

FIXED_WITHOUT_A_CALL = {
    "faithfulness/empty-output", "faithfulness/empty-output-messages", "faithfulness/empty-context",
    "faithfulness/no-options", "hallucination/empty-output", "hallucination/no-options", "bias/empty-output-messages",
    "answer-similarity/no-ground-truth", "answer-similarity/empty-ground-truth", "answer-similarity/empty-output",
    "answer-similarity/no-ground-truth-required-false",
    "answer-similarity/no-ground-truth-required-false-with-matches",
}  # fmt: skip
FIXED_BY_PREPROCESS = {
    "faithfulness/no-claims-no-verdicts", "faithfulness/no-claims-no-verdicts-scale-10",
    "hallucination/no-claims-no-verdicts", "hallucination/no-claims-but-verdicts", "hallucination/empty-context",
    "bias/no-opinions-no-results", "bias/no-opinions-output-judged-instead", "answer-similarity/no-matches",
}  # fmt: skip


def cases_in(folder: Path) -> dict[str, Case]:
    """The cases of our four scorers by id; none if the folder has no `mastra.jsonl`."""
    file = folder / "mastra.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {case["id"]: case for case in map(json.loads, lines) if case["scorer"] in SCORERS}


GIVEN, THIRD = cases_in(FOLDER), cases_in(ROOT / "tests/data/golden")
CASES = THIRD | GIVEN


def each(ids: Iterable[str]) -> pytest.MarkDecorator:
    """One test a case, with the case's id as the test's."""
    wanted = set(ids)
    return pytest.mark.parametrize("case", [pytest.param(case, id=id) for id, case in CASES.items() if id in wanted])


# A case in our words


def snake(value: Any) -> Any:
    """`value` with snake_case keys at every depth."""
    if isinstance(value, dict):
        return {snake_word(key): snake(v) for key, v in value.items()}
    return [snake(v) for v in value] if isinstance(value, list) else value


def snake_word(word: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", word).lower()


def keywords(case: Case) -> dict[str, Any]:
    """The options and the context as keywords of a scorer; `{"$returns": X}` is a function that returns X."""
    given = case["options"] if case.get("options_given", True) else {}
    return {snake_word(name): _function(v) if "$returns" in str(v) else v for name, v in given.items()}


def _function(described: dict[str, Any]) -> Callable[..., Any]:
    return lambda **_: described["$returns"]


def script(case: Case) -> dict[str, list[Any]]:
    """The judge's replies by step; a step without any raises when it is asked."""
    replies: dict[str, list[Any]] = {}
    for said in with_numbers(case):
        replies.setdefault(said["step"], []).append(_reply(said))
    return {step: [LookupError(f"no script for {step}")] for step in STEPS} | replies


def _reply(said: dict[str, Any]) -> Any:
    if "throws" in said:
        return ConnectionError(said["throws"])
    return said["raw"] if "raw" in said else said["output"]


def with_numbers(case: Case) -> list[dict[str, Any]]:
    """The judge's replies with snake_case keys, and numbers where answer similarity has Mastra's texts of units."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    outputs = [reply["output"] for reply in said if isinstance(reply.get("output"), dict)]
    units = [o for o in outputs if {"output_units", "ground_truth_units"} <= o.keys()]
    for comparison in outputs if units else ():
        _number(comparison, units[-1])
    return said


def _number(comparison: dict[str, Any], units: dict[str, list[str]]) -> None:
    """Puts numbers in place of texts; a unit of the output that is not listed joins the list.

    One of the reference may not join: the judge would be asked about one more. It gets a number that is out of range.
    """
    outputs, references = units["output_units"], units["ground_truth_units"]
    matches, contradictions = comparison.get("matches", []), comparison.get("contradictions", [])
    for match in matches:
        match["number"] = _place(match["ground_truth_unit"], references)
    for contradiction in contradictions:
        contradiction["ground_truth_unit"] = _place(contradiction["ground_truth_unit"], references)
    for named in (*matches, *contradictions):
        named["output_unit"] = _joined(named["output_unit"], outputs)
    if extras := comparison.get("extra_in_output"):
        comparison["extra_in_output"] = [_joined(text, outputs) for text in extras]


def _place(text: str, units: Sequence[str]) -> int:
    return units.index(text) + 1 if text in units else len(units) + 1


def _joined(text: str | None, units: list[str]) -> int | None:
    if text is None:
        return None
    if text not in units:
        units.append(text)
    return _place(text, units)


# What came of it


@frozen
class Outcome:
    """What we make of a case.

    Args:
        result: Our result; None where the scorer refused its options.
        asked: The step of each call of the judge.
        unscripted: Those of them that Mastra's judge was not asked in this case.
    """

    result: RunResult | None = None
    asked: Sequence[str] = ()
    unscripted: Sequence[str] = ()

    def __str__(self) -> str:
        if self.result is None:
            return "refused"
        if self.unscripted:
            return f"asks {self.unscripted[0]}"
        if self.result.error:
            return f"failed: {self.result.error.kind}"
        if self.result.score is None:
            return self.result.status
        return f"{rounded(self.result.score)}{' vacuous' if self.result.vacuous else ''}"


def measured(case: Case) -> Outcome:
    """The outcome of a case with our scorer."""
    judge = ScriptedJudge(script(case))
    spec = importlib.import_module(f"scorer_{case['scorer'].replace('-', '_')}").spec
    try:
        scorer = Scorer.of(spec, judge, call_retries=0, **keywords(case))
    except UsageError:
        return Outcome()
    result = scorer.run(**{name: case["run"][name] for name in ("input", "output", "ground_truth")})
    asked, scripted = [step for step, _ in judge.asked], {reply["step"] for reply in case["judge"]}
    return Outcome(result, asked, [step for step in asked if step not in scripted])


def theirs(case: Case) -> str:
    """What Mastra made of a case, in the words of `differences.toml`."""
    if error := case["expected"].get("error"):
        return f"error in {error.get('failed_step') or error['stage']}"
    return str(float(case["expected"]["score"]))


def rounded(score: float) -> float:
    """Mastra's rounding: to hundredths, half up, with its float steps."""
    return math.floor((score + 2**-52) * 100 + 0.5) / 100


def agree(case: Case, ours: Outcome) -> bool:
    """Whether the scores are equal, or neither side has one because something failed."""
    error = case["expected"].get("error")
    if ours.result is None or ours.unscripted:
        return ours.result is None and bool(error) and error["stage"] == "create"
    if error or ours.result.score is None:
        return bool(error) and error["stage"] == "run" and ours.result.status == "failed"
    return abs(rounded(ours.result.score) - float(case["expected"]["score"])) <= 1e-9


def told(ours: Outcome) -> str:
    """Why our outcome is what it is."""
    error = ours.result and ours.result.error
    return f"{ours} ({error.message})" if error else f"{ours}"


def same_reply(case: Case, result: RunResult, step: str) -> bool:
    """Whether both sides took a reply of the judge in this step, and the same one."""
    calls, executions = case["expected"]["judge_calls"].get(step, {}), result.judge.get(step)
    failed_here = result.error is not None and result.error.step == step
    if calls.get("status") != "success" or not executions or failed_here:
        return False
    took = script(case)[step][calls["attempts"] - 1]
    return executions[-1].reply == (took if isinstance(took, str) else json.dumps(took))


LABELS = {"verdict", "result", "match_type"}
TEXTS = {"reason", "explanation", "output_unit", "ground_truth_unit"}
LISTS = {"claims", "opinions", "verdicts", "results", "output_units", "ground_truth_units", "matches"} | {
    "extra_in_output", "contradictions",
}  # fmt: skip


def evidence(step_result: Any, output_units: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """The lists of a step result, with what both sides promise of an item: its text, its labels as read, its reasons.

    `output_units` are the units listed at first: those that joined are left out.
    """
    lists = {"claims": step_result} if isinstance(step_result, (list, tuple)) else snake(step_result)
    found = {name: [_item(item) for item in items] for name, items in lists.items() if name in LISTS}
    if output_units is not None and "output_units" in found:
        del found["output_units"][len(output_units) :]
    return found


def _item(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    labels = {name: item[name].strip().casefold() for name in LABELS & item.keys()}
    return labels | {name: item[name] for name in TEXTS & item.keys()}


# The tests


@each(CASES)
def test_the_score_is_mastras_or_the_difference_is_listed(case: Case) -> None:
    ours, listed = measured(case), DIFFERENCES.get(case["id"])
    if listed is None:
        assert agree(case, ours), f"theirs: {theirs(case)}, ours: {told(ours)}; and not listed in differences.toml"
    else:
        assert (theirs(case), str(ours)) == (listed["theirs"], listed["ours"]), told(ours)
        assert not agree(case, ours), "listed in differences.toml, but there is none"


@each(CASES)
def test_what_both_took_from_the_judge_is_the_same(case: Case) -> None:
    result, expected = measured(case).result, case["expected"].get("partial") or case["expected"]
    if result is None:
        return
    for step in ("preprocess", "analyze"):
        if same_reply(case, result, step):
            units = expected["preprocess_step_result"].get("outputUnits")
            assert evidence(getattr(result, f"{step}_step_result"), units) == evidence(expected[f"{step}_step_result"])
    if same_reply(case, result, "generate_reason"):
        assert (result.reason or "") == expected["reason"]


@each(id for id, case in CASES.items() if "failed_step" in case["expected"].get("error", ()) and id not in DIFFERENCES)
def test_both_fail_in_the_same_step(case: Case) -> None:
    result = measured(case).result
    assert result is not None
    assert result.error is not None
    if result.error.kind != "missing_ground_truth":  # found before the first step
        assert result.error.step == case["expected"]["error"]["failed_step"]


@each(CASES)
def test_nothing_to_judge_asks_nothing_more(case: Case) -> None:
    ours = measured(case)
    if ours.result and (ours.result.vacuous or ours.result.status == "not_scorable"):
        assert list(ours.asked) in ([], ["preprocess"])


@each(FIXED_WITHOUT_A_CALL)
def test_an_outcome_fixed_before_the_first_step_takes_no_call(case: Case) -> None:
    assert measured(case).asked == []


@each(FIXED_BY_PREPROCESS)
def test_an_outcome_fixed_by_the_first_step_takes_one_call(case: Case) -> None:
    assert measured(case).asked == ["preprocess"]


@pytest.mark.parametrize("id", DIFFERENCES)
def test_a_difference_says_theirs_ours_why_and_by_which_rule(id: str) -> None:
    assert DIFFERENCES[id].keys() == {"theirs", "ours", "rule", "why"}
    assert RULE.fullmatch(DIFFERENCES[id]["rule"])
    assert DIFFERENCES[id]["why"]


def test_the_whole_set_has_every_listed_case_and_our_third() -> None:
    if not GIVEN:
        pytest.skip(f"no golden cases: looked for {FOLDER / 'mastra.jsonl'} (SCORER_GOLDEN_DIR); ran our third alone")
    if not THIRD.keys() <= GIVEN.keys():
        pytest.skip(f"{FOLDER} is not the whole set: it lacks {min(THIRD.keys() - GIVEN.keys())}; ran it and our third")
    assert sorted(DIFFERENCES.keys() - GIVEN.keys()) == []
    assert {id: GIVEN[id] for id in THIRD} == THIRD
