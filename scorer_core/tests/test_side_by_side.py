"""Work side by side: bounded, read as it is consumed, given as it is done, and nothing left behind."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from scorer_core.evaluating import side_by_side
from scorer_core.evaluating.side_by_side import completed, numbered


class Work:
    """Work that takes as many turns of the loop as it is told, and notes what is begun, in flight and cancelled."""

    def __init__(self):
        self.begun, self.cancelled, self.flying, self.most = [], [], 0, 0

    async def __call__(self, index, turns):
        self.begun.append(index)
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            for _ in range(turns):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            self.cancelled.append(index)
            raise
        finally:
            self.flying -= 1
        return index


def never(made):
    return False


async def all_of(data, work, most=3, last=never):
    return [made async for made in completed(numbered(data), work, most=most, last=last)]


def test_each_is_given_as_it_is_done():
    assert asyncio.run(all_of([30, 20, 10], Work())) == [2, 1, 0]
    assert asyncio.run(all_of([], Work())) == []


@pytest.mark.parametrize("most", [1, 2, 7])
def test_so_many_are_under_way_at_once_and_never_more(most):
    work = Work()
    assert sorted(asyncio.run(all_of([1 + n % 5 for n in range(50)], work, most))) == list(range(50))
    assert work.most == most


def test_R140_data_of_unknown_length_are_read_no_further_than_there_is_room():
    read = []

    async def data():
        for n in range(200):
            read.append(n)
            yield n % 3

    async def ahead():
        taken = 0
        async for _ in completed(numbered(data()), Work(), most=4, last=never):
            taken += 1
            await asyncio.sleep(0.001 if taken < 20 else 0)
            yield len(read) - taken

    async def most():
        return max([n async for n in ahead()])

    assert asyncio.run(most()) <= 4


def test_no_more_is_begun_or_read_after_the_last_and_what_is_under_way_is_given():
    work, read = Work(), []

    def data():
        for n in range(100):
            read.append(n)
            yield 1 if n == 1 else 9

    made = asyncio.run(all_of(data(), work, last=lambda made: made == 1))
    assert made == [1, 0, 2]
    assert work.begun == read == [0, 1, 2]


def test_a_row_that_comes_after_the_last_is_not_begun():
    work = Work()

    async def data():
        yield 5
        await asyncio.sleep(0.02)
        yield 5

    assert asyncio.run(all_of(data(), work, last=lambda made: True)) == [0]
    assert work.begun == [0]


def test_an_exception_of_the_source_comes_through_when_what_was_begun_is_done():
    work = Work()

    async def data():
        yield 100
        yield 0
        await asyncio.sleep(0.01)
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        asyncio.run(all_of(data(), work))
    assert (work.begun, work.cancelled, work.flying) == ([0, 1], [], 0)


def test_an_exception_of_the_work_comes_through():
    async def work(index, given):
        return 1 / given

    with pytest.raises(ZeroDivisionError):
        asyncio.run(all_of([1, 0], work))


def test_a_caller_who_goes_away_leaves_nothing_running():
    work = Work()

    async def first():
        async with aclosing(completed(numbered([1, 10_000, 10_000, 1]), work, most=3, last=never)) as items:
            return await anext(items), work.flying

    async def alone():
        found = await first()
        return found, work.flying, len(asyncio.all_tasks())

    assert asyncio.run(alone()) == ((0, 2), 0, 1)
    assert work.cancelled == [1, 2]


def test_a_source_is_read_in_one_task_from_its_begin_to_its_end():
    tasks = set()

    async def data():
        for _ in range(10):
            tasks.add(asyncio.current_task())
            yield 1

    asyncio.run(all_of(data(), Work()))
    assert len(tasks) == 1


def test_once_halted_no_more_is_begun_and_what_takes_too_long_is_cancelled(monkeypatch):
    monkeypatch.setattr(side_by_side, "MOST_AFTER", 0.05)
    halted, work, begun = asyncio.Event(), Work(), []

    async def data():
        for turns in (1, 20, 100_000_000):
            begun.append(turns)
            yield turns
        await asyncio.sleep(0.01)
        halted.set()
        await asyncio.sleep(60)

    async def made():
        return [m async for m in completed(numbered(data()), work, most=9, last=never, halted=halted)]

    assert sorted(asyncio.run(made())) == [0, 1]
    assert (work.begun, work.cancelled, work.flying) == ([0, 1, 2], [2], 0)
