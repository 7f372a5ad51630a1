"""What is installed and set here, and what of it does not work; of keys the names alone."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from attrs import evolve, frozen
from importlib_metadata import distributions, entry_points

from scorer_core.contract.errors import UsageError
from scorer_core.judging.configured import configured, names
from scorer_core.plugins import MODELS, SCORERS, plugins
from scorer_core.support.versions import named

from .prompting.packs import listed

EXTRAS = {"langchain": "scorer-core[models]", "pyarrow": "scorer-runner[parquet]"}
_NAMED = re.compile(r"(scorer|langchain)-.+")
_KEY = re.compile(r"[A-Z][A-Z0-9_]*_(API_KEY|API_TOKEN|ACCESS_KEY_ID|APPLICATION_CREDENTIALS)|HF_TOKEN")


@frozen
class Found:
    """Something that is here: where it is from, or why it does not work."""

    name: str
    told: str
    works: bool = True


def examined() -> Mapping[str, list[Found]]:
    """All that is here, by what it is."""
    here = {
        "scorers": [*_plugins(SCORERS)],
        "packs": [Found(p.name, p.error or p.source, p.error is None) for p in listed(())],
        "models": [*_plugins(MODELS), *_configured()],
        "tools": [*_tools()],
        "keys": [Found(name, "set") for name in sorted(os.environ) if _KEY.fullmatch(name) and os.environ[name]],
    }
    elsewhere = {found.told for told in here.values() for found in told}
    return {"versions": [*_versions(elsewhere)], **here}


def _versions(elsewhere: Collection[str]) -> Iterator[Found]:
    """Python, what all rests on, and the packages of ours and LangChain's that are not told elsewhere."""
    yield Found("python", f"{platform.python_version()} on {platform.system()}")
    here = dict(filter(None, map(named, distributions())))
    others = sorted(name for name in here if _NAMED.fullmatch(name) and f"{name} {here[name]}" not in elsewhere)
    for name in dict.fromkeys(("scorer-core", "scorer-runner", "langchain-core", *others, *EXTRAS)):
        yield Found(name, here.get(name) or f"not installed; pip install '{EXTRAS[name]}' brings it")


def _plugins(group: str) -> Iterator[Found]:
    for plugin in plugins(group):
        yield Found(plugin.name, plugin.error or plugin.package, plugin.error is None)


def _tools() -> Iterator[Found]:
    """What packages add to this one: engines, commands."""
    for group in sorted(entry_points().groups):
        room, _, kind = group.partition(".")
        if room == "scorer_runner":
            yield from (evolve(found, name=f"{kind.removesuffix('s')} {found.name}") for found in _plugins(group))


def _configured() -> Iterator[Found]:
    """The models of the configuration; those that can't be made with all that is wrong with them."""
    try:
        models = names()
    except UsageError as e:
        yield Found("configuration", str(e), works=False)
        return
    for name in models:
        try:
            model: Any = configured(name)
            yield Found(name, f"{model.model} of {model.arguments['model_provider']}, by the configuration")
        except UsageError as e:
            yield Found(name, str(e), works=False)
