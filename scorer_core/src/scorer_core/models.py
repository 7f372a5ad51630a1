"""A chat model from a text: `local`, `python:module:attribute`, `provider:model`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .errors import UsageError
from .plugins import MODELS, installed, load
from .scrub import scrubbed

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

FORMS = """a model is given as one of
  NAME or NAME:...          an installed model ({names})
  python:module:attribute   a chat model, or a function that makes one
  provider:model            made by LangChain's init_chat_model, for example openai:gpt-5-mini"""


def find_model(text: str, **parameters: Any) -> BaseChatModel:
    """The chat model that `text` names; `parameters` go to the model of a provider (`temperature=0`).

    Raises:
        UsageError: the text has none of the forms, or the model can't be made; it lists the forms.
    """
    name, _, rest = text.partition(":")
    provided = name not in installed(MODELS) and name != "python"
    if parameters and not provided:
        given = ", ".join(parameters)
        raise UsageError(f"model {text!r} takes no parameters, got {given}; they are for models named provider:model")
    if name == "python":
        return _from_python(text, rest)
    if not provided:
        return _made(text, load(MODELS, name), rest)
    if rest or "/" in text:
        return _from_langchain(text, text if rest else text.replace("/", ":", 1), parameters)
    raise UsageError(f"unknown model {text!r}; {forms()}")


def forms() -> str:
    """The forms in which a model can be named."""
    return FORMS.format(names=", ".join(installed(MODELS)) or "none")


def _from_python(text: str, path: str) -> BaseChatModel:
    module, _, attribute = path.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except Exception as e:
        raise UsageError(f"model {text!r}: {type(e).__name__}: {e}; {forms()}") from e
    return _made(text, found) if callable(found) and not hasattr(found, "ainvoke") else found


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
    except Exception as e:
        raise UsageError(f"model {text!r} can't be made: {scrubbed(f'{type(e).__name__}: {e}')}; {forms()}") from e
