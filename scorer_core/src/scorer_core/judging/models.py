"""A chat model from a text: a name of the configuration, `local`, `python:module:attribute`, `provider:model`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from ..contract.errors import UsageError
from ..contract.settings import suggestion
from ..plugins import MODELS, installed, load
from ..support.scrub import scrubbed
from .configured import Configured, configured, names

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

FORMS = """a model is given as one of
  NAME                      a model named in the configuration ([tool.scorer.models.NAME]; {configured})
  NAME or NAME:...          an installed model ({installed})
  python:module:attribute   a chat model, or a function or class that makes one
  provider:model            made by LangChain's init_chat_model, for example openai:gpt-5-mini; so is provider/model"""


def find_model(text: str, **parameters: Any) -> BaseChatModel:
    """The chat model that `text` names.

    Args:
        text: One of `forms()`, looked for in their order.
        parameters: Go to the model of a provider (`temperature=0`), over those of the configuration.

    Raises:
        UsageError: the text has none of the forms, or the model can't be made; it lists the forms.
    """
    if (model := configured(text)) is not None:
        return _from_configuration(text, model, parameters)
    name, _, rest = text.partition(":")
    provided = name not in installed(MODELS) and name != "python"
    if parameters and not provided:
        given = ", ".join(parameters)
        raise UsageError(f"model {text!r} takes no parameters, got {given}; they are for models named provider:model")
    if name == "python":
        return _from_python(text, rest)
    if not provided:
        return _made(text, load(MODELS, name), rest)
    if "/" in name:
        return _from_langchain(text, text.replace("/", ":", 1), parameters)
    if rest:
        return _from_langchain(text, text, parameters)
    near = suggestion(text, [*names(), *installed(MODELS)])
    raise UsageError(f"unknown model {text!r}{near}; {forms()}")


def forms() -> str:
    """The forms in which a model can be named."""
    return FORMS.format(configured=", ".join(names()) or "none", installed=", ".join(installed(MODELS)) or "none")


def _from_configuration(text: str, model: Configured, parameters: Mapping[str, Any]) -> BaseChatModel:
    try:
        return _from_langchain(text, model.model, {**model.arguments, **parameters})
    except UsageError as e:  # what it came from may show the key, so the traceback ends here
        raise UsageError(model.scrubbed(str(e))) from None


def _from_python(text: str, path: str) -> BaseChatModel:
    module, _, attribute = path.partition(":")
    try:
        with redirect_stdout(sys.stderr):  # what is printed on import is no result of ours
            found = getattr(importlib.import_module(module), attribute)
    except (Exception, SystemExit) as e:
        raise UsageError(f"model {text!r}: {type(e).__name__}: {e}; {forms()}") from e
    makes = isinstance(found, type) or (callable(found) and not hasattr(found, "ainvoke"))
    return _made(text, found) if makes else found


def _from_langchain(text: str, name: str, parameters: Mapping[str, Any]) -> BaseChatModel:
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as e:
        raise UsageError(
            f"model {text!r} needs LangChain's models: pip install 'scorer-core[models]'; or {forms()}"
        ) from e
    return _made(text, lambda: init_chat_model(name, **{"max_retries": 0, **parameters}))


def _made(text: str, make: Any, *args: str) -> BaseChatModel:
    try:
        return make(*args)  # type: ignore[no-any-return]
    except (Exception, SystemExit) as e:
        raise UsageError(f"model {text!r} can't be made: {scrubbed(f'{type(e).__name__}: {e}')}; {forms()}") from e
