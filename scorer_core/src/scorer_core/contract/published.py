"""The JSON Schema of a run's result, as published in `docs/run-result.schema.json`.

`python -m scorer_core.contract.published > docs/run-result.schema.json` writes it anew; a test holds the file to it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from .schema import SCHEMA_VERSION, RunResult
from .shapes import json_schema


def _exactly_when(status: str, field: str, kind: str) -> dict[str, Any]:
    """The rule that `field` is there exactly when `status` is so."""
    there, absent = ({"properties": {field: {"type": t}}} for t in (kind, "null"))
    return {"if": {"properties": {"status": {"const": status}}}, "then": there, "else": absent}


def run_result_schema() -> dict[str, Any]:
    """The schema of `RunResult.to_dict()`; keys beyond it are allowed, so that readers survive later versions."""
    schema = json_schema(RunResult, {}) | {"additionalProperties": True}
    rules = [_exactly_when("scored", "score", "number"), _exactly_when("failed", "error", "object")]
    about = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "RunResult",
        "description": "What came of scoring one run: one line of a results file.",
        "version": SCHEMA_VERSION,
    }
    return about | schema | {"allOf": rules}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(run_result_schema(), indent=2) + "\n")
