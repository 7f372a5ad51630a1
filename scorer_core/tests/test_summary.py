"""What many scores come to: checked against the standard library's batch formulas and against published numbers."""

import math
import statistics as batch
import tracemalloc
from array import array

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from scorer_core.contract.schema import ErrorInfo, RunResult
from scorer_core.evaluating.statistics import Rate, holds, quantile, student
from scorer_core.evaluating.summary import Average

SCALE = 10
scores = st.lists(st.floats(0, SCALE), min_size=1, max_size=60)
comparisons = st.sampled_from([">=", "<=", ">", "<"])
SCORED = RunResult(
    scorer_id="mine", scorer_label="mine", scorer_version="1", core_version="1", higher_is="better", run_id="1",
    status="scored", score=1.0,
)  # fmt: skip
FAILED = evolve(SCORED, status="failed", score=None, error=ErrorInfo(kind="timeout", step=None, message=""))
NOT_SCORABLE = evolve(SCORED, status="not_scorable", score=None)
VACUOUS = evolve(SCORED, vacuous=True)


def of(*given):
    """The average of scores, and of results."""
    average = Average("mine", scale=SCALE)
    for one in given:
        average.add(one if isinstance(one, RunResult) else evolve(SCORED, score=one))
    return average


def close(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


# Streaming


@given(scores)
def test_streaming_equals_the_batch_formulas(given):
    average = of(*given)
    assert average.mean == close(batch.fmean(given))
    assert average.deviation == (close(batch.stdev(given)) if len(given) > 1 else None)


@given(scores.flatmap(lambda s: st.tuples(st.just(s), st.permutations(s))))
def test_the_order_of_rows_does_not_matter(orders):
    one, other = (of(*order) for order in orders)
    assert one.mean == close(other.mean)
    assert one.deviation == (None if other.deviation is None else close(other.deviation))
    assert [one.quantile(p) for p in (0, 0.1, 0.5, 1)] == [other.quantile(p) for p in (0, 0.1, 0.5, 1)]
    assert one.rate(">=", 5) == other.rate(">=", 5)


@given(scores)
def test_no_statistic_leaves_the_scale_and_none_is_nan(given):
    average = of(*given)
    assert 0 <= average.mean <= SCALE
    assert average.deviation is None or 0 <= average.deviation <= SCALE
    assert min(given) <= average.quantile(0.3) <= max(given)


@given(st.lists(st.sampled_from([FAILED, NOT_SCORABLE, VACUOUS, 1.0, 2.5])))
def test_R053_all_statistics_are_over_the_judged_rows_alone(given):
    average, judged = of(*given), of(*(s for s in given if isinstance(s, float)))
    for take in (
        lambda a: (a.judged, a.mean, a.deviation, a.interval),
        lambda a: (a.quantile(0.5), a.rate("<", 2)),
    ):
        assert take(average) == take(judged)
    assert average.scorable + average.not_scorable == len(given)


def test_of_no_rows_there_is_no_statistic_and_of_one_row_no_spread():
    empty, one = of(FAILED), of(3.0)
    assert (empty.mean, empty.deviation, empty.interval, empty.quantile(0.5), empty.rate(">=", 0)) == (None,) * 5
    assert (one.mean, one.deviation, one.interval, one.quantile(0.1)) == (3.0, None, None, 3.0)


def test_coverage_is_the_share_of_the_scorable_rows_that_did_not_fail():
    assert of(1.0, VACUOUS, NOT_SCORABLE, FAILED, FAILED).coverage == 0.5
    assert of(NOT_SCORABLE).coverage is None
    assert of(*[1.0] * 99, FAILED).coverage == 0.99


def test_a_score_is_kept_in_eight_bytes_and_quantiles_take_little_more():
    tracemalloc.start()
    try:
        average, n = of(), 20_000
        for score in range(n):
            average.add(evolve(SCORED, score=score / n))
        kept, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        average.quantile(0.5)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 10 * n
    assert peak < 34 * n


# Intervals


@given(scores)
def test_students_interval_contains_the_mean_and_is_as_wide_as_its_formula(given):
    interval = of(*given).interval
    if len(given) == 1:
        assert interval is None
        return
    assert interval.low <= of(*given).mean <= interval.high
    width = 2 * student(len(given) - 1) * batch.stdev(given) / math.sqrt(len(given))
    assert interval.high - interval.low == close(width)


def below(t, freedom, steps=20_000):
    """The chance of a value below `t`, by Simpson's rule over the density."""
    top = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)
    heights = [top * (1 + (n * t / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for n in range(steps + 1)]
    return 0.5 + t / steps / 3 * (heights[0] + heights[-1] + 4 * sum(heights[1:-1:2]) + 2 * sum(heights[2:-1:2]))


@pytest.mark.parametrize("freedom", [*range(1, 15), 20, 30, 100, 1000, 10**6])
def test_students_quantile_leaves_two_and_a_half_percent_above(freedom):
    t = student(freedom)
    assert below(t * (1 - 5e-6), freedom) < 0.975 < below(t * (1 + 5e-6), freedom)


@pytest.mark.parametrize(
    ("freedom", "t"), [(1, 12.706), (2, 4.303), (9, 2.262), (10, 2.228), (30, 2.042), (120, 1.980)]
)
def test_students_quantile_is_that_of_the_printed_tables(freedom, t):
    assert student(freedom) == pytest.approx(t, abs=5e-4)


@pytest.mark.parametrize(
    ("met", "of", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), table I, method 3
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilsons_interval_is_that_of_newcombes_table(met, of, low, high):
    interval = Rate(met, of).interval
    assert (interval.low, interval.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilsons_interval_contains_the_share_and_stays_between_0_and_1(counts):
    rate = Rate(*counts)
    assert 0 <= rate.interval.low <= rate.share <= rate.interval.high <= 1
    assert rate.interval.low < rate.interval.high


# Rates and quantiles


@given(scores, comparisons, st.floats(0, SCALE))
def test_a_rate_counts_the_rows_that_are_so_and_its_opposite_the_others(given, comparison, bound):
    opposite = {">=": "<", "<": ">=", ">": "<=", "<=": ">"}[comparison]
    one, other = of(*given).rate(comparison, bound), of(*given).rate(opposite, bound)
    assert one.met + other.met == one.of == len(given)


def test_R067_a_bound_of_0_is_a_bound():
    average = of(0.0, 0.3)
    assert average.rate(">=", 0) == Rate(2, 2)
    assert average.rate(">", 0) == Rate(1, 2)


def test_numbers_that_differ_by_rounding_only_are_equal():
    mean = (0.7 + 0.8 + 0.9) / 3 - 1e-16
    assert mean < 0.8
    assert holds(mean, ">=", 0.8, rounding=1e-9)
    assert not holds(mean, "<", 0.8, rounding=1e-9)
    assert of(0.1 * 3 * SCALE / SCALE).rate("<=", 0.3).share == 1


@given(scores, st.integers(1, 99))
def test_a_quantile_is_that_of_the_standard_library(given, percent):
    wanted = batch.quantiles(given, n=100, method="inclusive")[percent - 1] if len(given) > 1 else given[0]
    assert of(*given).quantile(percent / 100) == close(wanted)


@pytest.mark.parametrize(
    "order", [lambda n: range(n), lambda n: [*range(n // 2), *range(n // 2, 0, -1)], lambda n: [1] * n]
)
def test_a_quantile_is_found_at_once_in_any_order(order):
    numbers = array("d", order(50_000))
    assert quantile(numbers, 0.5) == batch.median(numbers)
    assert numbers == array("d", order(50_000))
