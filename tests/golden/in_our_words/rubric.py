"""Rubric: we ask for criteria by number and take `required` from the user, Mastra has texts and the judge's word."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with the number of each criterion by its place."""
    return [{**reply, "output": {"criteria": _numbered(reply["output"])}} for reply in case["judge"]]


def _numbered(output: dict[str, Any]) -> list[dict[str, Any]]:
    pairs = enumerate(output["criteria"], 1)
    return [{"number": n, "satisfied": c["satisfied"], "reason": c["reasoning"]} for n, c in pairs]
