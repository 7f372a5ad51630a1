"""Many runs: scored side by side and bounded; one bad row never ends it."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import re
import threading
import time
import tracemalloc
from typing import Any

import pytest
from attrs import evolve, field, frozen
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from scorer_bias import create_bias_scorer
from scorer_core import (
    NotScorable,
    Options,
    Run,
    RunResult,
    Scorer,
    ScorerSpec,
    Settled,
    UsageError,
    arun_evals,
    run_evals,
)
from scorer_core.contract.schema import ErrorInfo
from scorer_core.evaluating.labels import labelled
from scorer_core.evaluating.scoring import score_rows
from scorer_core.evaluating.summary import Average
from scorer_core.evaluating.targets import TargetResult
from scorer_core.evaluating.turns import answer_of
from scorer_core.judging.flight import Flight
from scorer_core.support import log as core_log
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer


def outcome(trail):
    """The score that the row's metadata asks for."""
    wanted = trail.run.metadata["wanted"]
    if isinstance(wanted, Exception):
        raise wanted
    return wanted


def scorer(id="mine", how=outcome, **more):
    return Scorer.of(ScorerSpec(id=id, higher_is="better", generate_score=how, **more))


def rows(*wanted):
    return [{"output": f"row {n}", "wanted": w} for n, w in enumerate(wanted)]


def reply(row):
    """A judge of bias whose replies name their row."""
    return {
        "preprocess": {"opinions": [row]},
        "analyze": {"results": [{"number": 1, "reason": f"of {row}", "result": "no"}]},
    }


def row_of(messages):
    return f"row {messages[1].content.split('row ')[1].split('<')[0]}"


class Named(ScriptedJudge):
    """A judge of bias that names the row in each reply, and counts how many of its calls are in flight."""

    waits: float = 0.002
    flying: int = 0
    most: int = 0

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        self.flying += 1
        self.most = max(self.most, self.flying)
        await asyncio.sleep(self.waits)
        self.flying -= 1
        return self._generate(messages, stop, run_manager, **how)


def named(**more):
    return Named(
        {
            "preprocess": lambda m: reply(row_of(m))["preprocess"],
            "analyze": lambda m: reply(row_of(m))["analyze"],
            "generate_reason": "Because.",
        }
        | more
    )


# Averages


@pytest.mark.parametrize(
    ("wanted", "shown", "mean"),
    [
        ((0.7, ValueError(), ValueError()), "0.70 over 1 judged · 2 failed (scorer_error 2)", 0.7),
        ((1, NotScorable("no"), 0), "0.50 over 2 judged · 1 not scorable", 0.5),
        (
            (NotScorable("no"), ValueError()),
            "no score over 0 judged · 1 not scorable · 1 failed (scorer_error 1)",
            None,
        ),
        ((1, Settled(0.0, "nothing")), "1.00 over 1 judged · 1 vacuous", 1),
        ((1, 1.4, NotScorable("no")), "1.00 over 1 judged · 1 not scorable · 1 failed (scorer_error 1)", 1),
        ((0, 0.3), "0.15 over 2 judged", 0.15),
    ],
)
def test_R051_R052_R053_an_average_is_over_judged_rows_and_stands_beside_its_counts(wanted, shown, mean):
    report = run_evals(rows(*wanted), scorer())
    average = report.scores["mine"]
    assert str(average) == shown
    assert average.mean == pytest.approx(mean)
    assert len(report.results) == len(wanted)


def test_R051_of_a_hundred_rows_with_ninety_errors_ten_are_judged():
    average = run_evals(rows(*[1] * 10, *[ValueError()] * 90), scorer()).scores["mine"]
    assert str(average) == "1.00 over 10 judged · 90 failed (scorer_error 90)"


def test_kinds_of_failures_are_counted_each():
    average = Average("mine")
    made = scorer().run(output="x", metadata={"wanted": 1})
    for kind in ("timeout", "timeout", "format"):
        average.add(evolve(made, status="failed", score=None, error=ErrorInfo(kind=kind, step=None, message="")))
    assert str(average) == "no score over 0 judged · 3 failed (timeout 2, format 1)"


# Rows and order


