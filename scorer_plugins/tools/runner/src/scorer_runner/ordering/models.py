"""The one judge of a run, from the model's name and the parameters typed for it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from attrs import evolve

from scorer_core import Judge, UsageError
from scorer_core.contract.plain import plain
from scorer_core.judging.cache import Caching
from scorer_core.judging.models import find_model
from scorer_core.judging.prices import Prices
from scorer_core.support.scrub import scrubbed

from .values import named, spelled

_SECRET = re.compile("key|token(?!s|_ids)|secret|password|credential|header", re.IGNORECASE)


def judge_of(model: str, args: Sequence[str], caching: Caching | None = None, prices: Prices | None = None) -> Judge:
    """The judge that asks `model`; a module of the user's is looked for where the command is called, too.

    Raises:
        UsageError: there is no such model, it can't be made, takes no parameters, or says too little for a cache.
    """
    if model.startswith("python:"):
        look_here_too()
    told = named("--model-arg", args)
    judge = Judge(find_model(model, **told), prices=prices)
    return _cached(judge, caching) if caching else judge


def look_here_too() -> None:
    """Let modules be found in the folder where the command is called."""
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())


def _cached(judge: Judge, caching: Caching) -> Judge:
    try:
        return evolve(judge, cache=caching)
    except UsageError as e:
        raise UsageError(f"{e}; at the command line: --cache-name NAME") from e


def shown_args(args: Sequence[str]) -> dict[str, Any]:
    """The parameters as a file may tell them: no secrets."""
    return {n: _shown(n, plain(v)) for n, v in named("--model-arg", args).items()}


def told_args(args: Sequence[str]) -> list[str]:
    """The parameters as they are typed, without secrets."""
    return [f"{n}={v if isinstance(v, str) else spelled(v)}" for n, v in shown_args(args).items()]


def _shown(name: str, value: Any) -> Any:
    if _SECRET.search(name):
        return "***"
    if isinstance(value, dict):
        return {n: _shown(n, v) for n, v in value.items()}
    if isinstance(value, list):
        return [_shown("", v) for v in value]
    return scrubbed(value) if isinstance(value, str) else value
