"""Digests in little more than their bytes: which of them are there, and how often each came."""

from __future__ import annotations

from collections import Counter

from attrs import field, frozen


@frozen(eq=False)
class Digests:
    """A set of digests that takes little more than their bytes."""

    _tails: dict[bytes, bytearray] = field(init=False, factory=dict)

    def add(self, digest: bytes) -> None:
        """Put `digest` in; it is not there yet."""
        self._tails.setdefault(digest[:2], bytearray()).extend(digest[2:])

    def __contains__(self, digest: bytes) -> bool:
        tails, tail = self._tails.get(digest[:2], b""), digest[2:]
        at = tails.find(tail)
        while at % len(tail) and at >= 0:
            at = tails.find(tail, at + 1)
        return at >= 0


@frozen(eq=False)
class Occurrences:
    """How often each digest came; one that came once takes little more than its bytes."""

    _once: Digests = field(init=False, factory=Digests)
    _again: Counter[bytes] = field(init=False, factory=Counter)

    def add(self, digest: bytes) -> int:
        """How often `digest` came, this time included."""
        if digest not in self._once:
            self._once.add(digest)
            return 1
        self._again[digest] += 1
        return 1 + self._again[digest]
