"""What is installed and set here, and what of it does not work; of keys the names alone."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator, Mapping

from attrs import frozen
from importlib_metadata import PackageNotFoundError, version

from scorer_core.contract.errors import UsageError
from scorer_core.judging.configured import names
from scorer_core.plugins import MODELS, SCORERS, plugins

from .engines import ENGINES
from .prompting.packs import listed

PACKAGES = ("scorer-core", "scorer-runner", "langchain-core", "langchain")
_KEY = re.compile(r"[A-Z][A-Z0-9_]*_(API_KEY|API_TOKEN|ACCESS_KEY_ID)")


@frozen
class Found:
    """Something that is here: where it is from, or why it does not work."""

    name: str
    told: str
    works: bool = True


def examined() -> Mapping[str, list[Found]]:
    """All that is here, by what it is."""
    return {
        "versions": [*_versions()],
        "scorers": [*_plugins(SCORERS)],
        "packs": [Found(p.name, p.error or p.source, p.error is None) for p in listed(())],
        "models": [*_plugins(MODELS), *_configured()],
        "engines": [*_plugins(ENGINES)],
        "keys": [Found(name, "set") for name in sorted(os.environ) if _KEY.fullmatch(name) and os.environ[name]],
    }


def _versions() -> Iterator[Found]:
    yield Found("python", f"{platform.python_version()} on {platform.system()}")
    for package in PACKAGES:
        try:
            yield Found(package, version(package))
        except PackageNotFoundError:
            yield Found(package, "not installed")


def _plugins(group: str) -> Iterator[Found]:
    for plugin in plugins(group):
        yield Found(plugin.name, plugin.error or plugin.package, plugin.error is None)


def _configured() -> Iterator[Found]:
    try:
        yield from (Found(name, "of the configuration") for name in names())
    except UsageError as e:
        yield Found("configuration", str(e), works=False)
