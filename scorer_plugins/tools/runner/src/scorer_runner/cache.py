"""The replies of judges in one SQLite file, which several processes and threads may use at once."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import define, field, frozen

from scorer_core import UsageError

WAIT = 10.0  # seconds for another process to end its write
TABLE = "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL, made_at TEXT NOT NULL)"
_ABOUT = "SELECT count(*), sum(length(CAST(reply AS BLOB))), min(made_at), max(made_at) FROM replies"


@frozen
class Held:
    """What a file of replies holds: how many entries, the bytes of their replies, and when the first and last came."""

    entries: int
    size: int
    first: str | None
    last: str | None


def told(held: Held) -> str:
    """`12 replies, 34.5 kB, from 2026-01-31 to 2026-02-01`."""
    replies = f"{held.entries} {'reply' if held.entries == 1 else 'replies'}"
    if held.first is None or held.last is None:
        return replies
    days = dict.fromkeys((held.first[:10], held.last[:10]))
    return f"{replies}, {held.size / 1000:.1f} kB, {'from ' if len(days) > 1 else ''}{' to '.join(days)}"


@frozen
class _Place:
    """A connection of this process, and the lock that keeps its threads apart."""

    connection: sqlite3.Connection
    lock: Any = field(factory=Lock)


@define(eq=False)
class SqliteCache:
    """A cache of replies in a file, for `Judge(..., cache=...)` and `Caching`; made with the first reply that is kept.

    What was put stays, also when the process is killed. A copy in another process (pickled, forked) uses the same file.

    Args:
        path: The file; beside it lie two of SQLite's own while it is in use.
        there: Whether the file has to be there already.

    Raises:
        UsageError: the file is none of replies, or it, or its folder, can't be used.
    """

    path: Path = field(converter=Path)
    there: bool = False
    hits: int = field(default=0, init=False)  # how often an entry was found
    _places: dict[int, _Place] = field(factory=dict, init=False, repr=False)  # by process: none outlives a fork
    _opening: Any = field(factory=Lock, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        if self.path.exists():
            self._place()
        elif self.there:
            raise UsageError(f"no cache {str(self.path)!r}; a run with --cache-mode use makes it")
        elif not self.path.parent.is_dir():
            raise UsageError(f"cache {str(self.path)!r}: no folder {str(self.path.parent)!r}; make it first")
        elif not os.access(self.path.parent, os.W_OK):
            raise UsageError(f"cache {str(self.path)!r} can't be made: its folder can't be written to")

    def __reduce__(self) -> Any:
        return SqliteCache, (self.path, self.there)

    def get(self, key: str) -> str | None:
        """What was put under `key` last."""
        if not self.path.exists():
            return None
        found = self._run("SELECT reply FROM replies WHERE key = ?", key)
        self.hits += len(found)
        return str(found[0][0]) if found else None

    def put(self, key: str, reply: str) -> None:
        """Keep `reply`, in the file when this returns."""
        self._run("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", key, reply, datetime.now(UTC).isoformat())

    def clear(self) -> None:
        """Take all entries out, and give their room back."""
        self._run("DELETE FROM replies")
        self._run("VACUUM")

    def held(self) -> Held:
        """What is in the file."""
        ((entries, size, first, last),) = self._run(_ABOUT)
        return Held(entries, size or 0, first, last)

    def close(self) -> None:
        """Let go of the file; it is opened anew when it is used."""
        if place := self._places.pop(os.getpid(), None):
            with place.lock:
                place.connection.close()

    def _run(self, statement: str, *values: str) -> Sequence[Any]:
        place = self._place()
        with place.lock:
            return place.connection.execute(statement, values).fetchall()

    def _place(self) -> _Place:
        """This process's connection; that of a process it was forked from is left alone, as SQLite asks."""
        if (place := self._places.get(os.getpid())) is None:
            with self._opening:
                place = self._places.get(os.getpid()) or _Place(_opened(self.path))
                self._places[os.getpid()] = place
        return place


def _opened(path: Path) -> sqlite3.Connection:
    """A connection to the file that sees to its table.

    Raises:
        UsageError: it is no file of replies, or can't be opened.
    """
    written = os.access(path.parent, os.W_OK) and (os.access(path, os.W_OK) or not path.exists())
    try:
        if not written:
            place = f"{path.absolute().as_uri()}?immutable=1"  # no lock can be had, and nobody writes
            connection = sqlite3.connect(place, uri=True, check_same_thread=False)
            connection.execute("SELECT 1 FROM replies LIMIT 1")
            return connection
        connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
        _prepare(connection, path)
        return connection
    except sqlite3.Error as e:
        raise UsageError(f"cache {str(path)!r} can't be used: {e}; name another file") from e


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if tables and "replies" not in tables:
        raise UsageError(f"{str(path)!r} is a database of something else (it has: {', '.join(tables)})")
    for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", TABLE):
        _waiting(connection, statement)


def _waiting(connection: sqlite3.Connection, statement: str) -> None:
    """Run it once other processes are done: SQLite itself does not wait for a change of the journal."""
    end = time.monotonic() + WAIT
    while True:
        try:
            connection.execute(statement)
            return
        except sqlite3.OperationalError as e:
            if e.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() > end:
                raise
            time.sleep(0.01)
