"""Settings typed on the command line: `name=value`, where the value is TOML, or else a text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from scorer_core import ScorerSpec, UsageError
from scorer_core.settings import suggestion

AnySpec = ScorerSpec[Any, Any]


def value_of(text: str) -> Any:
    """The TOML value that `text` is (`10`, `false`, `["age"]`); any other text is itself."""
    try:
        told = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    plain = isinstance(told["value"], (bool, int, float, str, list, dict)) and len(told) == 1
    return told["value"] if plain else text


def named(flag: str, texts: Sequence[str]) -> dict[str, Any]:
    """The values of `name=value`, by name; the last one of a name holds.

    Raises:
        UsageError: a text has no name or no value; all at once.
    """
    pairs = [text.partition("=") for text in texts]
    if wrong := [t for t, (name, equals, _) in zip(texts, pairs, strict=True) if not name.strip() or not equals]:
        raise UsageError("\n".join(f"{flag} {text!r}: expected NAME=VALUE" for text in wrong))
    return {name.strip(): value_of(value) for name, _, value in pairs}


def options_of(specs: Sequence[AnySpec], told: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of each scorer by id: `scorer.name` is one scorer's, `name` that of every scorer that has it.

    Raises:
        UsageError: no scorer of the run has an option of a name; all at once.
    """
    has = {spec.id: [a.name for a in attrs.fields(spec.options)] for spec in specs}
    given: dict[str, dict[str, Any]] = {id: {} for id in has}
    wrong: list[str] = []
    for name, value in sorted(told.items(), key=lambda pair: "." in pair[0]):  # a scorer's own goes before a common one
        scorer, dot, option = name.rpartition(".")
        takers = [id for id in has if option in has[id] and (id == scorer or not dot)]
        for id in takers:
            given[id][option] = value
        if not takers:
            wrong.append(_unknown(name, scorer, option, has))
    if wrong:
        raise UsageError("\n".join(wrong))
    return given


def _unknown(name: str, scorer: str, option: str, has: Mapping[str, Sequence[str]]) -> str:
    if scorer and scorer not in has:
        return f"--option {name}: no scorer {scorer!r} in this run{suggestion(scorer, has)} (have: {', '.join(has)})"
    among = {scorer: has[scorer]} if scorer else has
    known = dict.fromkeys(n for names in among.values() for n in names)
    lack = f"{scorer} has no option" if scorer else "no scorer of this run has an option"
    return f"--option {name}: {lack} {option!r}{suggestion(option, known)} (have: {', '.join(known)})"
