"""Textual difference: the ratio by example and by property, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance
from scorer_textual_difference import create_textual_difference_scorer, ratio, spec


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("abcdef", "acf", 2 * 3 / 9),
        ("The quick brown fox", "The quick red fox", 2 * 15 / 36),
        ("HELLO", "hello", 0.0),
        ("a a b", "a b b", 0.8),
        ("", "", 1.0),
        ("", "a", 0.0),
        ("cafe\u0301", "caf\u00e9", 1.0),
        ("今日は雨です", "明日は雨です", 2 * 5 / 12),
    ],
)
def test_twice_the_longest_common_subsequence_over_both_lengths(one, other, share):
    assert ratio(one, other) == pytest.approx(share, abs=1e-12)


@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=10))
def test_the_ratio_is_in_range_the_same_both_ways_and_one_for_the_same_text(one, other, more):
    assert 0 <= ratio(one, other) <= 1
    assert ratio(one, other) == pytest.approx(ratio(other, one), abs=1e-12)
    assert ratio(one, one) == 1


def test_the_reason_tells_what_went_and_what_came():
    result = create_textual_difference_scorer(against="ground_truth").run(output="acx", ground_truth="abc")
    assert result.score == pytest.approx(2 * 2 / 6)
    assert result.reason == "Of the 3 characters of the ground truth 1 are gone in the answer, and 1 came."


def test_the_question_is_what_it_is_held_against_unless_told_otherwise():
    assert create_textual_difference_scorer().run(input="abc", output="abc", ground_truth="x").band == "the same"
    assert create_textual_difference_scorer().run(output="abc").reason == "this run has no question"
    assert create_textual_difference_scorer().run(input="abc", output="").score == 0.0
    failed = create_textual_difference_scorer(against="ground_truth").run(output="abc")
    assert failed.error.kind == "missing_ground_truth"


def test_what_it_can_not_be_held_against_is_refused():
    with pytest.raises(UsageError, match="against"):
        create_textual_difference_scorer(against="answer")


class TestTextualDifferenceIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input="abcdef", output="acf"), score=2 / 3),
        Example(Run(output="Oslo", ground_truth="Oslo"), score=1.0, options={"against": "ground_truth"}),
    )
