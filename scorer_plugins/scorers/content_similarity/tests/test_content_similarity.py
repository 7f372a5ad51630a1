"""Content similarity: what the answer is held against, and what is not scorable."""

import pytest

from scorer_content_similarity import create_content_similarity_scorer, spec
from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance
from scorer_words import dice


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
