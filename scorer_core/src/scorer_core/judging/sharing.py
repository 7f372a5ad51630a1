"""Answers that need not be paid for again: those of one row, and those on their way in the whole run."""

from __future__ import annotations

import asyncio
import contextvars
from typing import Any

from attrs import field, frozen


@frozen
class Sharing:
    """Answers that need not be paid for again: those of one row, and those on their way in the whole run."""

    of_run: dict[Any, asyncio.Future[Any]]
    of_row: dict[Any, asyncio.Future[Any]] = field(factory=dict)

    def find(self, key: Any) -> asyncio.Future[Any] | None:
        """The answer to a question that was asked, or is being asked."""
        return self.of_row.get(key) or self.of_run.get(key)

    def add(self, key: Any, answer: asyncio.Future[Any]) -> None:
        """Share an answer with its row, and with all others until it is there."""
        self.of_row[key] = self.of_run[key] = answer

    def done(self, key: Any) -> None:
        """An answer is there, or never will be."""
        self.of_run.pop(key, None)


sharing: contextvars.ContextVar[Sharing | None] = contextvars.ContextVar("sharing", default=None)
