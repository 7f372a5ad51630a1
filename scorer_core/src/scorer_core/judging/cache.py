"""Replies kept for the next time the same is asked of the same model.

An entry holds the raw replies that together answered one question, as a rule one; they are read anew each time. It is
kept only where the answer was complete, and left aside where it no longer reads as one.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Protocol

import attrs
from attrs import field, frozen

from ..answering.answers import Answer, Question, read
from ..contract.errors import UsageError
from ..contract.plain import JSON, plain
from ..contract.settings import one_of, whole
from ..contract.shapes import json_schema
from ..support.log import warn_once
from .chat import Reply

if TYPE_CHECKING:
    from ..prompting.templates import Prompt

Mode = Literal["off", "use", "refresh", "only"]
FORM = 1  # of keys and entries
NOT_KEPT = "not in the cache, and its mode is 'only': the judge was not asked; fill the cache with mode 'use' first"

_REPLY = tuple(a.name for a in attrs.fields(Reply))
_SECRET_NAME = re.compile(
    r"(^|[-_])(api)?key$|auth(orization)?($|[-_])|cookie|credential|password|secret|token$", re.IGNORECASE
)
_USER_OF_URL = re.compile(r"//[^/@\s]*@")
_ADDRESS = re.compile(r"([A-Z]+)_(?:\w+_)?(?:BASE_URL|API_BASE|API_URL|ENDPOINT|HOST)")


def _a_name(_: Any, __: Any, value: Any) -> None:
    if value is not None and (not isinstance(value, str) or not value.strip()):
        raise UsageError(f"name: expected a text, got {value!r}")


class Cache(Protocol):
    """Where replies are kept: texts by key. Anything with these methods is one.

    It is called in the judge's loop, so it has to be quick. What it raises is warned about, and costs no result.
    """

    def get(self, key: str) -> str | None:
        """What was put under `key` last; None where nothing was."""

    def put(self, key: str, reply: str) -> None:
        """Keep `reply` under `key`, in place of what was there."""

    def close(self) -> None:
        """Let go of files and connections."""


@frozen
class Caching:
    """How a judge uses a cache.

    Args:
        cache: Where replies are kept, such as a `SqliteCache`.
        mode: "use" asks for what is not there, "refresh" asks for everything and keeps it anew, "only" never asks (what
            is not there fails), "off" leaves the cache alone.
        name: What the model is told by, beside what it says about itself. Needed for a model that says too little:
            choose another one whenever its answers may differ.
        repeat: The number of this asking among several of the same, from 0.
    """

    cache: Cache
    mode: Mode = field(default="use", kw_only=True, validator=one_of("off", "use", "refresh", "only"))
    name: str | None = field(default=None, kw_only=True, validator=_a_name)
    repeat: int = field(default=0, kw_only=True, validator=whole(0))

    def identity(self, model: Any) -> JSON:
        """What tells a model from others.

        Raises:
            UsageError: it has no name and says too little about itself.
        """
        told = said(model)
        if self.name is None and told is None:
            raise UsageError(
                f"{type(model).__name__} does not say enough about itself to keep its replies: give it a name of your "
                "own, Caching(cache, name=...), and another one whenever its answers may differ"
            )
        return {"name": self.name, "class": _classes(model), "addresses": _addresses(model), "said": told}

    def key(self, model: Any, structured: str, prompt: Prompt, question: Question) -> str:
        """The SHA-256 of all that an answer depends on: the model, how it is asked, what, and which repeat."""
        reply = question.reply
        schema = None if reply is str else json_schema(reply, question.menus, question.open)
        parts = {
            "form": FORM,
            "model": self.identity(model),
            "structured": structured,
            "messages": [["system", prompt.instructions], ["human", prompt.text]],
            "reply": [reply.__name__, reply.__doc__, schema],
            "repeat": self.repeat,
        }
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def recall(self, key: str, question: Question) -> tuple[Reply, ...]:
        """The replies kept under `key`; none where they are not there, not to be used, or no complete answer."""
        if self.mode == "refresh":
            return ()
        try:
            replies = _replies(self.cache.get(key))
        except Exception as e:
            warn_once(f"the cache can't be read: {type(e).__name__}: {e}")
            return ()
        answer = Answer()
        for reply in replies:
            answer = read(question, reply.words, answer)
        return () if answer.problems else replies

    def keep(self, key: str, replies: Sequence[Reply]) -> None:
        """Keep the replies of a complete answer; a cache that can't take them is no reason to lose it."""
        told = [plain({name: getattr(reply, name) for name in _REPLY}) for reply in replies]
        try:
            self.cache.put(key, json.dumps({"form": FORM, "replies": told}))
        except Exception as e:
            warn_once(f"the cache can't be written: {type(e).__name__}: {e}")


