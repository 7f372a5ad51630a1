"""Trajectory: what Mastra calls defaults are our options, and its `steps` our `expected_trajectory`."""

from __future__ import annotations

from mastra_cases import Case, keywords, snake, snake_word

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge
from scorer_trajectory import create_trajectory_scorer


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    given = keywords(case)
    defaults = {snake_word(name): value for name, value in given.pop("defaults", {}).items()}
    steps = {"expected_trajectory": defaults.pop("steps")} if "steps" in defaults else {}
    return create_trajectory_scorer(**snake(given), **defaults, **steps)
