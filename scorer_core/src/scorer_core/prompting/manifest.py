"""`pack.toml`: what a pack says of itself, and the scorers it was made for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import frozen

from ..contract.errors import UsageError
from ..contract.settings import suggestion
from ..support.versions import BOUND, within

FILE = "pack.toml"


@frozen(kw_only=True)
class Manifest:
    """What `pack.toml` holds; a pack without one says nothing.

    Args:
        name, description: What it is.
        language: Of its prompts, as "ja".
        version: Its own.
        scorers: The versions it was made for, by the scorer's id, as ">=0.1,<0.2"; of `claims`, those of scorer-core.
    """

    name: str | None = None
    description: str | None = None
    language: str | None = None
    version: str | None = None
    scorers: Mapping[str, str] = {}

    def fits(self, id: str, version: str) -> bool:
        """Whether the pack was made for this version of a scorer, or does not say."""
        return within(version, self.scorers.get(id, ""))


def manifest_of(text: str, where: str) -> Manifest:
    """What the text of a `pack.toml` says.

    Raises:
        UsageError: it is not TOML, or has keys or values that do not belong there; all at once.
    """
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise UsageError(f"{where} can't be read: {e}") from e
    if wrong := [f"{where}: {problem}" for problem in _problems(told)]:
        raise UsageError("\n".join(wrong))
    return Manifest(**told)


def _problems(told: Mapping[str, Any]) -> Iterator[str]:
    known = [a.name for a in attrs.fields(Manifest)]
    for key, value in told.items():
        if key not in known:
            yield f"no key {key!r}{suggestion(key, known)}; there are: {', '.join(known)}"
        elif key != "scorers" and not _said(value):
            yield f"{key}: expected a text, got {value!r}"
        elif key == "scorers" and not isinstance(value, dict):
            yield f'scorers: expected a table of versions by scorer, as in faithfulness = ">=0.1,<0.2", got {value!r}'
    scorers = told.get("scorers")
    for id, version in scorers.items() if isinstance(scorers, dict) else ():
        if not isinstance(version, str) or not all(map(BOUND.fullmatch, version.split(","))):
            yield f'scorers.{id}: expected the versions it was made for, as in ">=0.1,<0.2", got {version!r}'


def _said(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())
