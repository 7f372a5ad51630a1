"""Hallucination: the pure share, the specification's three examples, and the cases in which nothing is to be judged."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Claims, Run, Settled, Trail, extract_tool_results, run_evals
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_hallucination import Verdict, Verdicts, create_hallucination_scorer, hallucinated_share, spec

IPHONE = [
    "The first iPhone was announced on January 9, 2007.",
    "Steve Jobs presented it at the Macworld conference.",
    "It had a 3.5-inch screen.",
]


def trail(verdicts):
    made = [Verdict(number=n, statement=f"claim {n}", reason="r", verdict=v) for n, v in enumerate(verdicts, 1)]
    return Trail(preprocess=Claims(tuple(v.statement for v in made)), analyze=Verdicts(tuple(made)))


def judge(claims, *verdicts):
    replies = [{"number": n, "reason": "r", "verdict": v} for n, v in enumerate(verdicts, 1)]
    return ScriptedJudge(preprocess={"claims": claims}, analyze={"verdicts": replies}, generate_reason="Because.")


@given(st.lists(st.sampled_from(["yes", "no"]), min_size=1, max_size=20))
def test_the_share_is_that_of_the_hallucinated_claims(verdicts):
    assert hallucinated_share(trail(verdicts)) == verdicts.count("yes") / len(verdicts)
    assert hallucinated_share(trail([*verdicts, "yes"])) >= hallucinated_share(trail(verdicts))


def test_no_claims_settle_the_score_at_zero():
    with pytest.raises(Settled) as settled:
        hallucinated_share(trail([]))
    assert (settled.value.score, settled.value.vacuous) == (0.0, True)


def test_the_iphones_three_facts_as_static_context():
    claims = ["The first iPhone was announced in 2007.", "It had a 5-inch screen."]
    result = create_hallucination_scorer(judge(claims, "no", "yes"), context=IPHONE).run(
        input="Tell me about the first iPhone.",
        output="The first iPhone was announced in 2007 and had a 5-inch screen.",
    )
    assert (result.score, result.band, result.context_source) == (0.5, "mixed", "static")
    assert result.analyze_step_result["verdicts"][1]["statement"] == "It had a 5-inch screen."
    assert all(fact in result.analyze_prompt for fact in IPHONE)


def test_get_context_over_the_results_of_the_agents_tools():
    said = [
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "search", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": IPHONE[0]},
        {"role": "assistant", "content": "It was announced in 2007."},
    ]
    seen = []

    def tool_results(run, step):
        seen.append(step)
        return extract_tool_results(run.output)

    scorer = create_hallucination_scorer(judge(["It was announced in 2007."], "no"), get_context=tool_results)
    result = scorer.run(input="When was the first iPhone announced?", output=said)
    assert (result.score, result.context_source, seen) == (0.0, "get_context", ["analyze"])
    assert json.loads(result.context[0]) == {"tool": "search", "result": IPHONE[0]}


def test_run_evals_over_two_topics():
    rows = [
        {"id": "iphone", "input": "iPhone?", "output": "Announced in 2007.", "context": IPHONE},
        {
            "id": "moon",
            "input": "Moon?",
            "output": "Armstrong landed in 1968.",
            "context": ["Apollo 11 landed in 1969."],
        },
    ]

    def verdict(messages):
        word = "yes" if "Armstrong" in messages[1].content else "no"
        return {"verdicts": [{"number": 1, "reason": "r", "verdict": word}]}

    claims = ScriptedJudge(preprocess={"claims": ["one claim"]}, analyze=[lambda m: verdict(m)], generate_reason="So.")
    answers = {"2007": "Announced in 2007.", "1968": "Armstrong landed in 1968."}

    def claim(messages):
        return {"claims": [next(a for key, a in answers.items() if key in messages[1].content)]}

    claims.script["preprocess"] = [claim]
    report = run_evals(rows, [create_hallucination_scorer(claims)])
    assert [(r.row_id, r.score) for r in report.results] == [("iphone", 0.0), ("moon", 1.0)]
    assert str(report.scores["hallucination"]) == "0.50 over 2 judged"


def test_an_empty_output_is_settled_at_zero_whether_there_is_context_or_not():
    nobody = ScriptedJudge()
    for run in ({"output": ""}, {"output": " ", "context": ["c"]}, {"output": None, "context": []}):
        result = create_hallucination_scorer(nobody).run(**run)
        assert (result.status, result.score, result.vacuous, result.band) == ("scored", 0.0, True, "none")
        assert result.reason == "the output is empty, so it claims nothing"
    assert nobody.asked == []


def test_context_never_given_is_not_scorable_and_asks_nobody():
    nobody = ScriptedJudge()
    result = create_hallucination_scorer(nobody).run(output="It is red.")
    assert (result.status, result.reason, nobody.asked) == ("not_scorable", "this run has no context", [])


def test_context_looked_for_and_not_found_makes_all_claims_hallucinated_without_a_verdict_call():
    asked = judge(["It is red."], "no")
    result = create_hallucination_scorer(asked, scale=10).run(output="It is red.", context=["  "])
    assert (result.score, result.vacuous, result.notes) == (10.0, False, ("no_context",))
    assert result.analyze_step_result is None
    assert [step for step, _ in asked.asked] == ["preprocess"]


def test_no_claims_are_settled_before_the_missing_context():
    asked = judge([])
    result = create_hallucination_scorer(asked).run(output="Hello!", context=[])
    assert (result.score, result.vacuous, result.reason) == (0.0, True, "the answer makes no claim")


class TestHallucinationIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="Is it red?", output="It is red, and old.", context=["It is red."]),
            answers=(
                {"claims": ["It is red.", "It is old."]},
                {"verdicts": [{"number": n, "reason": "r", "verdict": v} for n, v in ((1, "no"), (2, "yes"))]},
            ),
            score=0.5,
        ),
        Example(Run(output="Hello!", context=["It is red."]), answers=({"claims": []},), score=0.0),
    )
