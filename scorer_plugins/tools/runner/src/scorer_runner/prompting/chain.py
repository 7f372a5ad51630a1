"""The template that wins, and the chain behind it: what it extends and includes, each from the pack it comes from."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from scorer_core import Prompts, ScorerSpec, UsageError
from scorer_core.prompting.findings import Finding
from scorer_core.prompting.uses import Use


@frozen
class Link:
    """One file of a chain, with what it says."""

    pack: str
    file: str
    sha256: str
    source: str


def chain(prompts: Prompts, spec: ScorerSpec[Any, Any], use: Use) -> list[Link]:
    """The files that one prompt is made of: the template first, then all behind it, the instructions among them.

    Raises:
        UsageError: one of them does not load.
    """
    wrong: list[Finding] = prompts.findings_of(spec, use.step, use.ask)
    if wrong:
        raise UsageError("\n".join(map(str, wrong)))
    files = prompts.files(spec, [(use.step, use.ask)])
    return [Link(f.pack, f.file, f.sha256, prompts.source(f.file)) for f in files]
