"""The page about judges: each row names a test that there is, and settings, keys, kinds and providers are all told."""

import re
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import attrs
import pytest

from scorer_core import Judge, Scorer
from scorer_core.contract.errors import KINDS
from scorer_core.judging.chat import _FILTER, _LENGTH
from scorer_core.judging.configured import _KEYS
from scorer_core.judging.models import find_model

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
TESTS = [ROOT / "tests", ROOT / "scorer_core" / "tests", *ROOT.glob("scorer_plugins/*/*/tests")]
OF_SCORER = ("judges", "reasons", "mode", "redact", "language", "prompts")
PACKAGES = {
    "openai": "langchain-openai",
    "azure_openai": "langchain-openai",
    "anthropic": "langchain-anthropic",
    "bedrock_converse": "langchain-aws",
    "google_genai": "langchain-google-genai",
    "google_vertexai": "langchain-google-vertexai",
    "ollama": "langchain-ollama",
}
JUDGES = ("OpenAI", "Azure OpenAI", "Anthropic", "Bedrock", "Vertex AI", "Ollama", "vLLM")


def cells(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


TABLES = [
    (cells(head), [cells(row) for row in body.splitlines()])
    for head, body in re.findall(r"^(\|.+\|)\n\|[ |-]+\|\n((?:\|.+\|\n)+)", PAGE, re.MULTILINE)
]


def rows(*first):
    """The rows of every table whose head begins with these cells."""
    return [row for head, body in TABLES if head[: len(first)] == [*first] for row in body]


def default_of(attribute):
    made = attribute.default.factory() if isinstance(attribute.default, attrs.Factory) else attribute.default
    if made is attrs.NOTHING:
        return "–"
    if isinstance(made, str):
        return f'`"{made}"`'
    return f"`{type(made).__name__}()`" if attrs.has(type(made)) else f"`{made!r}`"


def test_every_test_that_is_named_is_there():
    files = [file.read_text(encoding="utf-8") for folder in TESTS for file in folder.rglob("test_*.py")]
    there = {name for text in files for name in re.findall(r"^\s*(?:async )?def (test_\w+)\(", text, re.MULTILINE)}
    named = set(re.findall(r"\btest_\w+", PAGE))
    assert len(named) > 100
    assert sorted(named - there) == []


def test_every_row_of_a_table_with_tests_names_one():
    backed = [row[-1] for head, body in TABLES if head[-1] == "test" for row in body]
    assert len(backed) > 80
    assert [told for told in backed if not re.fullmatch(r"`test_\w+`(, `test_\w+`)*", told)] == []


@pytest.mark.parametrize(
    "fields",
    [attrs.fields(Judge), tuple(a for a in attrs.fields(Scorer) if a.name in OF_SCORER)],
    ids=["Judge", "Scorer"],
)
def test_every_setting_is_told_with_its_default(fields):
    told = {setting: default for setting, default, *_ in rows("setting", "default")}
    assert {f"`{a.name}`": default_of(a) for a in fields}.items() <= told.items()


def test_no_setting_is_told_that_is_not_there():
    there = {a.name for a in attrs.fields(Judge)} | set(OF_SCORER)
    assert {setting.strip("`") for setting, *_ in rows("setting", "default")} == there


def test_every_key_of_the_configuration_is_told():
    assert [key.strip("`") for key, *_ in rows("key", "what it holds")] == [*_KEYS]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_told(kind):
    assert f"`{kind}`" in PAGE


def test_every_reason_to_stop_is_told():
    told = {word for reasons, *_ in rows("reasons", "kind") for word in re.findall(r"`(\w+)`", reasons)}
    assert told == _LENGTH | _FILTER | {"refusal"}


def test_every_provider_is_told_with_its_package_and_has_a_model():
    told = rows("judge", "provider")
    assert {provider.split("`")[1]: package.strip("`") for _, provider, package, _ in told} == PACKAGES
    assert {judge for judge, *_ in told} >= set(JUDGES)
    (text,) = re.findall(r'```toml title="scorer.toml"\n(.*?)```', PAGE, re.DOTALL)
    models = tomllib.loads(text)["models"].values()
    assert len(models) == len(JUDGES)
    assert {m["provider"] for m in models} == PACKAGES.keys() - {"google_vertexai"}
    assert all(m.keys() <= _KEYS.keys() for m in models)


def test_a_slash_does_for_the_colon_behind_a_provider(monkeypatch):
    models = SimpleNamespace(init_chat_model=lambda name, **how: (name, how))
    monkeypatch.setitem(sys.modules, "langchain", SimpleNamespace(chat_models=models))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", models)
    assert find_model("openai/gpt-5-mini") == ("openai:gpt-5-mini", {"max_retries": 0})
    assert find_model("ollama/qwen3:8b") == ("ollama:qwen3:8b", {"max_retries": 0})
