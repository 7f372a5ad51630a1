"""The context a run is judged against: its chunks, and which source they come from."""

from __future__ import annotations

import asyncio
import copy
import pickle

import pytest
from langchain_core.documents import Document

from scorer_core import Run
from scorer_core.contract.errors import Failed
from scorer_core.runs.context import Chunk, chunks, find_context
from scorer_core.runs.tool_calls import ToolResult

TOOL = (ToolResult("weather", {"temp_c": 21.5}),)


def find(run=None, static=None, get_context=None, tools=()):
    return asyncio.run(find_context(Run(context=run), static, get_context, tools))


def gives(value):
    return lambda run, step: value


@pytest.mark.parametrize(
    ("sources", "source"),
    [
        ({"get_context": gives(["a"]), "run": ["a"], "static": ["a"], "tools": TOOL}, "get_context"),
        ({"run": ["a"], "static": ["a"], "tools": TOOL}, "row"),
        ({"static": ["a"], "tools": TOOL}, "static"),
        ({"tools": TOOL}, "tool_results"),
        ({}, None),
    ],
)
def test_the_most_specific_context_given_wins(sources, source):
    found = find(**sources)
    assert found.source == source
    assert bool(found.chunks) == bool(source)


@pytest.mark.parametrize("empty", [[], "", " ", [""], (" ", "\n")])
def test_an_empty_one_gives_way_to_the_next_source(empty):
    assert find(get_context=gives(empty), run=empty, static=["a"]).source == "static"
    assert find(run=empty, tools=TOOL).source == "tool_results"


def test_a_source_that_gives_none_was_not_given():
    assert find(get_context=gives(None), run=None).source is None


def test_context_that_was_looked_for_and_not_found_has_a_source_and_no_chunk():
    found = find(get_context=gives([]))
    assert (found.source, found.chunks, found.shown()) == ("get_context", (), [])
    assert find().shown() is None


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ("text", ["text"]),
        (["a", "b"], ["a", "b"]),
        (("a", " ", "b"), ["a", "b"]),
        ({"title": "T", "body": "B"}, ['{"title": "T", "body": "B"}']),
        ([Document("one", metadata={"source": "s"}), Document("two")], ["one", "two"]),
        (Document("one"), ["one"]),
        ([{"text": "a"}, {"page_content": "b"}, {"content": "c"}], ["a", "b", "c"]),
        ([{"temp_c": 21.5}, 7], ['{"temp_c": 21.5}', "7"]),
        (iter(["a", "b"]), ["a", "b"]),
        (TOOL, ['{"tool": "weather", "result": {"temp_c": 21.5}}']),
    ],
)
def test_R075_every_shape_of_context_gives_its_chunks_in_order(given, texts):
    assert [str(c) for c in chunks(given)] == texts


def test_R075_what_comes_with_a_chunk_is_kept_as_its_metadata():
    found = chunks(
        [Document("a", metadata={"source": "s"}), {"text": "b", "page": 3}, {"text": "c", "metadata": {"n": 1}}]
    )
    assert [c.metadata for c in found] == [{"source": "s"}, {"page": 3}, {"n": 1}]
    (kept,) = chunks([{"id": None, "metadata": {"source": "s"}, "page_content": "a", "type": "Document"}])
    assert (kept, kept.metadata) == ("a", {"source": "s"})
    assert find(run=[{"text": "b", "page": 3}, "c"]).shown() == [{"text": "b", "metadata": {"page": 3}}, "c"]


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_R076_an_item_that_is_nothing_is_named(nothing):
    with pytest.raises(Failed, match=r"context \(row\), item 2: expected a text, got") as wrong:
        find(run=["a", nothing, "x"])
    assert wrong.value.kind == "context_error"


def test_get_context_may_be_async_and_gets_run_and_step():
    async def get_context(run, step):
        return [f"{step} of {run.context}"]

    assert find(run="r", get_context=get_context).chunks == ("analyze of r",)


def test_get_context_that_raises_is_told_and_its_secrets_are_not():
    def get_context(run, step):
        raise ConnectionError("store is down, api_key=sk-abcdefghijklmnop")

    with pytest.raises(Failed, match="get_context raised ConnectionError: store is down") as wrong:
        find(get_context=get_context, run=["a"])
    assert wrong.value.kind == "context_error"
    assert "sk-abc" not in str(wrong.value)


def test_a_chunk_is_a_text():
    assert Chunk("a") == "a"
    assert Chunk("a").metadata == {}


@pytest.mark.parametrize("metadata", [None, {"page": 3}])
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda chunk: pickle.loads(pickle.dumps(chunk))])
def test_a_copy_of_a_chunk_remembers_what_came_with_it(metadata, again):
    chunk = again(Chunk("It rains.", metadata))
    assert (type(chunk), chunk, dict(chunk.metadata)) == (Chunk, "It rains.", metadata or {})
