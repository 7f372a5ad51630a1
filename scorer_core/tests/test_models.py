"""A model from a text: the configuration is asked first, then what is installed, a module, a provider."""

import sys
import traceback
from types import ModuleType

import pytest
from langchain_core.language_models import FakeListChatModel

from scorer_core import Judge, UsageError
from scorer_core.judging.models import find_model, forms

MODEL = FakeListChatModel(responses=["x"])


@pytest.fixture
def asked(monkeypatch):
    """What LangChain's `init_chat_model` was asked for: (model, arguments) of each call."""
    calls, module = [], ModuleType("langchain.chat_models")
    module.init_chat_model = lambda name, **how: calls.append((name, how)) or MODEL
    monkeypatch.setitem(sys.modules, "langchain", ModuleType("langchain"))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", module)
    return calls


@pytest.fixture
def written(monkeypatch, tmp_path):
    """A function that writes the configuration of the current folder."""
    monkeypatch.chdir(tmp_path)
    return lambda text, file="scorer.toml": (tmp_path / file).write_text(text, encoding="utf-8")


GPT = '[models.gpt]\nprovider = "openai"\nmodel = "gpt-x"\n'


def test_a_configured_model_is_made_by_langchain_with_what_the_user_set_alone(asked, written):
    written(GPT)
    assert find_model("gpt") is MODEL
    assert asked == [("gpt-x", {"model_provider": "openai", "max_retries": 0})]


def test_a_judge_is_named_by_its_name_in_the_configuration(asked, written):
    written(GPT)
    assert Judge("gpt").model is MODEL


def test_the_configuration_comes_before_what_is_installed_and_before_providers(asked, written):
    written('[models.python]\nprovider = "a"\nmodel = "b"\n["models"."openai:gpt-x"]\nprovider = "c"\nmodel = "d"\n')
    find_model("python")
    find_model("openai:gpt-x")
    assert [name for name, _ in asked] == ["b", "d"]


def test_a_text_that_the_configuration_does_not_name_is_read_as_ever(asked, written):
    written(GPT)
    find_model("openai:gpt")
    assert asked == [("openai:gpt", {"max_retries": 0})]


def test_parameters_of_the_caller_go_over_those_of_the_table(asked, written):
    written(GPT + "parameters = {temperature = 0.5, seed = 1, max_retries = 3}\n")
    find_model("gpt", temperature=0)
    assert asked[0][1] == {"model_provider": "openai", "temperature": 0, "seed": 1, "max_retries": 3}


def test_an_unknown_model_lists_the_forms_and_the_names_there_are(written):
    written(GPT + '[models.claude]\nprovider = "anthropic"\nmodel = "c"\n')
    with pytest.raises(UsageError, match=r"unknown model 'gtp' \(did you mean 'gpt'\?\)") as told:
        find_model("gtp")
    line = "NAME                      a model named in the configuration ([tool.scorer.models.NAME]; gpt, claude)"
    assert line in str(told.value)


def test_without_a_configuration_the_forms_say_none(written):
    assert "([tool.scorer.models.NAME]; none)" in forms()


def test_a_configured_model_without_langchain_names_the_pip_command(written, monkeypatch):
    written(GPT)
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(UsageError, match=r"model 'gpt' needs .*pip install 'scorer-core\[models\]'"):
        find_model("gpt")


def test_a_key_is_in_no_error_and_no_traceback_whatever_its_variable_is_called(asked, written, monkeypatch):
    written(GPT + 'api_key_env = "COMPANY_LOGIN"\n')
    monkeypatch.setenv("COMPANY_LOGIN", "very-hidden-words")

    def fails(_, **how):
        raise ValueError(f"bad input: {how['api_key']}")

    monkeypatch.setattr(sys.modules["langchain.chat_models"], "init_chat_model", fails)
    with pytest.raises(UsageError, match=r"'gpt' can't be made: ValueError: bad input: \[COMPANY_LOGIN\]") as told:
        find_model("gpt")
    assert "very-hidden-words" not in "".join(traceback.format_exception(told.value))


def test_a_class_of_models_is_called_as_a_function_that_makes_one_is(monkeypatch):
    class Fake(FakeListChatModel):
        responses: list[str] = ["so"]

    module = ModuleType("models_of_tests")
    module.Fake = Fake
    monkeypatch.setitem(sys.modules, "models_of_tests", module)
    assert isinstance(find_model("python:models_of_tests:Fake"), Fake)


def test_a_module_that_would_end_the_process_has_no_model_and_what_it_prints_is_no_output(
    tmp_path, monkeypatch, capsys
):
    (tmp_path / "script_of_tests.py").write_text("print('begun')\nraise SystemExit(0)")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError, match=r"model 'python:script_of_tests:judge': SystemExit: 0; a model is given as"):
        find_model("python:script_of_tests:judge")
    assert capsys.readouterr() == ("", "begun\n")
