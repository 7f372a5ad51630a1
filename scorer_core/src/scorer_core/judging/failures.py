"""What a model's exception means: told apart by status code and by what it is, never by a provider's classes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from attrs import frozen

from ..contract.errors import Kind
from ..support.raised import error_text
from ..support.scrub import scrubbed

_CONNECTION = re.compile(r"Connect|Connection|Disconnect|Network|Transport|Protocol|ReadError|WriteError")
_OF_ANOTHER_LOOP = re.compile(r"different (event )?loop|Event loop is closed")  # a kept connection; the next is new
_TAKEN_FOR_A_RESULT = re.compile(r"'(\w+)' object has no attribute 'generations'")  # by LangChain: what ends a process
_BY_NAME: tuple[tuple[str, Kind], ...] = (
    ("LengthFinishReason", "truncated"),
    ("ContentFilter", "content_filter"),
    ("ContextOverflow", "too_long"),
)
_BY_WORDS: tuple[tuple[str, Kind], ...] = (
    (r"content.?(filter|management|policy)|safety system|flagged", "content_filter"),
    (r"context.{0,10}(length|window)|too (long|large|many tokens)|maximum.{0,20}tokens|prompt is too long", "too_long"),
)
_EXHAUSTED = re.compile(
    r"insufficient.?quota|current quota|credit balance|billing.{0,20}limit|out of credits", re.IGNORECASE
)
_ABOUT_STRUCTURE = re.compile(
    r"response_?(format|schema|mime)|tool|function|json_?schema|structured|grammar|schema", re.IGNORECASE
)


@frozen
class Failure:
    """Why a call failed: the kind, whether another attempt may help, and how long the server says to wait (s)."""

    kind: Kind
    message: str
    retried: bool = False
    wait: float | None = None


def failure(error: BaseException, time_limit: float) -> Failure:
    """What `error` means."""
    said = scrubbed(error_text(error))
    if isinstance(error, TimeoutError) or "Timeout" in type(error).__name__:
        silent = f"the judge did not answer within {time_limit:g} s"
        return Failure("timeout", said if ":" in said else silent, retried=True)
    status = status_of(error)
    if status is None:
        return _without_status(error, said)
    if _EXHAUSTED.search(said):
        return Failure("quota", said)
    if status == 429:
        return Failure("rate_limited", said, retried=True, wait=_stated_wait(error))
    if status == 408 or status >= 500:
        return Failure("timeout" if status == 408 else "server", said, retried=True, wait=_stated_wait(error))
    stops: dict[int, Kind] = {401: "auth", 402: "quota", 403: "auth", 404: "model_not_found"}
    return Failure(stops.get(status) or _by_words(said), said)


def refuses_structure(error: BaseException) -> bool:
    """Whether the model does not offer structured output: it says so, or answers 400 about it."""
    if isinstance(error, NotImplementedError):
        return True
    said = error_text(error)
    return status_of(error) in (400, 422) and _by_words(said) == "server" and _ABOUT_STRUCTURE.search(said) is not None


def status_of(error: BaseException) -> int | None:
    """The HTTP status an exception, or what caused it, carries."""
    for e in _chain(error):
        for holder in (e, getattr(e, "response", None)):
            for name in ("status_code", "status", "code", "http_status"):
                value = getattr(holder, name, None)
                if isinstance(value, int) and 400 <= value < 600:
                    return value
    return None


def _without_status(error: BaseException, said: str) -> Failure:
    for part, kind in _BY_NAME:
        if part in type(error).__name__:
            return Failure(kind, said)
    if isinstance(error, AttributeError) and (ended := _TAKEN_FOR_A_RESULT.search(said)):
        return Failure("server", f"the model raised {ended[1]}; LangChain does not tell what it said")
    lost = any(isinstance(e, OSError) or _CONNECTION.search(type(e).__name__) for e in _chain(error))
    lost = lost or (isinstance(error, RuntimeError) and _OF_ANOTHER_LOOP.search(said) is not None)
    return Failure("server", said, retried=lost)


def _by_words(said: str) -> Kind:
    return next((kind for words, kind in _BY_WORDS if re.search(words, said, re.IGNORECASE)), "server")


def _stated_wait(error: BaseException) -> float | None:
    """The server's `Retry-After`, in seconds."""
    for e in _chain(error):
        headers: Any = getattr(getattr(e, "response", None), "headers", None) or {}
        stated = headers.get("retry-after") or headers.get("Retry-After")
        if stated:
            return _seconds(str(stated))
    return None


def _seconds(stated: str) -> float | None:
    try:
        return max(0.0, float(stated))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(stated).timestamp() - time())
    except ValueError:
        return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
