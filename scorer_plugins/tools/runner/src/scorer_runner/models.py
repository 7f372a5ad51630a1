"""The one judge of a run, from the model's name and the parameters typed for it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from scorer_core import Judge, UsageError
from scorer_core.models import find_model
from scorer_core.plugins import MODELS, installed
from scorer_core.schema import plain
from scorer_core.scrub import scrubbed

from .values import named

_SECRET = re.compile("key|token|secret|password|credential|header", re.IGNORECASE)


def judge_of(model: str, args: Sequence[str]) -> Judge:
    """The judge that asks `model`; a module of the user's is looked for where the command is called, too.

    Raises:
        UsageError: there is no such model, it can't be made, or it takes no parameters.
    """
    if model.startswith("python:") and os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    told = named("--model-arg", args)
    return Judge(_with(model, told) if told else model)


def shown_args(args: Sequence[str]) -> dict[str, Any]:
    """The parameters as a file may tell them: no secrets."""
    return {n: "***" if _SECRET.search(n) else plain(v) for n, v in named("--model-arg", args).items()}


def _with(model: str, args: Mapping[str, Any]) -> Any:
    """A provider's model made with parameters."""
    name = model.partition(":")[0]
    if name == "python" or name in installed(MODELS):
        raise UsageError(f"--model-arg: model {model!r} takes none; they are for models named provider:model")
    try:
        from langchain.chat_models import init_chat_model
    except ImportError:
        return find_model(model)  # raises, with what to install
    try:
        return init_chat_model(model if ":" in model else model.replace("/", ":", 1), **{"max_retries": 0, **args})
    except Exception as e:
        raise UsageError(f"model {model!r} can't be made: {scrubbed(f'{type(e).__name__}: {e}')}") from e
