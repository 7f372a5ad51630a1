"""Rows scored several times: what their scores come to, and what may be expected of further tries."""

from __future__ import annotations

import itertools
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import NotScorable, Settled, UsageError, create_scorer, run_evals
from scorer_core.contract.published import run_result_schema
from scorer_core.evaluating.repeats import Passing, Repeats, repeated
from scorer_core.judging.cache import Caching
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer


def scorer(*outcomes, id="mine", **about):
    """A scorer that gives these scores one after another."""
    coming = iter(outcomes)

    def score(_):
        outcome = next(coming)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return create_scorer(id=id, **about).generate_score(score)


def scored(*outcomes, about=None, **how):
    """The report on one row that was scored so."""
    made = scorer(*outcomes, **(about or {})).bind(scale=how.pop("scale", 1.0))
    return run_evals([{"output": "x", "id": "r1"}], made, repeats=len(outcomes), concurrency=1, **how)


@pytest.mark.parametrize(("rule", "passes"), [("mean", False), ("majority", True), ("all", False), ("any", True)])
def test_R049_the_rule_says_whether_a_row_passes_and_it_is_told_to_be_unstable(rule, passes):
    report = scored(0.71, 0.66, 0.70, passes=0.7, pass_rule=rule)
    (row,) = report.rows
    assert row.scores == (0.71, 0.66, 0.70)
    assert row.verdicts == (True, False, True)
    assert row.mean == pytest.approx(0.69)
    assert row.deviation == pytest.approx(0.0264575)
    assert (row.label, row.row_id, row.passes, row.unstable) == ("mine", "r1", passes, True)
    assert report.repeats["mine"].unstable == 1


def test_R049_the_mean_is_the_rule_unless_another_is_given_and_a_function_has_the_majority():
    assert scored(0.71, 0.66, 0.70, passes=0.7).rows[0].passes is False
    assert scored(0.71, 0.66, 0.70, passes=lambda result: result.score >= 0.7).rows[0].passes is True


def test_a_bound_is_in_the_scorers_units_and_its_direction():
    assert scored(0.2, 0.4, passes=3, scale=10, about={"higher_is": "worse"}).rows[0].verdicts == (True, False)
    assert scored(0.2, 0.4, passes=3, scale=10).rows[0].verdicts == (False, True)
    assert scored(0.1 + 0.2, passes=0.3, about={"higher_is": "worse"}).rows[0].verdicts == (True,)


def test_no_verdict_is_no_verdict():
    report = scored(1, NotScorable("no"), ValueError(), Settled(0.0, "nothing"), 0, passes=0.5)
    (row,) = report.rows
    assert row.verdicts == (True, None, None, None, False)
    assert row.scores == (1, None, None, None, 0)
    repeats = report.repeats["mine"]
    assert (repeats.pass_at(1).share, repeats.pass_at(1).rows) == (0.5, 1)
    assert repeats.pass_at(2).share == 1
    assert repeats.pass_hat(2).share == 0
    assert (repeats.pass_at(3).share, repeats.pass_at(3).rows) == (None, 0)


def test_a_row_without_any_verdict_neither_passes_nor_fails():
    report = scored(ValueError(), NotScorable("no"), passes=0.5)
    assert (report.rows[0].passes, report.rows[0].unstable, report.rows[0].mean) == (None, False, None)
    assert report.repeats["mine"].pass_at(1).share is None


def test_a_function_judges_results_that_failed_too():
    report = scored(1, ValueError(), passes=lambda result: result.status == "scored", pass_rule="all")
    assert (report.rows[0].verdicts, report.rows[0].passes) == ((True, False), False)


def test_a_function_that_raises_gives_no_verdict():
    assert scored(1, 1, passes=lambda result: 1 / 0).rows[0].verdicts == (None, None)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_the_estimates_are_those_over_all_ways_to_choose_k_of_the_repeats(passed, data):
    k = data.draw(st.integers(1, len(passed)))
    repeats = Repeats("mine", len(passed), Passing(0.5))
    like = create_scorer(id="mine").generate_score(lambda trail: float(trail.answer)).bind()
    for n, yes in enumerate(passed, 1):
        result = json.loads(like.run(output=str(int(yes))).to_json())
        repeats.add(type(like.run(output="1")).from_dict({**result, "index": 0, "repeat": n}))
    chosen = list(itertools.combinations(passed, k))
    assert repeats.pass_at(k).share == pytest.approx(sum(map(any, chosen)) / len(chosen))
    assert repeats.pass_hat(k).share == pytest.approx(sum(map(all, chosen)) / len(chosen))


