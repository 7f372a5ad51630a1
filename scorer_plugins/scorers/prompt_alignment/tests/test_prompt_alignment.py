"""Prompt alignment: the weights of each mode, whose prompt is shown, earlier messages, and parts out of range."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_prompt_alignment import (
    WEIGHTS,
    Alignment,
    Appropriateness,
    Asked,
    Completeness,
    Intent,
    Requirements,
    alignment,
    create_prompt_alignment_scorer,
    spec,
)

SYSTEM, USER = {"role": "system", "content": "Answer in verse."}, {"role": "user", "content": "Tell me of bees."}
PARTS = st.tuples(*[st.floats(0, 1)] * 4)


def reply(intent=1, requirements=1, completeness=1, appropriateness=1):
    fit = {"format_alignment": True, "tone_alignment": True, "reasoning": "r", "score": appropriateness}
    unmet = {"requirement": "in verse", "reasoning": "prose", "is_fulfilled": False}
    return {
        "intent_alignment": {"primary_intent": "bees", "is_addressed": True, "reasoning": "r", "score": intent},
        "requirements_fulfillment": {"requirements": [unmet], "overall_score": requirements},
        "completeness": {"missing_elements": ["honey"], "reasoning": "r", "score": completeness},
        "response_appropriateness": fit,
    }


def judge(*parts):
    return ScriptedJudge(analyze=reply(*parts), generate_reason="So.")


def trail(parts, user="u", system="s"):
    i, r, c, a = parts
    judged = Alignment(
        Intent("p", True, "r", i), Requirements((), r), Completeness((), "r", c), Appropriateness(True, True, "r", a)
    )
    return Trail(preprocess=Asked(user, system), analyze=judged)


def test_the_weights_of_each_mode_sum_to_a_hundred():
    assert [sum(weights) for weights in WEIGHTS.values()] == [100, 100]


@given(PARTS)
def test_both_is_seventy_percent_of_the_user_and_thirty_of_the_system(parts):
    user, system, both = (alignment(trail(parts, *who)) for who in (("u", ""), ("", "s"), ("u", "s")))
    assert both == pytest.approx(0.7 * user + 0.3 * system)
    assert min(parts) - 1e-9 <= both <= max(parts) + 1e-9


@given(PARTS)
def test_a_score_is_in_range_and_rises_with_each_part(parts):
    for n in range(4):
        better = (*parts[:n], 1.0, *parts[n + 1 :])
        assert alignment(trail(parts)) <= alignment(trail(better)) + 1e-9
    assert alignment(trail((1.0,) * 4)) == 1.0
    assert alignment(trail((0.0,) * 4)) == 0.0


@pytest.mark.parametrize(("mode", "score"), [("user", 0.67), ("system", 0.625), ("both", 0.6565)])
def test_the_mode_says_whose_prompt_counts_and_is_shown(mode, score):
    scorer = create_prompt_alignment_scorer(judge(0.9, 0.5, 0.7, 0.2), evaluation_mode=mode)
    result = scorer.run(input=[SYSTEM, USER], output="Bees live in hives.")
    assert result.score == pytest.approx(score)
    assert ("Tell me of bees." in result.analyze_prompt) == (mode != "system")
    assert ("Answer in verse." in result.analyze_prompt) == (mode != "user")


def test_both_with_one_prompt_alone_is_that_ones():
    scorer = create_prompt_alignment_scorer(judge(0.9, 0.5, 0.7, 0.2))
    assert scorer.run(input="Tell me of bees.", output="o").score == pytest.approx(0.67)
    assert scorer.run(input=[SYSTEM], output="o").score == pytest.approx(0.625)
    stored = {"inputMessages": [USER], "systemMessages": [SYSTEM], "rememberedMessages": [], "taggedSystemMessages": {}}
    assert scorer.run(input=stored, output="o").score == pytest.approx(0.6565)


EARLIER = [
    {"role": "user", "content": "Do you write poems?"},
    {"role": "assistant", "content": "I do; one on bees?"},
    {"role": "user", "content": "はい"},
]


@pytest.mark.parametrize(("shown", "count"), [(False, 0), (0, 0), (True, 2), (1, 1), (9, 2)])
def test_earlier_messages_are_shown_where_asked_for_the_last_ones_first_to_stay(shown, count):
    scorer = create_prompt_alignment_scorer(judge(), include_conversation_history=shown)
    result = scorer.run(input=EARLIER, output="Bees hum.")
    told = ["user: Do you write poems?", "assistant: I do; one on bees?"]
    assert result.preprocess_step_result == {"user": "はい", "system": "", "history": told[2 - count :]}
    assert result.score == 1.0


@pytest.mark.parametrize(
    ("options", "run", "why"),
    [
        ({}, {"input": "q", "output": ""}, "the output is empty"),
        ({}, {"output": "o"}, "this run has no prompt"),
        ({"evaluation_mode": "system"}, {"input": "q", "output": "o"}, "this run has no system prompt"),
        ({"evaluation_mode": "user"}, {"input": [SYSTEM], "output": "o"}, "this run has no user prompt"),
    ],
)
def test_without_an_answer_or_the_prompt_that_counts_nothing_is_judged(options, run, why):
    nobody = ScriptedJudge()
    result = create_prompt_alignment_scorer(nobody, **options).run(**run)
    assert (result.status, result.reason, nobody.asked) == ("not_scorable", why, [])


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        (reply(1.5), "out_of_range"),
        (reply(completeness=-0.1), "out_of_range"),
        (reply("1"), "format"),
        ({"intent_alignment": reply()["intent_alignment"]}, "format"),
        ("Well aligned.", "format"),
    ],
)
def test_a_part_out_of_range_or_left_out_fails_the_row(said, kind):
    result = create_prompt_alignment_scorer(ScriptedJudge(analyze=said)).run(input="q", output="o")
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


def test_what_is_mended_after_a_second_question_scores():
    mended = f"Sorry!\n```json\n{json.dumps(reply(0.5))}\n```"
    asked = ScriptedJudge(analyze=[reply(1.5), mended], generate_reason="So.")
    result = create_prompt_alignment_scorer(asked, evaluation_mode="user").run(input="q", output="o")
    assert result.score == pytest.approx(0.8)
    assert "expected a number from 0 to 1, got 1.5" in asked.prompts("analyze")[1]


def test_a_summary_tells_what_is_not_fulfilled_and_missing():
    result = create_prompt_alignment_scorer(judge(), reasons="summary").run(input="q", output="o")
    assert result.reason.splitlines()[1:] == ["Not fulfilled: in verse (prose)", "Missing: honey"]


@pytest.mark.parametrize(
    "options",
    [
        {"evaluation_mode": "all"},
        {"include_conversation_history": -1},
        {"include_conversation_history": "yes"},
        {"scale": 0},
    ],
)
def test_wrong_options_are_refused_when_the_scorer_is_made(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))}: expected"):
        create_prompt_alignment_scorer(ScriptedJudge(), **options)


class TestPromptAlignmentIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input=[SYSTEM, USER], output="Bees hum."), answers=(reply(0.9, 0.5, 0.7, 0.2), "So."), score=0.6565
        ),
        Example(Run(input="Tell me of bees.", output="No."), answers=(reply(0, 0, 0, 0), "So."), score=0.0),
    )
