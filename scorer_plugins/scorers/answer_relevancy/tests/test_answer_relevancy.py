"""Answer relevancy: the pure share, what a judge may get wrong, and the cases in which nothing is to be judged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_answer_relevancy import (
    RelevancyOptions,
    Result,
    Results,
    Statements,
    create_answer_relevancy_scorer,
    relevant_share,
    spec,
)
from scorer_core import NotScorable, Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

words = st.lists(st.sampled_from(["yes", "no", "unsure"]), min_size=1, max_size=20)
weights = st.floats(0, 1)
QUESTION = "What is the capital of Peru?"
TEXTS = ["The capital of Peru is Lima.", "Lima lies by the sea.", "We also sell maps."]


def trail(said, weight=0.3):
    made = [Result(number=n, statement=f"statement {n}", reason="r", result=w) for n, w in enumerate(said, 1)]
    texts = Statements(tuple(r.statement for r in made))
    return Trail(preprocess=texts, analyze=Results(tuple(made)), options=RelevancyOptions(uncertainty_weight=weight))


def replies(*said):
    return {"results": [{"number": n, "reason": "r", "result": w} for n, w in enumerate(said, 1)]}


def judge(*analyze, texts=TEXTS):
    return ScriptedJudge(preprocess={"statements": texts}, analyze=list(analyze), generate_reason="So.")


def scored(*analyze, output="Lima, by the sea. We also sell maps.", **how):
    return create_answer_relevancy_scorer(judge(*analyze), **how).run(input=QUESTION, output=output)


@pytest.mark.parametrize(
    ("said", "share"), [(["yes", "unsure", "no"], 1.3 / 3), (["unsure"], 0.3), (["no"], 0), (["yes", "yes"], 1)]
)
def test_a_relevant_statement_counts_one_an_unsure_one_its_weight(said, share):
    assert relevant_share(trail(said)) == pytest.approx(share)


@given(words, weights)
def test_the_share_lies_between_that_of_the_relevant_and_that_of_all_that_are_not_beside_the_question(said, weight):
    share, least, most = relevant_share(trail(said, weight)), said.count("yes"), len(said) - said.count("no")
    assert least / len(said) <= share + 1e-12
    assert share <= most / len(said) + 1e-12
    assert relevant_share(trail(sorted(said), weight)) == share


@given(words, weights)
def test_one_more_relevant_statement_never_lowers_the_share(said, weight):
    assert relevant_share(trail([*said, "yes"], weight)) >= relevant_share(trail(said, weight))


def test_an_answer_that_states_nothing_is_not_scorable():
    with pytest.raises(NotScorable, match="states nothing"):
        relevant_share(trail([]))


def test_each_statement_stands_beside_the_word_on_it_and_why():
    result = scored(replies("Yes", " UNSURE ", "no."), scale=10)
    assert (result.status, result.band, result.reason) == ("scored", "to the point in part", "So.")
    assert result.score == pytest.approx(10 * 1.3 / 3)
    assert result.preprocess_step_result == {"statements": TEXTS}
    assert result.analyze_step_result["results"] == [
        {"number": n, "statement": text, "reason": "r", "result": word}
        for n, (text, word) in enumerate(zip(TEXTS, ["yes", "unsure", "no"], strict=True), 1)
    ]
    assert f">{QUESTION}</" in result.analyze_prompt
    assert TEXTS[2] in result.analyze_prompt


def test_options_given_in_part_keep_the_defaults_of_the_others():
    assert scored(replies("yes", "unsure", "no"), uncertainty_weight=0).score == pytest.approx(1 / 3)
    assert scored(replies("yes", "unsure", "no"), scale=10).score == pytest.approx(13 / 3)


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), "0.3", None, True])
def test_a_weight_that_is_no_share_is_refused(weight):
    with pytest.raises(UsageError, match="uncertainty_weight"):
        create_answer_relevancy_scorer(ScriptedJudge(), uncertainty_weight=weight)


@pytest.mark.parametrize(
    ("bad", "kind"),
    [
        ("I can't say.", "format"),
        ({"results": []}, "incomplete_reply"),
        (replies("yes", "no"), "incomplete_reply"),
        (replies("yes", "no", "maybe"), "unknown_label"),
        ({"results": [{"number": n, "reason": "r"} for n in (1, 2, 3)]}, "format"),
    ],
)
def test_what_does_not_fit_is_asked_for_again_and_then_fails(bad, kind):
    result = scored(bad)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)
    assert len(result.judge["analyze"]) == 3


def test_what_was_wrong_is_told_and_only_that_is_asked_for_again():
    one = {"number": 3, "reason": "r", "result": "no"}
    result = scored(replies("yes", "unsure", "maybe"), {"results": [one]})
    assert result.score == pytest.approx(1.3 / 3)
    assert "'maybe'" in result.judge["analyze"][1].prompt


def test_fences_and_prose_around_a_reply_do_not_matter():
    said = 'Sure:\n```json\n{"results": [{"number": 1, "reason": "r", "result": "yes"}]}\n```\nDone.'
    judge = ScriptedJudge(preprocess={"statements": ["Lima."]}, analyze=said, generate_reason="So.")
    assert create_answer_relevancy_scorer(judge).run(input=QUESTION, output="Lima.").score == 1.0


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        ({"input": QUESTION, "output": " \n"}, "the output is empty"),
        ({"output": "Lima."}, "this run has no question"),
        ({"input": "", "output": "Lima."}, "this run has no question"),
    ],
)
def test_what_can_not_be_judged_is_not_scorable_and_asks_nobody(run, reason):
    nobody = ScriptedJudge()
    result = create_answer_relevancy_scorer(nobody).run(**run)
    assert (result.status, result.score, result.reason, nobody.asked) == ("not_scorable", None, reason, [])


def test_an_answer_without_statements_is_not_scorable_after_one_call():
    asked = judge(texts=[])
    result = create_answer_relevancy_scorer(asked).run(input=QUESTION, output="Hello!")
    assert (result.status, result.reason) == ("not_scorable", "the answer states nothing")
    assert [step for step, _ in asked.asked] == ["preprocess"]


@pytest.mark.parametrize(
    ("question", "text"),
    [("首都はどこですか。", "首都はリマです。"), ("ما هي العاصمة؟", "العاصمة ليما."), ("เมืองหลวงคืออะไร", "ลิมา")],
)
def test_texts_of_any_script_reach_the_judge_as_they_are(question, text):
    asked = judge(replies("yes"), texts=[text])
    result = create_answer_relevancy_scorer(asked, prompts="ja").run(input=question, output=text)
    assert (result.score, result.analyze_step_result["results"][0]["statement"]) == (1.0, text)
    assert f">{question}</" in result.analyze_prompt


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 1)] == [band.name for band in spec.bands]


class TestAnswerRelevancyIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input=QUESTION, output="Lima, by the sea. We also sell maps."),
            answers=({"statements": TEXTS}, replies("yes", "unsure", "no"), "So."),
            score=1.3 / 3,
        ),
        Example(Run(input=QUESTION, output="Hello!"), answers=({"statements": []},), score=None),
        Example(
            Run(input=QUESTION, output="Lima."), answers=({"statements": ["Lima."]}, replies("yes"), "So."), score=1
        ),
    )