def test_R089_one_bad_row_among_many_leaves_the_others_and_the_order_of_the_rows():
    judge = named(analyze=lambda m: "no" if row_of(m) == "row 1" else reply(row_of(m))["analyze"])
    report = run_evals(rows(0, 0, 0), create_bias_scorer(judge))
    assert [(r.index, r.output, r.status) for r in report.results] == [
        (0, "row 0", "scored"),
        (1, "row 1", "failed"),
        (2, "row 2", "scored"),
    ]


def test_R090_one_of_three_scorers_fails_on_a_row():
    def broken(trail):
        raise ValueError("no")

    report = run_evals(rows(0.7), [scorer("a"), scorer("b", broken), scorer("c", lambda t: 1.0)])
    assert [(r.scorer_label, r.score) for r in report.results] == [("a", 0.7), ("b", None), ("c", 1)]
    assert report.scores["b"].failed == {"scorer_error": 1}


def test_R094_each_result_belongs_to_its_row_also_after_asking_again():
    seen = set()

    def analyze(messages):
        row = row_of(messages)
        if row in ("row 1", "row 2", "row 4") and row not in seen:
            seen.add(row)
            return "a moment"
        return reply(row)["analyze"]

    report = run_evals(rows(*range(5)), create_bias_scorer(named(analyze=analyze)))
    told = [r.analyze_step_result["results"][0]["reason"] for r in report.results]
    assert told == [f"of row {n}" for n in range(5)]
    assert [len(r.judge["analyze"]) for r in report.results] == [1, 2, 2, 1, 2]


def test_rows_are_mappings_or_runs_and_anything_else_is_a_bad_row():
    data = [Run(output="x", metadata={"wanted": 1}), {"output": "x", "wanted": 0.5}, "a text", None, 3]
    report = run_evals(data, scorer())
    assert [r.score for r in report.results] == [1, 0.5, None, None, None]
    assert [r.error.kind for r in report.results[2:]] == ["bad_row"] * 3
    assert "'a text'" in report.results[2].error.message


def test_a_value_that_can_not_be_shown_is_its_own_rows_fault():
    class Unshowable:
        def __str__(self):
            raise RuntimeError("no text")

    report = run_evals([*rows(1), {"output": "x", "wanted": 1, "odd": Unshowable()}, *rows(0)], scorer())
    assert [r.score for r in report.results if r.index != 1] == [1, 0]


def test_R121_other_columns_become_metadata_and_mastras_names_are_read():
    row = {
        "output": "x", "groundTruth": "g", "runId": "r", "id": 7, "wanted": 1, "loop": "l", "self": "s", "score": 9,
        "scale": 8, "range": "z", "metadata": {"k": 1},
    }  # fmt: skip
    (result,) = run_evals([row], scorer()).results
    assert (result.ground_truth, result.run_id, result.row_id, result.score) == ("g", "r", "7", 1)
    assert result.metadata.items() >= {"loop": "l", "self": "s", "score": 9, "scale": 8, "range": "z", "k": 1}.items()


def test_an_id_of_a_run_is_text_in_its_result():
    (result,) = run_evals([{"output": "x", "runId": 7, "wanted": 1}], scorer()).results
    assert result.run_id == "7"
    assert RunResult.from_dict(json.loads(result.to_json())) == result


def test_a_row_without_id_is_named_by_its_content_and_how_often_it_came():
    same = {"output": "x", "wanted": 1}
    first = [r.row_id for r in run_evals([same, {**same, "wanted": 0.5}, same], scorer()).results]
    assert len(set(first)) == 3
    assert first[0].endswith("-1")
    assert first[2] == first[0].removesuffix("1") + "2"
    assert [r.row_id for r in run_evals([same, {**same, "wanted": 0.5}, same], scorer()).results] == first


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"by": 5}, "by: expected the name of a column of the metadata, or a list of such, got 5"),
        ({"by": ["lang", 1]}, "by: expected the name of a column"),
        ({"by": ""}, "by: expected the name of a column"),
        ({"passes": float("nan")}, "passes: expected a score or a function of a result, got nan"),
        ({"on_item_complete": "print"}, "on_item_complete: expected a function, got 'print'"),
        ({"budget": 5}, "budget: expected a Budget, such as Budget(max_calls=500), got 5"),
    ],
)
def test_what_a_run_can_not_be_told_is_refused_before_a_row_is_read(how, said):
    def rows():
        raise AssertionError("a row was read")
        yield

    with pytest.raises(UsageError, match=re.escape(said)):
        run_evals(rows(), create_bias_scorer(ScriptedJudge()), **how)


