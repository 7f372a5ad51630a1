"""Answer similarity: the formula, the specification's three examples, lists of references, and missing sides."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_answer_similarity import (
    Comparison,
    Contradiction,
    Match,
    SimilarityOptions,
    Units,
    create_answer_similarity_scorer,
    similarity,
    spec,
    without_matched_extras,
)
from scorer_core import NotScorable, Run, Trail, UsageError
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge

kinds = st.lists(st.sampled_from(["exact", "semantic", "partial", "missing"]), min_size=1, max_size=12)
weights = st.builds(
    SimilarityOptions,
    semantic_threshold=st.floats(0, 1),
    exact_match_bonus=st.floats(0, 1),
    missing_penalty=st.floats(0, 5),
    contradiction_penalty=st.floats(0, 5),
    extra_info_penalty=st.floats(0, 5),
)


def compared(matches, extras=0, contradictions=0, options=None):
    made = [
        Match(number=n, ground_truth_unit="g", explanation="e", output_unit=f"u{n}", match_type=kind)
        for n, kind in enumerate(matches, 1)
    ]
    clash = Contradiction(explanation="e", output_unit="u", ground_truth_unit="g")
    found = Comparison(tuple(made), tuple(f"x{n}" for n in range(extras)), (clash,) * contradictions)
    return Trail(preprocess=Units((), ()), analyze=found, options=options or SimilarityOptions())


@pytest.mark.parametrize(
    ("matches", "extras", "contradictions", "score"),
    [
        (["exact"], 0, 0, 1.0),
        (["semantic"], 0, 0, 0.8 / 1.2),
        (["partial"], 0, 0, 0.4 / 1.2),
        (["missing"], 0, 0, 0.0),
        (["exact", "missing"], 0, 0, (1.2 - 0.15) / 2.4),
        (["exact"], 3, 0, 0.85),
        (["exact"], 10, 0, 0.8),
        (["exact", "exact"], 0, 1, 0.0),
    ],
)
def test_the_formula_by_example(matches, extras, contradictions, score):
    assert similarity(compared(matches, extras, contradictions)) == pytest.approx(score, abs=1e-12)


@given(kinds, st.integers(0, 30), st.integers(0, 5), weights)
def test_the_score_stays_in_range_and_never_rises_with_extras_or_contradictions(
    matches, extras, contradictions, options
):
    score = similarity(compared(matches, extras, contradictions, options))
    assert 0 <= score <= 1
    assert similarity(compared(matches, extras + 1, contradictions, options)) <= score
    assert similarity(compared(matches, extras, contradictions + 1, options)) <= score
    assert similarity(compared(matches[::-1], extras, contradictions, options)) == pytest.approx(score, abs=1e-12)


def test_a_reference_without_units_is_not_scorable():
    with pytest.raises(NotScorable, match="nothing to compare with"):
        similarity(compared([]))


def judge(output_units, reference_units, matches, extras=(), contradictions=()):
    made = [
        {"number": n, "explanation": "e", "output_unit": unit, "match_type": kind}
        for n, (unit, kind) in enumerate(matches, 1)
    ]
    clashes = [{"explanation": "e", "output_unit": o, "ground_truth_unit": g} for o, g in contradictions]
    return ScriptedJudge(
        preprocess={"output_units": output_units, "ground_truth_units": reference_units},
        analyze={"matches": made, "extra_in_output": list(extras), "contradictions": clashes},
        generate_reason="Because.",
    )


def test_two_plus_two():
    asked = judge(["2+2 is 4"], ["2+2 is 4"], [(1, "exact")])
    result = create_answer_similarity_scorer(asked).run(input="What is 2+2?", output="4", ground_truth="4")
    assert (result.score, result.band) == (1.0, "the same")
    assert ">What is 2+2?</" in result.preprocess_prompt


def test_the_capital_of_france():
    asked = judge(["The capital of France is Paris"], ["Paris is the capital of France"], [(1, "semantic")])
    run = {"input": "Capital of France?", "output": "Paris.", "ground_truth": "The capital of France is Paris"}
    result = create_answer_similarity_scorer(asked).run(**run)
    assert result.score == pytest.approx(0.8 / 1.2)
    assert result.analyze_step_result["matches"][0]["output_unit"] == "The capital of France is Paris"


def test_the_primary_colours_with_a_wrong_one():
    units = ["Red is primary", "Blue is primary", "Green is primary"]
    reference = ["Red is primary", "Blue is primary", "Yellow is primary"]
    asked = judge(units, reference, [(1, "exact"), (2, "exact"), (None, "missing")], extras=[3])
    run = {"input": "Primary colours?", "output": "Red, blue and green", "ground_truth": "Red, blue and yellow"}
    result = create_answer_similarity_scorer(asked).run(**run)
    assert result.score == pytest.approx((1.2 + 1.2 - 0.15) / 3.6 - 0.05)
    assert result.analyze_step_result["extra_in_output"] == ["Green is primary"]


def test_extras_that_a_match_names_are_dropped_and_each_counts_once():
    found = compared(["exact"]).analyze
    named = Comparison(found.matches, ("u1", "x", "x"), ())
    assert without_matched_extras(compared([]), named).extra_in_output == ("x",)


def test_an_exact_match_that_names_no_unit_is_accepted_and_noted():
    asked = judge(["a"], ["a"], [(None, "exact")])
    result = create_answer_similarity_scorer(asked).run(output="a", ground_truth="a")
    assert (result.score, result.notes) == (1.0, ("1 exact match(es) named no unit of the answer",))


def test_a_semantic_match_that_names_no_unit_is_asked_for_again():
    asked = judge(["a"], ["a"], [(None, "semantic")])
    asked.script["analyze"].append(judge(["a"], ["a"], [(1, "semantic")]).script["analyze"][0])
    result = create_answer_similarity_scorer(asked).run(output="a", ground_truth="a")
    assert result.score == pytest.approx(0.8 / 1.2)
    assert "names the number of the answer's unit" in asked.prompts("analyze")[1]


@pytest.mark.parametrize("missing", [None, "", "  ", float("nan"), [], [None, ""]])
def test_a_missing_ground_truth_fails_before_any_call(missing):
    nobody = ScriptedJudge()
    result = create_answer_similarity_scorer(nobody).run(output="a", ground_truth=missing)
    assert (result.status, result.error.kind, nobody.asked) == ("failed", "missing_ground_truth", [])


@pytest.mark.parametrize("output", ["a", ""])
def test_a_missing_ground_truth_that_is_not_required_scores_zero_and_is_vacuous(output):
    nobody = ScriptedJudge()
    result = create_answer_similarity_scorer(nobody, require_ground_truth=False).run(output=output)
    assert (result.score, result.vacuous, nobody.asked) == (0.0, True, [])
    assert result.reason == "this run has no ground truth to compare with"


def test_an_empty_output_misses_every_unit_and_that_is_a_judgement():
    nobody = ScriptedJudge()
    result = create_answer_similarity_scorer(nobody).run(output="", ground_truth="4")
    assert (result.score, result.vacuous, nobody.asked) == (0.0, False, [])


@pytest.mark.parametrize(("truth", "shown"), [(0, "0"), (False, "false"), ({"a": [1, "é"]}, '{"a": [1, "é"]}')])
def test_a_ground_truth_that_is_no_text_is_shown_as_json(truth, shown):
    asked = judge(["a"], ["a"], [(1, "exact")])
    result = create_answer_similarity_scorer(asked).run(output="a", ground_truth=truth)
    assert result.score == 1.0
    assert f">{shown}</" in result.preprocess_prompt


def test_of_several_right_answers_the_best_one_counts_and_alone_gets_a_reason():
    def units(messages):
        right = ">forty-two</" in messages[1].content
        return {"output_units": ["It is 42"], "ground_truth_units": ["It is 42" if right else "It is 41"]}

    def compare(messages):
        right = re.search(r"<ground_truth_unit 1 \w+>It is 42<", messages[1].content)
        kind = "exact" if right else "missing"
        match = {"number": 1, "explanation": "e", "output_unit": 1 if right else None, "match_type": kind}
        return {"matches": [match], "extra_in_output": [], "contradictions": []}

    asked = ScriptedJudge(preprocess=[units], analyze=[compare], generate_reason="Because.")
    result = create_answer_similarity_scorer(asked).run(output="42", ground_truth=["41", "forty-two", "43"])
    assert (result.score, result.notes) == (1.0, ("ground_truth 2 of 3",))
    assert [len(result.judge[step]) for step in ("preprocess", "analyze", "generate_reason")] == [3, 3, 1]


@pytest.mark.parametrize(
    "wrong",
    [
        {"semantic_threshold": 1.2},
        {"exact_match_bonus": -0.1},
        {"missing_penalty": -1},
        {"extra_info_penalty": float("inf")},
        {"contradiction_penalty": "1"},
        {"require_ground_truth": 1},
        {"scale": 0},
        {"scale": float("nan")},
        {"scale": True},
        {"scale": None},
    ],
)
def test_options_of_the_wrong_type_or_range_are_refused_when_the_scorer_is_made(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        create_answer_similarity_scorer(ScriptedJudge(), **wrong)


def test_options_may_come_as_a_mapping_or_as_their_class():
    for options in ({"scale": 10}, SimilarityOptions(scale=10)):
        assert create_answer_similarity_scorer(ScriptedJudge(), options=options).options == SimilarityOptions(scale=10)
    with pytest.raises(UsageError, match="given beside options"):
        create_answer_similarity_scorer(ScriptedJudge(), options={"scale": 10}, missing_penalty=0)


class TestAnswerSimilarityIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="Is it red?", output="It is red.", ground_truth="It is red, and old."),
            answers=(
                {"output_units": ["It is red."], "ground_truth_units": ["It is red.", "It is old."]},
                {
                    "matches": [
                        {"number": 1, "explanation": "e", "output_unit": 1, "match_type": "exact"},
                        {"number": 2, "explanation": "e", "output_unit": None, "match_type": "missing"},
                    ],
                    "extra_in_output": [],
                    "contradictions": [],
                },
            ),
            score=(1.2 - 0.15) / 2.4,
        ),
        Example(Run(output=" ", ground_truth="It is old."), score=0.0),
    )
