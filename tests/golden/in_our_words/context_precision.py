"""Context precision: Mastra's judge numbers chunks from 0, ours from 1; what extracts a context is `get_context`."""

from __future__ import annotations

from typing import Any

import mastra_cases
from mastra_cases import Case, snake


def keywords(case: Case) -> dict[str, Any]:
    """The options, `context_extractor` as `get_context`."""
    given = mastra_cases.keywords(case)
    return given | ({"get_context": given.pop("context_extractor")} if "context_extractor" in given else {})


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with the number of each chunk in place of its index."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    for reply in said:
        output = reply.get("output")
        for verdict in output.get("verdicts", []) if isinstance(output, dict) else []:
            verdict["number"] = verdict.pop("context_index") + 1
    return said
