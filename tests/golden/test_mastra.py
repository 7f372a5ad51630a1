"""What Mastra made of the same judge's replies, case by case: the same score, or a difference listed with its rule."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from mastra_cases import (
    CASES,
    DIFFERENCES,
    FOLDER,
    GIVEN,
    THIRD,
    Case,
    agree,
    evidence,
    measured,
    same_reply,
    theirs,
    told,
)

RULE = re.compile(
    r"as documented|word list|best|missing|order|values|2\.\d|"
    r"4 (empty output|messages|no claims|no context|nothing to judge|ground truth|options)"
)

FIXED_WITHOUT_A_CALL = {
    "faithfulness/empty-output", "faithfulness/empty-output-messages", "faithfulness/empty-context",
    "faithfulness/no-options", "hallucination/empty-output", "hallucination/no-options", "bias/empty-output-messages",
    "toxicity/empty-output", "context-precision/no-context-option", "context-precision/extractor-empty",
    "context-relevance/empty-context-option", "context-relevance/extractor-empty-scale-10",
    "noise-sensitivity/empty-input",
    "answer-similarity/no-ground-truth", "answer-similarity/empty-ground-truth", "answer-similarity/empty-output",
    "answer-similarity/no-ground-truth-required-false",
    "answer-similarity/no-ground-truth-required-false-with-matches",
}  # fmt: skip
FIXED_BY_PREPROCESS = {
    "context-recall/no-claims", "context-recall/no-claims-but-verdicts", "context-recall/extractor-empty",
    "faithfulness/no-claims-no-verdicts", "faithfulness/no-claims-no-verdicts-scale-10",
    "hallucination/no-claims-no-verdicts", "hallucination/no-claims-but-verdicts", "hallucination/empty-context",
    "bias/no-opinions-no-results", "bias/no-opinions-output-judged-instead", "answer-similarity/no-matches",
}  # fmt: skip


def each(ids: Iterable[str]) -> pytest.MarkDecorator:
    """One test a case, with the case's id as the test's."""
    wanted = set(ids)
    return pytest.mark.parametrize("case", [pytest.param(case, id=id) for id, case in CASES.items() if id in wanted])


@each(CASES)
def test_the_score_is_mastras_or_the_difference_is_listed(case: Case) -> None:
    ours, listed = measured(case), DIFFERENCES.get(case["id"])
    if listed is None:
        assert agree(case, ours), f"theirs: {theirs(case)}, ours: {told(ours)}; and not listed in differences/"
    else:
        assert (theirs(case), str(ours)) == (listed["theirs"], listed["ours"]), told(ours)
        assert not agree(case, ours), "listed in differences/, but there is none"


@each(CASES)
def test_what_both_took_from_the_judge_is_the_same(case: Case) -> None:
    result, expected = measured(case).result, case["expected"].get("partial") or case["expected"]
    if result is None:
        return
    for step in ("preprocess", "analyze"):
        if same_reply(case, result, step):
            units = (expected["preprocess_step_result"] or {}).get("outputUnits") if step == "preprocess" else None
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
