from __future__ import annotations

from typing import Any

import pytest

from scorer_answer_similarity import spec as answer_similarity
from scorer_bias import spec as bias
from scorer_core import UsageError
from scorer_runner.values import named, options_of, value_of


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
    assert named("--option", ["scale=1", "scale=2"]) == {"scale": 2}


def test_settings_without_a_name_or_a_value_are_told_together() -> None:
    with pytest.raises(UsageError, match=r"(?s)--option 'a': expected NAME=VALUE.*--option '=b'"):
        named("--option", ["a", "=b", "c=d"])


def test_an_option_goes_to_every_scorer_that_has_it_and_a_scorer_s_own_goes_before() -> None:
    told = {"bias.scale": 100, "scale": 10, "missing_penalty": 0}
    assert options_of([bias, answer_similarity], told) == {
        "bias": {"scale": 100},
        "answer_similarity": {"scale": 10, "missing_penalty": 0},
    }


def test_options_that_no_scorer_has_are_told_together_with_suggestions() -> None:
    with pytest.raises(UsageError) as e:
        options_of([bias], {"scael": 1, "bais.scale": 2, "bias.kind": 3})
    scael, bais, kind = sorted(
        str(e.value).splitlines(), key=lambda line: ["scael", "bais.", "bias."].index(line[9:14])
    )
    assert "no scorer of this run has an option 'scael'" in scael
    assert "'scale'" in scael
    assert "no scorer 'bais' in this run" in bais
    assert "'bias'" in bais
    assert "bias has no option 'kind'" in kind
    assert "'kinds'" in kind
