"""How long our prompts are: all steps of a scorer together, for one fixed row of three claims and two contexts."""

import importlib

import pytest

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge

MOST = 4000  # characters, instructions and rendered data included
ROW = {
    "input": "What is known about the bridge?",
    "output": "The bridge opened in 1932. It is 134 metres high. It was painted red.",
    "context": ["The bridge was opened to traffic in March 1932.", "Its towers are 134 metres high."],
    "ground_truth": "It opened in 1932, is 134 metres high and grey.",
}
TEXTS = ["The bridge opened in 1932.", "The bridge is 134 metres high.", "The bridge was painted red."]
WHY = "The context says so in near the same words."


def each(**word):
    return [{"number": n, "reason": WHY, **word} for n in (1, 2, 3)]


SCRIPTS = {
    "faithfulness": {
        "preprocess": {"claims": TEXTS},
        "analyze": {"verdicts": each(verdict="yes")},
    },
    "hallucination": {
        "preprocess": {"claims": TEXTS},
        "analyze": {"verdicts": each(verdict="no")},
    },
    "bias": {"preprocess": {"opinions": TEXTS}, "analyze": {"results": each(result="no")}},
    "answer_similarity": {
        "preprocess": {"output_units": TEXTS, "ground_truth_units": TEXTS},
        "analyze": {
            "matches": [{"number": n, "explanation": WHY, "output_unit": n, "match_type": "exact"} for n in (1, 2, 3)],
            "extra_in_output": [],
            "contradictions": [],
        },
    },
}


def characters(scorer_id):
    spec = importlib.import_module(f"scorer_{scorer_id}").spec
    judge = ScriptedJudge(SCRIPTS[scorer_id] | {"generate_reason": "All is well."})
    result = Scorer.of(spec, judge).run(**ROW)
    assert result.status == "scored"
    assert result.reason == "All is well."
    return sum(len(message.content) for _, messages in judge.asked for message in messages)


@pytest.mark.parametrize("scorer_id", SCRIPTS)
def test_the_prompts_of_a_scorer_keep_within_the_budget(scorer_id):
    assert characters(scorer_id) <= MOST, f"{scorer_id}: {characters(scorer_id)} characters"
