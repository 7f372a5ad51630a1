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
        Failed: the row is no mapping (kind `bad_row`), or is itself the failure of whoever read it.
    """
    if isinstance(given, Failed):
        raise given
    if isinstance(given, Run):
        return given, None
    if not isinstance(given, Mapping):
        raise Failed("bad_row", f"expected a mapping with a run's fields, got {given!r}")
    named = {_FIELDS[k]: v for k, v in given.items() if k in _FIELDS}
    rest = {k: v for k, v in given.items() if k not in _FIELDS and k != "id"}
    named["metadata"] = _metadata(named.get("metadata"), rest)
    return Run(**named), None if given.get("id") is None else str(given["id"])


def _metadata(told: Any, rest: dict[str, Any]) -> Mapping[str, Any]:
    """What a row brings as its metadata, and all of it that is no field of a run."""
    if told is None:
        return rest
    if not isinstance(told, Mapping):
        return {**rest, "metadata": told}
    return {**rest, **told} if rest else told


def digest(run: Run, seen: Counter[str]) -> str:
    """A digest of the run's content, and how often it came up to now."""
    content = {a.name: plain(getattr(run, a.name)) for a in attrs.fields(Run) if a.name != "run_id"}
    made = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    seen[made] += 1
    return f"{made}-{seen[made]}"
