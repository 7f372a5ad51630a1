from __future__ import annotations

from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.ordering.values import label_among, named, scorer_and_options, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("10", 10),
        ("0.5", 0.5),
        ("false", False),
        ('["age"]', ["age"]),
        ('{age = "of age"}', {"age": "of age"}),
        ('"10"', "10"),
        ("some text", "some text"),
        ("False", "False"),
        ("2026-01-01", "2026-01-01"),
        ("1\nother = 2", "1\nother = 2"),
        ("", ""),
    ],
)
def test_a_value_is_toml_or_else_a_text(text: str, value: Any) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


def test_the_last_value_of_a_name_holds() -> None:
    assert named("--model-arg", ["scale=1", "scale=2"]) == {"scale": 2}


def test_settings_without_a_name_or_a_value_are_told_together() -> None:
    with pytest.raises(UsageError, match=r"(?s)--model-arg 'a': expected NAME=VALUE.*--model-arg '=b'"):
        named("--model-arg", ["a", "=b", "c=d"])


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("bias", {}),
        ("bias:", {}),
        ("bias:scale=10", {"scale": 10}),
        ('bias:scale=10, kinds=["age", "class"]', {"scale": 10, "kinds": ["age", "class"]}),
        ("bias:kinds=age,scale=2.5", {"kinds": "age", "scale": 2.5}),
    ],
)
def test_a_scorer_comes_with_options_of_its_own(text: str, options: dict[str, Any]) -> None:
    assert scorer_and_options(text) == ("bias", options)


def test_a_label_is_taken_out_of_the_options() -> None:
    options = {"label": "丁寧さ", "scale": 2}
    assert (label_among(options), options) == ("丁寧さ", {"scale": 2})
    assert label_among(options) is None


@pytest.mark.parametrize("label", ["", " a", "a[b]", "a>=1", "a,b", 'a"', 3, "a\nb"])
def test_a_label_that_a_gate_could_not_name_is_refused(label: Any) -> None:
    with pytest.raises(UsageError, match="label: expected a text without"):
        label_among({"label": label})


def test_an_option_of_a_scorer_without_a_value_is_told() -> None:
    with pytest.raises(UsageError, match=r"--scorer bias: 'scale': expected NAME=VALUE"):
        scorer_and_options("bias:scale")
