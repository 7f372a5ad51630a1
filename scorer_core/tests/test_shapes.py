"""How a reply is asked for, in words and as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Literal

import jsonschema
import pytest
from attrs import frozen

from scorer_core import ItemText, Menu, Score, Text
from scorer_core.contract.shapes import answer_shape, json_schema


@frozen(kw_only=True)
class Verdict:
    number: int
    claim: ItemText
    reason: Annotated[str, "one sentence"]
    chunk: Annotated[int | None, Text("context")] = None
    kind: Annotated[str | None, Menu("kinds")] = None
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    verdicts: tuple[Verdict, ...]
    extra: Annotated[tuple[str, ...], Text("units")]


MENUS = {"kinds": ("age", "creed")}


def test_the_shape_is_readable_in_declared_order_without_what_the_core_fills_in():
    assert answer_shape(Verdicts, MENUS) == (
        '{"verdicts": [{"number": integer, "reason": string (one sentence), "chunk": integer or null, '
        '"kind": "age" or "creed" or null, "verdict": "yes" or "no"}, ...], "extra": [integer, ...]}'
    )


def test_a_range_is_told():
    assert answer_shape(Score, {}) == '{"score": number (from 0 to 1)}'


def test_the_schema_takes_what_the_shape_asks_for():
    schema = json_schema(Verdicts, MENUS)
    jsonschema.Draft202012Validator.check_schema(schema)
    element = {"number": 1, "reason": "so", "chunk": None, "kind": "age", "verdict": "yes"}
    jsonschema.validate({"verdicts": [element], "extra": [2]}, schema)


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "maybe"},
        {"kind": "height"},
        {"chunk": "1"},
        {"number": None},
        {"claim": "a text that nobody asked for"},
    ],
)
def test_the_schema_refuses_what_the_shape_does_not_ask_for(wrong):
    element = {"number": 1, "reason": "so", "chunk": None, "kind": None, "verdict": "yes"} | wrong
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"verdicts": [element], "extra": []}, json_schema(Verdicts, MENUS))


def test_every_field_is_required_in_native_calls_and_no_other_allowed():
    schema = json_schema(Verdicts, MENUS)
    assert schema["required"] == ["verdicts", "extra"]
    assert schema["additionalProperties"] is False
    assert "claim" not in schema["properties"]["verdicts"]["items"]["properties"]


def test_a_range_and_what_is_told_stand_in_the_schema():
    assert json_schema(Score, {})["properties"]["score"] == {"type": "number", "minimum": 0, "maximum": 1}
    inner = json_schema(Verdicts, MENUS)["properties"]["verdicts"]["items"]["properties"]
    assert inner["reason"]["description"] == "one sentence"
