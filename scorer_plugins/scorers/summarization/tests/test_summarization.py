"""Summarization: the lower of alignment and coverage, questions by number, and which text is the source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_summarization import Aligned, Answered, Coverage, Reading, create_summarization_scorer, spec, worse_of_both

ROW = {"input": "The museum opened in 1905. Entry is free on Mondays.", "output": "It opened in 1905."}
BOOLEANS = st.lists(st.booleans(), min_size=1, max_size=12)


def judge(supported, answered, questions=None):
    claims = [{"claim": f"claim {n}", "reason": f"r{n}", "supported": s} for n, s in enumerate(supported, 1)]
    asked = questions or [f"question {n}?" for n in range(1, len(answered) + 1)]
    covered = [{"number": n, "reason": f"q{n}", "answered": a} for n, a in enumerate(answered, 1)]
    return ScriptedJudge(
        preprocess={"alignment": claims, "questions": asked}, analyze={"coverage": covered}, generate_reason="So."
    )


def trail(supported, answered):
    claims = tuple(Aligned("c", "r", s) for s in supported)
    covered = tuple(Answered(number=n, question="q", reason="r", answered=a) for n, a in enumerate(answered, 1))
    return Trail(preprocess=Reading(claims, ("q",) * len(covered)), analyze=Coverage(covered))


@given(BOOLEANS, BOOLEANS)
def test_the_score_is_the_lower_of_alignment_and_coverage(supported, answered):
    both = sum(supported) / len(supported), sum(answered) / len(answered)
    assert worse_of_both(trail(supported, answered)) == min(both)
    assert (worse_of_both(trail(supported, answered)) == 1) == (all(supported) and all(answered))


def test_a_walk_asks_three_times_and_the_second_time_without_the_source():
    asked = judge([True, False], [True, True, False])
    result = create_summarization_scorer(asked, scale=10).run(**ROW)
    assert (result.score, result.reason) == (5.0, "So.")
    assert [step for step, _ in asked.asked] == ["preprocess", "analyze", "generate_reason"]
    assert "Entry is free" in result.preprocess_prompt
    assert "Entry is free" not in result.analyze_prompt
    assert [c["question"] for c in result.analyze_step_result["coverage"]] == [f"question {n}?" for n in (1, 2, 3)]


def test_the_first_questions_count_each_once():
    asked = judge([True], [True, False], ["a?", "a?", "b?", "c?"])
    result = create_summarization_scorer(asked, max_questions=2).run(**ROW)
    assert (result.score, result.preprocess_step_result["questions"]) == (0.5, ["a?", "b?"])
    assert "up to 2 questions" in result.preprocess_prompt


@pytest.mark.parametrize(
    ("options", "run", "source"),
    [
        ({}, {"input": "the question"}, "the question"),
        ({}, {"input": "the question", "context": ["the context"]}, "the context"),
        ({"source": "the option"}, {"input": "the question", "context": ["the context"]}, "the option"),
    ],
)
def test_the_source_is_the_option_or_the_context_or_the_question(options, run, source):
    prompt = create_summarization_scorer(judge([True], [True]), **options).run(output="o", **run).preprocess_prompt
    assert [text for text in ("the question", "the context", "the option") if f">{text}<" in prompt] == [source]


def test_without_any_source_nothing_is_judged():
    nobody = ScriptedJudge()
    result = create_summarization_scorer(nobody).run(output="o")
    assert (result.status, nobody.asked) == ("not_scorable", [])
    assert "no source" in result.reason


def test_an_empty_summary_covers_nothing_and_asks_nobody():
    nobody = ScriptedJudge()
    result = create_summarization_scorer(nobody).run(input="A text.", output=" ")
    assert (result.score, result.vacuous, nobody.asked) == (0.0, False, [])


@pytest.mark.parametrize(("supported", "questions"), [([], ["a?"]), ([True], [])])
def test_no_claims_or_no_questions_settle_the_score_at_zero_without_a_second_call(supported, questions):
    claims = [{"claim": "c", "reason": "r", "supported": s} for s in supported]
    asked = ScriptedJudge(preprocess={"alignment": claims, "questions": questions})
    result = create_summarization_scorer(asked).run(**ROW)
    assert (result.score, result.vacuous, [s for s, _ in asked.asked]) == (0.0, True, ["preprocess"])


@pytest.mark.parametrize(
    ("coverage", "kind"),
    [
        ([], "incomplete_reply"),
        ([{"number": 1, "reason": "r", "answered": True}], "incomplete_reply"),
        ([{"number": n, "reason": "r", "answered": "yes"} for n in (1, 2)], "format"),
        ([{"number": n, "reason": "r", "answered": True} for n in (1, 2, 3)], "format"),
    ],
)
def test_a_judge_that_passes_over_a_question_fails_the_row(coverage, kind):
    asked = judge([True], [True, True])
    asked.script["analyze"] = [{"coverage": coverage}]
    result = create_summarization_scorer(asked).run(**ROW)
    assert (result.status, result.error.kind, result.error.step) == ("failed", kind, "analyze")


def test_a_summary_of_the_reason_tells_what_is_unsupported_and_left_out():
    result = create_summarization_scorer(judge([True, False], [False]), reasons="summary").run(**ROW)
    assert result.reason.splitlines()[1:] == ["Not supported: claim 2 (r2)", "Left out: question 1? (q1)"]


def test_japanese_texts_reach_the_judge_as_they_are():
    result = create_summarization_scorer(judge([True], [True])).run(input="館は1905年に開いた。", output="1905年開館。")
    assert "館は1905年に開いた。" in result.preprocess_prompt
    assert "1905年開館。" in result.analyze_prompt


@pytest.mark.parametrize("options", [{"max_questions": 0}, {"max_questions": 1.5}, {"source": 3}, {"scale": 0}])
def test_wrong_options_are_refused_when_the_scorer_is_made(options):
    with pytest.raises(UsageError, match=next(iter(options))):
        create_summarization_scorer(ScriptedJudge(), **options)


class TestSummarizationIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(**ROW),
            answers=(
                {
                    "alignment": [{"claim": "It opened in 1905.", "reason": "r", "supported": True}],
                    "questions": ["Did it open in 1905?", "Is entry free on Mondays?"],
                },
                {
                    "coverage": [
                        {"number": 1, "reason": "r", "answered": True},
                        {"number": 2, "reason": "r", "answered": False},
                    ]
                },
                "So.",
            ),
            score=0.5,
        ),
        Example(Run(**ROW), answers=({"alignment": [], "questions": ["Did it open?"]},), score=0.0),
    )
