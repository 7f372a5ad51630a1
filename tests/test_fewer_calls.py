"""Fewer calls where people want them: a reason without a call, and claims and verdicts in a single one."""

import importlib

import pytest

from scorer_core import Scorer, UsageError
from scorer_core.testing import ScriptedJudge

ROW = {"input": "q?", "output": "one, two and three", "context": ["c"], "ground_truth": "g"}
ITEMS = {"faithfulness": "claim", "hallucination": "statement", "bias": "opinion"}
WORDS = {
    "faithfulness": ("verdicts", "verdict", ["yes", "no", "unsure"], 1 / 3),
    "hallucination": ("verdicts", "verdict", ["yes", "no", "no"], 1 / 3),
    "bias": ("results", "result", ["yes", "no", "no"], 1 / 3),
}
LISTS = {"faithfulness": "claims", "hallucination": "claims", "bias": "opinions"}
TEXTS = ["one is red", "two is blue", "three is green"]


def spec(scorer_id):
    return importlib.import_module(f"scorer_{scorer_id}").spec


def at_once(scorer_id, texts=TEXTS):
    name, label, words, _ = WORDS[scorer_id]
    said = [{ITEMS[scorer_id]: t, "reason": "so", label: w} for t, w in zip(texts, words, strict=True)]
    return {name: said}


def in_steps(scorer_id):
    name, label, words, _ = WORDS[scorer_id]
    verdicts = {name: [{"number": n, "reason": "so", label: w} for n, w in enumerate(words, 1)]}
    return {"preprocess": {LISTS[scorer_id]: TEXTS}, "analyze": verdicts, "generate_reason": "So."}


def essence(result):
    shown = result.analyze_step_result[WORDS[result.scorer_id][0]]
    return result.status, result.score, result.band, result.preprocess_step_result, shown


@pytest.mark.parametrize("scorer_id", WORDS)
def test_a_single_call_gives_the_result_of_the_two_steps(scorer_id):
    judge = ScriptedJudge(analyze=at_once(scorer_id), generate_reason="So.")
    single = Scorer.of(spec(scorer_id), judge, mode="single").run(**ROW)
    steps = Scorer.of(spec(scorer_id), ScriptedJudge(in_steps(scorer_id))).run(**ROW)
    assert essence(single) == essence(steps)
    assert single.score == pytest.approx(WORDS[scorer_id][3])
    assert [step for step, _ in judge.asked] == ["analyze", "generate_reason"]
    assert "claims and verdicts were asked for in a single call" in single.notes
    assert [f.file for f in single.templates["analyze"]] == [f"{scorer_id}/single.j2", f"{scorer_id}/instructions.j2"]


@pytest.mark.parametrize("scorer_id", WORDS)
@pytest.mark.parametrize("lack", ["label", "text", "reason"])
def test_a_single_call_is_held_to_the_same_checks(scorer_id, lack):
    said = at_once(scorer_id)
    name, label, _, _ = WORDS[scorer_id]
    del said[name][1][{"label": label, "text": ITEMS[scorer_id], "reason": "reason"}[lack]]
    judge = ScriptedJudge(analyze=[said, at_once(scorer_id)], generate_reason="So.")
    result = Scorer.of(spec(scorer_id), judge, mode="single").run(**ROW)
    assert result.score == pytest.approx(1 / 3)
    assert f"{name}[2]" in judge.prompts("analyze")[1]


@pytest.mark.parametrize(
    ("scorer_id", "status"), [("faithfulness", "not_scorable"), ("hallucination", "scored"), ("bias", "scored")]
)
def test_nothing_found_in_a_single_call_is_what_it_is_in_two(scorer_id, status):
    judge = ScriptedJudge(analyze={WORDS[scorer_id][0]: []})
    result = Scorer.of(spec(scorer_id), judge, mode="single").run(**ROW)
    assert (result.status, result.vacuous) == (status, status == "scored")


def test_no_context_settles_hallucination_in_a_single_call_too():
    judge = ScriptedJudge(analyze=at_once("hallucination"))
    result = Scorer.of(spec("hallucination"), judge, mode="single").run(output="one, two", context=[])
    assert (result.score, result.vacuous, result.analyze_step_result) == (1.0, False, None)
    assert "no_context" in result.notes


def test_a_scorer_that_can_not_be_asked_at_once_says_so():
    with pytest.raises(UsageError, match="answer_similarity can't be asked in a single call"):
        Scorer.of(spec("answer_similarity"), ScriptedJudge(), mode="single")


@pytest.mark.parametrize("scorer_id", WORDS)
def test_a_summary_names_what_is_not_fine_without_a_call(scorer_id):
    judge = ScriptedJudge(in_steps(scorer_id))
    result = Scorer.of(spec(scorer_id), judge, reasons="summary").run(**ROW)
    bad = {"faithfulness": TEXTS[1:], "hallucination": TEXTS[:1], "bias": TEXTS[:1]}[scorer_id]
    assert result.reason.startswith("0.33 of 1.0, ")
    assert [text for text in TEXTS if text in result.reason] == bad
    assert [step for step, _ in judge.asked] == ["preprocess", "analyze"]
    assert [f.file for f in result.templates["generate_reason"]] == [f"{scorer_id}/summary.j2"]
    assert result.generate_reason_prompt is None


def test_a_summary_of_answer_similarity_names_what_is_missing_wrong_and_extra():
    match = [
        {"number": 1, "explanation": "not there", "output_unit": None, "match_type": "missing"},
        {"number": 2, "explanation": "half", "output_unit": 1, "match_type": "partial"},
    ]
    clash = {"explanation": "another colour", "output_unit": 1, "ground_truth_unit": 1}
    judge = ScriptedJudge(
        preprocess={"output_units": ["it is red", "it is big"], "ground_truth_units": ["it is blue", "it is old"]},
        analyze={"matches": match, "extra_in_output": [2], "contradictions": [clash]},
    )
    result = Scorer.of(spec("answer_similarity"), judge, reasons="summary").run(**ROW)
    assert result.reason.splitlines() == [
        "0.0 of 1.0, higher is better; 2 units of the reference were looked for.",
        "Missing: it is blue (not there)",
        "In part: it is old (half)",
        "Contradicted: it is blue (another colour)",
        "Beyond the reference: it is big",
    ]


def test_a_summary_can_be_swapped_like_every_template(tmp_path):
    (tmp_path / "faithfulness").mkdir()
    (tmp_path / "faithfulness/summary.j2").write_text("{{ anser }}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"faithfulness/summary\.j2, line 1: uses 'anser' \(did you mean 'answer'\?\)"):
        Scorer.of(spec("faithfulness"), ScriptedJudge(), reasons="summary", prompts=tmp_path)
