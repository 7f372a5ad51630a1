"""Cost by the user's prices: failed and repeated calls count, what is unknown is None and said so."""

import pytest
from langchain_core.messages import AIMessage

from scorer_core import Judge, UsageError
from scorer_core.judging.prices import Price, cost, prices_of
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

TABLE = {"my-model": Price(input=2000, output=4000)}  # per million: 0.002 and 0.004 per thousand
USAGE = {"input_tokens": 2000, "output_tokens": 1000, "total_tokens": 3000}


def said(words, model="my-model", usage=USAGE):
    return AIMessage(words, usage_metadata=usage, response_metadata={"model_name": model})


def scored(*claims, prices=TABLE):
    verdict = '{"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]}'
    judge = ScriptedJudge(preprocess=list(claims), analyze=[said(verdict)], generate_reason=[said("So.")])
    return create_faithfulness_scorer(judge, context=["c"], prices=prices).run(output="a")


def test_R104_every_call_is_paid_for_the_repeated_one_too():
    result = scored(said("no JSON"), said('{"claims": ["a"]}'))
    assert result.score == 1.0
    assert [e.cost for e in result.judge["preprocess"]] == [8.0, 8.0]
    assert result.cost == 32.0
    assert result.usage == {"input_tokens": 8000, "output_tokens": 4000, "total_tokens": 12000}


def test_R104_the_cost_stands_when_the_score_is_missing():
    result = scored(said("no JSON"))
    assert (result.status, result.cost) == ("failed", 24.0)


@pytest.mark.parametrize("claims", [said('{"claims": ["a"]}', model="other"), said('{"claims": ["a"]}', usage=None)])
def test_R103_an_unknown_price_or_usage_is_none_and_noted_never_zero(claims):
    result = scored(claims)
    assert result.judge["preprocess"][0].cost is None
    assert result.cost is None
    assert f"no price for {claims.response_metadata['model_name']}" in result.notes


def test_R103_without_a_table_nothing_is_noted():
    result = scored(said('{"claims": ["a"]}'), prices=None)
    assert (result.cost, result.notes) == (None, ("analyze: chunk: not told by the judge",))


def test_cached_input_has_a_price_of_its_own():
    usage = USAGE | {"input_token_details": {"cache_read": 1500}}
    price = {"m": Price(input=10, output=20, cached_input=1)}
    assert cost(price, ("m",), usage) == pytest.approx((500 * 10 + 1500 * 1 + 1000 * 20) / 1_000_000)


def test_a_table_is_read_from_a_file(tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text('["gpt-5-mini"]\ninput = 0.25\noutput = 2.0\n', encoding="utf-8")
    assert Judge(ScriptedJudge(), prices=str(file)).prices == {"gpt-5-mini": Price(input=0.25, output=2.0)}


@pytest.mark.parametrize(
    "text", ["[m]\ninput = -1\noutput = 1", "[m]\ninput = 1", "[m]\nin = 1\noutput = 1", "m = 3", "["]
)
def test_a_table_that_does_not_fit_is_refused_with_its_place(tmp_path, text):
    file = tmp_path / "prices.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"prices.*prices\.toml"):
        prices_of(file)
