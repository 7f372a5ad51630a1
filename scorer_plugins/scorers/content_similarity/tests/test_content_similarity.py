"""Content similarity: pairs of characters by example and by property, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_content_similarity import create_content_similarity_scorer, dice, spec
from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("night", "nacht", 2 * 1 / 8),
        ("aaaa", "aa", 2 * 1 / 4),
        ("a", "b", 0.0),
        ("a", "a", 1.0),
        ("", "", 1.0),
        ("", "ab", 0.0),
        ("to day", "today", 1.0),
        ("Straße", "STRASSE", 1.0),
        ("cafe\u0301", "caf\u00e9", 1.0),
        ("東京は雨です", "東京は雨でした", 2 * 4 / 11),
        ("مرحبا", "مرحبا بك", 2 * 4 / 10),
    ],
)
def test_twice_the_shared_pairs_over_all_pairs(one, other, share):
    assert dice(one, other) == pytest.approx(share, abs=1e-12)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_share_is_in_range_the_same_both_ways_and_one_for_the_same_text(one, other):
    assert 0 <= dice(one, other) <= 1
    assert dice(one, other) == dice(other, one)
    assert dice(one, one) == 1


def test_an_answer_is_held_against_the_question_or_against_the_ground_truth():
    run = {"input": "How is the weather today?", "output": "The weather is fine today.", "ground_truth": "It is fine."}
    asked, right = (create_content_similarity_scorer(against=a).run(**run) for a in ("question", "ground_truth"))
    assert asked.score == dice(run["input"], run["output"])
    assert right.score == dice(run["ground_truth"], run["output"])
    assert asked.reason == "68% of the pairs of characters are shared with the question."
    assert right.band == "little in common"


def test_of_several_ground_truths_the_best_one_counts():
    result = create_content_similarity_scorer(against="ground_truth").run(output="Oslo", ground_truth=["Rome", "oslo"])
    assert (result.score, result.notes) == (1.0, ("ground_truth 2 of 2",))
    assert result.reason.endswith("with the ground truth.")


def test_an_empty_answer_has_nothing_in_common():
    result = create_content_similarity_scorer().run(input="Why?", output=" ")
    assert (result.score, result.vacuous, result.reason) == (0.0, False, "the output is empty")


def test_a_run_without_what_it_is_held_against_has_no_score():
    assert create_content_similarity_scorer().run(output="x").reason == "this run has no question"
    failed = create_content_similarity_scorer(against="ground_truth").run(input="x", output="x")
    assert failed.error.kind == "missing_ground_truth"


def test_case_counts_where_it_is_asked_for():
    assert create_content_similarity_scorer(ignore_case=False).run(input="ABC", output="abc").score == 0.0


@pytest.mark.parametrize("wrong", [{"against": "context"}, {"ignore_case": 1}, {"scale": 0}])
def test_options_that_do_not_fit_are_refused_when_the_scorer_is_made(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        create_content_similarity_scorer(**wrong)


class TestContentSimilarityIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input="night", output="nacht"), score=0.25),
        Example(Run(output="night", ground_truth="Night"), options={"against": "ground_truth"}, score=1.0),
        Example(Run(input="night", output="day"), score=0.0),
    )