def test_data_may_be_a_generator_or_async():
    async def data():
        for row in rows(0, 1):
            yield row

    assert [r.score for r in run_evals(data(), scorer()).results] == [0, 1]
    assert [r.score for r in run_evals(iter(rows(0, 1)), scorer()).results] == [0, 1]
    assert run_evals([], scorer()).results == ()


def test_what_was_complete_when_the_data_raised_is_in_the_report_of_its_exception():
    async def data():
        for row in rows(0, 1, 1):
            yield row
        raise OSError("the line is gone")

    with pytest.raises(OSError, match="the line is gone") as raised:
        run_evals(data(), scorer())
    assert [r.score for r in raised.value.report.results] == [0, 1, 1]
    assert raised.value.__notes__ == ["results that were complete by then: 3, in the `report` of this exception"]


@pytest.mark.parametrize("data", ["rows.jsonl", {"output": "x"}, Run(output="x"), 3, None])
def test_what_is_no_collection_of_rows_is_refused(data):
    with pytest.raises(UsageError, match="expected a collection of rows"):
        run_evals(data, scorer())


@pytest.mark.parametrize("scorers", [[], "bias", [None], None, {}])
def test_what_are_no_scorers_is_refused(scorers):
    with pytest.raises((UsageError, TypeError)):
        run_evals([], scorers)


def test_R140_rows_are_read_as_they_are_consumed():
    read = []

    def data():
        for n in range(100):
            read.append(n)
            yield {"output": "x", "wanted": 1}

    def seen(item, target_result, results):
        ahead.append(len(read) - len(ahead))

    ahead: list[int] = []
    run_evals(data(), scorer(), concurrency=4, on_item_complete=seen)
    assert len(ahead) == 100
    assert max(ahead) <= 9


def test_R140_of_a_long_stream_of_unknown_length_only_what_is_under_way_is_kept():
    async def data():
        for n in range(20_000):
            yield {"output": f"row {n}", "wanted": 1}

    async def kept():
        """The bytes that 4,000 rows left behind, and how many results were alive at once."""
        most, held, seen = 0, 0, 0
        async for item in score_rows(data(), [scorer()], flight=Flight(8)):
            seen += len(item.results)
            if seen == 16_000:
                tracemalloc.start()
            if seen % 4_000 == 0:
                alive = [o for o in gc.get_objects() if isinstance(o, RunResult) and str(o.output).startswith("row ")]
                most = max(most, len(alive))
                held, _ = tracemalloc.get_traced_memory()
        return held, most, seen

    try:
        held, most, seen = asyncio.run(kept())
    finally:
        tracemalloc.stop()
    assert seen == 20_000
    assert most <= 2 * 8
    assert held < 4_000 * 400  # a result takes ten times that; what is kept of a row is its digest


# Concurrency


@pytest.mark.parametrize("limit", [1, 3])
def test_R096_calls_in_flight_are_capped_over_rows_scorers_and_steps(limit):
    judge = named(preprocess=lambda m: {"opinions": [row_of(m)], "claims": [row_of(m)]})
    scorers = [create_bias_scorer(judge, scale=n) for n in range(1, 5)]
    report = run_evals(rows(*range(10)), scorers, concurrency=limit)
    assert len(report.results) == 40
    assert judge.most == limit


def test_R087_R096_a_call_that_timed_out_holds_its_place_until_its_thread_ends():
    lock, flying, most = threading.Lock(), [0], [0]

    class Blocking(ScriptedJudge):
        def _generate(self, messages, stop=None, run_manager=None, **how):
            with lock:
                flying[0] += 1
                most[0] = max(most[0], flying[0])
            time.sleep(0.15)
            with lock:
                flying[0] -= 1
            return super()._generate(messages, stop, run_manager, **how)

        async def _agenerate(self, messages, stop=None, run_manager=None, **how):
            return await asyncio.to_thread(self._generate, messages, stop, run_manager, **how)

    made = create_bias_scorer(Blocking(preprocess={"opinions": []}), timeout=0.02, call_retries=0)
    report = run_evals(rows(*range(4)), made, concurrency=1)
    assert [r.error.kind for r in report.results] == ["timeout"] * 4
    assert most[0] == 1


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "8", None])
def test_R096_a_limit_that_is_none_is_refused(limit):
    with pytest.raises(UsageError, match="concurrency"):
        run_evals([], scorer(), concurrency=limit)


