"""What a scorer is, told from its spec: what `scorer show` shows."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import attrs

from scorer_core import ScorerSpec
from scorer_core.contract.ask import Ask
from scorer_core.contract.plain import plain
from scorer_core.contract.trail import STEPS

AnySpec = ScorerSpec[Any, Any]


def described(spec: AnySpec, package: str) -> dict[str, Any]:
    """All of it, in JSON's types."""
    return {
        "id": spec.id,
        "description": spec.description,
        "package": package,
        "version": spec.version,
        "higher_is": spec.higher_is,
        "needs": [*spec.needs_with()],
        "without": {need: str(settled) for need, settled in spec.without.items()},
        "bands": [{"range": span, "name": name} for span, name in bands(spec)],
        "options": [*options(spec.options)],
        "steps": [*steps(spec)],
    }


def bands(spec: AnySpec) -> Iterator[tuple[str, str]]:
    """Each band's range of the fraction, and its name."""
    starts = [b.start for b in spec.bands]
    for n, band in enumerate(spec.bands):
        end = starts[n + 1] if n + 1 < len(starts) else None
        above = "above 0" if n == 1 else f"{band.start:g}"
        if n == 0 or band.start == 1:
            span = f"{band.start:g}"
        else:
            span = f"{above} to 1" if end is None else f"{above} to below {end:g}"
        yield span, band.name


def options(kind: type[Any]) -> Iterator[dict[str, Any]]:
    """Name, type, default and note of each option; the note stands in its annotation or in the docstring."""
    notes, types = _notes(kind), get_type_hints(kind, include_extras=True)
    for a in attrs.fields(kind):
        plain_type, *told = get_args(types[a.name]) if get_origin(types[a.name]) is Annotated else (types[a.name],)
        yield {
            "name": a.name,
            "type": plain_type.__name__ if isinstance(plain_type, type) else str(plain_type),
            "default": _default(a),
            "required": a.default is attrs.NOTHING,
            "note": next((t for t in told if isinstance(t, str)), notes.get(a.name, "")),
        }


def steps(spec: AnySpec) -> Iterator[dict[str, Any]]:
    """What each step does: asks, with its template and where that lies, or computes, or nothing."""
    for step in STEPS:
        how = getattr(spec, step)
        if isinstance(how, Ask):
            yield {"step": step, "does": "asks the judge", **_template(spec, step, how)}
        elif how is not None:
            yield {"step": step, "does": "computes", "function": getattr(how, "__qualname__", repr(how))}


def _template(spec: AnySpec, step: str, ask: Ask[Any]) -> Mapping[str, Any]:
    package = ask.package or spec.package
    name = f"{ask.folder or spec.id}/{step}.j2"
    if not package:
        return {"template": name, "path": None}
    home = files(package) / "templates"
    return {"template": name, "path": str((home / ask.folder if ask.folder else home) / f"{step}.j2")}


def _default(option: attrs.Attribute[Any]) -> Any:
    """The default, as it stands in the options; None for an option that must be given."""
    if option.default is attrs.NOTHING:
        return None
    factory = getattr(option.default, "factory", None)
    value = factory() if factory else option.default
    return plain(option.converter(value) if callable(option.converter) else value)


def _notes(kind: type[Any]) -> dict[str, str]:
    """The lines about options in the docstrings of a class and of those it builds on."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        _, _, args = (inspect.cleandoc(base.__doc__ or "")).partition("Args:\n")
        entries = re.findall(r"^ {4}(\w[\w, ]*): (.*(?:\n {8,}.*)*)", args, re.MULTILINE)
        found |= {name: " ".join(note.split()) for names, note in entries for name in names.split(", ")}
    return found
