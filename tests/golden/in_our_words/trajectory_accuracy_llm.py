"""Trajectory accuracy, judged: we number the steps that were taken; what is missing is told even if it is nothing."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case, keywords, snake

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge
from scorer_trajectory_accuracy import create_trajectory_accuracy_scorer


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    return create_trajectory_accuracy_scorer(judge, call_retries=0, **keywords(case))


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with numbers by position, "yes" or "no" for booleans, and no list of extra steps."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    for reply in said:
        if reply["step"] == "analyze":
            reply["output"] = {
                "step_evaluations": [
                    {
                        "number": n,
                        "reason": e["reasoning"],
                        "necessary": "yes" if e["was_necessary"] else "no",
                        "in_order": "yes" if e["was_in_order"] else "no",
                    }
                    for n, e in enumerate(reply["output"]["step_evaluations"], 1)
                ],
                "missing_steps": reply["output"].get("missing_steps", []),
            }
    return said