def test_two_equal_calls_at_the_same_time_are_one_and_later_ones_are_asked_anew():
    def judge():
        return ScriptedJudge(preprocess={"opinions": []})

    together, after = judge(), judge()
    run_evals([{"output": "x"}] * 3, create_bias_scorer(together), concurrency=3)
    run_evals([{"output": "x"}] * 3, create_bias_scorer(after), concurrency=1)
    assert (len(together.asked), len(after.asked)) == (1, 3)


def test_claims_are_asked_for_once_for_faithfulness_and_hallucination():
    judge = ScriptedJudge(
        preprocess=AIMessage(
            '{"claims": ["a"]}', usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        ),
        analyze={"verdicts": [{"number": 1, "reason": "so", "verdict": "yes"}]},
        generate_reason="Because.",
    )
    data = [{"output": x, "context": "c"} for x in ("x", "y")]
    scorers = [create_faithfulness_scorer(judge), create_hallucination_scorer(judge)]
    one, other = run_evals(data, scorers).results[:2]
    assert [step for step, _ in judge.asked].count("preprocess") == 2  # one a row
    assert sorted(r.judge["preprocess"][0].cached for r in (one, other)) == [False, True]
    assert sum((r.usage or {}).get("total_tokens", 0) for r in (one, other)) == 2
    judge.asked.clear()
    for made in scorers:
        made.run(**data[0])
    assert [step for step, _ in judge.asked].count("preprocess") == 2


def test_a_claims_step_that_fails_is_paid_for_once_as_well():
    judge = ScriptedJudge(preprocess="no list")
    scorers = [create_faithfulness_scorer(judge), create_hallucination_scorer(judge)]
    report = run_evals([{"output": "x", "context": "c"}], scorers)
    assert [r.error.kind for r in report.results] == ["format", "format"]
    assert len(judge.asked) == 3


def test_R101_two_judges_share_no_answer():
    def judge(claims):
        return ScriptedJudge(preprocess={"claims": claims}, generate_reason="x")

    scorers = [
        create_faithfulness_scorer(judge([]), context="c"),
        create_hallucination_scorer(judge(["a"]), context=[]),
    ]
    one, other = run_evals([{"output": "x"}], scorers).results
    assert (one.status, other.score) == ("not_scorable", 1)
    assert not other.judge["preprocess"][0].cached


# Labels


@frozen(kw_only=True)
class Mood(Options):
    mood: str = field(default="calm")


def test_labels_are_ids_unless_they_collide_and_then_tell_the_options_that_differ():
    calm, wild = (
        Scorer.of(ScorerSpec(id="mine", higher_is="better", generate_score=outcome, options=Mood), mood=m)
        for m in ("calm", "wild")
    )
    assert [s.label for s in labelled([calm, scorer("other")])] == ["mine", "other"]
    assert [s.label for s in labelled([calm, wild])] == ["mine[mood=calm]", "mine[mood=wild]"]
    report = run_evals(rows(1), [calm, wild])
    assert list(report.scores) == ["mine[mood=calm]", "mine[mood=wild]"]


def test_labels_of_equal_scorers_differ_as_well():
    assert len({s.label for s in labelled([scorer(), scorer(), scorer()])}) == 3


def test_no_label_that_was_given_is_that_which_tells_equal_scorers_apart():
    three = [scorer(), scorer(), evolve(scorer(), label="mine#2")]
    for scorers in (three, three[::-1]):
        report = run_evals(rows(1), scorers)
        assert sorted(report.scores) == ["mine", "mine#2", "mine#3"]
        assert sorted(r.scorer_label for r in report.results) == ["mine", "mine#2", "mine#3"]


def test_scorers_of_two_places_never_share_a_label():
    scorers = {"agent": evolve(scorer(), label="trajectory.mine"), "trajectory": scorer()}
    talk = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]
    report = run_evals([{"output": talk, "wanted": 1}], scorers)
    assert [r.scorer_label for r in report.results] == ["trajectory.mine", "trajectory.mine#2"]


