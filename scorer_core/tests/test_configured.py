"""Models named in the configuration: where they are found, what fits, what they are made with, how they are paced."""

import asyncio
import logging
from itertools import count
from types import SimpleNamespace

import langchain_core.rate_limiters
import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.rate_limiters import BaseRateLimiter

import scorer_core.judging.rates
from scorer_core import UsageError
from scorer_core.judging.configured import configured, names
from scorer_core.judging.rates import Rates, counted_by, rates_of
from scorer_core.support.log import warn_once

BOTH = 'provider = "openai"\nmodel = "gpt-x"\n'


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The current folder, two below the one that is given."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a" / "b")
    return tmp_path


def written(file, text):
    file.write_text(text, encoding="utf-8")
    return file


def made_of(folder, table):
    """What a model with this table is made with."""
    written(folder / "scorer.toml", f"[models.gpt]\n{table}")
    return configured("gpt").arguments


def wrong_with(folder, table, head=BOTH):
    """What is said about a model with this table, a line each."""
    written(folder / "pyproject.toml", f"[tool.scorer.models.gpt]\n{head}{table}")
    with pytest.raises(UsageError) as told:
        configured("gpt")
    first, *lines = str(told.value).split("\n")
    assert first == f"model 'gpt' of {folder / 'pyproject.toml'} can't be used:"
    return lines


# where


def test_without_a_file_no_model_is_named(folder):
    assert (names(), configured("gpt")) == ((), None)


def test_a_pyproject_without_the_table_names_none(folder):
    written(folder / "pyproject.toml", '[project]\nname = "x"\n')
    assert (names(), configured("gpt")) == ((), None)


@pytest.mark.parametrize(("file", "table"), [("pyproject.toml", "tool.scorer.models"), ("scorer.toml", "models")])
def test_the_file_is_found_from_the_current_folder_upwards(folder, file, table):
    written(folder / file, f"[{table}.gpt]\n{BOTH}")
    assert (names(), configured("gpt").model) == (("gpt",), "gpt-x")


def test_the_nearest_file_counts_alone(folder):
    written(folder / "scorer.toml", f"[models.far]\n{BOTH}")
    written(folder / "a" / "pyproject.toml", f"[tool.scorer.models.near]\n{BOTH}")
    assert names() == ("near",)


def test_a_pyproject_without_our_table_is_passed_over(folder):
    written(folder / "scorer.toml", f"[models.far]\n{BOTH}")
    written(folder / "a" / "pyproject.toml", "[tool.other]\nx = 1\n")
    assert names() == ("far",)
    written(folder / "a" / "pyproject.toml", "[tool.scorer]\n")
    assert names() == ()


def test_scorer_toml_wins_in_one_folder(folder):
    written(folder / "pyproject.toml", f"[tool.scorer.models.project]\n{BOTH}")
    written(folder / "scorer.toml", f"[models.own]\n{BOTH}")
    assert names() == ("own",)


def test_a_file_that_can_not_be_read_is_told_with_its_path(folder):
    written(folder / "scorer.toml", "[models")
    with pytest.raises(UsageError, match=r"scorer\.toml can't be read: "):
        configured("gpt")


@pytest.mark.parametrize(("text", "at"), [("tool = 1", "tool"), ("tool.scorer.models = 'x'", "tool.scorer.models")])
def test_what_should_be_a_table_and_is_not_is_told(folder, text, at):
    written(folder / "pyproject.toml", text)
    with pytest.raises(UsageError, match=rf"pyproject\.toml: {at}: expected a table, got"):
        configured("gpt")


def test_a_model_that_is_no_table_is_told(folder):
    written(folder / "scorer.toml", "models.gpt = 'openai:gpt-x'")
    with pytest.raises(UsageError, match=r"models\.gpt: expected a table, got 'openai:gpt-x'"):
        configured("gpt")


