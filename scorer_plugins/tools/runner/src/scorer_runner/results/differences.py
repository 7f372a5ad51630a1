"""What makes two runs not comparable, told from their descriptions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ..terminal.console import shortened

_COMPARED = ("model", "model_args", "language", "reasons", "mode", "redact", "columns", "target", "repeats", "again")
_OF_DATA = ("sha256", "limit", "encoding", "rows_at", "id_duplicates")
_OF_SCORER = ("id", "version", "options", "templates")


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What of two descriptions makes their scores not comparable, a line each."""
    old, new = ({s["label"]: s for s in told["scorers"]} for told in (before, now))
    lines = []
    for label in {**old, **new}:
        if label in old and label in new:
            both = ({k: scorer.get(k) for k in _OF_SCORER} for scorer in (old[label], new[label]))
            lines += _unlike(f"scorer {label}: ", *both)
        else:
            where = "in the file, not asked for now" if label in old else "not in the file, asked for now"
            lines.append(f"scorer {label}: {where}")
    lines += _unlike("", *({k: told.get(k) for k in _COMPARED} for told in (before, now)))
    return lines + _unlike("", *({"data": {k: told["data"].get(k) for k in _OF_DATA}} for told in (before, now)))


def _unlike(where: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    old, new = _flat(before), _flat(now)
    return [
        f"{where}{name}: {_told(old.get(name))} in the file, {_told(new.get(name))} now"
        for name in {**old, **new}
        if old.get(name) != new.get(name)
    ]


def _flat(told: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """The values of nested mappings by dotted names."""
    found: dict[str, Any] = {}
    for name, value in told.items():
        found |= _flat(value, f"{above}{name}.") if isinstance(value, Mapping) else {f"{above}{name}": value}
    return found


def _told(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):
        return f"{value[:12]}…"
    return shortened(json.dumps(value, ensure_ascii=False), 80)
