"""`scorer doctor`: what is here, what is broken, and no value of any key."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from importlib_metadata import EntryPoint, entry_points


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


def test_what_is_broken_is_told_with_its_package_and_the_exit_code_is_1(scorer: Any, monkeypatch: Any) -> None:
    broken = EntryPoint(name="gone", value="no_such_module:spec", group="scorer_core.scorers")
    vars(broken).update(dist=SimpleNamespace(name="scorer-gone", version="1.0", requires=["scorer-core>=7"]))
    monkeypatch.setattr(
        "scorer_core.plugins.importlib_metadata.entry_points",
        lambda group: [*entry_points(group=group), *([broken] if group == broken.group else [])],
    )
    done = scorer("doctor", "--json")
    assert done.code == 1
    (gone,) = (f for f in json.loads(done.out)["scorers"] if f["name"] == "gone")
    assert gone["works"] is False
    assert "scorer-gone 1.0 needs scorer-core >=7, this is 0.1.0" in gone["told"]


def test_the_list_tells_steps_and_packs(scorer: Any) -> None:
    told = {entry["id"]: entry for entry in json.loads(scorer("list", "--json").out)["scorers"]}
    assert told["faithfulness"]["steps"] == ["preprocess", "analyze", "generate_score", "generate_reason"]
    assert {"ja", "strict"} <= {*told["faithfulness"]["packs"]}
    assert told["content_similarity"]["steps"] == ["generate_score", "generate_reason"]
    assert told["content_similarity"]["packs"] == []
