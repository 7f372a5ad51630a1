"""How long our prompts are: all steps of a scorer together, for one fixed row of three claims and two contexts.

Japanese is counted in tokens, since a character of it says more: those of o200k_base, the vocabulary of the GPT-4o and
GPT-5 models, which the package `bpe-openai` holds.
"""

import importlib
import warnings
from functools import cache

import pytest

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge

MOST = 4000  # characters, instructions and rendered data included
MORE = 1.3  # tokens of a Japanese prompt to one of the English
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
    "answer_relevancy": {"preprocess": {"statements": TEXTS}, "analyze": {"results": each(result="yes")}},
    "classifier": {"analyze": {"reason": WHY, "label": "yes", "probability": 1}},
    "multi_turn_judge": {"analyze": {"reason": WHY, "satisfied": True}},
    "prompt_alignment": {
        "analyze": {
            "intent_alignment": {"primary_intent": TEXTS[0], "is_addressed": True, "reasoning": WHY, "score": 1},
            "requirements_fulfillment": {
                "requirements": [{"requirement": t, "reasoning": WHY, "is_fulfilled": True} for t in TEXTS],
                "overall_score": 1,
            },
            "completeness": {"missing_elements": [], "reasoning": WHY, "score": 1},
            "response_appropriateness": {
                "format_alignment": True,
                "tone_alignment": True,
                "reasoning": WHY,
                "score": 1,
            },
        },
    },
    "rubric": {"analyze": {"criteria": each(satisfied=True)}},
    "summarization": {
        "preprocess": {
            "alignment": [{"claim": t, "reason": WHY, "supported": True} for t in TEXTS],
            "questions": TEXTS,
        },
        "analyze": {"coverage": each(answered=True)},
    },
    "custom": {"analyze": {"verdicts": each(level="yes")}},
    "answer_similarity": {
        "preprocess": {"output_units": TEXTS, "ground_truth_units": TEXTS},
        "analyze": {
            "matches": [{"number": n, "explanation": WHY, "output_unit": n, "match_type": "exact"} for n in (1, 2, 3)],
            "extra_in_output": [],
            "contradictions": [],
        },
    },
    "context_precision": {"analyze": {"verdicts": each(verdict="yes")[:2]}},
    "context_recall": {"preprocess": {"claims": TEXTS}, "analyze": {"verdicts": each(verdict="yes", chunk=1)}},
    "context_relevance": {
        "analyze": {
            "evaluations": [
                {"number": n, "reasoning": WHY, "relevance_level": "high", "was_used": True} for n in (1, 2)
            ],
            "missing_context": [],
            "overall_assessment": WHY,
        },
    },
    "noise_sensitivity": {
        "analyze": {
            "dimensions": [
                {"number": n, "specific_changes": WHY, "noise_influence": WHY, "impact_level": "none"}
                for n in range(1, 6)
            ],
            "overall_assessment": WHY,
            "major_issues": [],
            "robustness_score": 1,
        },
    },
    "toxicity": {"analyze": {"verdicts": each(verdict="no", kind=None)}},
    "trajectory_accuracy": {
        "analyze": {"step_evaluations": each(necessary="yes", in_order="yes"), "missing_steps": []}
    },
    "tool_call_accuracy": {"analyze": {"evaluations": each(verdict="yes"), "missing_tools": []}},
}
CALLS = [{"id": str(n), "function": {"name": "read", "arguments": f'{{"page": {n}}}'}} for n in (1, 2, 3)]
CALLING = {"output": [{"role": "assistant", "content": ROW["output"], "tool_calls": CALLS}]}
OF_AGENTS = {"tool_call_accuracy": CALLING, "trajectory_accuracy": CALLING}

OPTIONS = {  # of scorers that need some
    "classifier": {"question": "Is the answer in plain words?"},
    "custom": {"criterion": TEXTS},
    "multi_turn_judge": {"criterion": TEXTS[0]},
    "rubric": {"criteria": TEXTS},
    "noise_sensitivity": {"noisy_query": "What, by the way, of the red one?", "baseline_response": ROW["output"]},
}


def told(word):
    """The reply of a single call: the texts of the items in place of their numbers."""
    return [{key: v for key, v in e.items() if key != "number"} | {word: t} for e, t in zip(each(), TEXTS, strict=True)]


SINGLE = {
    "faithfulness": {"verdicts": [e | {"verdict": "yes"} for e in told("claim")]},
    "hallucination": {"verdicts": [e | {"verdict": "no"} for e in told("statement")]},
    "bias": {"results": [e | {"result": "no"} for e in told("opinion")]},
}


def prompts(scorer_id, **how):
    """All that is sent to the judge of the row."""
    spec = importlib.import_module(f"scorer_{scorer_id}").spec
    replies = {"analyze": SINGLE[scorer_id]} if how.get("mode") == "single" else SCRIPTS[scorer_id]
    judge = ScriptedJudge(replies | {"generate_reason": "All is well."})
    result = Scorer.of(spec, judge, **how, **OPTIONS.get(scorer_id, {})).run(**ROW | OF_AGENTS.get(scorer_id, {}))
    assert result.status == "scored"
    assert (result.reason == "All is well.") == ("generate_reason" in spec.asks)
    return [message.content for _, messages in judge.asked for message in messages]


@cache
def o200k():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it opens its files by an older API
        import bpe_openai

        return bpe_openai.get_encoding("o200k_base")


def tokens(texts):
    return sum(len(o200k().encode(text)) for text in texts)


@pytest.mark.parametrize("pack", [(), "strict"])
@pytest.mark.parametrize("scorer_id", SCRIPTS)
def test_the_prompts_of_a_scorer_keep_within_the_budget(scorer_id, pack):
    characters = sum(map(len, prompts(scorer_id, prompts=pack)))
    assert characters <= MOST, f"{scorer_id}: {characters} characters"


@pytest.mark.parametrize(("scorer_id", "mode"), [*((i, "steps") for i in SCRIPTS), *((i, "single") for i in SINGLE)])
def test_the_japanese_prompts_of_a_scorer_keep_near_the_english(scorer_id, mode):
    ours, theirs = (tokens(prompts(scorer_id, prompts=pack, mode=mode)) for pack in ((), "ja"))
    assert theirs <= MORE * ours, f"{scorer_id}, {mode}: {theirs} tokens, {theirs / ours:.2f} of the English"
