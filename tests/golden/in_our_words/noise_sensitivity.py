"""Noise sensitivity: what stands in `scoring` are options of their own, and the dimensions those a case has."""

from __future__ import annotations

from typing import Any

import mastra_cases
from mastra_cases import Case, snake

from scorer_noise_sensitivity import DIMENSIONS


def keywords(case: Case) -> dict[str, Any]:
    """The options, those of `scoring` among them, and as many dimensions as the judge assessed."""
    given = mastra_cases.keywords(case)
    scoring = snake(given.pop("scoring", {}))
    penalties = scoring.pop("penalties", {})
    assessed = [d for said in case["judge"][:1] for d in said["output"]["dimensions"]]
    compared = {"dimensions": DIMENSIONS[: len(assessed)]} if assessed else {}
    return given | scoring | penalties | compared