def test_pass_at_and_pass_hat_are_averaged_over_rows():
    def target(asked):
        return f"{asked}"

    def score(trail):
        return float(next(coming[trail.answer]))

    coming = {"a": itertools.cycle([1, 0, 0, 0, 1]), "b": itertools.cycle([1])}
    made = create_scorer(id="mine").generate_score(score).bind()
    report = run_evals([{"input": "a"}, {"input": "b"}], made, target=target, repeats=5, passes=0.5)
    repeats = report.repeats["mine"]
    assert repeats.pass_at(1).share == pytest.approx((2 / 5 + 1) / 2)
    assert repeats.pass_at(2).share == pytest.approx((1 - 3 / 10 + 1) / 2)
    assert repeats.pass_hat(2).share == pytest.approx((1 / 10 + 1) / 2)
    assert str(repeats) == "pass@1 0.70 over 2 · pass@5 1.00 over 2 · pass^5 0.50 over 2 · 1 unstable"


def test_a_target_is_called_as_often_as_there_are_repeats_and_each_is_a_result_of_its_own():
    calls = itertools.count(1)
    report = run_evals([{"input": "a", "id": "r"}], scorer(*[1] * 3).bind(), target=lambda _: next(calls), repeats=3)
    assert [(r.index, r.row_id, r.repeat) for r in report.results] == [(0, "r", 1), (0, "r", 2), (0, "r", 3)]
    assert sorted(r.output for r in report.results) == [1, 2, 3]
    assert report.scores["mine"].judged == 3


def test_the_results_of_repeats_fit_the_published_schema_and_others_tell_no_repeat():
    for result in (*scored(1, 0).results, *scored(1).results):
        jsonschema.validate(json.loads(result.to_json()), run_result_schema())
    assert [r.repeat for r in scored(1).results] == [None]


def test_R091_the_judge_is_asked_anew_for_each_repeat():
    judge = ScriptedJudge(preprocess=[{"claims": []}])
    run_evals([{"output": "x", "context": "c"}], create_faithfulness_scorer(judge), repeats=3)
    assert len(judge.asked) == 3


def test_repeats_share_no_reply_of_a_cache_and_take_their_own_the_next_time():
    class Kept(dict):
        def put(self, key, reply):
            self[key] = reply

        def close(self):
            pass

    cache, judge = Caching(Kept(), name="scripted"), ScriptedJudge(preprocess=[{"claims": []}])
    made = create_faithfulness_scorer(judge, cache=cache)
    for repeats, asked in ((3, 3), (3, 3), (4, 4), (1, 4)):
        run_evals([{"output": "x", "context": "c"}], made, repeats=repeats)
        assert len(judge.asked) == asked


def test_a_row_whose_repeats_were_cut_short_is_told_as_far_as_it_came():
    class APIError(Exception):
        status_code = 401

    judge = ScriptedJudge(preprocess=[{"claims": []}, APIError("bad key")])
    made = create_faithfulness_scorer(judge)
    report = run_evals([{"output": "x", "context": "c"}], made, repeats=9, concurrency=1, passes=0.5)
    assert report.stopped.kind == "auth"
    assert report.rows[0].verdicts == (None, None)


def test_passes_may_be_given_for_some_scorers_alone():
    made = [scorer(1, 0, id="a").bind(), scorer(1, 0, id="b").bind()]
    report = run_evals([{"output": "x"}], made, repeats=2, passes={"a": 0.5})
    assert [(row.label, row.verdicts) for row in report.rows] == [("a", (True, False)), ("b", (None, None))]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"passes": "high"}, "passes: expected a score or a function"),
        ({"passes": True}, "passes: expected"),
        ({"passes": {"mien": 0.5}}, r"passes: no scorer 'mien' \(did you mean 'mine'\?\)"),
        ({"passes": 0.5, "pass_rule": "most"}, "rule: expected one of mean, majority, all, any"),
        ({"pass_rule": "all"}, "there is nothing to pass; give passes"),
        ({"passes": bool, "pass_rule": "mean"}, "has no mean"),
        ({"repeats": 0}, "repeats: expected a whole number"),
        ({"repeats": True}, "repeats: expected a whole number"),
    ],
)
def test_repeats_that_do_not_fit_are_refused(how, said):
    with pytest.raises(UsageError, match=said):
        run_evals([], scorer().bind(), **how)


def test_rows_are_told_apart_by_their_place_though_their_ids_are_one():
    repeats = Repeats("mine", 2, None)
    results = run_evals([{"output": "x", "id": "same"}] * 2, scorer(*[1] * 4).bind(), repeats=2).results
    rows = [row for r in results if (row := repeats.add(r))]
    assert [(row.index, len(row.scores)) for row in rows] == [(0, 2), (1, 2)]
    assert repeated("mine", results[:1], None).scores == (1,)
