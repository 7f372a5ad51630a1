"""What is installed: scorers, models and template packs, by their entry points.

Three groups: `scorer_core.scorers` (a `ScorerSpec`), `scorer_core.models` (a function of the text after the first colon
that makes a chat model) and `scorer_core.prompts` (the package that holds a pack). The name on the left is the id.

A plugin says which versions of the contract it was made for where its package says so anyway: by the `scorer-core` it
requires. One that was made for others is told and not loaded; one that says nothing is loaded.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import importlib_metadata
from attrs import frozen

from .contract.errors import UsageError
from .contract.settings import suggestion
from .contract.spec import ScorerSpec
from .support.versions import named, version_of, within

if TYPE_CHECKING:
    from importlib_metadata import EntryPoint

_CORE = re.compile(
    r"scorer[-_.]core *(?:\[[^]]*\])? *\(?([^;()]*)\)? *", re.IGNORECASE
)  # required whatever is asked for
SCORERS, MODELS, PROMPTS = "scorer_core.scorers", "scorer_core.models", "scorer_core.prompts"


@frozen
class Plugin:
    """One installed entry point.

    Args:
        name: The id.
        package: The distribution that brings it, with its version.
        value: What it loads to; None if it is broken.
        error: Why it does not load; None if it does.
    """

    name: str
    package: str
    value: Any = None
    error: str | None = None


def installed(group: str) -> dict[str, list[EntryPoint]]:
    """The entry points of a group by name, from metadata alone; more than one under a name is an error on use."""
    found: defaultdict[str, list[EntryPoint]] = defaultdict(list)
    for point in importlib_metadata.entry_points(group=group):
        if not any(point.value == p.value and _source(point) == _source(p) for p in found[point.name]):
            found[point.name].append(point)
    return dict(sorted(found.items()))


def plugins(group: str) -> list[Plugin]:
    """All plugins of a group, loaded; a broken one is told and hurts none of the others."""
    return [_plugin(name, points) for name, points in installed(group).items()]


def load(group: str, name: str) -> Any:
    """The value of one plugin.

    Raises:
        UsageError: it is not installed, does not load, or two packages have the same name.
    """
    known = installed(group)
    if name not in known:
        have = ", ".join(known) or "none"
        raise UsageError(f"no {_kind(group)} {name!r} is installed{suggestion(name, known)} (have: {have})")
    plugin = _plugin(name, known[name])
    if plugin.error:
        raise UsageError(f"{_kind(group)} {name!r} of {plugin.package} does not load: {plugin.error}")
    return plugin.value


def load_scorer(name: str) -> ScorerSpec[Any, Any]:
    """The installed scorer `name`.

    Raises:
        UsageError: it is not installed (with the pip command), does not load, or two packages have the same id.
    """
    try:
        spec = load(SCORERS, name)
    except UsageError as e:
        hint = "" if name in installed(SCORERS) else f"; try: pip install scorer-{name.replace('_', '-')}"
        raise UsageError(f"{e}{hint}") from e
    return spec  # type: ignore[no-any-return]


def _plugin(name: str, points: list[EntryPoint]) -> Plugin:
    packages = sources(points)
    if len(points) > 1:
        return Plugin(name, packages, error=f"two packages have the name {name!r}: {packages}; uninstall one")
    try:
        _check_versions(points[0])
        with redirect_stdout(sys.stderr):  # what is printed on import is no result of ours
            value = points[0].load()
        _check(points[0], value)
        return Plugin(name, packages, value=value)
    except UsageError as e:
        return Plugin(name, packages, error=str(e))
    except (Exception, SystemExit) as e:
        return Plugin(name, packages, error=f"{type(e).__name__}: {e}")


def _check_versions(point: EntryPoint) -> None:
    """Refuse a plugin whose package requires other versions of this core, or does not tell."""
    if point.dist and not named(point.dist):
        raise UsageError("its package has no metadata; install it again")
    ours = version_of("scorer_core")
    for requirement in getattr(point.dist, "requires", None) or ():
        found = _CORE.fullmatch(requirement)
        if found and not within(ours, bounds := found[1].replace(" ", "")):
            bounds = ",".join(sorted(bounds.split(","), key=lambda bound: not bound.startswith(">")))
            newer, other = f"pip install --upgrade {point.dist and point.dist.name}", f"'scorer-core{bounds}'"
            raise UsageError(
                f"{_source(point)} needs scorer-core {bounds}, this is {ours}; try: {newer}, or pip install {other}"
            )


def _check(point: EntryPoint, value: Any) -> None:
    """Refuse what is not of its group: a `ScorerSpec` under its id, or a function; of a pack any package will do."""
    if point.group != SCORERS:
        if point.group != PROMPTS and not callable(value):
            raise UsageError(f"expected a function, got {value!r}")
    elif not isinstance(value, ScorerSpec):
        raise UsageError(f"expected a ScorerSpec, got {value!r}")
    elif value.id != point.name:
        raise UsageError(f"the entry point is named {point.name!r}, its spec {value.id!r}")


def sources(points: Iterable[EntryPoint]) -> str:
    """The distributions that bring these, with their versions."""
    return " and ".join(sorted(map(_source, points)))


def _source(point: EntryPoint) -> str:
    return " ".join(named(point.dist) or ("a package without metadata",)) if point.dist else "an unknown package"


def _kind(group: str) -> str:
    return "template pack" if group == PROMPTS else group.rpartition(".")[2].removesuffix("s")
