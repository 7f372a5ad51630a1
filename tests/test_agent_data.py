"""Function calls of BFCL and runs of tau-bench, as published, through the scorers of tools and trajectories."""

import json
import re
from pathlib import Path

import pytest

from scorer_core import run_evals
from scorer_core.testing import ScriptedJudge
from scorer_tool_call_accuracy import create_tool_call_accuracy_code_scorer, create_tool_call_accuracy_scorer
from scorer_trajectory import create_trajectory_scorer
from scorer_trajectory_accuracy import create_trajectory_accuracy_code_scorer, create_trajectory_accuracy_scorer

FOLDER = Path(__file__).parents[1] / "../shared/data"
EXPECTED = {"bfcl_calls": "label.raw.possible_answers", "tau_airline": "label.raw.expected_actions"}
pytestmark = pytest.mark.skipif(not (FOLDER / "bfcl_calls.jsonl").is_file(), reason=f"no data sets in {FOLDER}")


def marked(messages, name):
    """The numbers of the texts marked by that name."""
    return [int(n) for n in re.findall(rf"<{name} (\d+) ", str(messages[-1].content))]


def at(row, path):
    """What stands in a row at a path, as `--map` has it."""
    for name in path.split("."):
        row = row[name]
    return row


def rows_of(name):
    """The rows of a data set, each with what it expects where the scorers look for it."""
    lines = (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [row | {"expected_trajectory": at(row, EXPECTED[name])} for row in map(json.loads, lines)]


def computed(**how):
    return [
        create_tool_call_accuracy_code_scorer(),
        create_trajectory_accuracy_code_scorer(**how),
        create_trajectory_scorer(max_retries_per_tool=1, **how),
    ]


def means(rows, **how):
    report = run_evals(rows, computed(**how))
    assert {result.status for result in report.results} == {"scored"}
    assert all(0 <= result.score <= 1 for result in report.results)
    return {label: average.mean for label, average in report.scores.items()}


def right(row, turned=False):
    """The row with calls that are right: of each argument the first value accepted, keys the other way round."""
    calls = [(c["name"], c["kwargs"]) if "kwargs" in c else accepted(c) for c in row["expected_trajectory"]]
    said = [
        {"id": str(n), "function": {"name": name, "arguments": json.dumps(dict(reversed(args.items())))}}
        for n, (name, args) in enumerate(reversed(calls) if turned else calls)
    ]
    return row | {"output": [{"role": "assistant", "content": "Done.", "tool_calls": said}], "messages": []}


def accepted(call):
    ((name, args),) = call.items()
    return name, {k: first(values[0]) for k, values in args.items() if values[0] != ""}


def first(value):
    """A value, or of a mapping the first one that is accepted for each key."""
    return {k: first(v[0]) for k, v in value.items()} if isinstance(value, dict) else value


def test_answers_without_calls_are_right_only_where_no_call_is():
    said = {"output": [{"role": "assistant", "content": "I can't help with that."}]}
    rows = [row | said for row in rows_of("bfcl_calls")]
    share = sum(row["label"]["value"] == "irrelevance" for row in rows) / len(rows)
    assert [*means(rows).values()] == pytest.approx([share] * 3)


def test_rows_that_nobody_answered_are_not_scorable():
    results = run_evals(rows_of("bfcl_calls"), computed()).results
    assert {(r.status, "no messages that could tell" in (r.reason or "")) for r in results} == {("not_scorable", True)}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_calls_that_are_accepted_are_all_right_whatever_the_order_of_their_arguments(name):
    assert {*means([right(row) for row in rows_of(name)]).values()} == {1.0}


def test_parallel_calls_are_right_in_any_order():
    rows = [right(row, turned=True) for row in rows_of("bfcl_calls") if row["label"]["value"] == "parallel"]
    unordered, relaxed = (means(rows, ordering=ordering) for ordering in ("unordered", "relaxed"))
    assert unordered["trajectory_accuracy_code"] == 1
    assert relaxed["trajectory_accuracy_code"] < 1


def test_a_wrong_argument_is_wrong_for_trajectories():
    rows = [right(row) for row in rows_of("bfcl_calls") if row["label"]["value"] == "simple_python"]
    for row in rows:
        function = row["output"][0]["tool_calls"][0]["function"]
        args = json.loads(function["arguments"])
        function["arguments"] = json.dumps(args | {next(iter(args)): "quite another value"})
    assert means(rows) == {"tool_call_accuracy_code": 1, "trajectory_accuracy_code": 0, "trajectory": 0}


def test_runs_of_the_airline_agent_score_higher_where_the_database_says_that_they_succeeded():
    rows = [row for row in rows_of("tau_airline") if row["expected_trajectory"]]
    won, lost = ([row for row in rows if row["label"]["value"] == value] for value in (1.0, 0.0))
    assert means(won)["trajectory_accuracy_code"] > means(lost)["trajectory_accuracy_code"]


@pytest.mark.parametrize("name", EXPECTED)
def test_judged_scorers_ask_about_each_call_that_was_made(name):
    def tools(messages):
        each = [{"number": n, "reason": "r", "verdict": "yes"} for n in marked(messages, "call")]
        return {"evaluations": each, "missing_tools": []}

    def steps(messages):
        each = [{"number": n, "reason": "r", "necessary": "yes", "in_order": "yes"} for n in marked(messages, "step")]
        return {"step_evaluations": each, "missing_steps": []}

    rows = [row if row["output"] else right(row) for row in rows_of(name)]
    for make, says in ((create_tool_call_accuracy_scorer, tools), (create_trajectory_accuracy_scorer, steps)):
        results = run_evals(rows, make(ScriptedJudge(analyze=[says] * len(rows)), reasons="summary")).results
        assert {r.status for r in results} <= {"scored", "not_scorable"}
        assert {r.score for r in results if r.status == "scored"} <= {0.0, 1.0}
        assert sum(r.score == 1.0 for r in results) >= len(rows) / 2
