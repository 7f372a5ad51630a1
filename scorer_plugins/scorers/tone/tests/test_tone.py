"""Tone: sentiment by example, evenness and likeness, and texts whose tone can't be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance
from scorer_tone import create_tone_scorer, sentiment, spec

WORDS = st.sampled_from(
    ["the", "river", "is", "not", "good", "awful.", "great!", "why?", "never", "hate", "3.5", "love"]
)
TEXTS = st.lists(WORDS, max_size=12).map(lambda words: " ".join(["The", *words]))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("great", 3.1),
        ("This is great work", 3.1 / 4),
        ("This is not great work", -3.1 / 5),
        ("It isn't terrible", 2.1 / 3),
        ("The train leaves", 0.0),
        ("", 0.0),
    ],
)
def test_the_mean_sentiment_of_a_word(text, value):
    assert sentiment(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("output", "score"),
    [
        ("The train leaves at noon. It arrives at two.", 1.0),
        ("I love this. I love that.", 1.0),
        ("Superb! Bastard!", 0.0),
        ("I love this. It is bad", 1 - ((3.2 / 3 + 2.5 / 3) / 2) ** 2),
        ("It costs 3.5 dollars.", 1.0),
    ],
)
def test_evenness_is_one_less_the_variance_of_the_sentences_all_of_them(output, score):
    assert create_tone_scorer().run(output=output).score == pytest.approx(score)


def test_likeness_is_one_less_the_distance_to_the_reference():
    scorer = create_tone_scorer(reference_tone="This is great work")
    assert scorer.run(output="This is great work").score == 1.0
    far = scorer.run(output="This is terrible work")
    assert (far.score, far.band) == (0.0, "far apart")
    near = scorer.run(output="This is good work")
    assert near.score == pytest.approx(1 - (3.1 - 1.9) / 4)
    assert near.reason == "A word of the answer has the sentiment 0.47, one of the reference 0.78."


@given(TEXTS, TEXTS)
def test_the_score_is_in_range_and_one_against_the_text_itself(output, other):
    even, same = create_tone_scorer(), create_tone_scorer(reference_tone=output)
    assert 0 <= even.run(output=output).score <= 1
    assert same.run(output=output).score == 1
    assert 0 <= same.run(output=other).score <= 1


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("", "the output is empty"),
        ("今日は良い天気です。", "reads as ja"),
        ("这是一个好主意", "reads as zh"),
        ("Das war gut. Ich hasse Gift.", "reads as de"),
        ("C'est une très bonne idée", "reads as fr"),
        ("Xyzzy plugh", "none of the words"),
        ("...", "none of the words"),
        ("ជំរាប", "in Khmer script"),
    ],
)
def test_a_tone_that_can_not_be_told_is_not_scorable(output, why):
    result = create_tone_scorer().run(output=output)
    assert result.status == "not_scorable"
    assert why in result.reason


@pytest.mark.parametrize("reference", ["", "良い", "Das war gut und ich bin froh", 3])
def test_a_reference_that_sets_no_tone_is_refused_when_the_scorer_is_made(reference):
    with pytest.raises(UsageError, match="reference_tone"):
        create_tone_scorer(reference_tone=reference)


class TestToneIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(output="The train leaves at noon. It arrives at two."), score=1.0),
        Example(Run(output="Superb! Bastard!"), score=0.0),
    )
