"""What is installed: scorers, models and template packs, by their entry points."""

from __future__ import annotations

import re
import sys
from types import ModuleType, SimpleNamespace

import pytest
from importlib_metadata import EntryPoint
from langchain_core.language_models import FakeListChatModel

import scorer_bias
from scorer_core import Judge, Prompts, UsageError
from scorer_core.judging.models import find_model
from scorer_core.plugins import MODELS, PROMPTS, SCORERS, installed, load, load_scorer, plugins


class Point(EntryPoint):
    """An entry point of a distribution that is not installed."""

    def __init__(self, name, value, group, package="scorer-other", requires=None):
        super().__init__(name=name, value=value, group=group)
        told = {"Name": package, "Version": "1.0"}
        vars(self).update(dist=SimpleNamespace(name=package, metadata=told, requires=requires))


@pytest.fixture
def install(monkeypatch):
    """A function that makes entry points be the only ones installed."""

    def only(*points):
        monkeypatch.setattr(
            "scorer_core.plugins.importlib_metadata.entry_points", lambda group: [p for p in points if p.group == group]
        )

    return only


def test_the_four_scorers_are_installed_under_their_ids():
    assert {"answer_similarity", "bias", "faithfulness", "hallucination"} <= set(installed(SCORERS))
    assert load_scorer("bias") is scorer_bias.spec


def test_a_scorer_that_is_not_installed_is_told_with_what_there_is_and_the_pip_command(install):
    install(Point("bias", "scorer_bias:spec", SCORERS))
    with pytest.raises(UsageError) as wrong:
        load_scorer("answer_relevancy")
    assert str(wrong.value) == (
        "no scorer 'answer_relevancy' is installed (have: bias); try: pip install scorer-answer-relevancy"
    )


def test_a_broken_plugin_is_told_and_hurts_none_of_the_others(install):
    install(Point("bias", "scorer_bias:spec", SCORERS), Point("gone", "no_such_module:spec", SCORERS))
    (bias, gone) = plugins(SCORERS)
    assert (bias.value, bias.error) == (scorer_bias.spec, None)
    assert (gone.value, gone.package) == (None, "scorer-other 1.0")
    assert "no_such_module" in gone.error
    with pytest.raises(UsageError, match=r"scorer 'gone' of scorer-other 1\.0 does not load"):
        load(SCORERS, "gone")
    assert load_scorer("bias") is scorer_bias.spec


def test_two_packages_with_one_id_are_an_error_that_names_both(install):
    install(Point("bias", "scorer_bias:spec", SCORERS, "one"), Point("bias", "other:spec", SCORERS, "two"))
    with pytest.raises(UsageError, match=r"one 1\.0 and two 1\.0"):
        load_scorer("bias")


def test_the_name_on_the_left_is_the_id(install):
    install(Point("fairness", "scorer_bias:spec", SCORERS), Point("texts", "scorer_bias:texts", SCORERS))
    for name, why in (("fairness", "its spec 'bias'"), ("texts", "expected a ScorerSpec")):
        with pytest.raises(UsageError, match=why):
            load_scorer(name)


@pytest.mark.parametrize(
    "requirement",
    [
        "scorer-core>=2,<3", "scorer_core (>=2,<3)", "Scorer.Core[models] >= 2, < 3", "scorer-core<0.1,>=0",
        "scorer-core~=2.0", "scorer-core==2.*", "scorer-core!=0.*",
    ],
)  # fmt: skip
def test_R126_a_plugin_made_for_another_version_of_the_contract_is_not_loaded(install, requirement):
    made_for_another = Point("gone", "no_such_module:spec", SCORERS, requires=["attrs>=1", requirement])
    install(made_for_another, Point("bias", "scorer_bias:spec", SCORERS, requires=["scorer-core>=0.1,<1"]))
    (bias, gone) = plugins(SCORERS)
    assert bias.error is None
    with pytest.raises(UsageError) as wrong:
        load_scorer("gone")
    assert gone.error in str(wrong.value)
    assert re.search(r"scorer-other 1\.0 needs scorer-core [<>~=!].*, this is 0\.1\.0; try: pip install", gone.error)
    assert "pip install --upgrade scorer-other, or pip install 'scorer-core" in gone.error


