"""Texts taken apart into claims and units."""

import pytest

from scorer_local_judge.claims import claims
from scorer_local_judge.units import units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The Eiffel Tower is in Paris and was built in 1889. It is 330 metres tall.",
            [
                "The Eiffel Tower is in Paris",
                "The Eiffel Tower was built in 1889",
                "The Eiffel Tower is 330 metres tall",
            ],
        ),
        (
            "Tesla was founded in 2003; the founders were engineers.",
            ["Tesla was founded in 2003", "the founders were engineers"],
        ),
        ("She wrote and directed the film.", ["She wrote and directed the film"]),
        ("Dr. Smith paid $3.5 million, e.g. for St. Louis.", ["Dr. Smith paid $3.5 million, e.g. for St. Louis"]),
        ("He lives in the U.S. The house is old.", ["He lives in the U.S.", "the house is old".capitalize()]),
        ("J. K. Rowling wrote it.", ["J. K. Rowling wrote it"]),
        ("No. 5 is a perfume. No one knows.", ["No. 5 is a perfume", "No one knows"]),
        (
            "i ' m not sure , but it has been around since the 10th century !",
            ["it has been around since the 10th century"],
        ),
        ("yes! the book is old. it was released in 2001", ["the book is old", "the book was released in 2001"]),
        ("It rains. It rains.", ["It rains"]),
        ("If it rains and the road is wet, we stay.", ["If it rains and the road is wet, we stay"]),
        ("You are booked. Here are the details:\n- **Number:** 41", ["You are booked", "Number: 41"]),
    ],
)
def test_sentences_become_single_claims(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!",
        "Hello there! How are you?",
        "Let me know if you need anything else!",
        "I'm sorry, but I cannot help with that.",
        "If you have any other questions, feel free to ask.",
        "Click the button. Please wait. Have a great day!",
        "こんにちは。何かお手伝いできますか？お気軽にお尋ねください。",
        "هل تعرف؟",
        "```\nprint(1)\n```",
    ],
)
def test_what_claims_nothing_is_left_out(text: str) -> None:
    assert claims(text) == []


def test_list_items_and_table_rows_are_claims_without_their_markup() -> None:
    text = (
        "# Colours\nThe primary colours are:\n- **red**\n- blue\n\n1. Red is warm.\n\n"
        "| Name | Year |\n|---|---|\n| iPhone | 2007 |"
    )
    assert claims(text) == [
        "The primary colours are: red",
        "The primary colours are: blue",
        "Red is warm",
        "iPhone, 2007",
    ]


def test_japanese_is_cut_at_its_full_stops_and_topics() -> None:
    text = "東京は日本の首都であり、人口は約1400万人です。彼は「行く。」と言った。最大の都市ですか？"
    assert claims(text) == ["東京は日本の首都である", "人口は約1400万人です", "彼は「行く。」と言った"]


def test_other_scripts_are_cut_at_theirs() -> None:
    assert claims("यह एक किताब है। वह अच्छा है।") == ["यह एक किताब है", "वह अच्छा है"]


def test_a_pronoun_stays_where_its_owner_is_not_plain() -> None:
    assert claims("Tesla was founded by Martin Eberhard. He left in 2008.")[1] == "He left in 2008"
    assert claims("Marie Curie discovered radium. It glows.")[1] == "It glows"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Red, blue and yellow.", ["Red", "blue", "yellow"]),
        ("The primary colours are red, blue, and yellow.", ["red", "blue", "yellow"]),
        ("June 22, 2018", ["June 22, 2018"]),
        ("Paris, France", ["Paris, France"]),
        ("No, Pluto is not a planet.", ["No", "Pluto is not a planet"]),
        ("原色は赤、青、黄です。", ["赤", "青", "黄"]),
        ("4", ["4"]),
        ("", []),
    ],
)
def test_units_are_claims_with_plain_lists_taken_apart(text: str, expected: list[str]) -> None:
    assert units(text) == expected
