"""The cache: the same is asked of the same model once, whatever is different is asked anew, nothing bad is kept."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from attrs import evolve, frozen
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field, PrivateAttr, SecretStr

from scorer_core import Judge, UsageError
from scorer_core.answering.answers import Question
from scorer_core.judging import cache
from scorer_core.judging.cache import Caching, said
from scorer_core.judging.flight import Flight
from scorer_core.judging.in_flight import calls_in_flight
from scorer_core.prompting.templates import Prompt
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer

PROMPT = Prompt("You judge.", "Judge it.", ())
CALLS: list[str] = []  # what the models of these tests were asked, in order
USAGE = {"input_tokens": 9, "output_tokens": 3, "total_tokens": 12}


@frozen
class Verdict:
    """What is thought of it."""

    number: int
    verdict: str


@frozen
class Verdicts:
    """One for each."""

    verdicts: tuple[Verdict, ...]


TWO = Question(Verdicts, ("a", "b"))
WORDS = Question(str)


def verdicts(*numbers):
    return json.dumps({"verdicts": [{"number": n, "verdict": "yes"} for n in numbers]})


class Kept(dict):
    """A cache in memory."""

    def get(self, key):
        return super().get(key)

    def put(self, key, reply):
        self[key] = reply

    def close(self):
        pass


class Silent(BaseChatModel):
    """A model that says nothing about itself; replies in order, the last one again and again."""

    _replies: list[Any] = PrivateAttr()

    def __init__(self, *replies, **fields):
        super().__init__(**fields)
        self._replies = list(replies or ["Fine."])

    @property
    def _llm_type(self):
        return "test"

    def _generate(self, messages, stop=None, run_manager=None, **how):
        CALLS.append(str(messages[-1].content))
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        message = reply if isinstance(reply, AIMessage) else AIMessage(reply, usage_metadata=USAGE)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        return self._generate(messages, stop, run_manager, **how)


class Told(Silent):
    """A model that LangChain can tell about."""

    model_name: str = "m-1"
    temperature: float | None = None
    base_url: str = "http://one/v1"
    system: str = "Be strict."
    headers: dict[str, str] = Field(default_factory=dict)
    max_tokens: int | None = None
    api_key: SecretStr = SecretStr("sk-very-secret-1")

    @classmethod
    def is_lc_serializable(cls):
        return True

    @property
    def lc_secrets(self):
        return {"api_key": "TOLD_API_KEY"}


@pytest.fixture(autouse=True)
def none_asked(monkeypatch):
    CALLS.clear()
    monkeypatch.setattr("scorer_core.judging.calling.FIRST_WAIT", 0)


def ask(model, caching, prompt=PROMPT, question=WORDS, **how):
    return asyncio.run(Judge(model, cache=caching, **how).ask(prompt, question, {"step": "analyze"}))


def calls(model, caching, *args, **how):
    """How many calls an answer took."""
    before = len(CALLS)
    ask(model, caching, *args, **how)
    return len(CALLS) - before


# The same


def test_R101_the_same_configuration_is_asked_once():
    kept = Kept()
    first, again = ask(Told(), kept), ask(Told(), kept)
    assert len(CALLS) == 1
    assert first.value == again.value == "Fine."


def test_a_kept_reply_is_on_record_as_such_and_counts_as_nothing_spent():
    kept = Kept()
    told = {"model_name": "m-1-2026", "system_fingerprint": "fp", "fidelity": "low"}
    reply = AIMessage("Fine.", response_metadata=told, usage_metadata=USAGE)
    prices = {"m-1": {}}
    (first,) = ask(Told(reply), kept).executions
    assert (first.cached, first.attempts, first.usage["total_tokens"]) == (False, 1, 12)
    outcome = ask(Told(), kept, prices=prices)
    (done,) = outcome.executions
    assert (done.reply, done.answered_by, done.fingerprint) == ("Fine.", "m-1-2026", "fp")
    assert (done.cached, done.attempts, done.usage, done.cost) == (True, 0, None, None)
    assert done.duration_ms > 0
    assert outcome.fidelity == "low"


def test_faithfulness_and_hallucination_share_the_claims_of_a_cache_and_results_say_so():
    kept = Kept()
    script = {
        "preprocess": {"claims": ["a"]},
        "analyze": {"verdicts": [{"number": 1, "reason": "so", "verdict": "yes"}]},
        "generate_reason": "Because.",
    }
    model = ScriptedJudge(script)
    made = [
        create(model, cache=Caching(kept, name="mine"), context="c")
        for create in (create_faithfulness_scorer, create_hallucination_scorer)
    ]
    results = [scorer.run(output="a") for scorer in made]
    assert [step for step, _ in model.asked].count("preprocess") == 1
    assert [r.judge["preprocess"][0].cached for r in results] == [False, True]
    again = made[0].run(output="a")
    assert (again.score, again.usage, again.cost) == (results[0].score, None, None)


def test_scorer_and_step_are_no_part_of_the_key():
    kept = Kept()
    for scorer in ("a", "b"):
        asyncio.run(Judge(Told(), cache=kept).ask(PROMPT, WORDS, {"scorer": scorer, "step": scorer}))
    assert len(CALLS) == 1


def test_a_kept_reply_takes_no_place_among_the_calls_in_flight():
    kept = Kept()
    ask(Told(), kept)

    async def with_no_place_free():
        calls_in_flight.set(flight := Flight(1))
        await flight.enter()
        return await asyncio.wait_for(Judge(Told(), cache=kept).ask(PROMPT, WORDS, {}), 5)

    assert asyncio.run(with_no_place_free()).value == "Fine."


# What is different


@pytest.mark.parametrize(
    "other",
    [
        {"model_name": "m-2"}, {"temperature": 0}, {"temperature": 0.5}, {"base_url": "http://two/v1"},
        {"system": "Be kind."}, {"headers": {"X-Region": "eu"}}, {"max_tokens": 100},
    ],
    ids=str,
)  # fmt: skip
def test_R101_another_model_name_temperature_address_or_system_prompt_misses(other):
    kept = Kept()
    assert [calls(m, kept) for m in (Told(), Told(**other), Told(), Told(**other))] == [1, 1, 0, 0]


def test_R101_a_bound_parameter_and_one_that_is_set_later_miss():
    kept, model = Kept(), Told()
    assert [calls(model, kept), calls(model.bind(stop=["x"]), kept), calls(model.bind(stop=["y"]), kept)] == [1, 1, 1]
    judge = Judge(model, cache=kept)
    model.temperature = 1.0
    asyncio.run(judge.ask(PROMPT, WORDS, {}))
    assert len(CALLS) == 4


def test_R101_a_server_named_in_the_environment_alone_is_told_from_another(monkeypatch):
    kept = Kept()
    assert calls(Told(), kept) == 1
    monkeypatch.setenv("OTHER_BASE_URL", "http://elsewhere")
    assert calls(Told(), kept) == 0
    for name in ("TOLD_BASE_URL", "TOLD_API_BASE", "TOLD_HOST"):
        monkeypatch.setenv(name, "http://two")
        assert calls(Told(), kept) == 1


def test_two_classes_of_one_name_are_two_models():
    class Other(Told):
        """The same fields, other answers."""

    Other.__name__ = "Told"
    kept = Kept()
    assert [calls(Told(), kept), calls(Other(), kept)] == [1, 1]


@pytest.mark.parametrize("prompt", [Prompt("You judge.", "Judge it!", ()), Prompt("You judge,", "Judge it.", ())])
def test_R102_an_edited_template_misses(prompt):
    kept = Kept()
    assert [calls(Told(), kept), calls(Told(), kept, prompt)] == [1, 1]


def test_another_reply_shape_and_another_way_to_ask_miss():
    @frozen
    class More:
        """One for each."""

        verdicts: tuple[Verdict, ...]
        language: str = ""

    kept, model = Kept(), Told(verdicts(1, 2))
    for question in (TWO, WORDS, evolve(TWO, reply=More)):
        assert [calls(model, kept, PROMPT, question), calls(model, kept, PROMPT, question)] == [1, 0]
    assert calls(model, kept, PROMPT, TWO, structured="text") == 1


def test_each_repeat_has_an_answer_of_its_own_also_within_one_row():
    from scorer_core.judging.sharing import Sharing, sharing

    kept, model = Kept(), Told("one", "two", "three")
    for _ in range(2):
        values = [ask(model, Caching(kept, repeat=n)).value for n in range(3)]
        assert values == ["one", "two", "three"]
    assert len(CALLS) == 3

    async def row():
        sharing.set(Sharing({}))
        return [(await Judge(model, cache=Caching(kept, repeat=n)).ask(PROMPT, WORDS, {})).value for n in range(2)]

    assert asyncio.run(row()) == ["one", "two"]


# Secrets


def test_another_key_hits_and_no_secret_is_in_what_is_kept_or_told():
    kept = Kept()
    one = Told(base_url="http://me:pass-1@one/v1", headers={"Authorization": "Bearer b-1", "X-Api-Key": "k-1"})
    two = Told(
        base_url="http://me:pass-2@one/v1",
        headers={"Authorization": "Bearer b-2", "X-Api-Key": "k-2"},
        api_key=SecretStr("sk-very-secret-2"),
    )
    assert [calls(one, kept), calls(two, kept)] == [1, 0]
    told = json.dumps([dict(kept), said(one)])
    assert not [s for s in ("very-secret", "pass-1", "b-1", "k-1", "api_key", "TOLD_API_KEY") if s in told]
    ((key, _),) = kept.items()
    assert len(key) == 64
    assert int(key, 16)


# Models that say too little


class Params(BaseChatModel):
    """A model of a user's, as LangChain's own guide writes one."""

    weights: str = "a.bin"
    device: Any = None
    key: SecretStr | None = None

    @property
    def _llm_type(self):
        return "params"

    @property
    def _identifying_params(self):
        return {"model_name": "mine"}

    def _generate(self, messages, stop=None, run_manager=None, **how):
        CALLS.append(self.weights)
        return ChatResult(generations=[ChatGeneration(message=AIMessage("Fine."))])

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        return self._generate(messages, stop, run_manager, **how)


class Hidden(Params):
    _loaded: Any = PrivateAttr(default=None)


@pytest.mark.parametrize("model", [Silent(), ScriptedJudge(a="x"), Hidden(), Params(device=object())], ids=repr)
def test_a_model_that_says_too_little_is_refused_without_a_name(model):
    with pytest.raises(UsageError, match=r"does not say enough about itself.*name=") as told:
        Judge(model, cache=Kept())
    assert type(model).__name__ in str(told.value)
    assert Judge(model, cache=Caching(Kept(), mode="off")).cache is None
    assert Judge(model, cache=Caching(Kept(), name="mine")).cache


def test_a_binding_and_a_chain_around_such_a_model_are_refused_too():
    for model in (Silent().bind(stop=["x"]), Silent() | (lambda m: m)):
        with pytest.raises(UsageError, match="say enough"):
            Judge(model, cache=Kept())


def test_two_such_models_share_nothing_unless_one_name_says_so():
    kept = Kept()
    one, two = Silent("one"), Silent("two")
    assert ask(one, Caching(kept, name="one")).value == "one"
    assert ask(two, Caching(kept, name="two")).value == "two"
    assert ask(two, Caching(kept, name="one")).value == "one"


def test_a_user_s_model_with_params_and_plain_fields_is_told_by_both():
    kept = Kept()
    models = (Params(), Params(), Params(weights="b.bin"), Params(key=SecretStr("x")))
    assert [calls(m, kept) for m in models] == [1, 0, 1, 0]


def test_the_local_judge_says_enough():
    local = pytest.importorskip("scorer_local_judge.model")
    told = said(local.LocalJudge())
    assert told["fields"] == {}
    assert told["params"].keys() == {"model_name", "fidelity", "version"}


def test_the_models_of_openai_say_enough(monkeypatch):
    openai = pytest.importorskip("langchain_openai")
    limiter = pytest.importorskip("langchain_core.rate_limiters").InMemoryRateLimiter(requests_per_second=1)
    same = [openai.ChatOpenAI(model="m", api_key=key, max_retries=0, rate_limiter=limiter) for key in ("sk-1", "sk-2")]
    other = [openai.ChatOpenAI(model="m", api_key="sk-1", max_retries=0, base_url="http://two")]
    keys = [Caching(Kept()).key(m, "auto", PROMPT, WORDS) for m in (*same, *other)]
    assert len(set(keys)) == 2
    assert keys[0] == keys[1]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://three")
    assert Caching(Kept()).key(same[0], "auto", PROMPT, WORDS) not in keys


# What is kept


@pytest.mark.parametrize(
    "reply",
    [
        ValueError("odd"), "no JSON here", verdicts(1), "",
        AIMessage(verdicts(1, 2), response_metadata={"finish_reason": "length"}),
        AIMessage(verdicts(1, 2), response_metadata={"finish_reason": "content_filter"}),
        AIMessage("No.", additional_kwargs={"refusal": "I won't."}),
    ],
    ids=str,
)  # fmt: skip
def test_R102_failed_and_unreadable_replies_are_never_kept(reply):
    kept = Kept()
    assert ask(Told(reply), kept, PROMPT, TWO).failed
    assert kept == {}
    assert ask(Told(verdicts(1, 2)), kept, PROMPT, TWO).value


def test_R102_after_a_reply_that_was_asked_again_only_what_the_answer_rests_on_is_kept():
    kept = Kept()
    first = ask(Told("no JSON here", verdicts(1), verdicts(2)), kept, PROMPT, TWO)
    assert len(first.executions) == 3
    (entry,) = kept.values()
    assert "no JSON" not in entry
    again = ask(Told("other"), Caching(kept, mode="only"), PROMPT, TWO)
    assert again.value == first.value
    assert [(e.reply, e.cached) for e in again.executions] == [(verdicts(1), True), (verdicts(2), True)]
    assert "nothing about number 2" in again.executions[1].prompt
    assert len(CALLS) == 3


def test_R102_a_changed_parser_reads_the_kept_reply_anew(monkeypatch):
    from scorer_core.answering import answers

    kept = Kept()
    ask(Told("fine"), kept)
    for module in ("judging.judge", "judging.cache"):
        changed = lambda q, words, before: answers.Answer({"text": words.upper()})  # noqa: E731
        monkeypatch.setattr(f"scorer_core.{module}.read", changed)
    assert ask(Told("new"), kept).value == "FINE"
    assert len(CALLS) == 1


def test_R102_a_kept_reply_that_is_no_answer_any_more_is_asked_for_and_replaced(monkeypatch):
    kept, model = Kept(), Told("old", "new")
    ask(model, kept)
    (key,) = kept
    kept[key] = kept[key].replace("old", " ")
    assert ask(model, kept).value == "new"
    assert list(kept) == [key]
    assert "new" in kept[key]


@pytest.mark.parametrize("entry", ["", "{", "[]", "null", '{"form": 0}', '{"form": 1, "replies": [{"words": "x"}]}'])
def test_an_entry_of_another_form_is_a_miss(entry):
    kept = Kept()
    ask(Told("old"), kept)
    kept.update(dict.fromkeys(kept, entry))
    assert ask(Told("new"), kept).value == "new"


# Modes


def test_refresh_asks_for_everything_and_keeps_it_anew():
    kept, model = Kept(), Told("old", "new")
    ask(model, kept)
    assert ask(model, Caching(kept, mode="refresh")).value == "new"
    assert ask(model, kept).value == "new"
    assert len(CALLS) == 2


def test_only_never_asks_and_what_is_not_there_fails_without_a_second_try():
    kept = Kept()
    outcome = ask(Told(), Caching(kept, mode="only"))
    assert CALLS == []
    assert (outcome.failed.kind, outcome.value) == ("server", None)
    assert outcome.failed.message.startswith("not in the cache")
    assert [e.attempts for e in outcome.executions] == [0]
    ask(Told(), kept)
    assert ask(Told(), Caching(kept, mode="only")).value == "Fine."
    assert len(CALLS) == 1


def test_only_names_the_row_that_is_not_there():
    from scorer_core import run_evals

    scorer = create_faithfulness_scorer(Told(), cache=Caching(Kept(), mode="only"), context="c")
    failed = []
    run_evals(
        data=[{"id": "r7", "output": "a"}],
        scorers=[scorer],
        on_item_complete=lambda item, answered, results: failed.extend(results.values()),
    )
    assert [(r.row_id, r.error.kind) for r in failed] == [("r7", "server")]
    assert "not in the cache" in failed[0].error.message


def test_off_leaves_the_cache_alone():
    kept = Kept()
    assert [calls(Told(), Caching(kept, mode="off")) for _ in range(2)] == [1, 1]
    assert kept == {}


# Caches that fail, settings that do not fit


class Broken(Kept):
    def get(self, key):
        raise OSError("gone")

    def put(self, key, reply):
        raise OSError("disk full")


def test_a_cache_that_fails_loses_no_answer_and_is_warned_about(caplog):
    with caplog.at_level(logging.WARNING, "scorer_core"):
        assert ask(Told(), Broken()).value == "Fine."
    assert "the cache can't be read: OSError: gone" in caplog.text
    assert "the cache can't be written: OSError: disk full" in caplog.text
    assert ask(Told(), Caching(Broken(), mode="only")).failed.kind == "server"


@pytest.mark.parametrize("wrong", [{"mode": "on"}, {"repeat": -1}, {"repeat": True}, {"name": ""}, {"name": 3}])
def test_settings_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        Caching(Kept(), **wrong)


@pytest.mark.parametrize("wrong", ["c.db", 3, object()])
def test_what_is_no_cache_is_refused(wrong):
    with pytest.raises(UsageError, match="cache: expected"):
        Judge(Told(), cache=wrong)


def test_words_of_any_script_and_lone_surrogates_come_back_as_they_were():
    kept, said_words = Kept(), "你好 \ud800 \x00 ok"
    assert ask(Told(said_words), kept).value == ask(Told("other"), kept).value
    assert all(entry.isascii() for entry in kept.values())
    assert cache.FORM == 1
