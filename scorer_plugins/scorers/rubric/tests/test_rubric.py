"""Rubric: what is required is the user's to say, criteria are matched by number, and no rubric is no score."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_rubric import (
    Criterion,
    Judgement,
    Judgements,
    Rubric,
    RubricOptions,
    all_required,
    create_rubric_scorer,
    spec,
)

ROW = {"input": "Report on bees.", "output": "Bees carry pollen, and"}
TWO = [{"description": "Mentions pollination"}, {"description": "Has a conclusion", "required": False}]


def judge(*satisfied):
    said = [{"number": n, "reason": f"because {n}", "satisfied": word} for n, word in enumerate(satisfied, 1)]
    return ScriptedJudge(analyze={"criteria": said})


def trail(pairs):
    judged = [Judgement(number=n, criterion="c", reason="r", satisfied=yes) for n, (yes, _) in enumerate(pairs, 1)]
    return Trail(preprocess=Rubric(("c",), tuple(r for _, r in pairs)), analyze=Judgements(tuple(judged)))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_all_that_is_required_must_be_satisfied_and_all_where_nothing_is(pairs):
    counted = [yes for yes, required in pairs if required] or [yes for yes, _ in pairs]
    assert all_required(trail(pairs)) == float(all(counted))
    assert all_required(trail([(True, required) for _, required in pairs])) == 1.0


@pytest.mark.parametrize(("said", "score"), [((True, False), 1.0), ((False, True), 0.0), ((True, True), 1.0)])
def test_an_optional_criterion_changes_no_score(said, score):
    result = create_rubric_scorer(judge(*said), criteria=TWO).run(**ROW)
    assert (result.score, result.band) == (score, "satisfied" if score else "not satisfied")
    assert result.preprocess_step_result == {
        "criteria": ["Mentions pollination", "Has a conclusion"],
        "required": [True, False],
    }


def test_the_judges_word_on_what_is_required_is_not_asked_for_and_not_taken():
    flipped = [{"number": n, "reason": "r", "satisfied": n == 2, "required": n == 2} for n in (1, 2)]
    asked = ScriptedJudge(analyze={"criteria": flipped})
    result = create_rubric_scorer(asked, criteria=TWO).run(**ROW)
    assert (result.score, result.notes) == (0.0, ("analyze: unknown keys dropped: `required`",))
    assert "required" not in result.analyze_prompt


def test_the_reason_tells_each_criterion_and_agrees_with_the_score_at_any_scale():
    result = create_rubric_scorer(judge(True, False), criteria=TWO, scale=0.5).run(**ROW)
    assert result.score == 0.5
    assert result.reason.splitlines() == [
        "satisfied: Mentions pollination (because 1)",
        "not satisfied, optional: Has a conclusion (because 2)",
    ]


@pytest.mark.parametrize(
    "given",
    [
        "- Mentions pollination\n2. Has a conclusion\n\n* Is short",
        "・Mentions pollination\n２．Has a conclusion\n  Is short  ",
        ["Mentions pollination", "Has a conclusion", "Is short"],
        [Criterion(description="Mentions pollination"), "Has a conclusion", {"description": "Is short"}],
    ],
)
def test_a_rubric_is_a_text_of_lines_or_a_list(given):
    options = RubricOptions(criteria=given)
    assert [c.description for c in options.criteria] == ["Mentions pollination", "Has a conclusion", "Is short"]
    assert all(c.required for c in options.criteria)


def test_a_row_can_bring_a_rubric_of_its_own():
    scorer = create_rubric_scorer(judge(True))
    assert scorer.run(**ROW, metadata={"rubric": "- 花粉に触れている"}).score == 1.0
    assert scorer.run(**ROW, metadata={"rubric": [{"text": "x"}]}).status == "not_scorable"


@pytest.mark.parametrize("options", [{}, {"criteria": []}, {"criteria": " \n"}])
def test_without_criteria_nothing_is_judged_and_nobody_asked(options):
    nobody = ScriptedJudge()
    result = create_rubric_scorer(nobody, **options).run(**ROW)
    assert (result.status, result.score, nobody.asked) == ("not_scorable", None, [])
    assert "there are no criteria" in result.reason


def test_an_empty_output_is_not_scorable():
    assert create_rubric_scorer(ScriptedJudge(), criteria=TWO).run(output=" ").reason == "the output is empty"


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ({"criteria": [{"number": 1, "reason": "r", "satisfied": True}]}, "incomplete_reply"),
        ({"criteria": []}, "incomplete_reply"),
        ({"criteria": [{"number": n, "reason": "r", "satisfied": "yes"} for n in (1, 2)]}, "format"),
        ({"criteria": [{"number": n, "reason": "r", "satisfied": True} for n in (1, 3)]}, "format"),
        ("All is well.", "format"),
    ],
)
def test_a_judge_that_drops_a_criterion_does_not_pass_the_answer(reply, kind):
    result = create_rubric_scorer(ScriptedJudge(analyze=reply), criteria=TWO).run(**ROW)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


@pytest.mark.parametrize(
    "criteria", [3, [3], [{"description": ""}], [{"text": "x"}], [{"description": "x", "required": "no"}], {"a": 1}]
)
def test_what_is_no_rubric_is_refused_when_the_scorer_is_made(criteria):
    with pytest.raises(UsageError, match="rubric: "):
        create_rubric_scorer(ScriptedJudge(), criteria=criteria)


class TestRubricIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="Report on bees.", output="Bees carry pollen, and"),
            answers=(
                {
                    "criteria": [
                        {"number": 1, "reason": "r", "satisfied": True},
                        {"number": 2, "reason": "r", "satisfied": False},
                    ]
                },
            ),
            options={"criteria": TWO},
            score=1.0,
        ),
        Example(
            Run(input="Report on bees.", output="Bees live in hives."),
            answers=({"criteria": [{"number": 1, "reason": "r", "satisfied": False}]},),
            options={"criteria": "Mentions pollination"},
            score=0.0,
        ),
    )
