"""Toxicity: Mastra's judge chooses the statements it judges, we cut the output into them."""

from __future__ import annotations

from typing import Any

import mastra_cases
from mastra_cases import Case


def fields(case: Case) -> dict[str, Any]:
    """The run, its output said once for each verdict where there are several: a line is a statement of ours."""
    run = mastra_cases.fields(case)
    verdicts = [v for said in case["judge"][:1] for v in (said.get("output") or {}).get("verdicts", [])]
    return run | ({"output": "\n".join([run["output"]] * len(verdicts))} if len(verdicts) > 1 else {})
