"""Which packs there are, and what of each scorer's words they override."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from scorer_core import ScorerSpec, UsageError
from scorer_core.contract.settings import suggestion
from scorer_core.plugins import PROMPTS, SCORERS, installed, load_scorer, plugins, sources
from scorer_core.prompting.packs import Pack, own_templates, pack_at
from scorer_core.prompting.uses import Use, uses

AnySpec = ScorerSpec[Any, Any]
INSTRUCTIONS = "instructions"


@frozen
class Listed:
    """A pack as it is listed: where it is from, and either what it is or why it can't be used."""

    name: str
    source: str
    pack: Pack | None = None
    error: str | None = None


def listed(given: Sequence[str]) -> Iterator[Listed]:
    """The packs given by folder or name; all that are installed where none is."""
    known = installed(PROMPTS)
    for name in given or known:
        source = sources(known.get(name, [])) or "a folder"
        try:
            pack = pack_at(name)
            _ = pack.manifest
            yield Listed(name, source, pack)
        except UsageError as e:
            if given:
                raise
            yield Listed(name, source, error=str(e))


def scorers() -> list[AnySpec]:
    """All scorers that are installed and load."""
    return [plugin.value for plugin in plugins(SCORERS) if plugin.error is None]


def to_check(name: str) -> tuple[Pack, Sequence[AnySpec]]:
    """A pack by its folder or name, or the templates that a scorer brings, and the scorers to check them for.

    Raises:
        UsageError: there is no such pack or scorer, or the scorer has no templates.
    """
    if name not in installed(SCORERS) or name in installed(PROMPTS) or Path(name).is_dir():
        return pack_at(name), scorers()
    spec = load_scorer(name)
    if not spec.asks:
        raise UsageError(f"{name} asks no judge, so it has no templates to check")
    return own_templates(spec), [spec]


def overrides(pack: Pack, specs: Sequence[AnySpec]) -> Mapping[str, Sequence[str]]:
    """The templates of a pack that are read, by the scorer or shared step they are of."""
    have, found = {*pack.names()}, dict[str, list[str]]()
    for spec in specs:
        for use in uses(spec).values():
            for file in (use.instructions, use.file):
                of = found.setdefault(use.folder, [])
                if file in have and (name := _stem(file)) not in of:
                    of.append(name)
    return {folder: names for folder, names in sorted(found.items()) if names}


def use_of(scorer: str, step: str) -> tuple[AnySpec, Use]:
    """A scorer and the template of one of its steps, by their names.

    Raises:
        UsageError: there is no such scorer, or it has no such template.
    """
    spec = load_scorer(scorer)
    known = uses(spec)
    if step not in known:
        near, have = suggestion(step, known), ", ".join(known)
        raise UsageError(f"{scorer} has no template for {step!r}{near} (have: {have})")
    return spec, known[step]


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".j2")
