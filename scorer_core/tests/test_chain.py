"""The chain for one-off scorers, for people who know Mastra's."""

from __future__ import annotations

import pytest

from scorer_core import ScorerSpec, UsageError, create_scorer


def test_a_chain_makes_a_scorer():
    chain = (
        create_scorer(id="length", description="How long it is", higher_is="worse")
        .preprocess(lambda t: len(t.answer))
        .analyze(lambda t: {"long": t.preprocess > 3})
        .generate_score(lambda t: t.preprocess / 10)
        .generate_reason(lambda t: f"{t.preprocess} characters, {t.score}")
    )
    assert isinstance(chain.spec, ScorerSpec)
    result = chain.bind(scale=100).run(output="abcd")
    assert (result.scorer_id, result.higher_is, result.score) == ("length", "worse", 40)
    assert (result.preprocess_step_result, result.analyze_step_result) == (4, {"long": True})
    assert result.reason == "4 characters, 40.0"


def test_each_link_is_a_new_chain():
    start = create_scorer(id="length")
    one = start.generate_score(lambda t: 0.1)
    other = start.generate_score(lambda t: 0.2)
    assert start.steps == {}
    assert [c.bind().run(output="x").score for c in (one, other)] == [0.1, 0.2]


@pytest.mark.parametrize("step", ["preprocess", "analyze", "generate_score", "generate_reason"])
def test_a_step_given_twice_is_refused(step):
    chain = getattr(create_scorer(id="length"), step)(len)
    with pytest.raises(UsageError, match=f"length: {step} is given twice"):
        getattr(chain, step)(len)


def test_a_chain_without_generate_score_is_no_scorer():
    with pytest.raises(UsageError, match="length: generate_score is missing"):
        create_scorer(id="length").preprocess(len).bind()


def test_an_id_out_of_form_is_refused():
    with pytest.raises(UsageError, match="snake_case"):
        create_scorer(id="My scorer").generate_score(len).bind()
