"""What a new scorer or pack may be called."""

from __future__ import annotations

import keyword
import re

from scorer_core import UsageError
from scorer_core.plugins import PROMPTS, SCORERS, installed, sources

RESERVED = frozenset(
    {
        *(
            "all",
            "core",
            "runner",
            "local_judge",
            "prompts",
            "report",
            "pytest",
            "store",
            "agents",
            "otel",
            "langsmith",
        ),
        *("ray", "claims", "default", "test", "tests", "src"),
    }
)


def checked_id(id: str, *, pack: bool) -> str:
    """`id`, if something new may be called so.

    Raises:
        UsageError: it is not in snake_case, or taken.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", id):
        raise UsageError(f"{id!r} is no id: small letters, digits and single underscores, as in {_spelled(id)!r}")
    if id in RESERVED or keyword.iskeyword(id):
        raise UsageError(f"{id!r} is reserved; take a name that says more, as in '{id}_quality'")
    if points := installed(PROMPTS if pack else SCORERS).get(id):
        raise UsageError(f"{id!r} is the id of {sources(points)}; take another one, or uninstall that first")
    return id


def _spelled(id: str) -> str:
    """The nearest id in snake_case."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", id)
    return "_".join(words).lower().lstrip("0123456789_") or "my_metric"
