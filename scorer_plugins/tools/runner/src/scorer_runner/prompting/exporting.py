"""A pack to start from: all templates of a scorer in a folder, to change what should be changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scorer_core import Prompts, ScorerSpec, UsageError
from scorer_core.prompting.manifest import FILE
from scorer_core.prompting.templates import versions_of
from scorer_core.prompting.uses import uses

MANIFEST = """\
name = "{name}"
description = "Templates of {id}, to be changed"
language = "en"
version = "0.1.0"

[scorers]
{scorers}
"""


def exported(spec: ScorerSpec[Any, Any], folder: str) -> Sequence[str]:
    """The files written into `folder`: the scorer's own templates, and a `pack.toml`; none is written over.

    Raises:
        UsageError: a file is there already, or can't be written; then none is written.
    """
    texts = {FILE: _manifest(spec, Path(folder)), **_templates(spec)}
    if there := [name for name in texts if (Path(folder) / name).exists()]:
        raise UsageError(f"{folder}: {', '.join(there)} is there already; choose another folder")
    try:
        for name, text in texts.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as e:
        raise UsageError(f"{folder} can't be written: {e.strerror}") from e
    return [*texts]


def _templates(spec: ScorerSpec[Any, Any]) -> dict[str, str]:
    """The scorer's own templates; a summary only if it has one."""
    own, found = Prompts(), dict[str, str]()
    for use in uses(spec).values():
        wrong = own.findings_of(spec, use.step, use.ask)
        if wrong and use.name != "summary":
            raise UsageError("\n".join(map(str, wrong)))
        found |= {} if wrong else {file: own.source(file) for file in (use.instructions, use.file)}
    return found


def _manifest(spec: ScorerSpec[Any, Any], folder: Path) -> str:
    """What the pack says of itself; it is made for this minor version of the scorer."""
    made_for = (f'{id} = ">={_minor(version)},<{_minor(version, 1)}"' for id, version in versions_of(spec).items())
    return MANIFEST.format(name=folder.resolve().name, id=spec.id, scorers="\n".join(made_for))


def _minor(version: str, more: int = 0) -> str:
    major, minor, *_ = [*version.split("."), "0"]
    return f"{major}.{int(minor) + more}"
