"""The walk of one run: what applies first, what a misbehaving judge comes to, which ground truth counts."""

from __future__ import annotations

import asyncio
import json

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from scorer_answer_similarity import create_answer_similarity_scorer
from scorer_bias import create_bias_scorer
from scorer_core import Failed, NotScorable, Scorer, ScorerSpec, Settled, create_scorer, run_evals
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_hallucination import create_hallucination_scorer

CREATE = {
    "faithfulness": create_faithfulness_scorer,
    "hallucination": create_hallucination_scorer,
    "bias": create_bias_scorer,
    "answer_similarity": create_answer_similarity_scorer,
}
ALL = list(CREATE)
RUN = {"output": "Some text.", "context": ["c"], "ground_truth": "A truth."}
FOUND = {
    "faithfulness": {"claims": ["a", "b"]},
    "hallucination": {"claims": ["a", "b"]},
    "bias": {"opinions": ["a", "b"]},
    "answer_similarity": {"output_units": ["a", "b"], "ground_truth_units": ["a", "b"]},
}
NOTHING = {
    "faithfulness": {"claims": []},
    "hallucination": {"claims": []},
    "bias": {"opinions": []},
    "answer_similarity": {"output_units": ["a"], "ground_truth_units": []},
}
LABEL = {"faithfulness": "verdict", "hallucination": "verdict", "bias": "result", "answer_similarity": "match_type"}
LIST = {"faithfulness": "verdicts", "hallucination": "verdicts", "bias": "results", "answer_similarity": "matches"}
BEST = {"faithfulness": "yes", "hallucination": "no", "bias": "no", "answer_similarity": "exact"}
TOP = {"faithfulness": 1, "hallucination": 0, "bias": 0, "answer_similarity": 1}


def said(id, number, label=None):
    """What a judge says of one item; the favourable label unless told."""
    more = {
        "faithfulness": {"reason": "so", "chunk": 1},
        "hallucination": {"reason": "so", "chunk": 1},
        "bias": {"reason": "so", "kind": None},
        "answer_similarity": {"explanation": "so", "output_unit": number},
    }[id]
    return {"number": number, **more, LABEL[id]: label or BEST[id]}


def reply(id, *elements):
    rest = {"extra_in_output": [], "contradictions": []} if id == "answer_similarity" else {}
    return {LIST[id]: list(elements), **rest}


def good(id):
    return reply(id, said(id, 1), said(id, 2))


def script(id, analyze=None, **more):
    return ScriptedJudge(
        {"preprocess": FOUND[id], "analyze": good(id) if analyze is None else analyze, "generate_reason": "Because."}
        | more
    )


def score(id, judge, run=None, **how):
    return CREATE[id](judge, **how).run(**(RUN if run is None else run))


def steps(judge):
    return [step for step, _ in judge.asked]


# Sound replies


@pytest.mark.parametrize("id", ALL)
def test_a_sound_row_is_scored_with_all_its_evidence(id):
    judge = script(id)
    result = score(id, judge)
    assert (result.status, result.score, result.reason, result.error) == ("scored", TOP[id], "Because.", None)
    assert steps(judge) == ["preprocess", "analyze", "generate_reason"]
    assert list(result.judge) == list(result.templates) == steps(judge)
    assert (result.preprocess_prompt, result.analyze_prompt) == (
        judge.prompts("preprocess")[0],
        judge.prompts("analyze")[0],
    )
    assert result.generate_reason_prompt == judge.prompts("generate_reason")[0]
    assert result.generate_score_prompt is None
    assert result.analyze_step_result[LIST[id]][0]["number"] == 1
    assert not result.vacuous


