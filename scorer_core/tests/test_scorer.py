"""A spec bound to judge, options, prompts and context: what scores runs."""

from __future__ import annotations

import asyncio
import logging
import random

import pytest
from langchain_core.messages import AIMessage
from pydantic import Field

from scorer_bias import create_bias_scorer
from scorer_core import Ask, Judge, Options, Run, Score, Scorer, ScorerSpec, UsageError
from scorer_core.support import log as core_log
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_faithfulness import spec as faithfulness

JUDGE = ScriptedJudge(
    preprocess={"claims": ["a"]},
    analyze={"verdicts": [{"number": 1, "reason": "so", "chunk": 1, "verdict": "yes"}]},
    generate_reason="Because.",
)
CODE = ScorerSpec(id="mine", higher_is="better", generate_score=lambda trail: len(trail.answer) / 10)


def test_keywords_are_sorted_into_options_judge_and_scorer():
    scorer = create_faithfulness_scorer(JUDGE, scale=2, timeout=9, context="c", reasons="none")
    assert (scorer.options.scale, scorer.judge.timeout, scorer.context, scorer.reasons) == (2, 9, "c", "none")


def test_options_are_a_mapping_or_their_class_as_well():
    for options in ({"scale": 2}, Options(scale=2)):
        assert create_faithfulness_scorer(JUDGE, options=options).options.scale == 2


@pytest.mark.parametrize("options", [{"scale": 2}, Options(scale=2), {}])
def test_R044_options_given_twice_are_refused_and_none_is_ignored(options):
    with pytest.raises(UsageError, match="options"):
        create_faithfulness_scorer(JUDGE, options=options, scale=3)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"scal": 2}, "did you mean 'scale'"),
        ({"temperature": 0}, "unknown keyword 'temperature'"),
        ({"scale": 0}, "scale"),
        ({"options": {"contex": 1}}, "no option 'contex'"),
        ({"timeout": -1}, "timeout"),
        ({"reasons": "some"}, "reasons"),
        ({"prompts": "nowhere"}, "no folder 'nowhere'"),
    ],
)
def test_R044_R077_what_does_not_fit_is_refused_when_the_scorer_is_made(wrong, told):
    with pytest.raises(UsageError, match=told):
        create_faithfulness_scorer(JUDGE, **wrong)


def test_a_scorer_that_asks_needs_a_judge_and_one_that_does_not_needs_none():
    with pytest.raises(UsageError, match="faithfulness asks a judge"):
        Scorer.of(faithfulness)
    assert Scorer.of(CODE).run(output="abc").score == 0.3


def test_a_judge_may_be_given_ready_and_is_not_changed():
    judge = Judge(JUDGE, timeout=5)
    assert create_faithfulness_scorer(judge, timeout=9).judge.timeout == 9
    assert create_faithfulness_scorer(judge).judge is judge
    assert judge.timeout == 5


def test_a_run_is_a_value_or_made_of_fields():
    run = Run(output="abc", run_id="mine", metadata={"k": 1})
    result = Scorer.of(CODE).run(run)
    assert (result.run_id, result.metadata, result.output) == ("mine", {"k": 1}, "abc")
    assert Scorer.of(CODE).run(output="abc").score == result.score
    with pytest.raises(UsageError, match=r"a run has no 'outptu'.*did you mean 'output'"):
        Scorer.of(CODE).run(outptu="abc")


def test_R041_sync_and_async_give_the_same():
    scorer = create_faithfulness_scorer(JUDGE)
    run = Run(output="x", context="c")
    one, other = scorer.run(run).to_dict(), asyncio.run(scorer.arun(run)).to_dict()
    for volatile in ("started_at", "duration_ms", "judge"):
        del one[volatile], other[volatile]
    assert one == other


def test_the_result_says_who_measured_what_and_how():
    result = create_faithfulness_scorer(JUDGE, scale=10).run(
        output="x", input="q", context=["c"], ground_truth=["g"], metadata={"a_b": 1}
    )
    assert (result.scorer_id, result.scorer_label, result.higher_is) == ("faithfulness", "faithfulness", "better")
    assert result.scorer_version == result.core_version == "0.1.0"
    assert (result.input, result.output, result.context, result.ground_truth) == ("q", "x", ["c"], ["g"])
    assert (result.options, result.scale, result.score, result.band) == ({"scale": 10}, 10, 10, "all supported")
    assert result.started_at.endswith("+00:00")
    assert result.duration_ms > 0


def reply_with_usage(words, **usage):
    return AIMessage(words, usage_metadata={"input_tokens": 10, "output_tokens": 1, "total_tokens": 11, **usage})


def test_R104_usage_is_summed_over_all_calls_also_of_a_row_without_score():
    details = {"input_token_details": {"cache_read": 4}}
    judge = ScriptedJudge(
        preprocess=reply_with_usage('{"claims": ["a"]}', **details), analyze=reply_with_usage("no", **details)
    )
    result = create_faithfulness_scorer(judge).run(output="x", context="c")
    assert result.status == "failed"
    assert result.usage["total_tokens"] == 11 * 4
    assert result.usage["input_token_details"] == {"cache_read": 16}


