"""Tool call accuracy, judged: we number the calls that were made; Mastra's judge names what it likes."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case, keywords, snake

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge
from scorer_tool_call_accuracy import create_tool_call_accuracy_scorer


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    return create_tool_call_accuracy_scorer(judge, call_retries=0, **keywords(case))


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with numbers by position and "yes" or "no" for booleans."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    for reply in said:
        if reply["step"] == "analyze":
            reply["output"]["evaluations"] = [
                {"number": n, "reason": e["reasoning"], "verdict": "yes" if e["was_appropriate"] else "no"}
                for n, e in enumerate(reply["output"]["evaluations"], 1)
            ]
    return said