@pytest.mark.parametrize(
    "requires",
    [
        None,
        [],
        ["attrs>=99"],
        ["scorer-core"],
        ["scorer-core-more>=99"],
        ["?"],
        ["scorer-core~=0.1"],
        ["scorer-core~=0.1.0,==0.1.*"],
        ['scorer-core>=99; extra == "next"'],
        ['scorer-core>=99; python_version < "3"'],
    ],
)
def test_R126_a_plugin_that_was_made_for_this_one_or_does_not_say_so_is_loaded(install, requires):
    install(Point("bias", "scorer_bias:spec", SCORERS, requires=requires))
    assert load_scorer("bias") is scorer_bias.spec


def test_R127_listing_loads_no_plugin(install):
    install(Point("gone", "no_such_module:spec", SCORERS))
    assert list(installed(SCORERS)) == ["gone"]


MODEL = FakeListChatModel(responses=["x"])


@pytest.fixture
def models(monkeypatch):
    """A module with a model, a function that makes one, and one that fails."""
    module = ModuleType("some_models")
    module.ready, module.make, module.told = MODEL, lambda: MODEL, lambda rest: FakeListChatModel(responses=[rest])
    module.fails = lambda: 1 / 0
    monkeypatch.setitem(sys.modules, "some_models", module)


def test_a_model_is_found_by_an_installed_name_before_the_first_colon(install, models):
    install(Point("mine", "some_models:told", MODELS))
    assert find_model("mine:a:b").responses == ["a:b"]
    assert find_model("mine").responses == [""]
    assert Judge("mine:x").model.responses == ["x"]


@pytest.mark.parametrize("name", ["python:some_models:ready", "python:some_models:make"])
def test_a_model_is_found_in_a_module_ready_or_made(models, name):
    assert find_model(name) is MODEL


@pytest.mark.parametrize(
    "name", ["python:no_such_module:x", "python:some_models:y", "python:", "python:some_models:fails"]
)
def test_a_model_that_can_not_be_had_is_told_with_all_forms(models, name):
    with pytest.raises(UsageError, match="python:module:attribute"):
        find_model(name)


@pytest.mark.parametrize("name", ["", "gpt", "what ever"])
def test_a_text_of_no_form_lists_the_forms(name):
    with pytest.raises(UsageError, match="provider:model"):
        find_model(name)


def test_R129_a_provider_without_langchain_names_the_pip_command(monkeypatch):
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(UsageError, match=r"pip install 'scorer-core\[models\]'"):
        find_model("openai:gpt-x")


def test_a_provider_and_model_go_to_langchain_without_retries_of_its_own(monkeypatch):
    asked = []
    module = ModuleType("langchain.chat_models")
    module.init_chat_model = lambda name, **how: asked.append((name, how)) or MODEL
    monkeypatch.setitem(sys.modules, "langchain", ModuleType("langchain"))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", module)
    assert find_model("openai:gpt-x") is MODEL
    (name, how) = asked[0]
    assert "gpt-x" in name
    assert how["max_retries"] == 0
    assert not {"temperature", "seed", "max_tokens", "top_p"} & set(how)


def test_an_installed_pack_is_found_by_name(install, monkeypatch, tmp_path):
    package = tmp_path / "some_pack"
    (package / "faithfulness").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "faithfulness" / "analyze.j2").write_text("PACKED")
    monkeypatch.syspath_prepend(tmp_path)
    install(Point("ja", "some_pack", PROMPTS))
    (pack,) = Prompts("ja").packs
    assert (pack.name, pack.source("faithfulness/analyze.j2")) == ("ja", "PACKED")
