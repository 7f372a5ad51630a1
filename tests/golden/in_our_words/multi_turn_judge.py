"""Multi-turn judge: Mastra calls the reason `reasoning`."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with a `reason`."""
    said = [(reply, reply["output"]) for reply in case["judge"]]
    return [{**r, "output": {"satisfied": o["satisfied"], "reason": o["reasoning"]}} for r, o in said]
