"""Checks: Mastra gives their arguments by position, options last, and patterns as regular expressions of JavaScript."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case, snake, snake_word

import scorer_checks
from scorer_core import Scorer
from scorer_core.testing import ScriptedJudge


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our check, made with the arguments of the case."""
    made = getattr(scorer_checks, snake_word(case["scorer"].partition(".")[2]))
    given = case["options"]["args"]
    options = snake(given[-1]) if given and isinstance(given[-1], dict) and "$regex" not in given[-1] else {}
    positional = given[: len(given) - bool(options)]
    check: Scorer = made(*map(_argument, positional), **options)
    return check


def _argument(given: Any) -> Any:
    if isinstance(given, dict):
        return f"(?{given['$flags']}){given['$regex']}" if given["$flags"] else given["$regex"]
    return given