def test_R057_R103_a_judge_that_tells_no_usage_leaves_it_unknown():
    result = create_faithfulness_scorer(JUDGE).run(output="x", context="c")
    assert (result.score, result.usage, result.cost) == (1, None, None)


def test_R091_one_scorer_serves_many_rows_at_once():
    """Each reply names its own row; row 7 fails; a second run of the same scorer gives the same."""

    def row(messages):
        return messages[1].content.split("row ")[1].split("<")[0]

    class Slow(ScriptedJudge):
        async def _agenerate(self, messages, stop=None, run_manager=None, **how):
            await asyncio.sleep(random.random() / 100)
            return self._generate(messages, stop, run_manager, **how)

    judge = Slow(
        preprocess=lambda m: {"opinions": [f"row {row(m)}"]},
        analyze=lambda m: (
            "no" if row(m) == "7" else {"results": [{"number": 1, "reason": f"of {row(m)}", "result": "no"}]}
        ),
        generate_reason="Because.",
    )
    scorer = create_bias_scorer(judge)

    async def many():
        return await asyncio.gather(*(scorer.arun(output=f"row {n}") for n in range(50)))

    for _ in range(2):
        for n, result in enumerate(asyncio.run(many())):
            if n == 7:
                assert result.error.kind == "format"
            else:
                assert result.analyze_step_result["results"][0]["reason"] == f"of {n}"


def test_a_scorer_is_frozen():
    with pytest.raises(AttributeError):
        Scorer.of(CODE).label = "x"


def test_a_judge_may_give_the_score_itself(tmp_path):
    for file in ("generate_score.j2", "instructions.j2"):
        (tmp_path / "own").mkdir(exist_ok=True)
        (tmp_path / "own" / file).write_text("Rate. {{ answer_shape }}" if "score" in file else "You rate.")
    spec = ScorerSpec(id="own", higher_is="better", generate_score=Ask(Score))

    def rated(reply):
        return Scorer.of(spec, ScriptedJudge(generate_score=reply), prompts=tmp_path, scale=10).run(output="x")

    assert rated({"score": 0.7}).score == 7
    assert "from 0 to 1" in rated({"score": 0.7}).generate_score_prompt
    assert rated({"score": 1.7}).error.kind == "out_of_range"
    assert rated({"score": "high"}).error.kind == "format"


def test_a_static_context_beside_rows_that_bring_their_own_is_warned_about_once(caplog):
    core_log.warn_once.cache_clear()
    scorer = create_faithfulness_scorer(JUDGE, context="static")
    with caplog.at_level(logging.WARNING, "scorer_core"):
        for _ in range(3):
            assert scorer.run(output="x", context="row").context_source == "row"
    assert len(caplog.records) == 1


def test_R105_scoring_prints_nothing(capsys):
    create_faithfulness_scorer(JUDGE).run(output="x", context="c")
    assert capsys.readouterr() == ("", "")


def test_secrets_of_a_model_reach_no_result():
    judge = ScriptedJudge(preprocess=RuntimeError("401 for key sk-abcdefghijklmnop"))
    assert "sk-abc" not in create_faithfulness_scorer(judge).run(output="x", context="c").to_json()


def test_a_run_and_fields_together_are_refused_and_none_is_ignored():
    with pytest.raises(UsageError):
        Scorer.of(CODE).run(Run(output="abc"), output="abcdef")


@pytest.mark.parametrize("run", [{"output": "abc"}, "abc", 3])
def test_what_is_no_run_is_refused(run):
    with pytest.raises((UsageError, TypeError), match="Run"):
        Scorer.of(CODE).run(run)


class Hanging(ScriptedJudge):
    """A judge that never answers, and remembers that it was told to stop."""

    ended: list[str] = Field(default_factory=list)

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.ended.append("cancelled")
            raise


def test_a_run_that_is_cancelled_cancels_its_judge_call():
    judge = Hanging(preprocess="x")

    async def impatient():
        await asyncio.wait_for(create_faithfulness_scorer(judge).arun(output="x", context="c"), 0.1)

    with pytest.raises(TimeoutError):
        asyncio.run(impatient())
    assert judge.ended == ["cancelled"]


class Scribbling(ScriptedJudge):
    """A model that writes into the messages it is sent."""

    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        sent = [m.content for m in messages]
        for message in messages:
            message.content += " And be kind."
        self.seen.append(sent)
        return await super()._agenerate(messages, stop, run_manager, **how)

    seen: list[list[str]] = Field(default_factory=list)


def test_what_a_model_writes_into_its_messages_reaches_no_other_row():
    judge = Scribbling(preprocess={"opinions": []})
    scorer = create_bias_scorer(judge)
    for _ in range(2):
        scorer.run(output="It is fine.")
    first, second = judge.seen
    assert first == second


def test_R097_a_model_with_retries_of_its_own_is_warned_about_once(caplog):
    class Retrying(ScriptedJudge):
        max_retries: int = 2

    core_log.warn_once.cache_clear()
    with caplog.at_level(logging.WARNING, "scorer_core"):
        for _ in range(2):
            create_faithfulness_scorer(Retrying(JUDGE.script)).run(output="x", context="c")
        create_faithfulness_scorer(JUDGE).run(output="x", context="c")
    assert len([r for r in caplog.records if "retries" in r.getMessage()]) == 1