def test_scorers_may_be_any_iterable():
    assert [*run_evals(rows(1), (scorer(id) for id in ("one", "two"))).scores] == ["one", "two"]


def test_scorers_of_other_options_may_have_been_given_one_label():
    made = Scorer.of(ScorerSpec(id="mine", higher_is="better", generate_score=outcome, options=Mood), label="x")
    other = Scorer.of(ScorerSpec(id="other", higher_is="better", generate_score=outcome), label="x")
    assert len({s.label for s in labelled([made, other])}) == 2
    assert len({s.label for s in labelled([other, made])}) == 2


# Targets


def echo(input):
    return f"{input}!"


async def aecho(input):
    return f"{input}!"


@pytest.mark.parametrize("target", [echo, aecho, RunnableLambda(echo)], ids=["sync", "async", "runnable"])
def test_a_target_gives_the_output_for_a_rows_input(target):
    report = run_evals([{"input": "hi", "wanted": 1}], scorer(), target=target)
    assert [(r.output, r.score) for r in report.results] == [("hi!", 1)]


def test_the_messages_of_a_graphs_state_are_the_output():
    def graph(input):
        return {"messages": [("human", input), ("ai", "Lima.")], "steps": 3}

    made = scorer(how=lambda trail: float(trail.answer == "Lima." and trail.question == "Capital?"))
    assert run_evals([{"input": "Capital?"}], made, target=graph).results[0].score == 1


def test_a_target_that_raises_fails_its_row_without_a_judge_and_without_its_secrets():
    def target(input):
        if input == "bad":
            raise RuntimeError("401 for api_key=sk-abcdefghijklmnop")
        return input

    report = run_evals([{"input": i, "wanted": 1} for i in ("good", "bad", "good")], scorer(), target=target)
    assert [r.status for r in report.results] == ["scored", "failed", "scored"]
    wrong = report.results[1]
    assert (wrong.error.kind, wrong.input) == ("target_error", "bad")
    assert "RuntimeError: 401" in wrong.error.message
    assert "sk-abc" not in wrong.to_json()


def test_a_target_is_asked_once_a_row_for_all_scorers():
    asked = []
    run_evals([{"input": n, "wanted": 1} for n in range(3)], [scorer("a"), scorer("b")], target=asked.append)
    assert sorted(asked) == [0, 1, 2]


# on_item_complete


def test_on_item_complete_gets_item_target_result_and_results_by_label():
    seen: list[Any] = []

    async def later(*args):
        seen.append(args)

    for callback in (lambda *args: seen.append(args), later):
        seen.clear()
        row = {"input": "hi", "wanted": 1}
        run_evals([row], [scorer("a"), scorer("b")], target=echo, on_item_complete=callback)
        ((item, target_result, results),) = seen
        assert (item, target_result) == (row, TargetResult("hi!"))
        assert {k: r.score for k, r in results.items()} == {"a": 1, "b": 1}


def test_on_item_complete_that_raises_is_logged_and_ends_nothing(caplog):
    core_log.warn_once.cache_clear()

    def callback(*args):
        raise RuntimeError("no disk")

    with caplog.at_level(logging.WARNING, "scorer_core"):
        report = run_evals(rows(1, 1), scorer(), on_item_complete=callback)
    assert [r.score for r in report.results] == [1, 1]
    assert "on_item_complete raised RuntimeError: no disk" in caplog.text


def test_R088_results_are_told_as_they_complete():
    order = []
    judge = named(preprocess=lambda m: {"opinions": []})

    class Slower(Named):
        async def _agenerate(self, messages, stop=None, run_manager=None, **how):
            await asyncio.sleep(0.1 if row_of(messages) == "row 0" else 0)
            return self._generate(messages, stop, run_manager, **how)

    judge = Slower(judge.script)
    run_evals(rows(0, 1), create_bias_scorer(judge), on_item_complete=lambda i, t, r: order.append(i["output"]))
    assert order == ["row 1", "row 0"]


