"""Long lists in groups, long texts and contexts in parts: nothing is left out, numbers count over the whole."""

import json
import re
from typing import Literal

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from scorer_bias import create_bias_scorer
from scorer_core import Ask, ItemText, Scorer, ScorerSpec, Trail, UsageError
from scorer_core.contract.errors import Failed
from scorer_core.runs.context import Chunk
from scorer_core.testing import ScriptedJudge
from scorer_core.walking.cutting import cut, tokens
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer


def marked(messages, name):
    """The marked texts of a prompt, by number."""
    found = re.findall(rf"<{name} (\d+) (\w+)>(.*?)</\2>", messages[1].content, re.S)
    return {int(number): text for number, _, text in found}


def judge(claims, verdict):
    """A judge that finds these claims, and says of each what `verdict(claim, chunks)` gives: a word and a chunk."""

    def verdicts(messages):
        chunks = marked(messages, "context")
        said = [(n, *verdict(claim, chunks)) for n, claim in marked(messages, "claim").items()]
        return {"verdicts": [{"number": n, "reason": "r", "chunk": c, "verdict": word} for n, word, c in said]}

    return ScriptedJudge(preprocess={"claims": claims}, analyze=[verdicts], generate_reason="So.")


def test_more_items_than_fit_a_call_are_asked_about_in_groups_and_joined_in_order():
    claims = [f"claim {n}" for n in range(1, 8)]
    asked = judge(claims, lambda claim, chunks: ("yes" if claim != "claim 5" else "no", 1))
    result = create_faithfulness_scorer(asked, context=["c"], items_per_call=3).run(output="...")
    verdicts = result.analyze_step_result["verdicts"]
    assert [len(marked(m, "claim")) for step, m in asked.asked if step == "analyze"] == [3, 3, 1]
    assert [(v["number"], v["claim"]) for v in verdicts] == [(n, f"claim {n}") for n in range(1, 8)]
    assert result.score == pytest.approx(6 / 7)
    assert [e.prompt is None for e in result.judge["analyze"]] == [True, False, False]


def test_a_reply_that_holds_other_lists_is_never_asked_for_in_groups():
    from scorer_answer_similarity import create_answer_similarity_scorer

    units = [f"u{n}" for n in range(1, 5)]
    matches = [{"number": n, "explanation": "e", "output_unit": n, "match_type": "exact"} for n in range(1, 5)]
    asked = ScriptedJudge(
        preprocess={"output_units": units, "ground_truth_units": units},
        analyze={"matches": matches, "extra_in_output": [], "contradictions": []},
        generate_reason="So.",
    )
    result = create_answer_similarity_scorer(asked, items_per_call=1).run(output="...", ground_truth="...")
    assert result.score == 1.0
    assert len(asked.prompts("analyze")) == 1


def holds(claim, chunks):
    """yes where a chunk has the claim, no where one has its denial, else unsure."""
    for number, text in chunks.items():
        if claim in text:
            return ("no" if f"not {claim}" in text else "yes"), number
    return "unsure", None


LONG = "word " * 400


def test_a_context_longer_than_the_model_takes_is_judged_in_groups_of_chunks():
    context = [f"{LONG} alpha", f"{LONG} gamma", f"{LONG} not beta", f"{LONG} not gamma"]
    asked = judge(["alpha", "beta", "gamma", "delta"], holds)
    scorer = create_faithfulness_scorer(asked, context=context, max_input_tokens=2000)
    result = scorer.run(output="...")
    said = [(v["claim"], v["verdict"], v["chunk"]) for v in result.analyze_step_result["verdicts"]]
    assert len(asked.prompts("analyze")) > 1
    assert said == [("alpha", "yes", 1), ("beta", "no", 3), ("gamma", "yes", 2), ("delta", "unsure", None)]
    assert "conflict: parts of the context say yes and no to number 3" in result.notes


def test_what_one_part_of_the_context_has_is_not_hallucinated():
    words = {"yes": "no", "no": "yes", "unsure": "yes"}
    asked = judge(["alpha", "beta"], lambda claim, chunks: (words[holds(claim, chunks)[0]], holds(claim, chunks)[1]))
    context = [f"{LONG} alpha", f"{LONG} gamma", f"{LONG} delta"]
    result = create_hallucination_scorer(asked, context=context, max_input_tokens=1500).run(output="...")
    assert [v["verdict"] for v in result.analyze_step_result["verdicts"]] == ["no", "yes"]


def test_an_output_longer_than_the_model_takes_is_cut_into_claims_piece_by_piece():
    def claims(messages):
        (text,) = re.findall(r"<answer (\w+)>(.*)</\1>", messages[1].content, re.S)
        return {"claims": re.findall(r"claim \d+", text[1])}

    output = "\n\n".join(f"{LONG} claim {n}." for n in range(1, 6))
    asked = ScriptedJudge(preprocess=[claims], analyze=judge([], holds).script["analyze"], generate_reason="So.")
    context = [" ".join(f"claim {n}" for n in range(1, 6))]
    result = create_faithfulness_scorer(asked, context=context, max_input_tokens=2000).run(output=output)
    assert result.preprocess_step_result == [f"claim {n}" for n in range(1, 6)]
    assert len(asked.prompts("preprocess")) > 1
    assert result.score == 1.0


