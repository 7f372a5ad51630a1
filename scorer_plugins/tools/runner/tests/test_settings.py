from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import UsageError
from scorer_runner.ordering.order import Order, declared
from scorer_runner.ordering.settings import applied
from scorer_runner.ordering.values import scorer_and_options, spelled, value_of

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}


def settings(text: str, name: str = "scorer.toml") -> None:
    Path(name).write_text(text, encoding="utf-8")


def test_without_a_file_the_command_line_and_the_defaults_apply() -> None:
    told = applied({"limit": 3})
    assert told.order == Order(limit=3)
    assert (told.origin("limit"), told.origin("concurrency"), told.problems) == ("command line", "default", ())


@pytest.mark.parametrize(
    ("file", "table", "path"), [("scorer.toml", "", ""), ("pyproject.toml", "[tool.scorer]", "tool.scorer.")]
)
def test_settings_are_read_from_either_file(file: str, table: str, path: str) -> None:
    settings(f'{table}\nconcurrency = 50\nmin_coverage = 1\nscorer = ["bias"]\nresume = true\nreasons = "none"', file)
    told = applied({})
    assert told.order == Order(concurrency=50, min_coverage=1, scorer=("bias",), resume=True, reasons="none")
    assert told.origin("concurrency") == f"{file}: {path}concurrency"


def test_the_command_line_wins_option_by_option_and_a_list_replaces_a_list() -> None:
    settings('concurrency = 50\nlimit = 9\nscorer = ["bias", "faithfulness"]\ngate = ["bias<=0.1"]')
    told = applied({"concurrency": 2, "scorer": ("hallucination",)})
    assert told.order == Order(concurrency=2, limit=9, scorer=("hallucination",), gate=("bias<=0.1",))
    assert told.origin("scorer") == "command line"
    assert ("scorer", 0) not in told.places


def test_of_two_files_in_a_folder_scorer_toml_applies_and_alone() -> None:
    settings("concurrency = 2")
    settings("[tool.scorer]\nconcurrency = 3\nlimit = 4", "pyproject.toml")
    assert applied({}).order == Order(concurrency=2)


def test_tables_say_what_texts_say() -> None:
    settings(
        """
        map = { output = "answer", context = "retrieval.chunks" }
        split = { ground_truth = "/" }
        model_arg = { temperature = 0, stop = ["0", "x"], tag = "0" }
        gate = { faithfulness = ">=0.8", "p10(bias)" = "<=0.5" }
        scorer = ["faithfulness", { id = "bias", scale = 10, kinds = ["age"] }]
        """
    )
    told = applied({}).order
    assert told.map == ("output=answer", "context=retrieval.chunks")
    assert told.split == ("ground_truth=/",)
    assert told.model_arg == ("temperature=0", 'stop=["0", "x"]', 'tag="0"')
    assert told.gate == ("faithfulness>=0.8", "p10(bias)<=0.5")
    assert told.scorer == ("faithfulness", 'bias:scale = 10, kinds = ["age"]')
    assert scorer_and_options(told.scorer[1]) == ("bias", {"scale": 10, "kinds": ["age"]})


VALUES = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(VALUES.filter(lambda v: not any(0xD800 <= ord(c) < 0xE000 for c in str(v))))
def test_what_is_spelled_is_read_back(value: Any) -> None:
    assert value_of(spelled(value)) == value


def test_R077_all_that_is_wrong_is_told_at_once_with_path_value_and_suggestion(
    scorer: Any, rows: Any, folder: Path
) -> None:
    settings(
        """
        model = "python:judge_of_tests:judge"
        model_arg = 7
        concurency = 4
        min_coverage = "high"
        limit = 0
        reasons = "some"
        resume = "yes"
        cache = ""
        map = { output = 3 }
        gate = ["faithfulness>=high", 0.8]
        scorer = ["faithfulnes", { id = "bias", scale = "high" }, { scale = 1 }, "faithfulness"]
        """
    )
    told = scorer("run", rows(GOOD))
    assert told.code == 2
    for line in (
        "scorer.toml: model_arg: expected a list of texts, or a table, got 7",
        "scorer.toml: concurency: no such setting (did you mean 'concurrency'?); there are: data, ",
        'scorer.toml: min_coverage: expected a number from 0 to 1, got "high"',
        "scorer.toml: limit: expected a whole number of 1 or more, got 0",
        'scorer.toml: reasons: expected one of judge, summary, none, got "some"',
        'scorer.toml: resume: expected true or false, got "yes"',
        'scorer.toml: cache: expected a text, got ""',
        "scorer.toml: map.output: expected a text, got 3",
        "scorer.toml: gate[1]: expected a text, got 0.8",
        "scorer.toml: gate[0]: --gate 'faithfulness>=high': no number after '>=': 'high'",
        "scorer.toml: scorer[2].id: expected the id of a scorer, got nothing",
        "scorer.toml: scorer[0]: no scorer 'faithfulnes' is installed",
        "scorer.toml: scorer[1]: bias: scale: expected a finite number above 0, got 'high'",
    ):
        assert f"\n- {line}" in told.err
    assert "13 things are wrong" in told.err
    assert [p.name for p in folder.iterdir() if p.name not in ("rows.jsonl", "scorer.toml")] == []