def test_R140_a_result_is_told_though_the_next_row_is_not_there_yet():
    told = asyncio.Event()

    async def slow():
        yield {"output": "x", "wanted": 1}
        await asyncio.wait_for(told.wait(), 2)
        yield {"output": "y", "wanted": 1}

    async def tell(*_):
        told.set()

    report = asyncio.run(arun_evals(slow(), scorer(), on_item_complete=tell))
    assert len(report.results) == 2


# Stops


class APIError(Exception):
    def __init__(self, status, said):
        super().__init__(said)
        self.status_code = status


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (APIError(401, "bad key"), "auth"),
        (APIError(404, "no model"), "model_not_found"),
        (APIError(402, "pay"), "quota"),
    ],
)
def test_R098_R100_an_error_of_the_whole_run_stops_it_early_without_a_score(error, kind):
    judge = ScriptedJudge(preprocess=error)
    report = run_evals(rows(*range(500)), create_bias_scorer(judge), concurrency=4)
    assert report.stopped.kind == kind
    assert len(report.results) <= 12
    assert len(judge.asked) <= 12
    assert report.scores["bias"].mean is None
    assert report.scores["bias"].failed.keys() == {kind}


def test_a_run_that_came_to_its_end_was_not_stopped():
    assert run_evals(rows(1, ValueError()), scorer()).stopped is None


# Guests


def test_R086_evals_run_inside_a_running_loop_twice_and_async():
    async def inside():
        one, other = (run_evals(rows(0.5), scorer()).results[0].score for _ in range(2))
        return one, other, (await arun_evals(rows(0.5), scorer())).results[0].score

    assert asyncio.run(inside()) == (0.5, 0.5, 0.5)
    assert asyncio.run(inside()) == (0.5, 0.5, 0.5)


def test_R041_the_same_row_gives_the_same_by_every_route():
    made = create_faithfulness_scorer(ScriptedJudge(preprocess={"claims": []}))
    row = {"output": "x", "context": "c"}
    results = [made.run(**row), asyncio.run(made.arun(**row)), run_evals([row], made).results[0]]
    assert {(r.status, r.score, r.reason) for r in results} == {("not_scorable", None, "the answer makes no claim")}


def test_R105_evals_print_nothing(capsys):
    run_evals(rows(1, ValueError()), scorer())
    assert capsys.readouterr() == ("", "")


def test_results_are_strict_json_whatever_the_rows_hold():
    report = run_evals([{"output": "\ud800", "wanted": 1, "x": float("nan"), "y": {1, 2}}], scorer())
    assert json.loads(report.results[0].to_json())["metadata"]["x"] is None


def test_a_row_is_scored_by_those_it_still_needs_and_passed_over_where_it_needs_none():
    a, b = scorer("a"), scorer("b")
    asked, told = [], []
    same = {"output": "same", "wanted": 1.0}

    def target(input):
        asked.append(input)
        return "same"

    def needed(row):
        told.append((row.index, row.row_id))
        return {0: [], 1: [b], 3: []}.get(row.index, [a, b])

    async def items():
        given = [same, {**same, "input": "x", "id": "r1"}, same, 7, 8]
        how = {"answer": answer_of(target), "flight": Flight(1), "scorers_of": needed}
        return [i async for i in score_rows(given, [a, b], **how)]

    found = asyncio.run(items())
    assert [sorted(item.results) for item in found] == [[], ["b"], ["a", "b"], [], ["a", "b"]]
    assert asked == ["x", None]
    ids = [row_id for _, row_id in told]
    assert ids[1] == "r1"
    assert ids[0].endswith("-1")
    assert ids[2] == ids[0].replace("-1", "-2")  # rows that are passed over count
    assert found[2].results["a"].row_id == ids[2]
    assert ids[3:] == [None, None]


def test_a_scorer_may_read_a_field_of_a_row_otherwise_than_the_others():
    two = [scorer("one", lambda trail: float(trail.answer)), scorer("two", lambda trail: float(trail.answer))]

    def own(label, row):
        return {"output": row.given["also"]} if label == "two" else {}

    async def scored():
        return [
            item async for item in score_rows([{"id": "r", "output": "0", "also": "1"}], two, flight=Flight(1), own=own)
        ]

    (item,) = asyncio.run(scored())
    assert [(r.score, r.output, r.row_id) for r in item.results.values()] == [(0, "0", "r"), (1, "1", "r")]
