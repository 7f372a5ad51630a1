"""Context precision: the pure mean, what a judge may get wrong, and the cases in which nothing is to be judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_context_precision import Verdict, Verdicts, create_context_precision_scorer, mean_precision, spec
from scorer_core import Run, Trail
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

words = st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=20)
CHUNKS = ["Plants need light.", "Cats sleep a lot.", "Leaves hold chlorophyll."]
ROW = {"input": "How do plants make food?", "output": "With light and chlorophyll.", "context": CHUNKS}


def mean(words):
    made = [Verdict(number=n, context_piece=f"c{n}", reason="r", verdict=w) for n, w in enumerate(words, 1)]
    return mean_precision(Trail(preprocess=None, analyze=Verdicts(tuple(made))))


def replies(*said):
    return {"verdicts": [{"number": n, "reason": "r", "verdict": w} for n, w in enumerate(said, 1)]}


def scored(*analyze, run=ROW, **how):
    asked = ScriptedJudge(analyze=list(analyze), generate_reason="So.")
    return create_context_precision_scorer(asked, **how).run(**run)


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("yes no yes", (1 + 2 / 3) / 2),
        ("no yes yes", (1 / 2 + 2 / 3) / 2),
        ("no no yes", 1 / 3),
        ("yes yes no", 1),
        ("no yes no yes", 0.5),
        ("no no", 0),
    ],
)
def test_the_score_is_the_mean_of_the_precision_at_each_rank_that_helps(said, score):
    assert mean(said.split()) == pytest.approx(score)


@given(words)
def test_a_swap_that_moves_what_helps_to_the_front_never_lowers_the_score(said):
    for at in range(len(said) - 1):
        if said[at : at + 2] == ["no", "yes"]:
            assert mean([*said[:at], "yes", "no", *said[at + 2 :]]) > mean(said)
    assert mean(sorted(said, reverse=True)) == (1 if "yes" in said else 0)


@given(words)
def test_what_does_not_help_behind_all_that_does_costs_nothing(said):
    assert mean([*said, "no"]) == mean(said)


def test_each_chunk_stands_beside_its_verdict_and_the_precision_at_each_rank_that_counts():
    result = scored(replies("Yes", "no", " YES "), scale=10)
    assert (result.status, result.band, result.reason) == ("scored", "what helps stands mostly in front", "So.")
    assert result.score == pytest.approx(25 / 3)
    assert result.preprocess_step_result is None
    assert result.analyze_step_result == {
        "verdicts": [
            {"number": n, "context_piece": chunk, "reason": "r", "verdict": word}
            for n, (chunk, word) in enumerate(zip(CHUNKS, ["yes", "no", "yes"], strict=True), 1)
        ],
        "precision_at": {"1": 1.0, "3": 2 / 3},
    }


def test_no_chunk_that_helps_is_a_score_of_zero_that_counts():
    result = scored(replies("no", "no", "no"))
    assert (result.status, result.score, result.vacuous, result.band) == ("scored", 0.0, False, "nothing that helps")


def test_the_answer_to_reach_is_the_ground_truth_and_without_one_the_output():
    truth = scored(replies("no", "no", "no"), run=ROW | {"ground_truth": "By photosynthesis."}).analyze_prompt
    assert ">By photosynthesis.</" in truth
    assert ROW["output"] not in truth
    assert f">{ROW['output']}</" in scored(replies("no", "no", "no")).analyze_prompt


def test_a_row_of_a_retriever_alone_has_no_output_and_is_scored_by_its_ground_truth():
    run = {"input": ROW["input"], "context": CHUNKS, "ground_truth": "By photosynthesis."}
    assert scored(replies("yes", "yes", "no"), run=run).score == 1.0


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("All of them help.", "format"),
        ({"verdicts": []}, "incomplete_reply"),
        (replies("yes", "yes"), "incomplete_reply"),
        (replies("yes", "yes", "partly"), "unknown_label"),
        ({"verdicts": [{"number": n, "verdict": "yes"} for n in (1, 2, 3)]}, "format"),
    ],
)
def test_a_chunk_without_a_verdict_is_never_left_out(bad, kind):
    result = scored(bad)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


def test_fences_and_verdicts_in_another_order_are_read_by_number():
    mixed = '```json\n{"verdicts": [{"number": 3, "reason": "r", "verdict": "yes"}, {"number": 1, "reason": "r", '
    mixed += '"verdict": "no"}, {"number": 2, "reason": "r", "verdict": "yes"}]}\n```'
    assert scored(mixed).score == pytest.approx((1 / 2 + 2 / 3) / 2)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"context": None}, "this run has no context"),
        ({"context": ["", "  "]}, "the context (from row) is empty"),
        ({"input": None}, "this run has no question"),
        ({"output": " "}, "this run has neither a ground truth nor an output that the context could lead to"),
    ],
)
def test_what_can_not_be_judged_is_not_scorable_and_asks_nobody(changed, reason):
    nobody = ScriptedJudge()
    result = create_context_precision_scorer(nobody).run(**ROW | changed)
    assert (result.status, result.score, result.reason, nobody.asked) == ("not_scorable", None, reason, [])


def test_a_function_that_looks_up_the_context_goes_before_the_rows_own():
    result = scored(replies("yes"), get_context=lambda run, step: ["One."])
    assert (result.context_source, result.score) == ("get_context", 1.0)


def test_japanese_rows_are_judged_with_japanese_prompts():
    run = {"input": "首都はどこですか。", "ground_truth": "リマ", "context": ["首都はリマだ。", "猫は寝る。"]}
    result = scored(replies("yes", "no"), run=run, prompts="ja")
    assert (result.score, result.analyze_step_result["verdicts"][0]["context_piece"]) == (1.0, "首都はリマだ。")


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 1)] == [band.name for band in spec.bands]


class TestContextPrecisionIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(**ROW), answers=(replies("no", "yes", "no"), "So."), score=0.5),
        Example(Run(**ROW), answers=(replies("no", "no", "no"), "So."), score=0),
    )
