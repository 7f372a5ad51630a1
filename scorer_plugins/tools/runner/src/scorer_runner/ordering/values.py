"""Values typed on the command line: `name=value`, where the value is TOML, or else a text."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from scorer_core import UsageError


def value_of(text: str) -> Any:
    """The TOML value that `text` is (`10`, `false`, `["age"]`); any other text is itself."""
    try:
        told = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    plain = isinstance(told["value"], (bool, int, float, str, list, dict)) and len(told) == 1
    return told["value"] if plain else text


def spelled(value: Any, *, key: bool = False) -> str:
    """`value` in TOML, on one line, as `value_of` reads it; as a `key`, without quotes where it needs none."""
    if key and re.fullmatch(r"[\w-]+", value, re.ASCII):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{spelled(k, key=True)} = {spelled(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(spelled, value))}]"
    if isinstance(value, (str, bool)):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def named(flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """The values of `name=value`, by name; the last one of a name holds.

    Raises:
        UsageError: a text has no name or no value; all at once.
    """
    pairs = [text.partition("=") for text in texts]
    if wrong := [t for t, (name, equals, _) in zip(texts, pairs, strict=True) if not name.strip() or not equals]:
        raise UsageError("\n".join(f"{flag} {text!r}: expected NAME=VALUE" for text in wrong))
    return {name.strip(): value_of(value) for name, _, value in pairs}


def label_among(options: dict[str, Any]) -> str | None:
    """The label among a scorer's options, taken out of them: what its scores are called, and gates name them by.

    Raises:
        UsageError: it is no text, or holds signs that a gate is spelled with.
    """
    label = options.pop("label", None)
    if label is not None and not (isinstance(label, str) and re.fullmatch(r"(?! )[^][()<>=,\"\n]+(?<! )", label)):
        raise UsageError(f"label: expected a text without brackets, commas, quotation marks, <, > and =, got {label!r}")
    return label


def scorer_and_options(text: str) -> tuple[str, dict[str, Any]]:
    """The scorer that `id:name=value,name=value` names, and its options.

    Raises:
        UsageError: an option has no name or no value.
    """
    id, _, told = text.partition(":")
    if not told.strip():
        return id.strip(), {}
    try:
        return id.strip(), tomllib.loads(f"told = {{ {told} }}")["told"]
    except tomllib.TOMLDecodeError:
        return id.strip(), named(f"--scorer {id}:", told.split(","))
