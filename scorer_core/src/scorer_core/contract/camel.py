"""A result under Mastra's names, which are in camelCase."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .plain import JSON


def camel(name: str) -> str:
    """`run_id` as `runId`."""
    return re.sub(r"_([a-z0-9])", lambda m: m[1].upper(), name)


_STEP_RESULTS = ("preprocess_step_result", "analyze_step_result")


def camelled(data: Mapping[str, Any]) -> dict[str, Any]:
    """Mastra's names: of fields, of steps, inside step results and judge records; nowhere else."""
    deep = {k: _deep_camel(data[k]) for k in _STEP_RESULTS}
    records = {
        "templates": {camel(s): files for s, files in data["templates"].items()},
        "judge": {camel(s): [_keys(camel, e) for e in done] for s, done in data["judge"].items()},
    }
    return _keys(camel, {**data, **deep, **records})


def _keys(rename: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    return {rename(k): v for k, v in data.items()}


def _deep_camel(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {camel(k): _deep_camel(v) for k, v in value.items()}
    return [_deep_camel(v) for v in value] if isinstance(value, list) else value
