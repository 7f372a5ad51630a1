"""What a new scorer or pack may be called."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
import unicodedata
from importlib.resources import files

from scorer_core import UsageError
from scorer_core.plugins import PROMPTS, SCORERS, installed, sources
from scorer_core.support.versions import version_of

LONGEST = 50


def checked_id(id: str, distribution: str, *, pack: bool) -> str:
    """`id`, if something new may be called so, in a package of the name `distribution`.

    Raises:
        UsageError: it is not in snake_case, too long, reserved or taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", id):
        raise UsageError(f"{id!r} is no id: small letters, digits and single underscores, as in {_spelled(id)!r}")
    if len(id) > LONGEST:
        raise UsageError(f"{id!r} is too long for an id: {len(id)} letters, {LONGEST} at most")
    if points := installed(PROMPTS if pack else SCORERS).get(id):
        raise UsageError(f"{id!r} is the id of {sources(points)}; take another one, or uninstall that first")
    if id in _reserved():
        raise UsageError(f"{id!r} is reserved; take a name that says more, as in '{id}_quality'")
    if (version := version_of(distribution)) != "0":
        raise UsageError(f"{distribution} {version} is installed; take another id, or uninstall that first")
    return id


def _reserved() -> frozenset[str]:
    """Names that mean something else to Python, to `scorer` or where packages are found."""
    ours = (files(__package__) / "reserved.txt").read_text(encoding="utf-8").split()
    python = (*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *sys.stdlib_module_names)
    return frozenset((*ours, *(name.lower() for name in python)))


def _spelled(id: str) -> str:
    """The nearest id in snake_case."""
    plain = unicodedata.normalize("NFKD", "".join(c if c.isascii() else c.casefold() for c in id))
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", "".join(c for c in plain if not unicodedata.combining(c)))
    return "_".join(words).lower().lstrip("0123456789_")[:LONGEST].rstrip("_") or "my_metric"
