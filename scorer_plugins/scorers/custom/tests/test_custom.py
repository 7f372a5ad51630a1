"""Custom: the mean of the levels, one criterion and many, words of one's own, and a judge that misbehaves."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import Run, Scorer, Trail, UsageError, run_evals
from scorer_core.testing import Example, ScorerConformance, ScriptedJudge
from scorer_custom import Criteria, CustomOptions, Verdict, Verdicts, create_custom_scorer, mean_level, spec
from scorer_runner.cli import main

ROW = {"input": "Is tea healthy?", "output": "Thank you for asking! Studies say so."}


def judge(*levels):
    verdicts = [{"number": n, "reason": f"because {n}", "level": level} for n, level in enumerate(levels, 1)]
    return ScriptedJudge(analyze={"verdicts": verdicts})


def trail(levels, said):
    verdicts = [Verdict(number=n, criterion="c", reason="r", level=level) for n, level in enumerate(said, 1)]
    options = CustomOptions(criterion="c", levels=levels)
    return Trail(preprocess=Criteria(("c",)), analyze=Verdicts(tuple(verdicts)), options=options)


@given(st.integers(2, 7).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.integers(0, n - 1), min_size=1))))
def test_the_score_is_the_mean_of_the_places_of_the_levels(drawn):
    n, places = drawn
    levels = [f"level {k}" for k in range(n)]
    score = mean_level(trail(levels, [levels[k] for k in places]))
    assert score == pytest.approx(sum(places) / (len(places) * (n - 1)))
    assert (score == 1) == (min(places) == n - 1)
    assert (score == 0) == (max(places) == 0)


@pytest.mark.parametrize(("level", "score"), [("yes", 1.0), ("no", 0.0), (" **Yes.** ", 1.0)])
def test_one_sentence_is_judged_with_yes_or_no_in_one_call(level, score):
    asked = judge(level)
    result = create_custom_scorer(asked, "The answer is polite.").run(**ROW)
    assert (result.status, result.score, result.reason) == (
        "scored",
        score,
        f"{'yes' if score else 'no'}: The answer is polite. (because 1)",
    )
    assert [step for step, _ in asked.asked] == ["analyze"]


def test_a_checklist_is_the_mean_of_its_criteria():
    asked = judge("yes", "no", "yes", "yes")
    result = create_custom_scorer(asked, ["a", "b", "c", "d"], scale=10).run(**ROW)
    assert (result.score, result.band) == (7.5, "met in large part")
    assert [v["criterion"] for v in result.analyze_step_result["verdicts"]] == ["a", "b", "c", "d"]
    assert result.reason.splitlines()[1] == "no: b (because 2)"


def test_levels_of_ones_own_and_steps_stand_in_the_prompt():
    asked = judge("civil")
    levels = {"cold": "no word of it", "civil": "sorry, no more", "warm": ""}
    result = create_custom_scorer(asked, "It cares.", levels=levels, steps=["Read.", "Decide."]).run(**ROW)
    assert result.score == 0.5
    for part in ("- cold: no word of it\n- civil: sorry, no more\n- warm\n", "1. Read.\n2. Decide.\n"):
        assert part in result.analyze_prompt
    assert '"level": "cold" or "civil" or "warm"' in result.analyze_prompt


@pytest.mark.parametrize("levels", [["1", "2", "3"], {1: "bad", 2: "", 3: "good"}, [1, 2, 3]])
def test_levels_may_be_numbers_and_be_told_as_such(levels):
    assert create_custom_scorer(judge(2), "It is clear.", levels=levels).run(**ROW).score == 0.5


@pytest.mark.parametrize(("against", "field"), [("context", "context"), ("ground_truth", "ground_truth")])
def test_the_judge_sees_what_the_answer_is_held_against_and_nothing_more(against, field):
    row = {**ROW, "context": ["of the context"], "ground_truth": "of the truth"}
    seen = create_custom_scorer(judge("yes"), "It agrees.", against=against).run(**row).analyze_prompt
    unseen = create_custom_scorer(judge("yes"), "It agrees.").run(**row).analyze_prompt
    assert ("of the context" in seen, "of the truth" in seen) == (field == "context", field == "ground_truth")
    assert "of the context" not in unseen
    assert "of the truth" not in unseen


def test_a_row_without_what_the_answer_is_held_against_is_not_scored():
    nobody = ScriptedJudge()
    assert create_custom_scorer(nobody, "c", against="context").run(**ROW).reason == "this run has no context"
    failed = create_custom_scorer(nobody, "c", against="ground_truth").run(**ROW)
    assert (failed.error.kind, nobody.asked) == ("missing_ground_truth", [])


@pytest.mark.parametrize("output", ["", " \n", None, [{"role": "assistant", "content": ""}]])
def test_an_empty_output_is_not_scorable_and_asks_nobody(output):
    nobody = ScriptedJudge()
    result = create_custom_scorer(nobody, "c").run(input="q", output=output)
    assert (result.status, result.reason, nobody.asked) == ("not_scorable", "the output is empty", [])


@pytest.mark.parametrize(
    ("replies", "kind"),
    [
        ({"verdicts": [{"number": 1, "reason": "r", "level": "yes"}]}, "incomplete_reply"),
        ({"verdicts": [{"number": n, "reason": "r", "level": "mostly"} for n in (1, 2)]}, "unknown_label"),
        ({"verdicts": []}, "incomplete_reply"),
        ("It is fine.", "format"),
        ({"verdicts": [{"number": n, "level": "yes"} for n in (1, 2)]}, "format"),
    ],
)
def test_a_judge_that_does_not_answer_what_was_asked_fails_the_row(replies, kind):
    result = create_custom_scorer(ScriptedJudge(analyze=replies), ["a", "b"]).run(**ROW)
    assert (result.status, result.score, result.error.kind) == ("failed", None, kind)


def test_what_was_left_out_is_asked_for_again_and_prose_and_fences_are_read():
    one = {"verdicts": [{"number": 2, "reason": "r", "level": "yes"}]}
    both = f"Here:\n```json\n{json.dumps({'verdicts': [{'number': 1, 'reason': 'r', 'level': 'NO'}]})}\n```"
    asked = ScriptedJudge(analyze=[one, both])
    assert create_custom_scorer(asked, ["a", "b"]).run(**ROW).score == 0.5
    assert "nothing about number 1" in asked.prompts("analyze")[1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"criterion": " "}, "criterion: expected a text that is not blank"),
        ({"criterion": []}, "criterion: expected 1 or more"),
        ({"criterion": 3}, "criterion: expected a text"),
        ({"criterion": "c", "levels": {"good": "x"}}, "levels: expected 2 or more"),
        ({"criterion": "c", "levels": ["Good", "good"]}, "levels: expected words that differ"),
        ({"criterion": "c", "levels": {"a": 1, "b": 2}}, "levels: expected words"),
        ({"criterion": "c", "levels": ['say "a"', "b"]}, "levels: expected words"),
        ({"criterion": "c", "levels": "good, bad"}, "levels: expected words"),
        ({"criterion": "c", "steps": ["a", 2]}, "steps: expected a text"),
        ({"criterion": "c", "against": "question"}, "against: expected one of context, ground_truth"),
        ({"criterion": "c", "scale": 0}, "scale: expected a finite number above 0"),
        ({"criterion": "c", "criteria": "c"}, "did you mean 'criterion'"),
        ({}, "custom needs the option 'criterion'"),
    ],
)
def test_wrong_options_are_refused_when_the_scorer_is_made(options, told):
    with pytest.raises(UsageError, match=told):
        Scorer.of(spec, ScriptedJudge(), options=options)


def test_two_scorers_are_told_apart_by_what_they_ask_or_by_names_of_their_own():
    asked = [create_custom_scorer(judge("yes"), c) for c in ("The answer is polite.", "The answer names a source.")]
    assert [*run_evals([ROW], asked).scores] == [
        "custom[criterion=The answer is polite.]",
        "custom[criterion=The answer names a source.]",
    ]
    named = [create_custom_scorer(judge("yes"), "The answer is polite.", label=label) for label in ("polite", "丁寧さ")]
    assert [*run_evals([ROW], named).scores] == ["polite", "丁寧さ"]


def test_criteria_and_answers_of_any_script_reach_the_judge_as_they_are():
    asked = judge("yes")
    levels = {"いいえ": "違う", "yes": ""}
    result = create_custom_scorer(asked, "回答は丁寧である。", levels=levels).run(output="كيف حالك؟")
    assert result.score == 1.0
    for text in ("回答は丁寧である。", "كيف حالك؟", "- いいえ: 違う"):
        assert text in result.analyze_prompt


def test_the_command_line_and_the_settings_of_a_run_need_no_python(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text(json.dumps({"id": "1", **ROW}), encoding="utf-8")
    Path("judges.py").write_text(
        "from scorer_core.testing import Example, ScorerConformance, ScriptedJudge\n"
        'def one(): return ScriptedJudge(analyze={"verdicts": [{"number": 1, "reason": "r", "level": "good"}]})\n'
    )
    Path("scorer.toml").write_text(
        '[[scorer]]\nid = "custom"\nlabel = "kind"\ncriterion = "The answer is kind."\n'
        '[scorer.levels]\nbad = "it is not"\nfair = ""\ngood = "it is"\n',
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    model = ["--model", "python:judges:one", "--quiet"]
    assert main(["run", "rows.jsonl", *model, "--gate", "kind>=1"]) == 0
    typed = 'custom:criterion="Is kind, or tries.",levels=["bad","good"],label="sources named"'
    told = ["--scorer", typed, "--gate", "sources named>=1", "--out", "b.jsonl"]
    assert main(["run", "rows.jsonl", *model, *told]) == 0
    assert main(["run", "rows.jsonl", *model, "--scorer", "custom:criterion=Is it, levels=[good]"]) == 2
    results = [json.loads(Path(name).read_text("utf-8")) for name in ("results.jsonl", "b.jsonl")]
    assert [(r["scorer_label"], r["score"]) for r in results] == [("kind", 1.0), ("sources named", 1.0)]


class TestCustomIsAScorer(ScorerConformance):
    spec = spec
    examples = (
        Example(
            Run(input="Is tea healthy?", output="Thank you! Studies say so."),
            answers=(
                {
                    "verdicts": [
                        {"number": 1, "reason": "r", "level": "yes"},
                        {"number": 2, "reason": "r", "level": "no"},
                    ]
                },
            ),
            options={"criterion": ["It is polite.", "It names a source."]},
            score=0.5,
        ),
        Example(
            Run(output="Go away."),
            answers=({"verdicts": [{"number": 1, "reason": "r", "level": "no"}]},),
            options={"criterion": "It is polite."},
            score=0.0,
        ),
    )
