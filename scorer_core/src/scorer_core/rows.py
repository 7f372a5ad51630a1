"""A row, as users have it, as a run."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import attrs

from .errors import Failed
from .schema import Run, plain

_FIELDS = {a.name: a.name for a in attrs.fields(Run)} | {"groundTruth": "ground_truth", "runId": "run_id"}


def run_of(given: Any) -> tuple[Run, str | None]:
    """The run that a row is, and the id it names.

    Raises:
        Failed: the row is no mapping (kind `bad_row`).
    """
    if isinstance(given, Run):
        return given, None
    if not isinstance(given, Mapping):
        raise Failed("bad_row", f"expected a mapping with a run's fields, got {given!r}")
    named = {_FIELDS[k]: v for k, v in given.items() if k in _FIELDS}
    rest = {k: v for k, v in given.items() if k not in _FIELDS and k != "id"}
    told = named.get("metadata")
    named["metadata"] = {**rest, **(told if isinstance(told, Mapping) else {} if told is None else {"metadata": told})}
    return Run(**named), None if given.get("id") is None else str(given["id"])


def digest(run: Run, seen: Counter[str]) -> str:
    """A digest of the run's content, and how often it came up to now."""
    content = {a.name: plain(getattr(run, a.name)) for a in attrs.fields(Run) if a.name != "run_id"}
    made = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    seen[made] += 1
    return f"{made}-{seen[made]}"
