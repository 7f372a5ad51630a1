"""Repeats of rows: a row is one observation, however often it was scored."""

import random
from statistics import fmean, stdev

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scorer_core.evaluating.grouped import Grouped
from scorer_core.evaluating.statistics import Moments, Rate, one_more
from scorer_core.evaluating.summary import Average

from .test_summary import FAILED, NOT_SCORABLE, SCORED, VACUOUS, close

rows = st.integers(1, 4).flatmap(
    lambda times: st.lists(st.lists(st.none() | st.floats(0, 1), min_size=times, max_size=times), min_size=1)
)


def grouped(rows, order=None):
    """Numbers in groups, come in an order of their places."""
    made, places = Grouped(len(rows[0])), [(r, n) for r, row in enumerate(rows) for n in range(len(row))]
    for r, n in order or places:
        made.add(r, rows[r][n])
    return made


def of(rows, *, times):
    """The average of rows, each the scores or results of its repeats."""
    average = Average("mine", times=times)
    for index, row in enumerate(rows):
        for n, one in enumerate(row, 1):
            result = evolve(SCORED, score=one) if isinstance(one, float) else one
            average.add(evolve(result, index=index, row_id=f"r{index}", repeat=n))
    return average


def positive(number):
    return number > 0.5


@given(rows)
def test_what_groups_come_to_is_what_their_means_come_to(rows):
    made = grouped(rows)
    judged = [[n for n in row if n is not None] for row in rows]
    means = [fmean(row) for row in judged if row]
    assert made.count == sum(map(len, judged))
    assert made.moments.count == len(means)
    assert not means or made.moments.mean == close(fmean(means))
    assert len(means) < 2 or made.moments.deviation == close(stdev(means))


@given(rows, st.randoms())
def test_the_order_in_which_repeats_come_does_not_matter(rows, chance):
    places = [(r, n) for r, row in enumerate(rows) for n in range(len(row))]
    mixed = chance.sample(places, len(places))
    one, other = grouped(rows), grouped(rows, mixed)
    assert (one.count, one.moments.count) == (other.count, other.moments.count)
    assert one.moments.mean == close(other.moments.mean)
    if one.count:
        assert one.quantile(0.3) == other.quantile(0.3)
        assert one.rate(positive).met == other.rate(positive).met
        assert one.rate(positive).share == close(other.rate(positive).share)


@given(rows)
def test_groups_that_are_not_complete_are_counted_as_far_as_they_came(rows):
    whole = grouped(rows)
    begun = Grouped(len(rows[0]) + 1)
    for r, row in enumerate(rows):
        for number in row:
            begun.add(r, number)
    assert begun.count == whole.count
    assert begun.moments == whole.moments
    if whole.count:
        assert begun.quantile(0.7) == whole.quantile(0.7)
        assert begun.rate(positive).met == whole.rate(positive).met


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30), st.integers(2, 5))
def test_repeats_that_are_all_alike_make_no_mean_and_no_rate_surer(scores, times):
    once, often = of([[s] for s in scores], times=1), of([[s] * times for s in scores], times=times)
    assert often.judged == times * once.judged
    assert often.rows == once.rows
    assert (often.interval.low, often.interval.high) == (close(once.interval.low), close(once.interval.high))
    rate, alone = often.rate(">", 0.5), once.rate(">", 0.5)
    assert (rate.met, rate.of, rate.share) == (times * alone.met, times * alone.of, close(alone.share))
    assert rate.interval.low == pytest.approx(alone.interval.low, abs=1e-9)
    assert rate.interval.high == pytest.approx(alone.interval.high, abs=1e-9)


def test_a_row_counts_once_also_where_some_of_its_repeats_failed():
    average = of([[1.0, 1.0, 1.0], [0.0, FAILED, VACUOUS], [NOT_SCORABLE, FAILED, FAILED]], times=3)
    assert str(average) == "0.50 over 4 judged in 2 rows · 1 vacuous · 1 not scorable · 3 failed (timeout 3)"
    assert (average.mean, average.deviation) == (0.5, close(stdev([1.0, 0.0])))
    assert average.rate(">=", 1.0) == Rate(3, 4, one_more(one_more(Moments(), 1.0), 0.0))
    assert average.rate(">=", 1.0).share == 0.5
    assert average.quantile(0.5) == 1.0


def test_of_one_row_there_is_no_interval_however_often_it_was_scored():
    average = of([[0.0, 1.0, 1.0, 1.0]], times=4)
    assert (average.mean, average.deviation, average.interval) == (0.75, None, None)
    assert average.rate(">=", 1).interval.low < 0.2


def test_a_rate_is_as_sure_as_rows_at_least_and_as_all_repeats_at_most():
    for share in (0.0, 0.25, 0.5, 1.0):
        same = of([[1.0] * round(4 * share) + [0.0] * round(4 - 4 * share)] * 12, times=4).rate(">=", 1)
        sure, unsure = Rate(same.met, 48).interval, Rate(round(12 * share), 12).interval
        assert unsure.low - 1e-9 <= same.interval.low <= sure.low + 1e-9
        assert sure.high - 1e-9 <= same.interval.high <= unsure.high + 1e-9


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.95])
def test_intervals_hold_the_truth_as_often_as_they_say_however_much_repeats_are_alike(alike):
    chance, held_mean, held_rate, tries = random.Random(7), 0, 0, 400
    for _ in range(tries):
        scored = []
        for _ in range(25):
            row = chance.random()
            scored.append([row if chance.random() < alike else chance.random() for _ in range(5)])
        average = of(scored, times=5)
        held_mean += average.interval.low <= 0.5 <= average.interval.high
        rate = average.rate("<=", 0.3).interval
        held_rate += rate.low <= 0.3 <= rate.high
    assert held_mean / tries > 0.92
    assert held_rate / tries > 0.92
