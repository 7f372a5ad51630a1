"""Trajectory accuracy, computed: the package has two scorers, this is its second; Mastra nests how it compares."""

from __future__ import annotations

from mastra_cases import Case, keywords, snake

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge
from scorer_trajectory_accuracy import create_trajectory_accuracy_code_scorer


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    given = keywords(case)
    return create_trajectory_accuracy_code_scorer(**snake(given.pop("comparison_options", {})), **given)
