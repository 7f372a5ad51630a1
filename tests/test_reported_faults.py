"""Every reported fault that the judge answers for is a test by its number, or is listed with the reason."""

import re
import tomllib
from pathlib import Path

import pytest

from scorer_core import Ask, Score, create_scorer, run_evals
from scorer_core.contract.errors import STOP_KINDS
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

ROOT = Path(__file__).parents[1]
LISTED = tomllib.loads((ROOT / "tests/reported_faults.toml").read_text("utf-8"))
TESTS = [p for folder in ("tests", "scorer_core", "scorer_plugins") for p in (ROOT / folder).rglob("test_*.py")]
CASE = re.compile(r"R\d{3}")
OWN = {"R014", "R032", "R055"}  # below


def named_by_tests():
    """The cases named in tests, in their names or in the names of their parameters."""
    return {case for p in TESTS if p != Path(__file__) for case in CASE.findall(p.read_text("utf-8"))} | OWN


@pytest.mark.parametrize("kind", LISTED["kinds"])
def test_every_case_of_a_kind_is_a_test_or_stands_elsewhere(kind):
    assert set(LISTED["kinds"][kind]) - named_by_tests() - LISTED["elsewhere"].keys() == set()


def test_no_case_is_both():
    assert named_by_tests() & LISTED["elsewhere"].keys() == set()


@pytest.mark.parametrize(("said", "score"), [("1.0", 1.0), ("0.75", 0.75), ("1e0", 1.0), ("0", 0.0)])
def test_R014_a_decimal_rating_is_the_number_it_is(said, score, tmp_path):
    (tmp_path / "rated").mkdir()
    (tmp_path / "rated/instructions.j2").write_text("You rate.", encoding="utf-8")
    (tmp_path / "rated/generate_score.j2").write_text(
        '{{ mark("answer", answer) }}{{ answer_shape }}', encoding="utf-8"
    )
    judge = ScriptedJudge(generate_score=f'Supporting evidence: the source says so. {{"score": {said}}}')
    chain = create_scorer(id="rated", description="a rating").generate_score(Ask(Score))
    result = chain.bind(judge, prompts=tmp_path).run(output="a")
    assert (result.status, result.score) == ("scored", score)


def test_R032_a_short_answer_is_judged_with_its_question():
    """A judge that looks for what the question is about finds that the context does not have it."""

    def verdict(messages):
        prompt = messages[1].content
        context = re.search(r"<context 1 (\w+)>(.*?)</\1>", prompt, re.S)[2]
        about = re.search(r"<question (\w+)>Which river flows through (\w+)\?</\1>", prompt)[2]
        word = "yes" if about in context else "unsure"
        return {"verdicts": [{"number": 1, "reason": "so", "verdict": word}]}

    judge = ScriptedJudge(preprocess={"claims": ["The Tiber"]}, analyze=[verdict], generate_reason="So.")
    scorer = create_faithfulness_scorer(judge, context=["On Sunday we walked along the Tiber."])
    assert scorer.run(input="Which river flows through Rome?", output="The Tiber").score == 0.0


def test_R055_refusals_are_counted_beside_the_mean_and_each_names_its_row():
    from langchain_core.messages import AIMessage

    refusal = AIMessage("", response_metadata={"stop_reason": "refusal"})
    fine = {"claims": ["a"]}
    verdict = {"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]}
    judge = ScriptedJudge(preprocess=[fine, refusal, fine], analyze=verdict, generate_reason="So.")
    rows = [{"id": name, "output": name, "context": ["c"]} for name in ("first", "second", "third")]
    report = run_evals(rows, create_faithfulness_scorer(judge), concurrency=1)
    assert str(report.scores["faithfulness"]) == "1.00 over 2 judged · 1 failed (refusal 1)"
    assert [r.row_id for r in report.results if r.error and r.error.kind == "refusal"] == ["second"]
    assert "refusal" not in STOP_KINDS
