"""What calls took: each is counted once, and what is not known never looks like nothing."""

from scorer_core.contract.schema import JudgeExecution, RunResult
from scorer_core.judging.spent import Spent, together

USAGE = {"input_tokens": 20, "output_tokens": 5, "total_tokens": 25, "output_token_details": {"reasoning": 3}}


def result(*executions, ms=500.0):
    return RunResult(
        scorer_id="mine", scorer_label="mine", scorer_version="1", core_version="1", higher_is="better", run_id="1",
        status="not_scorable", judge={"analyze": executions}, duration_ms=ms,
    )  # fmt: skip


def spent(*results):
    of = Spent()
    for one in results:
        of.add(one)
    return of


def test_R104_tokens_and_calls_are_summed_with_retries_and_without_a_score():
    paid = JudgeExecution(reply="a", attempts=2, usage=USAGE, cost=0.25)
    found = spent(result(paid, paid), result(paid))
    assert (found.calls, found.cost, found.unpriced, found.seconds) == (6, 0.75, 0, 1.0)
    assert found.usage["input_tokens"] == 60
    assert found.usage["output_token_details"] == {"reasoning": 9}


def test_R103_an_unknown_price_and_untold_tokens_are_counted_not_taken_for_zero():
    found = spent(result(JudgeExecution(reply="a"), JudgeExecution(reply="b", usage=USAGE, cost=0.5)))
    assert (found.cost, found.unpriced, found.untold) == (0.5, 1, 1)


def test_what_came_from_a_cache_is_saved_and_took_nothing():
    found = spent(result(JudgeExecution(reply="a", attempts=1, usage=USAGE, cached=True)))
    assert (found.calls, found.saved, found.usage, found.unpriced) == (0, 1, {}, 0)


def test_several_are_one():
    one, other = spent(result(JudgeExecution(reply="a", usage=USAGE, cost=1.0))), spent(result(ms=250.0))
    assert together([one, other]) == Spent(calls=1, usage=USAGE, cost=1.0, seconds=0.75)
    assert together([]) == Spent()
