"""Context relevance: the formula by example and by property, what a judge may get wrong, and what can't be judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_context_relevance import (
    WEIGHTS,
    Assessment,
    Evaluation,
    RelevanceOptions,
    create_context_relevance_scorer,
    relevance,
    spec,
)
from scorer_core import Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

CHUNKS = ["Plants need light.", "Cats sleep a lot.", "Leaves hold chlorophyll."]
ROW = {"input": "How do plants make food?", "output": "With light and chlorophyll.", "context": CHUNKS}
pieces = st.lists(st.tuples(st.sampled_from([*WEIGHTS]), st.booleans()), min_size=1, max_size=12)
missing = st.integers(0, 6)


def assessed(levels, lacks=0, **options):
    made = [
        Evaluation(number=n, context_piece=f"c{n}", reasoning="r", relevance_level=level, was_used=used)
        for n, (level, used) in enumerate(levels, 1)
    ]
    said = Assessment(evaluations=tuple(made), missing_context=("m",) * lacks, overall_assessment="o")
    return relevance(Trail(preprocess=None, analyze=said, options=RelevanceOptions(**options)))


def reply(*levels, lacks=()):
    evaluations = [
        {"number": n, "reasoning": "r", "relevance_level": level, "was_used": used}
        for n, (level, used) in enumerate(levels, 1)
    ]
    return {"evaluations": evaluations, "missing_context": list(lacks), "overall_assessment": "Fair."}


GOOD = reply(("High", True), ("none", False), (" MEDIUM", False))


def scored(*analyze, run=ROW, **how):
    asked = ScriptedJudge(analyze=list(analyze), generate_reason="So.")
    return create_context_relevance_scorer(asked, **how).run(**run)


@pytest.mark.parametrize(
    ("levels", "lacks", "options", "score"),
    [
        ("high high high", 0, {}, 1),
        ("high- high", 0, {}, 0.9),
        ("high- high-", 0, {}, 0.8),
        ("medium-", 0, {}, 0.7),
        ("high", 1, {}, 0.85),
        ("high high", 3, {}, 0.55),
        ("high high", 9, {}, 0.5),
        ("high medium low", 1, {}, 2 / 3 - 0.15),
        ("none", 2, {}, 0),
        ("high- high", 1, {"unused_high_relevance_context": 0.3}, 0.55),
        ("high- high", 3, {"unused_high_relevance_context": 0, "missing_context_per_item": 0}, 1),
        ("high- medium", 2, {"missing_context_per_item": 0.05, "max_missing_context_penalty": 0.08}, 0.67),
    ],
)
def test_the_score_is_the_mean_relevance_less_what_is_unused_and_what_is_missing(levels, lacks, options, score):
    words = [(word.rstrip("-"), not word.endswith("-")) for word in levels.split()]
    assert assessed(words, lacks, **options) == pytest.approx(score)


@given(pieces, missing)
def test_the_score_lies_in_0_to_1_and_no_fault_raises_it(levels, lacks):
    score = assessed(levels, lacks)
    assert 0 <= score <= 1
    assert assessed(levels, lacks + 1) <= score
    assert assessed([(level, True) for level, _ in levels], lacks) >= score
    assert assessed([*levels, ("none", False)], lacks) <= score


@given(pieces, missing)
def test_the_order_of_the_chunks_does_not_matter(levels, lacks):
    assert assessed(sorted(levels), lacks) == pytest.approx(assessed(levels, lacks))


def test_each_chunk_stands_beside_its_evaluation_and_the_parts_of_the_score_are_told():
    result = scored(reply(("high", False), ("none", False), ("medium", True), lacks=["the role of water"]), scale=10)
    assert (result.status, result.reason) == ("scored", "So.")
    assert result.score == pytest.approx(10 * (1.7 / 3 - 0.1 - 0.15))
    shown = result.analyze_step_result
    assert [(e["number"], e["context_piece"], e["relevance_level"], e["was_used"]) for e in shown["evaluations"]] == [
        (1, CHUNKS[0], "high", False),
        (2, CHUNKS[1], "none", False),
        (3, CHUNKS[2], "medium", True),
    ]
    assert (shown["missing_context"], shown["overall_assessment"]) == (["the role of water"], "Fair.")
    assert [shown[part] for part in ("mean_relevance", "unused_penalty", "missing_penalty")] == pytest.approx(
        [1.7 / 3, 0.1, 0.15]
    )


def test_labels_are_read_without_case_and_white_space():
    assert scored(GOOD).score == pytest.approx(1.7 / 3)


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("Fine.", "format"),
        (reply(), "incomplete_reply"),
        (reply(("high", True), ("high", True)), "incomplete_reply"),
        (reply(("high", True), ("high", True), ("very high", True)), "unknown_label"),
        (reply(("high", True), ("high", True), ("high", "yes")), "format"),
        ({"evaluations": GOOD["evaluations"], "missing_context": []}, "format"),
    ],
)
def test_what_does_not_fit_is_asked_for_again_and_then_fails(bad, kind):
    result = scored(bad)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)
    assert scored(bad, GOOD).status == "scored"


def test_fences_and_prose_around_a_reply_do_not_matter():
    said = (
        'See:\n```json\n{"evaluations": [{"number": 1, "reasoning": "r", "relevance_level": "low", "was_used": true}],'
    )
    assert (
        scored(said + '"missing_context": [], "overall_assessment": "o"}\n```', run=ROW | {"context": "c"}).score == 0.3
    )


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"context": None}, "this run has no context"),
        ({"context": []}, "the context (from row) is empty"),
        ({"input": None}, "this run has no question"),
        ({"output": " "}, "the output is empty"),
    ],
)
def test_what_can_not_be_judged_is_not_scorable_and_asks_nobody(changed, reason):
    nobody = ScriptedJudge()
    result = create_context_relevance_scorer(nobody).run(**ROW | changed)
    assert (result.status, result.score, result.reason, nobody.asked) == ("not_scorable", None, reason, [])


@pytest.mark.parametrize(
    "name", ["unused_high_relevance_context", "missing_context_per_item", "max_missing_context_penalty"]
)
@pytest.mark.parametrize("value", [-0.1, float("nan"), None, "0.1"])
def test_a_penalty_that_is_no_number_of_0_or_more_is_refused(name, value):
    with pytest.raises(UsageError, match=name):
        create_context_relevance_scorer(ScriptedJudge(), **{name: value})


def test_japanese_rows_are_judged_with_japanese_prompts():
    run = {"input": "首都はどこですか。", "output": "リマです。", "context": ["首都はリマだ。"]}
    result = scored(reply(("high", True)), run=run, prompts="ja")
    assert (result.score, result.analyze_step_result["evaluations"][0]["context_piece"]) == (1.0, "首都はリマだ。")


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 1)] == [band.name for band in spec.bands]


class TestContextRelevanceIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(**ROW), answers=(reply(("high", True), ("none", False), ("low", True)), "So."), score=1.3 / 3),
        Example(Run(**ROW), answers=(reply(("none", False), ("none", False), ("none", False)), "So."), score=0),
    )
