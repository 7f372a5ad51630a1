from __future__ import annotations

import asyncio
import io
from typing import Any

import pytest
from attrs import evolve
from rich.console import Console

from scorer_core import create_scorer
from scorer_core.contract.schema import ErrorInfo
from scorer_core.evaluating.scoring import Item
from scorer_core.judging.flight import Flight
from scorer_runner.results.tally import Tally
from scorer_runner.running import progress as progress_module
from scorer_runner.running.progress import PLAIN, duration, far, progress

MADE = create_scorer(id="s", description="a score").generate_score(lambda trail: 1.0).bind()


def tally(rows: int, *, failed: int = 0, passed: int = 0) -> Tally:
    told, result = Tally([MADE]), MADE.run(output="x")
    for n in range(rows):
        error = ErrorInfo(kind="timeout", step=None, message="late") if n < failed else None
        made = evolve(result, error=error, status="failed" if error else "scored", score=None if error else 1.0)
        results = {} if n >= rows - passed else {"s": made}
        for one in results.values():
            told.count(one)
        told.over(Item(n, None, None, results))
    return told


def test_what_is_done_and_what_is_left_is_told() -> None:
    assert [*far(tally(30, failed=2), Flight(), 120, 60.0)] == ["30/120 rows", "2 failed", "3 min left"]


def test_an_unknown_length_shows_a_count() -> None:
    assert [*far(tally(1), Flight(), None, 60.0)] == ["1 row"]
    assert [*far(tally(0), Flight(), 10, 60.0)] == ["0/10 rows"]


def test_rows_of_an_earlier_run_say_nothing_of_how_long_the_others_take() -> None:
    assert [*far(tally(110, passed=100), Flight(), 120, 60.0)][-1] == "60 s left"


def test_R087_calls_in_flight_are_told_with_the_age_of_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    async def told() -> list[str]:
        flight = Flight(8)
        for began in (100.0, 112.0):
            monkeypatch.setattr("scorer_core.judging.flight.time.monotonic", lambda began=began: began)
            await flight.enter()
            flight.begun(asyncio.ensure_future(asyncio.sleep(0)), 120)
        monkeypatch.setattr("scorer_core.judging.flight.time.monotonic", lambda: 115.0)
        return [*far(tally(0), flight, 10, 60.0)]

    assert asyncio.run(told()) == ["0/10 rows", "2 calls", "2 in flight, the oldest for 15 s"]


def test_R105_where_there_is_no_terminal_it_is_a_plain_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    monkeypatch.setattr(progress_module, "screen", lambda **_: Console(file=written, width=60))
    with progress(120, quiet=False) as watch:
        assert watch is not None
        assert (watch.every, watch.last) == (PLAIN, False)
        watch.show(tally(30, failed=2), Flight())
    (line,) = written.getvalue().splitlines()
    assert line.startswith("0 s: 30/120 rows · 2 failed · ")
    assert not set(line) & {"\x1b", "\r"}


def test_R105_quiet_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with progress(120, quiet=True) as watch:
        assert watch is None


@pytest.mark.parametrize(("seconds", "told"), [(0, "0 s"), (89, "89 s"), (90, "2 min"), (5400, "1 h 30 min")])
def test_a_duration_is_told_in_the_unit_that_fits(seconds: float, told: Any) -> None:
    assert duration(seconds) == told
