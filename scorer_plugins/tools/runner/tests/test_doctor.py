"""`scorer doctor`: what is here, what is broken, and no value of any key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import importlib_metadata
import pytest


def test_it_names_what_is_here_and_of_keys_the_names_alone(scorer: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("SOME_PROVIDER_API_KEY", "sk-very-secret-value")
    monkeypatch.setenv("EMPTY_API_KEY", "")
    for words in (["doctor"], ["doctor", "--json"]):
        done = scorer(*words)
        assert done.code == 0
        for name in ("python", "scorer-core", "faithfulness", "ja", "strict", "local", "SOME_PROVIDER_API_KEY"):
            assert name in done.out
        assert "secret" not in done.out
        assert "EMPTY_API_KEY" not in done.out


def test_what_is_broken_is_told_with_its_package_and_the_exit_code_is_1(scorer: Any, install: Any) -> None:
    install("", "Requires-Dist: scorer-core>=7\n")
    done = scorer("doctor", "--json")
    assert done.code == 1
    (odd,) = (f for f in json.loads(done.out)["scorers"] if f["name"] == "odd")
    assert odd["works"] is False
    assert "scorer-odd 1.0 needs scorer-core >=7, this is 0.1.0" in odd["told"]
    shown = scorer("doctor").out
    assert "broken  scorer-odd 1.0 needs scorer-core >=7" in shown
    assert shown.endswith("1 broken\n")


def test_tools_are_told_by_what_they_add(scorer: Any, install: Any) -> None:
    install("def page():\n    pass\nodd = 3\n", scorer_runner__commands={"page": "page", "odd": "odd"})
    tools = {f["name"]: f for f in json.loads(scorer("doctor", "--json").out)["tools"]}
    assert tools["command page"] == {"name": "command page", "told": "scorer-odd 1.0", "works": True}
    assert tools["command odd"] == {"name": "command odd", "told": "expected a function, got 3", "works": False}


def test_models_of_the_configuration_are_told_with_what_they_lack(
    scorer: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "[models.{}]\nprovider = 'openai'\nmodel = 'some-model'\napi_key_env = '{}'\n"
    (folder / "scorer.toml").write_text(model.format("ready", "OUR_API_KEY") + model.format("keyless", "NO_API_KEY"))
    monkeypatch.setenv("OUR_API_KEY", "very-secret")
    done = scorer("doctor", "--json")
    models = {f["name"]: f for f in json.loads(done.out)["models"]}
    assert models["ready"]["told"] == "some-model of openai, by the configuration"
    assert "the environment variable NO_API_KEY is not set" in models["keyless"]["told"]
    assert (models["ready"]["works"], models["keyless"]["works"], done.code) == (True, False, 1)
    assert "secret" not in done.out + scorer("doctor").out
    (folder / "scorer.toml").write_text("models = 3")
    assert "expected a table" in scorer("doctor").out


def test_packages_are_told_with_their_versions_and_how_to_get_those_that_are_not_there(
    scorer: Any, install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer_runner.doctor.EXTRAS", {"no-such-package": "scorer-core[models]"})
    install("", scorer_runner__others={})
    versions = {f["name"]: f["told"] for f in json.loads(scorer("doctor", "--json").out)["versions"]}
    assert versions["scorer-odd"] == "1.0"
    assert versions["langchain-core"] == importlib_metadata.version("langchain-core")
    assert versions["no-such-package"] == "not installed; pip install 'scorer-core[models]' brings it"
    assert "scorer-bias" not in versions


def test_it_has_colours_on_a_terminal_alone(process: Any) -> None:
    plain, coloured = process("doctor"), process("doctor", FORCE_COLOR="1")
    assert "\x1b" not in plain.out
    assert "\x1b[32mall of it works" in coloured.out


def test_the_list_tells_steps_and_packs(scorer: Any) -> None:
    told = {entry["id"]: entry for entry in json.loads(scorer("list", "--json").out)["scorers"]}
    assert told["faithfulness"]["steps"] == ["preprocess", "analyze", "generate_score", "generate_reason"]
    assert {"ja", "strict"} <= {*told["faithfulness"]["packs"]}
    assert told["content_similarity"]["steps"] == ["generate_score", "generate_reason"]
    assert told["content_similarity"]["packs"] == []