def test_a_mistake_in_one_model_does_not_hurt_another(folder):
    written(folder / "scorer.toml", f"[models.bad]\nprovider = 3\n[models.good]\n{BOTH}")
    assert configured("good").model == "gpt-x"


# what fits


def test_all_that_is_wrong_is_told_at_once_each_with_its_path(folder):
    table = """provider = "anthropic"
timout = 3
timeout = "long"
requests_per_minute = true
tokens_per_minute = inf
base_url = ""
proxy = "http://proxy:8080"
parameters = 3
headers = {X-Team = 7}
api_key_env = "NOT_SET_ANYWHERE"
"""
    at = "tool.scorer.models.gpt"
    keys = "provider, model, base_url, api_version, api_key_env, headers, proxy, timeout, requests_per_minute, "
    assert sorted(wrong_with(folder, table, head="")) == [
        f"{at}.api_key_env: the environment variable NOT_SET_ANYWHERE is not set",
        f"{at}.base_url: expected a text, got ''",
        f"{at}.headers.X-Team: expected a text, got 7",
        f"{at}.model: expected the model's name at the provider, got nothing",
        f"{at}.parameters: expected a table, got 3",
        f"{at}.proxy: not known of provider 'anthropic'; put its own parameter for it into parameters",
        f"{at}.requests_per_minute: expected a number above 0, got True",
        f"{at}.timeout: expected a number of seconds above 0, got 'long'",
        f"{at}.timout: no such key (did you mean 'timeout'?); there are: {keys}tokens_per_minute, parameters",
        f"{at}.tokens_per_minute: expected a number above 0, got inf",
    ]


def test_a_variable_that_is_not_set_is_told_with_its_name_and_the_models(folder, monkeypatch):
    monkeypatch.setenv("EMPTY", "")
    told = wrong_with(folder, 'api_key_env = "EMPTY"\nheaders = {X-Key = "env:NOT_SET_ANYWHERE"}\n')
    assert told == [
        "tool.scorer.models.gpt.api_key_env: the environment variable EMPTY is not set",
        "tool.scorer.models.gpt.headers.X-Key: the environment variable NOT_SET_ANYWHERE is not set",
    ]


SECRETS = (
    'api_key = "abc"',
    'api_key = "env:NAME"',
    'openai_api_key = "abc"',
    'api_key_env = "sk-abcdefghijklmnop"',
    'api_version = "sk-abcdefghijklmnop"',
    'base_url = "https://x.example/?api_key=abcdef"',
    'parameters = {api_key = "abc"}',
    'parameters = {deep = {access_token = "abc"}}',
    'parameters = {tags = ["sk-abcdefghijklmnop"]}',
)
SECRETS_OF_THE_WAY = (
    'headers = {Authorization = "abc"}',
    'headers = {X-Anything = "Bearer abcdefghijkl"}',
    'headers = {Ocp-Apim-Subscription-Key = "abc"}',
    'headers = "Authorization: Bearer abcdefghijkl"',
    'proxy = "http://user:abc@proxy:8080"',
)


@pytest.mark.parametrize("table", SECRETS)
def test_a_secret_in_the_file_is_refused_with_the_remedy_and_not_shown(folder, table):
    (told,) = wrong_with(folder, table)
    assert "a secret is not kept in the file" in told
    assert 'api_key_env = "NAME"' in told or '"env:NAME"' in told
    assert "abc" not in told


@pytest.mark.parametrize("table", SECRETS_OF_THE_WAY)
def test_a_secret_on_the_way_to_the_model_is_refused_with_the_remedy_env(folder, table):
    (told,) = wrong_with(folder, table)
    assert told.endswith('a secret is not kept in the file; name the environment variable that holds it: "env:NAME"')


def test_a_key_whose_value_the_environment_holds_is_refused(folder, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "plain-words")
    (told,) = wrong_with(folder, 'headers = {X-Anything = "plain-words"}')
    assert "plain-words" not in told


