"""What the metadata of a row says in one of its columns, as a text by which rows are told apart."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..contract.plain import is_missing, plain

NONE = "(none)"


def told(metadata: Any, column: str) -> str:
    """What a row's metadata says in `column`; `(none)` where it says nothing."""
    value = _value(metadata, column)
    if is_missing(value):
        return NONE
    shown = plain(value)
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


def _value(metadata: Any, column: str) -> Any:
    if not isinstance(metadata, Mapping):
        return None
    if column in metadata:
        return metadata[column]
    above, dot, below = column.partition(".")
    return _value(metadata.get(above), below) if dot else None
