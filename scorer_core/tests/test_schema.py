"""What goes in, what comes out, and how both become JSON."""

from __future__ import annotations

import json
from datetime import date

import pytest
from attrs import evolve, fields, frozen
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, RunResult
from scorer_core.contract.camel import camel
from scorer_core.contract.errors import KINDS, ROW_KINDS, STOP_KINDS
from scorer_core.contract.plain import plain
from scorer_core.contract.schema import ErrorInfo, JudgeExecution, TemplateFile

texts = st.text(max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
executions = st.builds(
    JudgeExecution,
    reply=st.none() | texts,
    prompt=st.none() | texts,
    model=st.none() | texts,
    answered_by=st.none() | texts,
    fingerprint=st.none() | texts,
    attempts=st.integers(1, 9),
    repairs=st.lists(texts, max_size=2).map(tuple),
    error=st.none() | texts,
    usage=st.none() | st.dictionaries(texts, st.integers(0, 99), max_size=3),
    cost=st.none() | numbers,
    duration_ms=numbers,
    cached=st.booleans(),
)
files = st.builds(TemplateFile, pack=texts, file=texts, sha256=texts)
steps = st.sampled_from(["preprocess", "analyze", "generate_reason"])
results = st.builds(
    RunResult,
    scorer_id=texts,
    scorer_label=texts,
    scorer_version=texts,
    core_version=texts,
    higher_is=st.sampled_from(["better", "worse"]),
    run_id=texts,
    row_id=st.none() | texts,
    index=st.none() | st.integers(0, 9),
    **dict.fromkeys(("input", "output", "ground_truth", "preprocess_step_result", "analyze_step_result"), json_values),
    context=st.none() | st.lists(texts, max_size=2),
    context_source=st.none() | texts,
    metadata=st.dictionaries(texts, json_values, max_size=3),
    status=st.sampled_from(["scored", "not_scorable", "failed"]),
    score=st.none() | numbers,
    band=st.none() | texts,
    vacuous=st.booleans(),
    reason=st.none() | texts,
    error=st.none() | st.builds(ErrorInfo, kind=st.sampled_from(KINDS), step=st.none() | texts, message=texts),
    notes=st.lists(texts, max_size=2).map(tuple),
    **{f"{s}_prompt": st.none() | texts for s in ("preprocess", "analyze", "generate_score", "generate_reason")},
    options=st.dictionaries(texts, json_values, max_size=2),
    scale=numbers,
    templates=st.dictionaries(steps, st.lists(files, max_size=2).map(tuple), max_size=2),
    judge=st.dictionaries(steps, st.lists(executions, max_size=2).map(tuple), max_size=2),
    usage=st.none() | st.dictionaries(texts, st.integers(0, 99), max_size=2),
    cost=st.none() | numbers,
    started_at=texts,
    duration_ms=numbers,
)


def result(**more):
    return RunResult(
        scorer_id="s", scorer_label="s", scorer_version="1", core_version="1", higher_is="better",
        **{"run_id": "r", "status": "scored", "score": 0.5} | more,
    )  # fmt: skip


@given(results)
def test_a_result_comes_back_from_its_own_json(made):
    assert RunResult.from_dict(json.loads(made.to_json())) == made


def test_keys_of_later_versions_are_passed_over():
    assert RunResult.from_dict({**result().to_dict(), "of_2030": 1}) == result()


def test_the_names_of_a_result_are_those_decided():
    assert {a.name for a in fields(RunResult)} == {
        *("schema_version", "scorer_id", "scorer_label", "scorer_version", "core_version", "higher_is"),
        *("run_id", "row_id", "index", "repeat", "input", "output", "context", "context_source"),
        *("ground_truth", "metadata"),
        *("status", "score", "band", "vacuous", "reason", "error", "notes"),
        *("preprocess_step_result", "analyze_step_result"),
        *("preprocess_prompt", "analyze_prompt", "generate_score_prompt", "generate_reason_prompt"),
        *("options", "scale", "templates", "judge", "usage", "cost", "started_at", "duration_ms"),
    }


def test_the_error_kinds_are_the_closed_list_decided():
    assert (
        *("format", "incomplete_reply", "unknown_label", "out_of_range", "truncated", "refusal", "content_filter"),
        *("too_long", "timeout", "rate_limited", "server", "no_majority", "missing_ground_truth", "context_error"),
        *("target_error", "scorer_error", "bad_row"),
    ) == ROW_KINDS
    assert STOP_KINDS == ("auth", "quota", "model_not_found", "budget")


def test_camel_style_gives_mastras_names():
    made = result(
        preprocess_step_result={"output_units": ["a"]},
        analyze_step_result={"matches": [{"ground_truth_unit": "a", "match_type": "exact"}]},
        judge={"generate_reason": (JudgeExecution(reply="so", answered_by="m"),)},
        templates={"generate_reason": (TemplateFile(pack="default", file="f", sha256="0"),)},
    ).to_dict("camel")
    assert made["runId"] == "r"
    assert made["scorerId"] == "s"
    assert made["preprocessStepResult"] == {"outputUnits": ["a"]}
    assert made["analyzeStepResult"] == {"matches": [{"groundTruthUnit": "a", "matchType": "exact"}]}
    assert made["judge"]["generateReason"][0]["answeredBy"] == "m"
    assert made["templates"]["generateReason"][0]["sha256"] == "0"
    assert "generateReasonPrompt" in made


def test_R121_keys_of_the_users_own_mappings_are_never_touched():
    own = {"my_key": {"inner_key": 1}, "camelKey": 2}
    for style in ("snake", "camel"):
        made = result(input=own, output=own, metadata=own, ground_truth=own, context=[own]).to_dict(style)
        found = [made[k] for k in ("input", "output", "metadata")] + made["context"]
        assert [*found, made["ground_truth" if style == "snake" else "groundTruth"]] == [own] * 5


@given(results)
def test_camel_style_has_the_same_fields_as_snake_style(made):
    assert list(made.to_dict("camel")) == [camel(n) for n in made.to_dict()]


def no_constant(word):
    raise AssertionError(word)


@pytest.mark.parametrize("odd", [float("nan"), float("inf"), -float("inf"), [float("nan")], {"a": (float("inf"),)}])
def test_R015_no_word_for_no_number_is_ever_written(odd):
    made = result(metadata={"odd": odd}, input=odd, output=odd, options={"odd": odd})
    json.loads(made.to_json(), parse_constant=no_constant)
    json.dumps(made.to_dict("camel"), allow_nan=False)


def test_R110_lone_surrogates_are_written_as_utf_8():
    line = result(output="a\ud800b", metadata={"k\udfff": "語"}).to_json()
    assert json.loads(line.encode())["output"] == "a\ud800b"


def test_text_is_written_readably():
    assert "水在100度沸腾 <b> ✓" in result(output="水在100度沸腾 <b> ✓").to_json()


def test_a_result_is_one_line():
    assert len(result(output="a\nb\r\nc").to_json().split("\n")) == 1


@frozen
class Thing:
    name: str
    parts: tuple[int, ...] = ()


class Model:
    def model_dump(self):
        return {"a": Thing("b", (1,))}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Thing("a", (1, 2)), {"name": "a", "parts": [1, 2]}),
        (Model(), {"a": {"name": "b", "parts": [1]}}),
        (date(2024, 2, 29), "2024-02-29"),
        ({1: {2}}, {"1": [2]}),
        (float("nan"), None),
        (10**30, 10**30),
        (True, True),
        (b"x", "b'x'"),
    ],
)
def test_anything_has_a_plain_form(value, shown):
    assert plain(value) == shown
    assert type(plain(value)) is type(shown)


def test_a_run_gets_an_id_of_its_own_unless_it_has_one():
    assert Run().run_id != Run().run_id
    assert Run(run_id="mine").run_id == "mine"


def test_runs_and_results_are_frozen():
    with pytest.raises(AttributeError):
        Run().output = "x"
    assert evolve(result(), score=0.1).score == 0.1