@pytest.mark.parametrize("table", ['api_key_env = "0123abcd4567"', 'headers = {X-A = "env:0123abcd4567"}'])
def test_a_key_in_the_place_of_a_variables_name_is_not_shown(folder, table):
    (told,) = wrong_with(folder, table)
    assert "name of an environment variable, in capitals" in told


def test_what_only_sounds_like_a_secret_is_a_parameter(folder):
    made = made_of(folder, BOTH + 'parameters = {max_tokens = 9, prompt_cache_key = "evals"}')
    assert (made["max_tokens"], made["prompt_cache_key"]) == (9, "evals")


# what it is made with


def test_each_key_has_its_name_in_langchain(folder, monkeypatch):
    monkeypatch.setenv("COMPANY_LOGIN", "hidden")
    table = """base_url = "https://models.company.example/v1"
api_version = "2"
api_key_env = "COMPANY_LOGIN"
headers = {X-Team = "evals", X-Login = "env:COMPANY_LOGIN"}
proxy = "http://proxy:8080"
timeout = 30
parameters = {temperature = 0}
"""
    assert made_of(folder, BOTH + table) == {
        "model_provider": "openai",
        "base_url": "https://models.company.example/v1",
        "api_version": "2",
        "api_key": "hidden",
        "default_headers": {"X-Team": "evals", "X-Login": "hidden"},
        "openai_proxy": "http://proxy:8080",
        "timeout": 30,
        "temperature": 0,
    }


def test_only_what_is_set_is_sent(folder):
    assert made_of(folder, BOTH) == {"model_provider": "openai"}


def test_a_proxy_with_a_password_comes_from_a_variable(folder, monkeypatch):
    monkeypatch.setenv("COMPANY_PROXY", "http://user:hidden@proxy:8080")
    made = made_of(folder, 'provider = "azure-openai"\nmodel = "x"\nproxy = "env:COMPANY_PROXY"')
    assert made["openai_proxy"] == "http://user:hidden@proxy:8080"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://openai.company.example", "azure_endpoint"),
        ("https://company.example/openai/deployments/x", "base_url"),
    ],
)
def test_an_azure_address_is_an_endpoint_unless_it_leads_further(folder, url, name):
    made = made_of(folder, f'provider = "azure_openai"\nmodel = "x"\nbase_url = "{url}"')
    assert made == {"model_provider": "azure_openai", name: url}


def test_a_shown_model_shows_no_key(folder, monkeypatch):
    monkeypatch.setenv("COMPANY_LOGIN", "hidden-words")
    written(folder / "scorer.toml", f'[models.gpt]\n{BOTH}headers = {{X-Login = "env:COMPANY_LOGIN"}}')
    model = configured("gpt")
    assert "hidden-words" not in repr(model)
    assert model.scrubbed("sent hidden-words") == "sent [COMPANY_LOGIN]"


# how it is paced


@pytest.fixture
def clock(monkeypatch):
    """A time that passes by waiting alone; `clock.now` tells it."""
    clock = SimpleNamespace(now=1000.0)

    def sleep(seconds):
        clock.now += seconds

    async def asleep(seconds):
        clock.now += seconds
        await asyncio.sleep(0)

    for module in (scorer_core.judging.rates, langchain_core.rate_limiters):
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now, sleep=sleep))
        monkeypatch.setattr(module, "asyncio", SimpleNamespace(sleep=asleep))
    return clock


def passed(clock, rates, *, way):
    """Seconds until `rates` lets a call pass."""
    started = clock.now
    assert rates.acquire() if way == "sync" else asyncio.run(rates.aacquire())
    return clock.now - started


place = map(str, count())  # a limiter of its own for each test
both_ways = pytest.mark.parametrize("way", ["sync", "async"])


@both_ways
def test_requests_are_spread_over_the_minute(clock, way):
    rates = rates_of(next(place), 30, None)
    waits = [passed(clock, rates, way=way) for _ in range(4)]
    assert waits == pytest.approx([2.0] * 4, abs=0.11)  # LangChain's limiter looks ten times a second


