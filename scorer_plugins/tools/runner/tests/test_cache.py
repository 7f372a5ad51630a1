from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from scorer_core import UsageError
from scorer_runner.cache import SqliteCache

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}


@pytest.fixture
def cache() -> Any:
    made = SqliteCache("c.db")
    yield made
    made.close()


# The file


def test_what_is_put_is_got_and_the_last_one_counts(cache: SqliteCache) -> None:
    assert cache.get("a") is None
    cache.put("a", "1")
    cache.put("a", "2 你好")
    assert (cache.get("a"), cache.get("b"), cache.hits) == ("2 你好", None, 1)


def test_the_file_is_made_with_the_first_reply_and_outlives_the_cache(cache: SqliteCache) -> None:
    assert not Path("c.db").exists()
    cache.put("a", "1")
    cache.close()
    assert [p.name for p in Path().iterdir()] == ["c.db"]
    again = SqliteCache("c.db", there=True)
    assert again.get("a") == "1"
    again.close()


def test_a_closed_cache_is_opened_anew_when_it_is_used(cache: SqliteCache) -> None:
    cache.put("a", "1")
    cache.close()
    cache.close()
    assert cache.get("a") == "1"


def test_clearing_takes_everything_out_and_gives_the_room_back(cache: SqliteCache) -> None:
    for n in range(100):
        cache.put(str(n), "x" * 10_000)
    held = cache.held()
    assert (held.entries, held.size) == (100, 1_000_000)
    assert held.first is not None
    assert held.last is not None
    assert held.first < held.last
    cache.clear()
    cache.close()
    assert (SqliteCache("c.db").held().entries, Path("c.db").stat().st_size < 20_000) == (0, True)


def test_what_is_no_cache_is_refused_and_left_as_it_is() -> None:
    Path("text.db").write_text("not a database, but long enough to be looked at " * 30)
    with pytest.raises(UsageError, match=r"'text.db' can't be used: file is not a database"):
        SqliteCache("text.db")
    other = sqlite3.connect("other.db")
    other.execute("CREATE TABLE mine (x)")
    other.close()
    before = Path("other.db").read_bytes()
    with pytest.raises(UsageError, match=r"'other.db' is a database of something else \(it has: mine\)"):
        SqliteCache("other.db")
    assert Path("other.db").read_bytes() == before
    with pytest.raises(UsageError, match="can't be used"):
        SqliteCache(".")
    with pytest.raises(UsageError, match="no folder 'none'"):
        SqliteCache("none/c.db")
    with pytest.raises(UsageError, match=r"no cache 'new.db'"):
        SqliteCache("new.db", there=True)