def test_a_text_alone_is_a_list_of_one(scorer: Any, rows: Any) -> None:
    file = rows({**GOOD, "lang": "ja"})
    settings(f'data = "{file}"\nscorer = "includes:text=an"\nby = "lang"\ngate = "includes[text=an]>=1"')
    told = scorer("run", "--quiet")
    assert told.code == 0
    assert "includes[text=an]>=1" in scorer("config").out


def test_a_key_with_hyphens_is_told_how_it_is_written() -> None:
    settings("min-coverage = 0.5")
    assert (
        applied({}).problems[0].startswith("scorer.toml: min-coverage: no such setting (did you mean 'min_coverage'?)")
    )


def test_the_models_of_the_configuration_are_no_settings() -> None:
    settings('[models.judge]\nprovider = "openai"\nmodel = "m"')
    assert applied({}).problems == ()


@pytest.mark.parametrize(
    ("text", "told"), [("concurrency =", "can't be read"), ("tool = 3", "tool: expected a table, got 3")]
)
def test_a_file_that_holds_no_settings_at_all_is_an_error(text: str, told: str) -> None:
    settings(text, "pyproject.toml")
    with pytest.raises(UsageError, match=told):
        applied({})


def test_paths_of_a_file_above_are_those_of_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings('data = "rows.jsonl"\nprompts = ["mine", "ja"]\ncache = "kept.sqlite"\nout = "-"\nmodel = "local"')
    (folder / "mine").mkdir()
    (below := folder / "below").mkdir()
    monkeypatch.chdir(below)
    told = applied({"redact": "patterns.toml"})
    assert told.order == Order(
        data=(str(folder / "rows.jsonl"),), prompts=(str(folder / "mine"), "ja"), cache=str(folder / "kept.sqlite"),
        out="-", redact="patterns.toml",
    )  # fmt: skip
    assert told.origin("data") == f"{folder / 'scorer.toml'}: data"


def test_a_run_goes_by_its_settings(scorer: Any, rows: Any, results: Any) -> None:
    settings(
        f'data = "{rows(GOOD, GOOD)}"\nmodel = "python:judge_of_tests:judge"\nlimit = 1\n'
        '[[scorer]]\nid = "faithfulness"\nscale = 10\n[gate]\nfaithfulness = ">=9"'
    )
    told = scorer("run")
    assert (told.code, [line["score"] for line in results()]) == (0, [10.0])
    assert "faithfulness>=9" in told.out
    assert scorer("run", "--limit", "2", "--out", "two.jsonl").code == 0
    assert len(results("two.jsonl")) == 2


def test_what_is_true_in_the_file_can_be_refused_on_the_command_line(scorer: Any) -> None:
    settings("resume = true")
    assert json.loads(scorer("config", "--no-resume", "--json").out)["resume"] == {
        "value": False,
        "from": "command line",
    }


# scorer config


def test_config_shows_every_option_with_its_value_and_where_it_comes_from(scorer: Any) -> None:
    settings(
        '[tool.scorer]\nconcurrency = 50\nscorer = ["bias", { id = "faithfulness", scale = 10 }]', "pyproject.toml"
    )
    told = scorer("config", "rows.jsonl", "--limit", "3")
    assert told.code == 0
    lines = [line.split() for line in told.out.splitlines()]
    assert ["data", "rows.jsonl", "command", "line"] in lines
    assert ["concurrency", "50", "pyproject.toml:", "tool.scorer.concurrency"] in lines
    assert ["scorer", "bias", "pyproject.toml:", "tool.scorer.scorer"] in lines
    assert ["faithfulness:scale", "=", "10"] in lines
    assert ["model", "local", "default"] in lines
    as_json = json.loads(scorer("config", "rows.jsonl", "--limit", "3", "--json").out)
    assert [*as_json] == [*declared()]
    assert as_json["limit"] == {"value": 3, "from": "command line"}
    assert as_json["out"] == {"value": None, "from": "default"}


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_config_shows_no_secret(scorer: Any, how: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "abcdefgh-12345")
    settings('model = "openai:abcdefgh-12345"\nmodel_arg = { api_key = "hidden one", temperature = 0 }')
    told = scorer("config", "--scorer", "bias:x=sk-abcdefghijkl", *how)
    assert told.code == 0
    assert "api_key=***" in told.out
    assert "temperature=0" in told.out
    assert not any(secret in told.out + told.err for secret in ("abcdefgh", "hidden"))


def test_R077_config_tells_what_is_wrong_with_the_file_and_no_secret_of_it(scorer: Any) -> None:
    settings('concurrency = "sk-abcdefghijkl"\nlimt = 1')
    told = scorer("config")
    assert (told.code, told.out) == (2, "")
    assert "2 things are wrong" in told.err
    assert "sk-abc" not in told.err
