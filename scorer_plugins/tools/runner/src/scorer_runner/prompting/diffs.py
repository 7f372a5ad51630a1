"""What a pack changes in the prompts of a scorer: its own words and the pack's, both rendered for one made-up row."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from attrs import frozen

from scorer_core import Prompts, ScorerSpec, UsageError
from scorer_core.contract.errors import Failed
from scorer_core.prompting.checks import rendered
from scorer_core.prompting.packs import Pack
from scorer_core.prompting.uses import Use, uses

AROUND = 2  # lines shown around what differs


@frozen
class Changed:
    """One message that a pack changes: the template it is made of, and the lines of the difference."""

    file: str
    lines: tuple[str, ...]


def changes(pack: Pack, spec: ScorerSpec[Any, Any], language: str | None = None) -> Iterator[Changed]:
    """Each message of a scorer that differs with the pack, once.

    Raises:
        UsageError: a template does not load, or can't be rendered.
    """
    ours, own = Prompts((pack,)), Prompts()
    have, seen = {*pack.names()}, set[str]()
    for use in uses(spec).values():
        if use.name in ("single", "summary") and use.file not in have:
            continue
        if wrong := ours.findings_of(spec, use.step, use.ask):
            raise UsageError("\n".join(map(str, wrong)))
        before, after = (_rendered(prompts, spec, use, language) for prompts in (own, ours))
        for file, old, new in zip((use.instructions, use.file), before, after, strict=True):
            if old != new and file not in seen:
                seen.add(file)
                told = unified_diff(old.split("\n"), new.split("\n"), "own", pack.name, lineterm="", n=AROUND)
                yield Changed(file, tuple(told))


def _rendered(prompts: Prompts, spec: ScorerSpec[Any, Any], use: Use, language: str | None) -> tuple[str, str]:
    try:
        made = rendered(prompts, spec, use, language)
    except Failed as e:
        raise UsageError(str(e)) from e
    return made.instructions, made.text