def test_a_cache_that_nobody_may_write_to_is_read(cache: SqliteCache, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.put("a", "1")
    cache.close()
    monkeypatch.setattr("scorer_runner.cache.os.access", lambda path, how: False)
    reading = SqliteCache("c.db", there=True)
    assert reading.get("a") == "1"
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reading.put("b", "2")
    reading.close()
    with pytest.raises(UsageError, match="can't be written to"):
        SqliteCache("new.db")


# Several at once


def fill(cache: SqliteCache, who: int) -> None:
    for n in range(50):
        cache.put(f"{who}-{n}", f"{who}")
        assert cache.get(f"{who}-{n}") == f"{who}"
        cache.put("shared", f"{who}")


def test_threads_share_one_cache(cache: SqliteCache) -> None:
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda who: fill(cache, who), range(8)))
    assert cache.held().entries == 401


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_share_one_file_made_by_all_of_them_at_once(method: str, cache: SqliteCache) -> None:
    if method != "spawn":
        cache.put("before", "1")  # so that the forked ones have an open connection of their parent's
    code = f"""
import multiprocessing, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from scorer_runner.cache import SqliteCache
from test_cache import fill

if __name__ == "__main__":
    context, cache = multiprocessing.get_context({method!r}), SqliteCache("c.db")
    running = [context.Process(target=fill, args=(cache, who)) for who in range(6)]
    [p.start() for p in running]
    fill(cache, 6)
    [p.join() for p in running]
    assert [p.exitcode for p in running] == [0] * 6
    cache.close()
"""
    Path("several.py").write_text(code)
    done = subprocess.run([sys.executable, "several.py"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert cache.held().entries == 7 * 50 + 1 + (method != "spawn")
    assert cache._run("PRAGMA integrity_check") == [("ok",)]


def test_a_pickled_cache_is_one_of_the_same_file(cache: SqliteCache) -> None:
    cache.put("a", "1")
    other = pickle.loads(pickle.dumps(cache))
    assert other.get("a") == "1"
    other.close()


@pytest.mark.skipif(os.name == "nt", reason="no SIGKILL")
def test_what_was_put_survives_a_kill(cache: SqliteCache) -> None:
    code = (
        "from scorer_runner.cache import SqliteCache; cache = SqliteCache('c.db')\n"
        "for n in range(10_000): cache.put(str(n), 'x'); print(n, flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        while (told := int(running.stdout.readline())) < 20:
            pass
        running.send_signal(signal.SIGKILL)
        told = max([told, *map(int, running.stdout.read().split())])
    assert [n for n in range(told + 1) if cache.get(str(n)) is None] == []


# The command line


NAMED = ("--cache", "c.db", "--cache-name", "mine")


def test_R102_a_second_run_asks_for_nothing_and_says_so(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    source = rows(GOOD, {**GOOD, "output": "a WRONG answer"})
    assert "calls    10 made · 2 saved\n" in scorer("run", source, *judged, *NAMED).out
    assert "calls    0 made · 12 saved" in scorer("run", source, *judged, *NAMED).out
    first, again = results(), results("results-2.jsonl")
    scores = [[(r["row_id"], r["scorer_id"], r["score"], r["reason"]) for r in lines] for lines in (first, again)]
    assert sorted(scores[0]) == sorted(scores[1])
    assert all(e["cached"] for r in again for done in r["judge"].values() for e in done)


def test_claims_that_two_scorers_share_are_saved_without_a_cache(scorer: Any, rows: Any, judged: Any) -> None:
    assert "calls    5 made · 1 saved\n" in scorer("run", rows(GOOD), *judged).out


def test_refresh_asks_again_and_only_never_asks(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    source = rows({**GOOD, "id": "r1"})
    scorer("run", source, *judged, *NAMED)
    told = scorer("run", source, *judged, *NAMED, "--cache-mode", "refresh")
    assert "calls    5 made · 1 saved\n" in told.out
    told = scorer("run", source, *judged, *NAMED, "--cache-mode", "only")
    assert (told.code, "0 made · 6 saved" in told.out) == (0, True)
    more = rows({**GOOD, "id": "r1"}, {**GOOD, "id": "r2", "output": "new"}, name="more.jsonl")
    told = scorer("run", more, *judged[:2], *judged[4:], *NAMED, "--cache-mode", "only")
    assert told.code == 3
    assert "r2  faithfulness  server: not in the cache" in told.err
    assert "r1  " not in told.err
    assert "calls    0 made · 3 saved" in told.out


def test_R102_failed_rows_are_asked_again(scorer: Any, rows: Any, judged: Any) -> None:
    source = rows({**GOOD, "output": "BROKEN"})
    for _ in range(2):
        told = scorer("run", source, *judged[:2], *judged[4:], *NAMED)
        assert (told.code, "calls    1 made\n" in told.out) == (3, True)


def test_a_model_that_says_too_little_needs_a_name(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD), *judged, "--cache", "c.db")
    assert told.code == 2
    assert "Judge does not say enough about itself" in told.err
    assert "--cache-name NAME" in told.err
    assert not Path("c.db").exists()


def test_no_secret_can_be_read_in_the_file(scorer: Any, rows: Any, folder: Path) -> None:
    text = (folder.parent / "modules/judge_of_tests.py").read_text()
    text += "class Said(Judge):\n    api_key: str = 'sk-very-secret'\njudge = Said(judge.script)\n"
    (folder.parent / "modules/said.py").write_text(text)
    told = scorer("run", rows(GOOD), "--scorer", "faithfulness", "--model", "python:said:judge", *NAMED)
    assert told.code == 0
    assert not [p for p in Path().iterdir() if b"very-secret" in p.read_bytes()]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--cache-mode", "only"), "--cache FILE"),
        (("--cache-name", "x"), "--cache FILE"),
        (("--cache", "c.db", "--cache-mode", "on"), "--cache-mode"),
        (("--cache", "c.db", "--cache-mode", "only"), "no cache 'c.db'"),
        (("--cache", "rows.jsonl"), "file is not a database"),
    ],
)
def test_a_cache_that_makes_no_sense_is_told_before_the_first_call(
    scorer: Any, rows: Any, judged: Any, args: Any, message: str
) -> None:
    told = scorer("run", rows(*[GOOD] * 5), *judged, *args)
    assert told.code == 2
    assert message in told.err
    assert [p.name for p in Path().iterdir()] == ["rows.jsonl"]


def test_the_local_judge_needs_no_name(scorer: Any, rows: Any) -> None:
    for _ in range(2):
        told = scorer("run", rows(GOOD), "--scorer", "bias", "--cache", "c.db")
    assert "calls    0 made · 1 saved" in told.out


def test_a_cache_is_shown_and_cleared(scorer: Any, rows: Any, judged: Any) -> None:
    scorer("run", rows(GOOD), *judged, *NAMED)
    told = scorer("cache", "c.db")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith("c.db: 5 replies, ")
    assert "all taken out" in scorer("cache", "c.db", "--clear").out
    assert scorer("cache", "c.db").out == "c.db: 0 replies\n"
    assert scorer("cache", "none.db").code == 2
    assert not Path("none.db").exists()