@pytest.mark.parametrize("step", ["analyze", "preprocess"])
def test_what_still_does_not_fit_fails_as_too_long_without_a_call(step):
    asked = judge(["a"], holds)
    long = {
        "analyze": {"context": ["x" * 20_000], "output": "a"},
        "preprocess": {"context": ["c"], "output": "x" * 20_000},
    }
    result = create_faithfulness_scorer(asked, max_input_tokens=1500).run(**long[step])
    assert (result.status, result.error.kind, result.error.step) == ("failed", "too_long", step)
    assert "tokens" in result.error.message
    assert asked.prompts(step) == []


def test_a_step_that_can_not_be_cut_fails_as_too_long():
    result = create_bias_scorer(ScriptedJudge(preprocess={"opinions": ["x" * 20_000]}), max_input_tokens=1500).run(
        output="short"
    )
    assert (result.error.kind, result.error.step) == ("too_long", "analyze")


def test_the_window_comes_from_the_models_profile_where_it_is_not_set():
    asked = judge(["a"], holds)
    asked.profile = {"max_input_tokens": 1500}
    result = create_faithfulness_scorer(asked, context=["x" * 20_000]).run(output="a")
    assert result.error.kind == "too_long"


def test_a_judge_for_a_single_step():
    weak, strong = judge(["alpha"], holds), judge(["alpha"], holds)
    result = create_faithfulness_scorer(weak, context=["alpha"], judges={"analyze": strong}).run(output="...")
    assert result.score == 1.0
    assert [step for step, _ in weak.asked] == ["preprocess", "generate_reason"]
    assert [step for step, _ in strong.asked] == ["analyze"]


def test_a_judge_for_a_step_that_does_not_exist_is_refused():
    with pytest.raises(UsageError, match=r"no step 'analyse' \(did you mean 'analyze'"):
        create_faithfulness_scorer(judge([], holds), judges={"analyse": judge([], holds)})


@given(st.lists(st.text(min_size=1, max_size=300), max_size=12), st.integers(200, 400))
def test_cutting_a_context_keeps_every_chunk_in_order(texts, room):
    chunks = tuple(Chunk(t) for t in texts)
    trail = Trail(preprocess=None, analyze=None, context=chunks)
    try:
        parts = cut(trail, "context", sum(map(tokens, chunks)), int(room / 0.8))
    except Failed:
        assert max(map(tokens, chunks)) > room - 1
        return
    assert [c for _, part in parts for c in part.context] == list(chunks)
    assert [first for first, _ in parts] == [sum(len(p.context) for _, p in parts[:n]) for n in range(len(parts))]


@given(st.text(alphabet="ab .\n。", max_size=2000), st.integers(20, 60))
def test_cutting_an_answer_keeps_every_character(text, room):
    trail = Trail(preprocess=None, analyze=None, answer=text)
    try:
        parts = cut(trail, "answer", tokens(text), int(room / 0.8))
    except Failed:
        return
    assert "".join(part.answer for _, part in parts) == text
    assert json.dumps([p.answer for _, p in parts])


@frozen(kw_only=True)
class Look:
    number: int
    piece: ItemText
    verdict: Literal["yes", "no"]


@frozen
class Looks:
    looks: tuple[Look, ...]


def share_of_yes(trail):
    return sum(look.verdict == "yes" for look in trail.analyze.looks) / len(trail.analyze.looks)


def test_each_chunk_of_the_context_can_be_asked_about_by_number(tmp_path):
    (tmp_path / "looks").mkdir()
    (tmp_path / "looks/instructions.j2").write_text("Look.", encoding="utf-8")
    (tmp_path / "looks/analyze.j2").write_text('{{ answer_shape }} {{ mark("piece", items) }}', encoding="utf-8")
    looks = ScorerSpec(
        id="looks",
        needs=("context",),
        analyze=Ask(Looks, each="context"),
        higher_is="better",
        generate_score=share_of_yes,
        version="1",
    )

    def says(messages):
        return {"looks": [{"number": n, "verdict": "yes"} for n in marked(messages, "piece")]}

    asked = ScriptedJudge(analyze=[says])
    scorer = Scorer.of(looks, asked, prompts=tmp_path, items_per_call=2)
    result = scorer.run(output="o", context=["one", {"text": "two", "source": "b"}, "three"])
    assert result.analyze_step_result["looks"] == [
        {"number": n, "piece": text, "verdict": "yes"} for n, text in enumerate(["one", "two", "three"], 1)
    ]
    assert len(asked.prompts("analyze")) == 2
    silent = Scorer.of(looks, ScriptedJudge(analyze={"looks": []}), prompts=tmp_path).run(context=["one"])
    assert silent.error.kind == "incomplete_reply"
