"""Keyword coverage: keywords in many languages, stems, and texts without any."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance
from scorer_keyword_coverage import create_keyword_coverage_scorer, keywords_of, spec


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("JavaScript frameworks like React and Vue", ["javascript", "frameworks", "react", "vue"]),
        ("data data data model", ["data", "model"]),
        ("version 2023 release notes", ["version", "release", "notes"]),
        ("the and of to", []),
        ("It is 42.", ["42"]),
        ("Wie hoch ist der Eiffelturm?", ["eiffelturm"]),
        ("東京タワーの完成は1958年だ", ["東京タワー", "完成", "年"]),
        ("Où est la bibliothèque de la ville ?", ["bibliotheque", "ville"]),
    ],
)
def test_keywords_are_words_that_say_something_each_once(text, keywords):
    assert keywords_of(text) == keywords


@pytest.mark.parametrize(
    ("question", "answer", "score"),
    [
        ("JavaScript frameworks like React and Vue", "React is popular", 0.25),
        ("machine learning", "bananas", 0.0),
        ("databases queries", "database query", 0.0),
        ("フランスの首都", "首都はパリです", 0.5),
        ("長城", "长城", 0.0),
    ],
)
def test_the_share_of_keywords_in_the_answer(question, answer, score):
    assert create_keyword_coverage_scorer().run(input=question, output=answer).score == score


def test_words_of_one_stem_are_the_same_where_that_is_asked_for():
    result = create_keyword_coverage_scorer(stems=True).run(input="databases queries", output="database query")
    assert (result.score, result.band) == (1.0, "all")


@given(st.lists(st.sampled_from(["river", "bridge", "tower", "海", "街"]), min_size=1, unique=True), st.data())
def test_more_of_the_keywords_never_lowers_the_score_and_order_makes_no_difference(keywords, data):
    said = data.draw(st.lists(st.sampled_from(keywords), unique=True))
    question = " ".join(keywords)
    scores = [
        create_keyword_coverage_scorer().run(input=question, output=f"x {' '.join(some)}").score
        for some in (said, said[::-1], keywords)
    ]
    assert scores[0] == scores[1] <= scores[2] == 1


def test_the_result_tells_what_was_found_and_what_is_missing():
    result = create_keyword_coverage_scorer(against="ground_truth").run(output="A tower.", ground_truth="bridge tower")
    assert result.analyze_step_result == {"keywords": ["bridge", "tower"], "found": ["tower"]}
    assert result.reason == "1 of 2 keywords are in the answer. Missing: bridge."


def test_a_text_without_keywords_is_not_scorable():
    assert create_keyword_coverage_scorer().run(input="the and", output="x").reason == (
        "the question has no keywords to look for"
    )
    assert create_keyword_coverage_scorer().run(input=" ", output="x").reason == "this run has no question"
    assert create_keyword_coverage_scorer().run(input="ជំរាប", output="x").status == "not_scorable"


def test_an_empty_answer_has_no_keyword():
    assert create_keyword_coverage_scorer().run(input="rivers", output="").score == 0.0


@pytest.mark.parametrize("wrong", [{"stems": 1}, {"against": "context"}])
def test_options_that_do_not_fit_are_refused(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        create_keyword_coverage_scorer(**wrong)


class TestKeywordCoverageIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(input="rivers and bridges", output="Bridges."), score=0.5),
        Example(Run(input="フランスの首都", output="首都はフランスの"), score=1.0),
    )