def caching_of(given: Cache | Caching | None) -> Caching | None:
    """How to use the cache that is given, alone or with its settings; None where there is none to use."""
    if given is None or isinstance(given, Caching):
        return given if given and given.mode != "off" else None
    if not all(hasattr(given, name) for name in ("get", "put", "close")):
        raise UsageError(f"cache: expected a Cache or Caching(cache, mode=...), got {given!r}")
    return Caching(given)


def said(model: Any) -> JSON | None:
    """All that a model says about itself, without secrets; None where that may not tell it from another.

    LangChain's `dumpd` where it knows the class. Another class must have `_identifying_params` of its own: those and
    its fields, all plain JSON, and no private attributes, which nobody could see.
    """
    from langchain_core.load import dumpd

    told = _without_secrets(dumpd(model))
    return _in_own_words(model) if _is_silent(told) else told


def _in_own_words(model: Any) -> JSON | None:
    from langchain_core.language_models import BaseChatModel

    kind: Any = type(model)
    own = isinstance(model, BaseChatModel) and kind._identifying_params is not BaseChatModel._identifying_params
    if not own or model.__pydantic_private__:
        return None
    fields = {n: getattr(model, n) for n in kind.model_fields.keys() - BaseChatModel.model_fields.keys()}
    try:
        told = _without_secrets({"params": dict(model._identifying_params), "fields": fields})
        return told if model._identifying_params and json.dumps(told, sort_keys=True) else None
    except (TypeError, ValueError):
        return None


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_secrets(v) for k, v in value.items() if not _is_secret(k, v)}
    if isinstance(value, (list, tuple)):
        return [_without_secrets(v) for v in value]
    return _USER_OF_URL.sub("//", value) if isinstance(value, str) else value


def _is_secret(name: Any, value: Any) -> bool:
    if value is None or isinstance(value, str):
        return _SECRET_NAME.search(str(name)) is not None
    langchains = isinstance(value, Mapping) and value.get("lc") == 1
    hidden = langchains and (value.get("type") == "secret" or str((value.get("id") or [""])[-1]).startswith("Secret"))
    return hidden or hasattr(value, "get_secret_value")


def _is_silent(told: Any) -> bool:
    """Whether any part is of a class that LangChain can't tell about."""
    if isinstance(told, Mapping):
        unknown = told.get("lc") == 1 and told.get("type") == "not_implemented"
        return unknown or any(map(_is_silent, told.values()))
    return isinstance(told, list) and any(map(_is_silent, told))


def _classes(model: Any) -> list[str]:
    """The full name of the model's class, and of the one that it binds."""
    bound = model.bound if "bound" in getattr(type(model), "model_fields", ()) else None
    kind = type(model)
    return [f"{kind.__module__}.{kind.__qualname__}", *(_classes(bound) if bound is not None else ())]


def _addresses(model: Any) -> dict[str, str]:
    """Servers that clients read from the environment, where LangChain does not see them (`OPENAI_BASE_URL`)."""
    kinds = " ".join(name.rpartition(".")[2] for name in _classes(model)).upper()
    found = {name: value for name, value in os.environ.items() if (m := _ADDRESS.fullmatch(name)) and m[1] in kinds}
    return {name: _USER_OF_URL.sub("//", value) for name, value in found.items()}


def _replies(entry: str | None) -> tuple[Reply, ...]:
    """The replies of an entry; none where it is not there or of another form."""
    data = json.loads(entry) if entry else {}
    if data.get("form") != FORM:
        return ()
    return tuple(Reply(**{name: told[name] for name in _REPLY}) for told in data["replies"])
