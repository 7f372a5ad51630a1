"""Retrieval: the measures by hand and by property, the forms of labels, and rows that can not be scored."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, UsageError
from scorer_core.testing import Example, ScorerConformance
from scorer_retrieval import create_retrieval_scorer, measures, spec

graded = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=1, max_size=12)
relevant = graded.map(lambda grades: [*grades, 1])


def scored(relevance, context=("a", "b", "c", "d"), **how):
    return create_retrieval_scorer(**how).run(context=list(context), metadata={"relevance": relevance})


def all_of(grades, k=None):
    return measures(grades[:k], grades, k)


BY_HAND = [
    ([1, 0, 1, 0], None, {"precision": 1 / 2, "recall": 1, "mrr": 1, "map": (1 + 2 / 3) / 2}),
    ([0, 0, 1, 1], 3, {"precision": 1 / 3, "recall": 1 / 2, "mrr": 1 / 3, "map": (1 / 3) / 2}),
    ([0, 3, 0, 1], 1, {"precision": 0, "recall": 0, "mrr": 0, "map": 0, "ndcg": 0}),
    ([1, 0, 2], None, {"ndcg": (1 + 2 / 2) / (2 + 1 / math.log2(3))}),
    ([2, 1, 0], 2, {"ndcg": 1, "precision": 1}),
    ([0, 0], None, {"precision": 0, "mrr": 0, "recall": None, "map": None, "ndcg": None}),
    ([1, 1], 5, {"precision": 2 / 5, "recall": 1, "ndcg": 1}),
]


@pytest.mark.parametrize(("grades", "k", "expected"), BY_HAND)
def test_measures_are_those_by_hand(grades, k, expected):
    got = all_of(grades, k)
    assert {name: got[name] for name in expected} == pytest.approx(expected)


def test_ndcg_of_a_known_example():
    """Grades 3, 2, 3, 0, 1, 2 of a text book: DCG 6.861, best 7.141."""
    assert all_of([3, 2, 3, 0, 1, 2])["ndcg"] == pytest.approx(6.861 / 7.141, abs=1e-4)


@given(graded, st.integers(1, 15) | st.none())
def test_every_measure_lies_between_zero_and_one(grades, k):
    assert all(value is None or 0 <= value <= 1 for value in all_of(grades, k).values())


@given(relevant)
def test_the_best_order_is_1_by_every_measure_of_order(grades):
    best = all_of(sorted(grades, reverse=True))
    assert [best[name] for name in ("recall", "mrr", "map", "ndcg")] == pytest.approx([1, 1, 1, 1])


@given(relevant)
def test_a_swap_that_moves_the_better_to_the_front_never_lowers_a_measure(grades):
    before = all_of(grades)
    for at in range(len(grades) - 1):
        if grades[at] < grades[at + 1]:
            after = all_of([*grades[:at], grades[at + 1], grades[at], *grades[at + 2 :]])
            assert all(after[name] >= before[name] - 1e-12 for name in before)


@given(relevant, st.integers(1, 11))
def test_recall_never_falls_with_k(grades, k):
    assert all_of(grades, k + 1)["recall"] >= all_of(grades, k)["recall"]


def test_the_result_shows_ranks_grades_all_measures_and_what_was_missed():
    documents = [{"id": id, "text": f"text of {id}"} for id in ("d7", "d2", "d9", "d4")]
    labels = {"d7": 2, "d4": 1, "d5": 1, "d2": 0}
    scorer = create_retrieval_scorer(measure="recall", k=3, scale=100)
    result = scorer.run(context=documents, metadata={"relevance": labels})
    assert (result.status, result.band) == ("scored", "poor")
    assert result.score == pytest.approx(100 / 3)
    found = result.analyze_step_result
    assert [(d["document"], d["relevance"]) for d in found["ranking"]] == [("d7", 2), ("d2", 0), ("d9", 0), ("d4", 1)]
    assert (found["relevant"], found["found_at"], found["missed"]) == (3, [1], ["d4", "d5"])
    assert found["measures"] == pytest.approx(
        {"precision": 1 / 3, "recall": 1 / 3, "mrr": 1, "map": 1 / 3, "ndcg": 2 / (2 + 1 / math.log2(3) + 1 / 2)}
    )
    assert result.reason == "1 of 3 relevant documents are among the first 3, at rank 1; missed: d4, d5."
    assert result.judge == {}


@pytest.mark.parametrize(
    "relevance", [[True, False, False, True], [1, 0, 0, 0.5], ["a", "d"], {"a": 1, "d": 1, "x": 0}]
)
def test_labels_come_by_position_by_name_or_as_a_list_of_names(relevance):
    result = scored(relevance, measure="precision")
    assert (result.score, result.analyze_step_result["found_at"]) == (0.5, [1, 4])


def test_labels_come_with_the_documents_themselves_or_from_within_a_column():
    own = [{"text": "a", "relevance": 1}, {"text": "b", "relevance": 0}]
    assert create_retrieval_scorer(measure="mrr").run(context=own).score == 1.0
    scorer = create_retrieval_scorer(measure="mrr", labels="label.contexts")
    assert scorer.run(context=["a", "b"], metadata={"label": {"contexts": [False, True]}}).score == 0.5


def test_labels_of_several_measures_tell_them_apart():
    scorers = [create_retrieval_scorer(), create_retrieval_scorer(measure="recall", k=5)]
    assert [spec.label(s.options) for s in scorers] == ["retrieval", "retrieval[measure=recall,k=5]"]


def test_a_document_that_comes_twice_counts_once():
    result = scored({"a": 1, "b": 1}, context=["a", "a", "b"], measure="precision")
    assert result.score == pytest.approx(2 / 3)
    assert scored({"a": 1}, context=["a", "a"], measure="recall").score == 1.0


@pytest.mark.parametrize("measure", ["recall", "map", "ndcg"])
def test_where_nothing_is_relevant_a_measure_that_divides_by_it_is_not_scorable(measure):
    result = scored([0, 0, 0, 0], measure=measure)
    assert (result.status, result.reason) == (
        "not_scorable",
        f"nothing is labelled relevant, so {measure} says nothing",
    )
    assert scored([0, 0, 0, 0], measure="mrr").score == 0.0


def test_a_row_without_labels_or_without_any_source_of_context_is_not_scorable():
    result = create_retrieval_scorer().run(context=["a"])
    assert result.status == "not_scorable"
    assert "'relevance'" in result.reason
    assert create_retrieval_scorer().run(metadata={"relevance": [1]}).reason == "this run has no context"


def test_nothing_retrieved_is_a_zero_that_counts_where_it_is_known_what_was_to_be_found():
    result = create_retrieval_scorer(measure="recall").run(context=[], metadata={"relevance": {"d1": 1}})
    assert (result.score, result.vacuous, result.analyze_step_result["missed"]) == (0.0, False, ["d1"])


@pytest.mark.parametrize(
    "relevance", [[1, 0], [1, 0, 0, -1], [1, 0, 0, None], [1, 0, 0, float("inf")], {"a": "high"}, "a", 3]
)
def test_labels_that_are_no_grades_fail_the_row(relevance):
    result = scored(relevance)
    assert (result.status, result.error.kind) == ("failed", "bad_row")
    assert "relevance" in result.error.message


@pytest.mark.parametrize(
    "options", [{"measure": "accuracy"}, {"k": 0}, {"k": 2.5}, {"k": True}, {"labels": ""}, {"scale": 0}]
)
def test_options_out_of_range_are_refused(options):
    with pytest.raises(UsageError):
        create_retrieval_scorer(**options)


def test_labels_of_japanese_documents_are_read_by_their_texts():
    result = scored({"首都はリマだ。": 1}, context=["猫は寝る。", "首都はリマだ。"], measure="mrr")
    assert (result.score, result.analyze_step_result["ranking"][1]["document"]) == (0.5, "首都はリマだ。")


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 1)] == [band.name for band in spec.bands]


class TestRetrievalIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(Run(context=["a", "b"], metadata={"relevance": [0, 1]}), score=1 / math.log2(3)),
        Example(Run(context=["a", "b"], metadata={"relevance": {"a": 1}}), score=1),
        Example(Run(context=["a"]), score=None),
    )
