"""The published schema of results: fresh, sound, true of every kind of result, and no surprise to earlier readers."""

import json
from pathlib import Path

import jsonschema
import pytest

from scorer_bias import create_bias_scorer
from scorer_core import RunResult
from scorer_core.contract.published import run_result_schema
from scorer_core.contract.schema import SCHEMA_VERSION
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

FILE = Path(__file__).parents[1] / "docs" / "run-result.schema.json"
KEPT = Path(__file__).parent / "data" / "schemas"
SCHEMAS = sorted(KEPT.glob("run-result-*.json"))
LINES = sorted(KEPT.glob("run-result-*.jsonl"))
MAY_GROW = ("error.kind",)  # lists of which a reader knows that they grow
VERDICTS = {"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]}


def judged(**script):
    return ScriptedJudge(preprocess={"claims": ["a"]}, generate_reason="So.", **script)


RESULTS = {
    "scored": lambda: create_faithfulness_scorer(judged(analyze=VERDICTS), context=["c"]).run(output="a"),
    "scored without a reason": lambda: create_bias_scorer(judged()).run(output=""),
    "not scorable": lambda: create_faithfulness_scorer(judged()).run(output="a"),
    "failed": lambda: create_faithfulness_scorer(judged(analyze="no"), context=["c"]).run(output="a"),
    "metadata as users have it": lambda: create_bias_scorer(judged()).run(output="", metadata={"x": float("nan")}),
}


def test_the_file_in_docs_is_the_schema_of_the_code():
    assert json.loads(FILE.read_text(encoding="utf-8")) == run_result_schema()
    jsonschema.Draft202012Validator.check_schema(run_result_schema())


@pytest.mark.parametrize("kind", RESULTS)
def test_every_kind_of_result_fits_the_schema(kind):
    result = RESULTS[kind]()
    jsonschema.validate(json.loads(result.to_json()), run_result_schema())


@pytest.mark.parametrize(
    "lie",
    [
        {"score": None},
        {"status": "failed"},
        {"status": "not_scorable"},
        {"error": {"kind": "x", "step": None, "message": ""}},
    ],
)
def test_a_score_without_a_verdict_or_the_reverse_does_not_fit(lie):
    told = RESULTS["scored"]().to_dict() | lie
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, run_result_schema())


def surprises(new, old, path=""):
    """Where what fits `new` may not fit `old`, or lacks what that promises: what a reader made for it stumbles on."""
    if "anyOf" in new or "anyOf" in old:
        fit = [[not [*surprises(n, o, path)] for o in old.get("anyOf", [old])] for n in new.get("anyOf", [new])]
        yield from [] if all(map(any, fit)) else [path]
        return
    yield from [path] if old.get("type") and new.get("type") != old["type"] else []
    grown = "enum" in old and not {*new.get("enum", ())} <= {*old["enum"]}
    yield from [path] if grown and path not in MAY_GROW else []
    yield from (f"{path}.{name}".strip(".") for name in {*old.get("required", ())} - {*new.get("required", ())})
    for name, kept in old.get("properties", {}).items():
        now = new.get("properties", {}).get(name)
        inner = f"{path}.{name}".strip(".")
        yield from [inner] if now is None else surprises(now, kept, inner)
    if "items" in old:
        yield from surprises(new.get("items", {}), old["items"], f"{path}[]")


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda p: p.stem)
def test_a_reader_made_for_an_earlier_schema_reads_the_results_of_today(file):
    kept = json.loads(file.read_text("utf-8"))
    if kept["version"] == SCHEMA_VERSION:
        assert [*surprises(run_result_schema(), kept)] == []
        for make in RESULTS.values():
            jsonschema.validate(json.loads(make().to_json()), kept)


@pytest.mark.parametrize("file", LINES, ids=lambda p: p.stem)
def test_results_of_every_earlier_version_can_still_be_read(file):
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert {line["status"] for line in lines} == {"scored", "not_scorable", "failed"}
    for line in lines:
        told = RunResult.from_dict(line).to_dict()
        assert {name: told[name] for name in line} == line
        assert RunResult.from_dict(line | {"a_field_of_tomorrow": 1}) == RunResult.from_dict(line)


def test_the_schema_of_this_version_and_results_of_it_are_kept():
    assert {p.stem for p in SCHEMAS} == {p.stem for p in LINES} >= {f"run-result-{SCHEMA_VERSION}"}


def changed(path, value):
    """The schema of today with something else at a path of properties; None takes it away."""
    schema = run_result_schema()
    *above, last = path.split(".")
    at = schema
    for name in above:
        at = at[int(name)] if isinstance(at, list) else at[name]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return schema


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("properties.score", None),
        ("properties.run_id", {"type": "integer"}),
        ("properties.score", {"anyOf": [{"type": "number"}, {"type": "null"}, {"type": "string"}]}),
        ("properties.status.enum", ["scored", "not_scorable", "failed", "skipped"]),
        ("properties.notes", {"type": "array", "items": {"type": "object"}}),
        ("required", ["scorer_id"]),
    ],
)
def test_a_change_that_a_reader_would_stumble_on_is_found(path, value):
    assert [*surprises(changed(path, value), run_result_schema())]


def test_what_is_added_is_no_surprise():
    more = changed("properties.more", {"type": "string"})
    assert [*surprises(more, run_result_schema())] == []
