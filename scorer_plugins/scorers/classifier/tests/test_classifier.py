"""Classifier: choices with scores, ordered levels, yes and no with a probability; and labels off the menu."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_classifier import Choice, ClassifierOptions, create_classifier_scorer, score_of_label, spec
from scorer_core import Run, Scorer, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

TONES = {"rude": "it offends", "curt": "short", "polite": "with care"}


def judge(label, **more):
    return ScriptedJudge(analyze={"reason": "because", "label": label, **more})


def scored(label, probability=None, **options):
    made = ClassifierOptions(question="q", **options)
    return score_of_label(Trail(preprocess=None, analyze=Choice("r", label, probability), options=made))


@given(st.integers(2, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n - 1))))
def test_levels_score_by_their_place(drawn):
    n, place = drawn
    assert scored(f"level {place}", 0.2, labels=[f"level {k}" for k in range(n)]) == place / (n - 1)


@given(st.sampled_from([*TONES]), st.fixed_dictionaries(dict.fromkeys(TONES, st.floats(0, 1))))
def test_a_choice_scores_what_the_user_says(label, scores):
    assert scored(label, 0.5, labels=TONES, scores=scores) == scores[label]


@given(st.floats(0, 1))
def test_yes_or_no_scores_the_probability_of_yes(p):
    assert scored("yes", p) == p
    assert scored("no", p) == 1 - p
    assert (scored("yes"), scored("no")) == (1.0, 0.0)


def test_a_walk_asks_once_and_tells_the_class():
    asked = judge("Curt.", probability=0.9)
    result = create_classifier_scorer(asked, "How does it sound?", labels=TONES, scale=2).run(input="q", output="No.")
    assert (result.score, result.reason, result.band) == (1.0, "curt: because", "between")
    assert result.analyze_step_result == {"reason": "because", "label": "curt", "probability": 0.9}
    for part in ("How does it sound?", "- rude: it offends\n- curt: short\n", '"rude" or "curt" or "polite"'):
        assert part in result.analyze_prompt
    assert [step for step, _ in asked.asked] == ["analyze"]


def test_a_probability_that_is_missing_or_out_of_range_is_left_out_and_noted():
    result = create_classifier_scorer(judge("yes", probability=90), "Is it short?").run(output="No.")
    assert (result.score, result.analyze_step_result["probability"]) == (1.0, None)
    assert "probability: 90 does not fit and was dropped" in result.notes[0]
    assert create_classifier_scorer(judge("no"), "Is it short?").run(output="No.").score == 0.0


@pytest.mark.parametrize(
    ("reply", "kind"),
    [({"reason": "r", "label": "friendly"}, "unknown_label"), ({"reason": "r"}, "format"), ("polite", "format")],
)
def test_a_label_off_the_menu_fails_the_row(reply, kind):
    result = create_classifier_scorer(ScriptedJudge(analyze=reply), "q", labels=TONES).run(output="o")
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


def test_an_empty_output_is_not_scorable():
    assert create_classifier_scorer(ScriptedJudge(), "q").run(output="").status == "not_scorable"


def test_labels_of_any_script_are_read():
    labels = {"失礼": "人を傷つける", "丁寧": ""}
    result = create_classifier_scorer(judge("丁寧。"), "口調は？", labels=labels).run(output="恐れ入ります。")
    assert (result.score, result.analyze_step_result["label"]) == (1.0, "丁寧")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"question": " "}, "question: expected a question"),
        ({}, "needs the option 'question'"),
        ({"question": "q", "labels": ["one"]}, "labels: expected 2 or more"),
        ({"question": "q", "labels": TONES, "scores": {"rude": 0}}, "scores: expected one for each of rude"),
        ({"question": "q", "labels": TONES, "scores": dict.fromkeys([*TONES, "x"], 0)}, "no others"),
        ({"question": "q", "labels": TONES, "scores": dict.fromkeys(TONES, 2)}, "scores: expected a finite number"),
        ({"question": "q", "scores": {"no": 0, "maybe": 1}}, "scores: expected one for each of no, yes"),
        ({"question": "q", "scores": 3}, "scores: expected one for each"),
    ],
)
def test_wrong_options_are_refused_when_the_scorer_is_made(options, told):
    with pytest.raises(UsageError, match=told):
        Scorer.of(spec, ScriptedJudge(), options=options)


class TestClassifierIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="May I return it?", output="No."),
            answers=({"reason": "r", "label": "curt", "probability": 0.9},),
            options={"question": "How does it sound?", "labels": TONES},
            score=0.5,
        ),
        Example(
            Run(output="You fool."),
            answers=({"reason": "r", "label": "rude", "probability": 1.0},),
            options={"question": "How does it sound?", "labels": TONES},
            score=0.0,
        ),
    )
