"""The published schema of results: fresh, sound, and true of every kind of result."""

import json
from pathlib import Path

import jsonschema
import pytest

from scorer_bias import create_bias_scorer
from scorer_core.published import run_result_schema
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

FILE = Path(__file__).parents[1] / "docs" / "run-result.schema.json"
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
