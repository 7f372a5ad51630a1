"""The context a run is judged against: its chunks, and which source they come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import frozen

from ..contract.errors import Failed
from ..contract.plain import JSON, as_text, is_missing
from ..contract.schema import Run
from ..support.background import call
from ..support.raised import error_text
from .tool_calls import ToolResult

GetContext = Callable[..., Any]
_TEXTS = ("text", "page_content", "content")
_NO_METADATA: Mapping[str, Any] = MappingProxyType({})


class Chunk(str):
    """One piece of context: a text that remembers what came with it."""

    __slots__ = ("metadata",)
    metadata: Mapping[str, Any]

    def __new__(cls, text: str, metadata: Mapping[str, Any] | None = None) -> Chunk:
        chunk = super().__new__(cls, text)
        chunk.metadata = dict(metadata) if metadata else _NO_METADATA
        return chunk

    def __reduce__(self) -> tuple[Any, ...]:
        return Chunk, (str(self), dict(self.metadata))


@frozen
class Context:
    """The chunks in order, and the source that gave them; source None: no source gave any context at all."""

    chunks: tuple[Chunk, ...] = ()
    source: str | None = None

    def shown(self) -> JSON:
        """As the result shows it: texts, with their metadata where they have any; None if nothing was given."""
        if self.source is None:
            return None
        return [{"text": str(c), "metadata": c.metadata} if c.metadata else str(c) for c in self.chunks]


async def find_context(
    run: Run, static: Any, get_context: GetContext | None, tool_results: tuple[ToolResult, ...]
) -> Context:
    """The most specific context given: `get_context`, the run's own, the static one, tool results.

    An empty one gives way to the next source; if all that were given are empty, there is a source and no chunk.

    Raises:
        Failed: `get_context` raised, or what a source gave is no context (kind `context_error`).
    """
    looked: str | None = None
    asked = [("get_context", await _asked(get_context, run))] if get_context else []
    for source, given in (*asked, ("row", run.context), ("static", static), ("tool_results", tool_results or None)):
        if not is_missing(given):
            looked = source
            if found := chunks(given, source):
                return Context(found, source)
    return Context((), looked)


async def _asked(get_context: GetContext, run: Run) -> Any:
    try:
        return await call(get_context, run=run, step="analyze")
    except Exception as e:
        raise Failed("context_error", f"get_context raised {error_text(e)}") from e


def chunks(given: Any, source: str = "context") -> tuple[Chunk, ...]:
    """The chunks of a context as users give it, blank ones left out; one text is one chunk.

    Raises:
        Failed: one of them is nothing (kind `context_error`).
    """
    alone = isinstance(given, (str, Mapping)) or hasattr(given, "page_content") or not hasattr(given, "__iter__")
    many = [given] if alone else list(given)
    if missing := [n for n, c in enumerate(many, 1) if is_missing(c)]:
        raise Failed(
            "context_error", f"context ({source}), item {missing[0]}: expected a text, got {many[missing[0] - 1]!r}"
        )
    return tuple(c for c in map(_chunk, many) if c.strip())


def _chunk(raw: Any) -> Chunk:
    if isinstance(raw, Chunk):
        return raw
    if isinstance(raw, (str, ToolResult)):
        return Chunk(str(raw))
    if hasattr(raw, "page_content"):
        return Chunk(raw.page_content, raw.metadata)
    if isinstance(raw, Mapping) and raw.get("type") == "Document" and isinstance(raw.get("page_content"), str):
        return Chunk(raw["page_content"], raw.get("metadata"))  # one that LangChain has put in JSON
    if isinstance(raw, Mapping) and (key := next((k for k in _TEXTS if isinstance(raw.get(k), str)), None)):
        rest = {k: v for k, v in raw.items() if k != key}
        return Chunk(raw[key], rest.pop("metadata", None) if rest.keys() == {"metadata"} else rest)
    return Chunk(as_text(raw))