@both_ways
def test_a_call_waits_while_the_last_minute_spent_its_tokens(clock, way):
    rates = rates_of(next(place), None, 100)
    rates.spend(60)
    assert passed(clock, rates, way=way) == 0
    clock.now += 10
    rates.spend(40)
    assert passed(clock, rates, way=way) == pytest.approx(50)
    assert passed(clock, rates, way=way) == 0


@both_ways
def test_a_call_waits_until_enough_tokens_have_left_the_minute(clock, way):
    rates = rates_of(next(place), None, 100)
    for _ in range(3):
        rates.spend(90)
        clock.now += 10
    assert passed(clock, rates, way=way) == 40
    assert passed(clock, rates, way=way) == 0


@both_ways
def test_both_limits_hold(clock, way):
    rates = rates_of(next(place), 6, 100)
    rates.spend(100)
    assert passed(clock, rates, way=way) == pytest.approx(60 + 10, abs=0.2)


def test_without_blocking_it_is_told_whether_a_call_may_be_made(clock):
    rates = rates_of(next(place), None, 100)
    assert rates.acquire(blocking=False)
    rates.spend(100)
    assert not rates.acquire(blocking=False)
    assert not asyncio.run(rates.aacquire(blocking=False))
    assert clock.now == 1000.0


def test_one_place_has_one_limiter_for_all_its_models(folder):
    table = f"{BOTH}requests_per_minute = 60\ntokens_per_minute = 1000\n"
    assert made_of(folder, table)["rate_limiter"] is made_of(folder, table)["rate_limiter"]
    other = made_of(folder, f"{BOTH}requests_per_minute = 30\n")["rate_limiter"]
    assert other is not made_of(folder, table)["rate_limiter"]


def test_calls_are_counted_only_where_tokens_are_limited(folder):
    assert sorted(made_of(folder, f"{BOTH}requests_per_minute = 60")) == ["model_provider", "rate_limiter"]
    made = made_of(folder, f"{BOTH}tokens_per_minute = 60")
    assert sorted(made) == ["callbacks", "model_provider", "rate_limiter"]
    assert isinstance(made["rate_limiter"], BaseRateLimiter)
    assert made["rate_limiter"].requests is None


def model_that(folder, *usages):
    """A model of LangChain's with 100 tokens a minute, whose replies report these usages."""
    told = made_of(folder, f"{BOTH}tokens_per_minute = 100")
    replies = iter([AIMessage("x", usage_metadata=usage) for usage in usages])
    return GenericFakeChatModel(messages=replies, rate_limiter=told["rate_limiter"], callbacks=told["callbacks"])


def used(tokens):
    return {"input_tokens": tokens - 1, "output_tokens": 1, "total_tokens": tokens}


def test_the_model_tells_what_its_calls_spent(folder, clock):
    model = model_that(folder, used(40), used(60), used(1))
    model.invoke("a")
    asyncio.run(model.ainvoke("b"))
    assert clock.now == 1000.0
    model.invoke("c")
    assert clock.now == 1060.0


def test_calls_in_flight_are_not_yet_counted(folder, clock):
    model = model_that(folder, used(90), used(90), used(1))

    async def together():
        await asyncio.gather(model.ainvoke("a"), model.ainvoke("b"))

    asyncio.run(together())
    assert clock.now == 1000.0
    asyncio.run(model.ainvoke("c"))
    assert clock.now == 1060.0


def test_a_model_that_reports_no_usage_is_warned_about(folder, clock, caplog):
    warn_once.cache_clear()
    model = model_that(folder, None, None)
    with caplog.at_level(logging.WARNING, "scorer_core"):
        model.invoke("a")
        model.invoke("b")
    assert caplog.messages == ["the model reports no usage, so tokens_per_minute can't be held"]


def test_rates_without_limits_hold_nothing(clock):
    rates = Rates()
    counted_by(rates)
    rates.spend(10**9)
    assert rates.acquire()
