"""Context relevance: penalties are options of their own, and the context of a case is what its judge evaluated.

Mastra's judge may pass over pieces of the context, ours is asked about each: where it evaluated the first ones alone,
the others are left out.
"""

from __future__ import annotations

from typing import Any

from mastra_cases import Case, snake

from in_our_words import context_precision


def keywords(case: Case) -> dict[str, Any]:
    """The options, penalties among them, and of the context the pieces evaluated."""
    given = context_precision.keywords(case)
    penalties = snake(given.pop("penalties", {}))
    evaluated = [e for said in case["judge"][:1] for e in said["output"]["evaluations"]]
    return given | penalties | ({"context": given["context"][: len(evaluated) or None]} if "context" in given else {})


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with the number of each piece in place of its index."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    for reply in said:
        output = reply["output"]
        for evaluation in output["evaluations"] if isinstance(output, dict) else []:
            evaluation["number"] = evaluation.pop("context_index") + 1
    return said
