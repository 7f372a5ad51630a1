"""Tool call accuracy, computed: the package has two scorers, this is its second."""

from __future__ import annotations

from mastra_cases import Case, keywords

from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge
from scorer_tool_call_accuracy import create_tool_call_accuracy_code_scorer


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    return create_tool_call_accuracy_code_scorer(**keywords(case))
