"""Context recall: the pure share, what a judge may get wrong, and the cases in which nothing is to be judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_context_recall import Verdict, Verdicts, create_context_recall_scorer, held_share, spec
from scorer_core import Claims, NotScorable, Run, Trail
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

CLAIMS = ["Ada Ling built the mill.", "The mill was built in 1912.", "The mill is of brick."]
CHUNKS = ["The mill was sold in 1950.", "Ada Ling's mill of 1912 still stands."]
ROW = {"input": "Who built the mill?", "context": CHUNKS, "ground_truth": "Ada Ling, in 1912, of brick"}


def share(words):
    made = [Verdict(number=n, claim=f"claim {n}", reason="r", verdict=w) for n, w in enumerate(words, 1)]
    return held_share(Trail(preprocess=Claims(tuple(v.claim for v in made)), analyze=Verdicts(tuple(made))))


def replies(*said):
    return {
        "verdicts": [
            {"number": n, "reason": "r", "chunk": 2 if w.strip().lower() == "yes" else None, "verdict": w}
            for n, w in enumerate(said, 1)
        ]
    }


def judge(*analyze, claims=CLAIMS):
    return ScriptedJudge(preprocess={"claims": claims}, analyze=list(analyze), generate_reason="So.")


def scored(*analyze, run=ROW, **how):
    return create_context_recall_scorer(judge(*analyze), **how).run(**run)


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=20))
def test_the_share_is_that_of_the_claims_that_the_context_holds(said):
    assert share(said) == said.count("yes") / len(said)
    assert share([*said, "yes"]) >= share(said) >= share([*said, "no"])


def test_a_reference_without_claims_is_not_scorable():
    with pytest.raises(NotScorable, match="the reference makes no claim"):
        share([])


def test_each_claim_of_the_reference_stands_beside_its_verdict_and_the_chunk_that_holds_it():
    result = scored(replies("Yes", "yes ", "NO"), scale=10)
    assert (result.status, result.band, result.reason) == ("scored", "part of the reference", "So.")
    assert result.score == pytest.approx(20 / 3)
    assert result.preprocess_step_result == {"claims": CLAIMS}
    assert [(v["claim"], v["chunk"], v["verdict"]) for v in result.analyze_step_result["verdicts"]] == [
        (CLAIMS[0], 2, "yes"),
        (CLAIMS[1], 2, "yes"),
        (CLAIMS[2], None, "no"),
    ]
    assert f">{ROW['ground_truth']}</" in result.preprocess_prompt
    assert f">{ROW['input']}</" in result.preprocess_prompt


def test_the_output_is_neither_needed_nor_shown_to_the_judge():
    result = scored(replies("yes", "yes", "no"), run=ROW | {"output": "Nobody knows."})
    assert result.score == pytest.approx(2 / 3)
    assert "Nobody knows." not in result.preprocess_prompt + result.analyze_prompt


def test_of_several_ground_truths_the_one_that_the_context_holds_best_counts():
    asked = judge(replies("no", "no", "no"), replies("yes", "yes", "yes"))
    result = create_context_recall_scorer(asked).run(**ROW | {"ground_truth": ["Bo Lee", "Ada Ling"]})
    assert (result.score, result.notes) == (1.0, ("ground_truth 2 of 2",))


@pytest.mark.parametrize("truth", [None, "", "  ", float("nan"), []])
def test_without_a_ground_truth_the_run_fails_before_any_call(truth):
    nobody = ScriptedJudge()
    result = create_context_recall_scorer(nobody).run(**ROW | {"ground_truth": truth})
    assert (result.status, result.error.kind, nobody.asked) == ("failed", "missing_ground_truth", [])


def test_context_never_given_is_not_scorable_and_asks_nobody():
    nobody = ScriptedJudge()
    result = create_context_recall_scorer(nobody).run(ground_truth="Ada Ling")
    assert (result.status, result.reason, nobody.asked) == ("not_scorable", "this run has no context", [])


def test_context_looked_for_and_not_found_is_a_zero_that_counts_without_a_second_call():
    asked = judge()
    result = create_context_recall_scorer(asked).run(ground_truth="Ada Ling", context=[])
    assert (result.score, result.vacuous, result.notes) == (0.0, False, ("no_context",))
    assert result.reason == "no context was found, so it holds nothing of the reference"
    assert [step for step, _ in asked.asked] == ["preprocess"]


@pytest.mark.parametrize("context", [CHUNKS, []])
def test_no_claims_in_the_reference_are_not_scorable_after_one_call(context):
    asked = judge(claims=[])
    result = create_context_recall_scorer(asked).run(**ROW | {"context": context})
    assert (result.status, result.reason) == ("not_scorable", "the reference makes no claim")
    assert [step for step, _ in asked.asked] == ["preprocess"]


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("All there.", "format"),
        ({"verdicts": []}, "incomplete_reply"),
        (replies("yes", "yes"), "incomplete_reply"),
        (replies("yes", "yes", "unsure"), "unknown_label"),
        ({"verdicts": [{"number": n, "verdict": "yes"} for n in (1, 2, 3)]}, "format"),
    ],
)
def test_a_claim_without_a_verdict_is_never_left_out(bad, kind):
    result = scored(bad)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


def test_fences_and_prose_around_a_reply_do_not_matter():
    said = 'Well:\n```json\n{"verdicts": [{"number": 1, "reason": "r", "chunk": "1", "verdict": "yes"}]}\n```'
    asked = judge(said, claims=CLAIMS[:1])
    assert create_context_recall_scorer(asked).run(**ROW).score == 1.0


def test_japanese_rows_are_judged_with_japanese_prompts():
    run = {"input": "首都はどこですか。", "ground_truth": "リマ", "context": ["首都はリマだ。"]}
    asked = judge({"verdicts": [{"number": 1, "reason": "r", "chunk": 1, "verdict": "yes"}]}, claims=["首都はリマだ。"])
    result = create_context_recall_scorer(asked, prompts="ja").run(**run)
    assert (result.score, result.analyze_step_result["verdicts"][0]["claim"]) == (1.0, "首都はリマだ。")


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 1)] == [band.name for band in spec.bands]


class TestContextRecallIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(**ROW), answers=({"claims": CLAIMS}, replies("yes", "yes", "no"), "So."), score=2 / 3),
        Example(Run(**ROW), answers=({"claims": CLAIMS}, replies("no", "no", "no"), "So."), score=0),
        Example(Run(**ROW), answers=({"claims": []},), score=None),
    )
