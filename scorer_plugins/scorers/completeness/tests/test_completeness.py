"""Completeness: words in other forms, helping verbs, texts in many scripts, and texts without words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_completeness import covers, create_completeness_scorer, elements_of, spec
from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance


@pytest.mark.parametrize(
    ("text", "language", "elements"),
    [
        ("The quick fox jumps over the lazy dog.", "en", ["the", "quick", "fox", "jump", "over", "lazi", "dog"]),
        ("She was running and swimming.", "en", ["she", "run", "and", "swim"]),
        ("The fox is quick.", "en", ["the", "fox", "be", "quick"]),
        ("Die Häuser", "de", ["die", "haus"]),
        ("東京は雨です", "ja", ["東京", "雨"]),
        ("날씨가 좋다", "ko", ["날씨", "좋다"]),
        ("", "en", []),
    ],
)
def test_elements_are_the_stems_of_words_each_once(text, language, elements):
    assert elements_of(text, language) == elements


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("cat", "cat", True),
        ("cat", "cats", False),
        ("develop", "developing", True),
        ("develop", "redevelopments", False),
        ("abcd", "bcda", False),
    ],
)
def test_a_longer_word_is_covered_by_most_of_it(one, other, same):
    assert covers(one, other) is covers(other, one) is same


@pytest.mark.parametrize(
    ("question", "answer", "score"),
    [
        ("Describe the quick fox and the lazy dog.", "The fox is quick.", 3 / 7),
        ("She was running and swimming.", "She runs and swims daily.", 1.0),
        ("Explain photosynthesis in plants.", "Bananas cost two dollars today.", 0.0),
        ("駅の場所と電話番号", "駅の場所は東京です。", 0.5),
    ],
)
def test_the_share_of_words_taken_up(question, answer, score):
    assert create_completeness_scorer().run(input=question, output=answer).score == pytest.approx(score)


@given(st.lists(st.sampled_from(["river", "bridges", "tower", "海", "街"]), min_size=1))
def test_a_text_takes_up_all_of_itself_and_saying_more_never_lowers_the_score(said):
    text = " ".join(said)
    first, more = (create_completeness_scorer().run(input=text, output=t).score for t in (text, f"{text} and more"))
    assert first == more == 1


def test_the_result_tells_what_is_missing():
    result = create_completeness_scorer(against="ground_truth").run(output="A tower", ground_truth="bridge, tower")
    assert result.analyze_step_result == {"elements": ["bridg", "tower"], "missing": ["bridg"]}
    assert result.reason == "1 of 2 words are taken up in the answer. Missing: bridg."


def test_what_leaves_nothing_to_look_for_is_not_scorable():
    assert create_completeness_scorer().run(input="?!", output="x").reason == "the question has no words to look for"
    assert create_completeness_scorer().run(output="x").reason == "this run has no question"
    assert create_completeness_scorer().run(input="x", output="ជំរាប").status == "not_scorable"


def test_an_empty_answer_takes_up_nothing():
    result = create_completeness_scorer().run(input="rivers", output="")
    assert (result.score, result.vacuous) == (0.0, False)


def test_what_it_can_not_be_held_against_is_refused():
    with pytest.raises(UsageError, match="against"):
        create_completeness_scorer(against="context")


class TestCompletenessIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input="She was running and swimming.", output="She runs daily."), score=0.5),
        Example(Run(input="The river", output="the river"), score=1.0),
    )
