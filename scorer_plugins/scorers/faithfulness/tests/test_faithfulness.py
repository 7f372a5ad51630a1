"""Faithfulness: the pure share, the specification's example, and the cases in which nothing is to be judged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Claims, NotScorable, Run, Trail
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_faithfulness import Verdict, Verdicts, create_faithfulness_scorer, spec, supported_share

words = st.lists(st.sampled_from(["yes", "no", "unsure"]), min_size=1, max_size=20)


def trail(verdicts):
    made = [Verdict(number=n, claim=f"claim {n}", reason="r", verdict=v) for n, v in enumerate(verdicts, 1)]
    return Trail(preprocess=Claims(tuple(v.claim for v in made)), analyze=Verdicts(tuple(made)))


def replies(*verdicts):
    return {"verdicts": [{"number": n, "reason": "r", "verdict": v} for n, v in enumerate(verdicts, 1)]}


@given(words)
def test_the_share_is_that_of_the_supported_claims_in_any_order(verdicts):
    assert supported_share(trail(verdicts)) == verdicts.count("yes") / len(verdicts)
    assert supported_share(trail(verdicts)) == supported_share(trail(sorted(verdicts)))


@given(words)
def test_one_more_supported_claim_never_lowers_the_share(verdicts):
    assert supported_share(trail([*verdicts, "yes"])) >= supported_share(trail(verdicts))


def test_no_claims_are_not_scorable():
    with pytest.raises(NotScorable, match="makes no claim"):
        supported_share(trail([]))


def tool_call(id, tool, result):
    asked = {"id": id, "type": "function", "function": {"name": tool, "arguments": "{}"}}
    return [
        {"role": "assistant", "content": None, "tool_calls": [asked]},
        {"role": "tool", "tool_call_id": id, "content": json.dumps(result)},
    ]


TESLA = [
    (
        "Who founded Tesla, and when?",
        {"company": "Tesla", "founded": 2003, "founders": ["Martin Eberhard", "Marc Tarpenning"]},
        "Tesla was founded in 2003 by Martin Eberhard and Marc Tarpenning.",
        ("yes", "yes"),
        1.0,
        "all supported",
    ),
    (
        "Who started Tesla?",
        {"company": "Tesla", "founded": 2003, "founders": ["Martin Eberhard", "Marc Tarpenning"]},
        "Elon Musk founded Tesla in 2005. It is the most valuable car maker.",
        ("no", "no", "unsure"),
        0.0,
        "all wrong or contradicted",
    ),
]


@pytest.mark.parametrize(("question", "found", "answer", "verdicts", "score", "band"), TESLA)
def test_two_tesla_questions_are_judged_against_what_the_agents_tools_found(
    question, found, answer, verdicts, score, band
):
    judge = ScriptedJudge(
        preprocess={"claims": [f"claim {n}" for n in range(1, len(verdicts) + 1)]},
        analyze=replies(*verdicts),
        generate_reason="As the tool says.",
    )
    said = [*tool_call("c1", "company_facts", found), {"role": "assistant", "content": answer}]
    result = create_faithfulness_scorer(judge).run(input=question, output=said)
    assert (result.status, result.score, result.band) == ("scored", score, band)
    assert result.context_source == "tool_results"
    assert json.loads(result.context[0])["tool"] == "company_facts"
    assert f">{question}</" in result.analyze_prompt
    assert result.context[0] in result.analyze_prompt
    assert result.reason == "As the tool says."


def test_the_result_shows_the_claims_as_a_list_and_each_verdict_with_its_claim_and_chunk():
    judge = ScriptedJudge(
        preprocess={"claims": ["The bridge opened in 1932.", "It is red."]},
        analyze={
            "verdicts": [
                {"number": 1, "reason": "said", "chunk": 2, "verdict": "Yes"},
                {"number": 2, "reason": "not said", "chunk": None, "verdict": "unsure"},
            ]
        },
        generate_reason="One of two.",
    )
    result = create_faithfulness_scorer(judge, context=["It is long.", "Opened 1932."], scale=10).run(output="...")
    assert result.score == 5.0
    assert result.preprocess_step_result == ["The bridge opened in 1932.", "It is red."]
    assert result.analyze_step_result["verdicts"] == [
        {"number": 1, "claim": "The bridge opened in 1932.", "reason": "said", "chunk": 2, "verdict": "yes"},
        {"number": 2, "claim": "It is red.", "reason": "not said", "chunk": None, "verdict": "unsure"},
    ]


@pytest.mark.parametrize(
    ("run", "reason"),
    [
        ({"output": "  ", "context": ["c"]}, "the output is empty"),
        ({"output": "It is red."}, "this run has no context"),
        ({"output": "It is red.", "context": []}, "the context (from row) is empty"),
    ],
)
def test_what_can_not_be_judged_is_not_scorable_and_asks_nobody(run, reason):
    judge = ScriptedJudge()
    result = create_faithfulness_scorer(judge).run(**run)
    assert (result.status, result.score, result.reason) == ("not_scorable", None, reason)
    assert judge.asked == []


def test_an_answer_without_claims_is_not_scorable_and_no_verdict_is_asked_for():
    judge = ScriptedJudge(preprocess={"claims": []})
    result = create_faithfulness_scorer(judge, context=["c"]).run(output="Hello!")
    assert (result.status, result.reason) == ("not_scorable", "the answer makes no claim")
    assert [step for step, _ in judge.asked] == ["preprocess"]


def test_every_fraction_has_a_band():
    assert [spec.band(f) for f in (0, 0.01, 0.4, 0.7, 0.99, 1)] == [
        "all wrong or contradicted",
        "mostly wrong or unsupported",
        "some supported, some not verifiable",
        "most supported, small additions or omissions",
        "most supported, small additions or omissions",
        "all supported",
    ]


class TestFaithfulnessIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="Is it red?", output="It is red, and old.", context=["It is red."]),
            answers=({"claims": ["It is red.", "It is old."]}, replies("yes", "unsure"), "Its age is not settled."),
            score=0.5,
        ),
        Example(Run(output="Hello!", context=["It is red."]), answers=({"claims": []},), score=None),
    )
