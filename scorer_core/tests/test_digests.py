"""Digests: found at their own place only, counted, and small."""

from __future__ import annotations

import tracemalloc
from hashlib import sha256

from scorer_core.support.digests import Digests, Occurrences


def digest(n):
    return sha256(str(n).encode()).digest()[:8]


def test_digests_are_found_at_their_own_place_only():
    found = Digests()
    one, two = bytes([0, 0, *range(1, 15)]), bytes([0, 0, *range(15, 29)])
    found.add(one)
    found.add(two)
    assert one in found
    assert two in found
    assert bytes([0, 0, *range(2, 16)]) not in found
    assert bytes([0, 1, *range(1, 15)]) not in found


def test_each_time_a_digest_comes_is_counted():
    seen = Occurrences()
    assert [seen.add(digest(n)) for n in (1, 2, 1, 1, 2, 3)] == [1, 1, 2, 3, 2, 1]


def test_R140_many_digests_take_little_more_than_their_bytes():
    seen = Occurrences()
    tracemalloc.start()
    try:
        for n in range(300_000):
            seen.add(digest(n))
        took, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert took < 300_000 * 80  # a Counter of texts takes 160; what is shared by all weighs less the more there are
