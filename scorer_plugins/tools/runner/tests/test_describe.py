from __future__ import annotations

from typing import Annotated

from attrs import field, frozen

from scorer_core import Band, Options, ScorerSpec
from scorer_runner.showing.describe import bands, described


@frozen(kw_only=True)
class Mine(Options):
    """What a user can set.

    Args:
        depth: How deep to look;
            at most 3.
        low, high: The ends.
    """

    depth: int = 3
    low: float = 0.0
    high: float | None = None
    names: dict[str, str] = field(factory=dict)
    words: Annotated[tuple[str, ...], "what to look for"] = ("a",)


def scored(_: object) -> float:
    return 1.0


def test_options_are_told_with_type_default_and_the_note_of_annotation_or_docstring() -> None:
    told = described(ScorerSpec(id="mine", options=Mine, higher_is="better", generate_score=scored), "mine 1")
    assert [(o["name"], o["type"], o["default"], o["note"]) for o in told["options"]] == [
        ("scale", "float", 1.0, "The score of a fraction of 1; finite and above 0."),
        ("depth", "int", 3, "How deep to look; at most 3."),
        ("low", "float", 0.0, "The ends."),
        ("high", "float | None", None, "The ends."),
        ("names", "dict[str, str]", {}, ""),
        ("words", "tuple[str, ...]", ["a"], "what to look for"),
    ]


def test_a_scorer_that_only_computes_has_one_step_and_no_template() -> None:
    told = described(ScorerSpec(id="mine", higher_is="better", generate_score=scored), "mine 1")
    assert told["steps"] == [{"step": "generate_score", "does": "computes", "function": "scored"}]
    assert told["bands"] == []


def test_bands_are_told_with_their_ranges() -> None:
    open_ended = ScorerSpec(
        id="mine", higher_is="better", bands=(Band(0, "none"), Band(0, "few"), Band(0.5, "many")), generate_score=scored
    )
    assert list(bands(open_ended)) == [("0", "none"), ("above 0 to below 0.5", "few"), ("0.5 to 1", "many")]