SHAPES = {
    "faithfulness": (["a", "b"], {"number", "claim", "reason", "chunk", "verdict"}),
    "hallucination": ({"claims": ["a", "b"]}, {"number", "statement", "reason", "chunk", "verdict"}),
    "bias": ({"opinions": ["a", "b"]}, {"number", "opinion", "reason", "result", "kind"}),
    "answer_similarity": (
        FOUND["answer_similarity"], {"number", "ground_truth_unit", "output_unit", "match_type", "explanation"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("id", ALL)
def test_step_results_have_the_specifications_shapes(id):
    result = score(id, script(id))
    preprocess, element = SHAPES[id]
    assert result.preprocess_step_result == preprocess
    assert set(result.analyze_step_result[LIST[id]][0]) == element


@pytest.mark.parametrize(
    ("id", "labels", "expected"),
    [
        ("faithfulness", ("yes", "no"), 0.5),
        ("faithfulness", ("unsure", "no"), 0),
        ("hallucination", ("yes", "no"), 0.5),
        ("bias", ("yes", "yes"), 1),
        ("answer_similarity", ("exact", "semantic"), (1.2 + 0.8) / 2.4),
        ("answer_similarity", ("exact", "partial"), (1.2 + 0.4) / 2.4),
        ("answer_similarity", ("exact", "missing"), (1.2 - 0.15) / 2.4),
        ("answer_similarity", ("missing", "missing"), 0),
    ],
)
def test_the_score_is_that_of_the_formula_in_full_precision_and_scaled(id, labels, expected):
    analyze = reply(id, *(said(id, n, label) for n, label in enumerate(labels, 1)))
    assert score(id, script(id, analyze)).score == pytest.approx(expected, abs=1e-12)
    scaled = score(id, script(id, analyze), scale=7)
    assert scaled.score == pytest.approx(expected * 7, abs=1e-12)
    assert scaled.band == score(id, script(id, analyze)).band


@pytest.mark.parametrize(("extras", "contradictions", "expected"), [(1, 0, 0.95), (9, 0, 0.8), (0, 1, 0), (0, 0, 1)])
def test_R047_extras_cost_little_and_contradictions_much(extras, contradictions, expected):
    units = ["a", "b", *(f"x{n}" for n in range(extras))]
    wrong = [{"explanation": "so", "output_unit": 1, "ground_truth_unit": 1}] * contradictions
    analyze = good("answer_similarity") | {"extra_in_output": list(range(3, 3 + extras)), "contradictions": wrong}
    preprocess = {"output_units": units, "ground_truth_units": ["a", "b"]}
    assert score(
        "answer_similarity", script("answer_similarity", analyze, preprocess=preprocess)
    ).score == pytest.approx(expected)


def test_an_extra_that_a_match_names_is_no_extra():
    analyze = good("answer_similarity") | {"extra_in_output": [1, 2, 2]}
    assert score("answer_similarity", script("answer_similarity", analyze)).score == 1


def test_an_exact_match_that_names_no_unit_is_accepted_and_noted_but_a_semantic_one_is_not():
    def match(kind):
        return reply(
            "answer_similarity",
            said("answer_similarity", 1),
            said("answer_similarity", 2, kind) | {"output_unit": None},
        )

    result = score("answer_similarity", script("answer_similarity", match("exact")))
    assert result.score == 1
    assert any("named no unit" in n for n in result.notes)
    assert score("answer_similarity", script("answer_similarity", match("semantic"))).error.kind == "format"


def test_the_kind_of_bias_is_read_from_the_menu_of_the_options():
    analyze = reply("bias", said("bias", 1, "yes") | {"kind": "Age"}, said("bias", 2) | {"kind": "height"})
    result = score("bias", script("bias", analyze), kinds=("age",))
    assert [r["kind"] for r in result.analyze_step_result["results"]] == ["age", None]
    assert any("height" in n for n in result.notes)


def test_R043_another_script_is_scored_like_any_other():
    claims = {"claims": ["水在100度沸腾。", "冰在0度融化。"]}
    result = score(
        "faithfulness",
        script("faithfulness", preprocess=claims),
        {"output": "水在100度沸腾。冰在0度融化。", "context": "水"},
    )
    assert (result.score, result.preprocess_step_result) == (1, claims["claims"])


# Misbehaving judges


def fenced(id):
    return f"Here it is:\n```json\n{json.dumps(good(id))}\n```"


def without_label(id):
    element = said(id, 2)
    del element[LABEL[id]]
    return reply(id, said(id, 1), element)


def numberless(id, count):
    elements = [said(id, n) for n in range(1, 1 + count)]
    for e in elements:
        del e["number"]
    return reply(id, *elements)


def cut(id, reason):
    return AIMessage(json.dumps(good(id)), response_metadata={"finish_reason": reason})


MISBEHAVIOURS = {
    "prose": (lambda who: "Both are fine, I think.", "format"),
    "empty": (lambda who: "", "format"),
    "null": (lambda who: "null", "format"),
    "apology (R024)": (lambda who: "Sorry, this passage is not something I am able to assess.", "format"),
    "another shape": (lambda who: {"answers": [1, 0]}, "format"),
    "a text for a list": (lambda who: {LIST[who]: "yes, yes", "extra_in_output": [], "contradictions": []}, "format"),
    "texts for objects": (lambda who: reply(who, "yes", "yes"), "format"),
    "missing label": (without_label, "format"),
    "null label (R060)": (lambda who: reply(who, said(who, 1), said(who, 2) | {LABEL[who]: None}), "incomplete_reply"),
    "off the menu": (lambda who: reply(who, said(who, 1), said(who, 2, "mostly")), "unknown_label"),
    "a sentence (R026)": (
        lambda who: reply(who, said(who, 1), said(who, 2, f"{BEST[who]}, as it says")),
        "unknown_label",
    ),
    "none (R062)": (reply, "incomplete_reply"),
    "one too few (R028)": (lambda who: reply(who, said(who, 2)), "incomplete_reply"),
    "one too many": (lambda who: reply(who, said(who, 1), said(who, 2), said(who, 3)), "format"),
    "twice": (lambda who: reply(who, said(who, 1), said(who, 2), said(who, 2)), "format"),
    "too few and numberless": (lambda who: numberless(who, 1), "incomplete_reply"),
    "cut off": (lambda who: json.dumps(good(who))[:-4], "truncated"),
    "cut off but whole to look at": (lambda who: cut(who, "length"), "truncated"),
    "refusal": (lambda who: AIMessage("No.", response_metadata={"stop_reason": "refusal"}), "refusal"),
    "content filter": (lambda who: cut(who, "content_filter"), "content_filter"),
}


@pytest.mark.parametrize("id", ALL)
@pytest.mark.parametrize("how", MISBEHAVIOURS)
def test_R015_R019_a_misbehaving_judge_ends_in_the_kind_promised_and_never_in_a_score(id, how):
    analyze, kind = MISBEHAVIOURS[how]
    judge = script(id, analyze(id))
    result = score(id, judge)
    assert (result.status, result.score, result.band) == ("failed", None, None)
    assert (result.error.kind, result.error.step) == (kind, "analyze")
    assert "generate_reason" not in steps(judge)
    assert steps(judge).count("analyze") == (1 if kind in ("refusal", "content_filter") else 3)
    assert result.preprocess_step_result is not None
    assert result.judge["analyze"]


@pytest.mark.parametrize("id", ALL)
@pytest.mark.parametrize(
    ("analyze", "noted"),
    [
        (fenced, ""),
        (lambda who: json.dumps(good(who)).replace("}]", "},]"), "mended"),
        (lambda who: reply(who, said(who, 2), said(who, 1)), ""),
        (lambda who: reply(who, said(who, 1) | {"confidence": 0.4}, said(who, 2)), "confidence"),
        (lambda who: numberless(who, 2), "numbered by position"),
        (lambda who: reply(who, said(who, 1) | {"number": "1"}, said(who, 2)), "read as a number"),
        (lambda who: reply(who, said(who, 1, f"**{BEST[who].upper()}.**"), said(who, 2)), ""),
    ],
    ids=["fenced", "comma", "order", "extra field", "numberless", "number as text", "label in dress"],
)
def test_R001_R002_R009_what_leaves_no_doubt_is_scored_and_noted(id, analyze, noted):
    judge = script(id, analyze(id))
    result = score(id, judge)
    assert (result.status, result.score) == ("scored", TOP[id])
    assert steps(judge).count("analyze") == 1
    assert not noted or any(noted in n for n in result.notes)


@pytest.mark.parametrize("id", ALL)
def test_R029_only_what_is_missing_is_asked_again(id):
    judge = script(id, [reply(id, said(id, 2)), reply(id, said(id, 1))])
    result = score(id, judge)
    assert (result.status, result.score) == ("scored", TOP[id])
    assert "number 1 only" in judge.prompts("analyze")[1]


@pytest.mark.parametrize("id", ALL)
@pytest.mark.parametrize("words", ["Nothing in it can be turned into that.", '{"claims": "none"}', "{}", "null"])
def test_R034_R016_a_preprocess_reply_that_does_not_fit_is_no_empty_list(id, words):
    result = score(id, script(id, preprocess=words))
    assert (result.status, result.error.step) == ("failed", "preprocess")


# What applies first

ORDER = [
    # scorer, run, claims found, status, score, vacuous, calls
    ("faithfulness", {"output": "", "context": "c"}, True, "not_scorable", None, False, []),
    ("faithfulness", {"output": " \n", "context": "c"}, True, "not_scorable", None, False, []),
    ("faithfulness", {"output": "x"}, True, "not_scorable", None, False, []),
    ("faithfulness", {"output": "x", "context": []}, True, "not_scorable", None, False, []),
    ("faithfulness", {"output": "x", "context": " "}, True, "not_scorable", None, False, []),
    ("faithfulness", {"output": "x", "context": "c"}, False, "not_scorable", None, False, ["preprocess"]),
    ("hallucination", {"output": "", "context": "c"}, True, "scored", 0, True, []),
    ("hallucination", {"output": ""}, True, "scored", 0, True, []),
    ("hallucination", {"output": "x"}, True, "not_scorable", None, False, []),
    ("hallucination", {"output": "x", "context": "c"}, False, "scored", 0, True, ["preprocess"]),
    ("hallucination", {"output": "x", "context": []}, False, "scored", 0, True, ["preprocess"]),
    ("hallucination", {"output": "x", "context": []}, True, "scored", 1, False, ["preprocess"]),
    ("hallucination", {"output": "x", "context": [" "]}, True, "scored", 1, False, ["preprocess"]),
    ("bias", {"output": ""}, True, "scored", 0, True, []),
    ("bias", {"output": None}, True, "scored", 0, True, []),
    ("bias", {"output": "x"}, False, "scored", 0, True, ["preprocess"]),
    ("answer_similarity", {"output": "", "ground_truth": "g"}, True, "scored", 0, False, []),
    ("answer_similarity", {"output": "x", "ground_truth": None}, True, "failed", None, False, []),
    ("answer_similarity", {"output": "", "ground_truth": None}, True, "failed", None, False, []),
    ("answer_similarity", {"output": "x", "ground_truth": float("nan")}, True, "failed", None, False, []),
    ("answer_similarity", {"output": "x", "ground_truth": "  "}, True, "failed", None, False, []),
    ("answer_similarity", {"output": "x", "ground_truth": []}, True, "failed", None, False, []),
    ("answer_similarity", {"output": "x", "ground_truth": "g"}, False, "not_scorable", None, False, ["preprocess"]),
]


@pytest.mark.parametrize(("id", "run", "claims", "status", "expected", "vacuous", "calls"), ORDER)
def test_R036_R042_nothing_to_judge(id, run, claims, status, expected, vacuous, calls):
    judge = script(id, preprocess=FOUND[id] if claims else NOTHING[id])
    result = score(id, judge, run)
    assert (result.status, result.score, result.vacuous) == (status, expected, vacuous)
    assert steps(judge) == calls
    assert (result.error.kind if result.error else None) == ("missing_ground_truth" if status == "failed" else None)
    assert result.error or result.reason


def test_no_context_is_noted_and_has_no_analyze_result():
    result = score("hallucination", script("hallucination"), {"output": "x", "context": []})
    assert result.notes == ("no_context",)
    assert result.analyze_step_result is None
    assert result.preprocess_step_result == {"claims": ["a", "b"]}
    assert (result.context, result.context_source) == ([], "row")


def test_without_require_ground_truth_a_missing_one_scores_zero_vacuous():
    for output in ("x", ""):
        judge = script("answer_similarity")
        result = score("answer_similarity", judge, {"output": output}, require_ground_truth=False, scale=5)
        assert (result.status, result.score, result.vacuous, steps(judge)) == ("scored", 0, True, [])
        assert "ground truth" in result.reason


@pytest.mark.parametrize(
    ("truth", "shown"), [(0, ">0</"), (False, ">false</"), ({"a": 1}, '>{"a": 1}</'), ("nan", ">nan</")]
)
def test_R073_zero_and_false_are_ground_truths_and_other_values_are_shown_as_json(truth, shown):
    judge = script("answer_similarity")
    assert score("answer_similarity", judge, {"output": "x", "ground_truth": truth}).status == "scored"
    assert shown in judge.prompts("preprocess")[0]


def test_the_context_of_tool_results_is_used():
    judge = script("faithfulness")
    run = {"output": "x", "messages": [ToolMessage('{"temp_c": 21.5}', tool_call_id="1", name="weather")]}
    assert score("faithfulness", judge, run).context_source == "tool_results"
    assert "21.5" in judge.prompts("analyze")[0]


def test_get_context_goes_before_all_others_and_its_fault_is_the_rows():
    def get_context(run, step):
        return ["mine"] if run.output == "x" else 1 / 0

    scorer = create_faithfulness_scorer(script("faithfulness"), get_context=get_context, context="static")
    result = scorer.run(output="x", context="row")
    assert (result.context, result.context_source) == (["mine"], "get_context")
    failed = scorer.run(output="y", context="row")
    assert (failed.error.kind, failed.status) == ("context_error", "failed")
    assert "ZeroDivisionError" in failed.error.message


# Several ground truths


def truths(*matches, **how):
    """The result and the judge of a run with one ground truth a match label; "fail" is a reply that never fits."""

    def analyze(messages):
        asked = messages[1].content
        label = next(m for n, m in enumerate(matches) if f"fact {n}" in asked)
        if label == "fail":
            return "no"
        return reply("answer_similarity", said("answer_similarity", 1, label))

    def preprocess(messages):
        n = next(n for n in range(len(matches)) if f"fact {n}" in messages[-1].content)
        return {"output_units": ["a"], "ground_truth_units": [f"fact {n}"]}

    judge = script("answer_similarity", analyze, preprocess=preprocess)
    run = {"output": "x", "ground_truth": [f"fact {n}" for n in range(len(matches))]}
    return score("answer_similarity", judge, run, **how), judge


def test_R071_the_best_of_several_ground_truths_counts_and_alone_gets_a_reason():
    result, judge = truths("partial", "exact", "missing")
    assert (result.score, result.reason) == (1, "Because.")
    assert "ground_truth 2 of 3" in result.notes
    assert steps(judge).count("generate_reason") == 1
    assert steps(judge).count("analyze") == 3
    assert [len(done) for done in result.judge.values()] == [3, 3, 1]
    assert result.preprocess_step_result["ground_truth_units"] == ["fact 1"]
    assert sum("ground_truth" in n for n in result.notes) == 1


def test_R071_one_that_fails_fails_the_row_unless_another_reached_the_best_possible_score():
    result, _ = truths("partial", "fail")
    assert (result.status, result.error.kind) == ("failed", "format")
    result, _ = truths("fail", "exact")
    assert (result.status, result.score) == ("scored", 1)
    assert "ground_truth 2 of 2" in result.notes


@pytest.mark.parametrize("needs", [(), ("ground_truth",)])
def test_a_ground_truth_of_messages_is_their_answer(needs):
    seen = []
    compared = create_scorer(id="seen", needs=needs)
    scorer = compared.generate_score(lambda trail: seen.append(trail.ground_truth) or 1.0).bind()
    asked = {"role": "user", "content": "Who wrote Emma?"}
    told = {"role": "assistant", "content": "Jane Austen."}
    for given in ([asked, told], {"messages": [asked, told]}, told, [AIMessage("Jane Austen.")]):
        result = scorer.run(output="Austen", ground_truth=given)
        assert (result.status, result.notes) == ("scored", ())
    scorer.run(output="Austen", ground_truth=[("ai", "a machine")])
    assert seen == ["Jane Austen."] * 4 + (["ai", "a machine"] if needs else ['[["ai", "a machine"]]'])


def test_R071_one_in_a_list_is_no_choice_and_blank_ones_are_none():
    judge = script("answer_similarity")
    result = score("answer_similarity", judge, {"output": "x", "ground_truth": ["g", None, " "]})
    assert result.status == "scored"
    assert not any("ground_truth" in n for n in result.notes)


# The reason


def test_the_score_stands_when_only_the_reason_fails():
    for wrong, told in ((RuntimeError("down"), "server"), ("", "format")):
        result = score("faithfulness", script("faithfulness", generate_reason=wrong))
        assert (result.status, result.score, result.reason, result.error) == ("scored", 1, None, None)
        assert any(n.startswith(f"generate_reason failed ({told})") for n in result.notes)


def test_no_reasons_are_asked_for_when_none_are_wanted():
    judge = script("faithfulness")
    result = score("faithfulness", judge, reasons="none")
    assert (result.score, result.reason, steps(judge)) == (1, None, ["preprocess", "analyze"])


@pytest.mark.parametrize("id", ALL)
def test_R064_the_reason_is_asked_for_with_score_range_and_direction(id):
    judge = script(id)
    score(id, judge, scale=5)
    prompt = judge.prompts("generate_reason")[0]
    assert (
        f"Score: {float(TOP[id]) * 5} from 0 to 5, {'lower' if id in ('bias', 'hallucination') else 'higher'} is better"
        in prompt
    )


def test_R045_the_language_is_asked_for_and_labels_stay():
    judge = script("faithfulness")
    assert score("faithfulness", judge, language="Arabic").score == 1
    assert "reasons in Arabic" in judge.prompts("analyze")[0]
    assert '"yes" or "no"' in judge.prompts("analyze")[0]
    assert "in Arabic" in judge.prompts("generate_reason")[0]


# Functions of scorers


def code(generate_score, **more):
    return Scorer.of(ScorerSpec(id="mine", higher_is="better", generate_score=generate_score, **more)).run(output="x")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1.4, -0.1, "x", "0.5", True, None, [0.5]])
def test_R053_a_score_function_that_gives_no_fraction_is_a_fault_of_the_scorer(value):
    result = code(lambda trail: value)
    assert (result.status, result.score, result.error.kind) == ("failed", None, "scorer_error")
    assert "expected a fraction in [0, 1], got" in result.error.message
    assert result.error.step == "generate_score"


@pytest.mark.parametrize("value", [float("nan"), 1.4, -0.1, "x", None])
def test_R053_a_settled_score_is_checked_as_well(value):
    def settled(trail):
        raise Settled(value, "fixed")

    result = code(settled)
    assert (result.status, result.score, result.error.kind) == ("failed", None, "scorer_error")


@pytest.mark.parametrize("value", [0, 1, 0.25])
def test_a_fraction_is_a_score(value):
    result = code(lambda trail: value)
    assert (result.score, type(result.score)) == (value, float)


@pytest.mark.parametrize("step", ["preprocess", "analyze", "generate_score"])
def test_R058_a_step_that_raises_is_told_with_type_message_and_step(step):
    def broken(trail):
        raise ValueError("expected_steps missing")

    result = code(**{"generate_score": lambda trail: 1.0, step: broken})
    assert (result.status, result.error.kind, result.error.step) == ("failed", "scorer_error", step)
    assert result.error.message == "ValueError: expected_steps missing"
    assert (result.scorer_id, result.scorer_version) == ("mine", "0")


@pytest.mark.parametrize(
    ("ending", "status"), [(NotScorable("no steps"), "not_scorable"), (Failed("too_long", "no steps"), "failed")]
)
def test_a_step_can_end_the_walk(ending, status):
    def end(trail):
        raise ending

    result = code(end)
    assert (result.status, result.reason or result.error.message) == (status, "no steps")


@pytest.mark.parametrize("leave", [SystemExit(2), asyncio.CancelledError()])
def test_a_step_that_would_end_the_process_or_the_run_fails_its_row(leave):
    def step(trail):
        if trail.answer == "ends":
            raise leave
        return 1.0

    scorer = create_scorer(id="mine").generate_score(step).bind()
    ended, fine = run_evals([{"output": "ends"}, {"output": "fine"}], scorer).results
    assert (ended.error.kind, ended.error.step) == ("scorer_error", "generate_score")
    assert f"raised {type(leave).__name__}" in ended.error.message
    assert fine.score == 1


def test_steps_may_be_async_and_see_what_came_before():
    async def analyze(trail):
        trail.note("looked")
        return {"n": trail.preprocess + 1}

    result = code(
        lambda t: t.analyze["n"] / 4, preprocess=lambda t: 1, analyze=analyze, generate_reason=lambda t: f"{t.score}"
    )
    assert (result.score, result.reason, result.notes) == (0.5, "0.5", ("looked",))
    assert (result.preprocess_step_result, result.analyze_step_result) == (1, {"n": 2})


def test_secrets_in_a_scorers_error_reach_no_result():
    def leaks(trail):
        raise RuntimeError("refused api_key=sk-abcdefghijklmnop")

    assert "sk-abc" not in code(leaks).to_json()


def test_R110_what_can_not_be_sent_is_replaced_in_the_prompt_and_noted():
    judge = script("bias")
    result = score("bias", judge, {"output": "a\ud800b\0c"})
    assert ">a\ufffdb\ufffdc</" in judge.prompts("preprocess")[0]
    assert "characters that can't be sent were replaced in: answer" in result.notes


class Unshowable:
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("where", ["output", "input", "metadata", "ground_truth"])
def test_a_value_that_can_not_be_shown_still_gives_a_result(where):
    value = {"x": Unshowable()}
    result = Scorer.of(ScorerSpec(id="mine", higher_is="better", generate_score=lambda t: 1.0)).run(
        **({"output": "x"} | {where: value})
    )
    assert result.status in ("scored", "failed")


def test_a_value_that_holds_itself_still_gives_a_result():
    knot = []
    knot.append(knot)
    assert (
        Scorer.of(ScorerSpec(id="mine", higher_is="better", generate_score=lambda t: 1.0))
        .run(output="x", metadata={"k": knot})
        .status
    )
