"""Noise sensitivity: the formula by example and by property, its options, and what a judge may get wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_noise_sensitivity import (
    DIMENSIONS,
    WEIGHTS,
    Assessment,
    Impact,
    NoiseOptions,
    create_noise_sensitivity_scorer,
    robustness,
    spec,
)

TEXTS = {"noisy_query": "Who built the mill? It was sold in 1950.", "baseline_response": "Ada Ling, in 1912."}
ROW = {"input": "Who built the mill?", "output": "Ada Ling, in 1950."}
levels = st.lists(st.sampled_from([*WEIGHTS]), min_size=1, max_size=5)
numbers, issues = st.floats(0, 1), st.integers(0, 6)


def assessed(words, number, many=0, **options):
    impacts = [
        Impact(number=n, dimension="d", specific_changes="c", noise_influence="i", impact_level=word)
        for n, word in enumerate(words, 1)
    ]
    said = Assessment(
        dimensions=tuple(impacts), overall_assessment="o", major_issues=("m",) * many, robustness_score=number
    )
    return robustness(Trail(preprocess=None, analyze=said, options=NoiseOptions(**TEXTS, **options)))


def reply(*words, number=1.0, many=()):
    impacts = [
        {"number": n, "specific_changes": "c", "noise_influence": "i", "impact_level": word}
        for n, word in enumerate(words, 1)
    ]
    return {"dimensions": impacts, "overall_assessment": "o", "major_issues": list(many), "robustness_score": number}


def scored(*analyze, run=ROW, **how):
    asked = ScriptedJudge(analyze=list(analyze), generate_reason="So.")
    return create_noise_sensitivity_scorer(asked, **TEXTS | how).run(**run)


@pytest.mark.parametrize(
    ("words", "number", "many", "options", "score"),
    [
        ("none none none", 1, 0, {}, 1),
        ("none moderate", 0.8, 0, {}, 0.8),
        ("none minimal", 0.2, 0, {}, 0.2),
        ("moderate", 0.75, 0, {}, 0.75),
        ("moderate", 0.9, 0, {}, 0.6),
        ("moderate", 0.8, 0, {}, 0.6),  # in floating point 0.8 and 0.6 are more than 0.2 apart
        ("minimal", 0.9, 1, {}, 0.8),
        ("severe", 0.1, 3, {}, 0),
        ("none", 1, 9, {}, 0.7),
        ("moderate moderate", 0.9, 0, {"impact_weights": {"moderate": 0.4}}, 0.4),
        ("moderate", 0.9, 0, {"discrepancy_threshold": 0.5}, 0.9),
        ("minimal", 0.9, 0, {"discrepancy_threshold": 0}, 0.85),
        ("minimal", 0.9, 4, {"major_issue_per_item": 0.05, "max_major_issue_penalty": 0.15}, 0.75),
    ],
)
def test_the_judges_number_counts_unless_the_dimensions_lie_well_below_it_and_issues_cost(
    words, number, many, options, score
):
    assert assessed(words.split(), number, many, **options) == pytest.approx(score)


@given(levels, numbers, issues)
def test_the_score_lies_in_0_to_1_and_never_above_the_judges_number(words, number, many):
    assert 0 <= assessed(words, number, many) <= number
    assert assessed(words, number, many + 1) <= assessed(words, number, many)


@given(levels, numbers)
def test_more_impact_never_raises_the_score(words, number):
    assert assessed(["severe"] * len(words), number) <= assessed(words, number)


def test_each_dimension_stands_beside_its_impact_and_the_parts_of_the_score_are_told():
    said = reply("Significant", "none", " NONE", "minimal", "none", number=1, many=["wrong year"])
    result = scored(said, scale=10, noise_type="misinformation")
    assert (result.status, result.reason) == ("scored", "So.")
    assert result.score == pytest.approx(10 * (1 - 0.1))
    assert result.preprocess_step_result == {
        "dimensions": [*DIMENSIONS],
        **TEXTS,
        "noise_type": "misinformation",
    }
    shown = result.analyze_step_result
    assert [(d["dimension"], d["impact_level"]) for d in shown["dimensions"]] == [
        ("accuracy", "significant"),
        ("completeness", "none"),
        ("relevance", "none"),
        ("consistency", "minimal"),
        ("hallucination", "none"),
    ]
    assert shown["mean_of_dimensions"] == pytest.approx(0.83)
    assert (shown["mean_counts"], shown["major_issue_penalty"]) == (False, 0.1)
    for text in (*TEXTS.values(), *ROW.values(), "misinformation"):
        assert f">{text}</" in result.analyze_prompt


def test_dimensions_well_below_the_judges_number_are_told_to_count():
    result = scored(reply("severe", "severe", number=0.9), dimensions=["accuracy", "relevance"])
    assert (result.score, result.analyze_step_result["mean_counts"]) == (0.1, True)


def test_texts_of_each_row_come_from_the_columns_that_are_named():
    how = {"noisy_query": {"column": "noisy"}, "baseline_response": {"column": "clean"}, "dimensions": ["accuracy"]}
    result = scored(reply("none"), run=ROW | {"metadata": {"noisy": "Mill?!", "clean": "Ling."}}, **how)
    assert (result.score, result.preprocess_step_result["noisy_query"]) == (1.0, "Mill?!")
    lacking = scored(reply("none"), run=ROW | {"metadata": {"noisy": "Mill?!", "clean": " "}}, **how)
    assert (lacking.status, lacking.reason) == (
        "not_scorable",
        "this row has no baseline_response (looked in its column 'clean')",
    )


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"noisy_query": "q"}, "baseline_response"),
        ({"baseline_response": "b"}, "noisy_query"),
        (TEXTS | {"noisy_query": " "}, "noisy_query"),
        (TEXTS | {"noisy_query": {"row": "x"}}, "noisy_query"),
        (TEXTS | {"noisy_query": {"column": ""}}, "noisy_query"),
        (TEXTS | {"dimensions": ["style"]}, "dimensions"),
        (TEXTS | {"dimensions": []}, "dimensions"),
        (TEXTS | {"impact_weights": {"huge": 0}}, "impact_weights"),
        (TEXTS | {"impact_weights": {"none": 2}}, "impact_weights"),
        (TEXTS | {"impact_weights": 3}, "impact_weights"),
        (TEXTS | {"discrepancy_threshold": 1.5}, "discrepancy_threshold"),
        (TEXTS | {"major_issue_per_item": -1}, "major_issue_per_item"),
        (TEXTS | {"scale": -1}, "scale"),
    ],
)
def test_options_that_are_absent_or_out_of_range_are_refused_when_the_scorer_is_made(options, named):
    with pytest.raises(UsageError, match=named):
        create_noise_sensitivity_scorer(ScriptedJudge(), **options)


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("It is robust.", "format"),
        (reply(), "incomplete_reply"),
        (reply("none", "none", "none", "none"), "incomplete_reply"),
        (reply("none", "none", "none", "none", "huge"), "unknown_label"),
        (reply("none", "none", "none", "none", "none", number=1.4), "out_of_range"),
        (reply("none", "none", "none", "none", "none", number="high"), "format"),
    ],
)
def test_what_does_not_fit_is_asked_for_again_and_then_fails(bad, kind):
    result = scored(bad)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)
    assert scored(bad, reply("none", "none", "none", "none", "none")).status == "scored"


@pytest.mark.parametrize(
    ("changed", "reason"), [({"input": ""}, "this run has no question"), ({"output": " "}, "the output is empty")]
)
def test_what_can_not_be_judged_is_not_scorable_and_asks_nobody(changed, reason):
    nobody = ScriptedJudge()
    result = create_noise_sensitivity_scorer(nobody, **TEXTS).run(**ROW | changed)
    assert (result.status, result.reason, nobody.asked) == ("not_scorable", reason, [])


def test_japanese_rows_are_judged_with_japanese_prompts():
    run = {"input": "首都はどこですか。", "output": "リマです。"}
    result = scored(reply("none"), run=run, dimensions=["accuracy"], noisy_query="雨ですが、首都は？", prompts="ja")
    assert result.score == 1.0
    assert ">雨ですが、首都は？</" in result.analyze_prompt


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 0.9)] == [band.name for band in spec.bands]


class TestNoiseSensitivityIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(**ROW), answers=(reply("none", "none", "none", "none", "none"), "So."), options=TEXTS, score=1),
        Example(
            Run(**ROW),
            answers=(reply("severe", "severe", "severe", "severe", "severe", number=0), "So."),
            options=TEXTS,
            score=0,
        ),
    )
