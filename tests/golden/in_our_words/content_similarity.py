"""Content similarity: Mastra's `ignoreWhitespace` changes no score, as white space never counts, and we have none."""

from __future__ import annotations

from typing import Any

import mastra_cases
from mastra_cases import Case


def keywords(case: Case) -> dict[str, Any]:
    """The options without `ignore_whitespace`."""
    return {name: value for name, value in mastra_cases.keywords(case).items() if name != "ignore_whitespace"}
