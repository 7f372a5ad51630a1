"""Pairs of characters by example and by property, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_words import dice


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("night", "nacht", 2 * 1 / 8),
        ("aaaa", "aa", 2 * 1 / 4),
        ("a", "b", 0.0),
        ("a", "a", 1.0),
        ("", "", 1.0),
        ("", "ab", 0.0),
        ("to day", "today", 1.0),
        ("Straße", "STRASSE", 1.0),
        ("cafe\u0301", "caf\u00e9", 1.0),
        ("東京は雨です", "東京は雨でした", 2 * 4 / 11),
        ("مرحبا", "مرحبا بك", 2 * 4 / 10),
    ],
)
def test_twice_the_shared_pairs_over_all_pairs(one, other, share):
    assert dice(one, other) == pytest.approx(share, abs=1e-12)


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_share_is_in_range_the_same_both_ways_and_one_for_the_same_text(one, other):
    assert 0 <= dice(one, other) <= 1
    assert dice(one, other) == dice(other, one)
    assert dice(one, one) == 1
