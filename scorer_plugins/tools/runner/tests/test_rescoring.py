"""Results scored anew: which rows they are of, and which calls that spares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from scorer_core import Scorer, UsageError
from scorer_core.evals import run_evals
from scorer_core.plugins import load_scorer
from scorer_core.testing import ScriptedJudge
from scorer_runner.reading.forms import find_results
from scorer_runner.reading.results import places, row_again
from scorer_runner.results.rescoring import begun_at

ROW = {"id": "r1", "input": "q?", "output": "Sales fell.", "context": ["Sales fell."], "metadata": {"lang": "en"}}
CLAIMS = {"claims": ["Sales fell."]}


def verdict(word: str) -> dict[str, Any]:
    return {"verdicts": [{"number": 1, "reason": "so", "chunk": 1, "verdict": word}]}


def scored(judge: ScriptedJudge, *rows: dict[str, Any], spec: Any = None) -> list[dict[str, Any]]:
    report = run_evals(rows, Scorer.of(spec or load_scorer("faithfulness"), judge))
    return [result.to_dict() for result in report.results]


def first_run() -> list[dict[str, Any]]:
    return scored(ScriptedJudge(preprocess=CLAIMS, analyze=verdict("no"), generate_reason="Because."), ROW)


def written(results: list[dict[str, Any]], path: Path) -> Path:
    path.write_text("".join(f"{json.dumps(result)}\n" for result in results), encoding="utf-8")
    return path


def test_a_changed_analyze_step_needs_no_new_claims() -> None:
    judge = ScriptedJudge(analyze=verdict("yes"), generate_reason="Now so.")
    (again,) = scored(judge, row_again(first_run()), spec=begun_at(load_scorer("faithfulness"), "analyze"))
    assert (again["score"], again["preprocess_step_result"], again["row_id"]) == (1.0, ["Sales fell."], "r1")
    assert [*again["judge"]] == ["analyze", "generate_reason"]
    assert again["notes"] == ["preprocess: as stored"]
    assert again["metadata"] == {"lang": "en"}


def test_a_changed_formula_needs_no_new_verdicts() -> None:
    judge = ScriptedJudge(generate_reason="Still so.")
    (again,) = scored(judge, row_again(first_run()), spec=begun_at(load_scorer("faithfulness"), "generate_score"))
    assert (again["score"], again["analyze_step_result"]) == (0.0, first_run()[0]["analyze_step_result"])
    assert [*again["judge"]] == ["generate_reason"]


def test_what_code_adds_to_a_reply_is_made_anew_by_the_options_of_now() -> None:
    one = {"number": 1, "reasoning": "so", "relevance_level": "high", "was_used": False}
    said = {"evaluations": [one], "missing_context": [], "overall_assessment": "Fair."}
    spec = load_scorer("context_relevance")
    first = scored(ScriptedJudge(analyze=said, generate_reason="So."), ROW, spec=spec)
    scorer = Scorer.of(
        begun_at(spec, "generate_score"), reasons="none", unused_high_relevance_context=0.5, model=ScriptedJudge()
    )
    (again,) = (r.to_dict() for r in run_evals([row_again(first)], scorer).results)
    assert [(r["score"], r["analyze_step_result"]["unused_penalty"]) for r in (*first, again)] == [
        (0.9, 0.1),
        (0.5, 0.5),
    ]


def test_what_was_not_stored_is_asked_anew_and_noted() -> None:
    failed = {**first_run()[0], "preprocess_step_result": None}
    judge = ScriptedJudge(preprocess=CLAIMS, analyze=verdict("yes"), generate_reason="Now so.")
    (again,) = scored(judge, row_again([failed]), spec=begun_at(load_scorer("faithfulness"), "analyze"))
    assert (again["score"], again["notes"]) == (1.0, ["preprocess: nothing that fits was stored; asked anew"])


def test_verdicts_on_other_claims_are_asked_anew() -> None:
    """As where the claims that are stored were changed by hand."""
    changed = {**first_run()[0], "preprocess_step_result": ["Sales rose."]}
    judge = ScriptedJudge(analyze=verdict("no"), generate_reason="So.")
    (again,) = scored(judge, row_again([changed]), spec=begun_at(load_scorer("faithfulness"), "generate_score"))
    assert again["notes"] == ["preprocess: as stored", "analyze: nothing that fits was stored; asked anew"]


@pytest.mark.parametrize("stored", ["Sales fell.", {"claims": "Sales fell."}, [1], {"other": []}, 7])
def test_what_does_not_fit_is_never_read_as_something_else(stored: Any) -> None:
    other = {**first_run()[0], "preprocess_step_result": stored}
    judge = ScriptedJudge(preprocess=CLAIMS, analyze=verdict("yes"), generate_reason="Now so.")
    (again,) = scored(judge, row_again([other]), spec=begun_at(load_scorer("faithfulness"), "analyze"))
    assert (again["preprocess_step_result"], "preprocess" in again["judge"]) == (["Sales fell."], True)


def test_of_several_ground_truths_the_units_are_asked_anew() -> None:
    """Those of one alone were stored."""
    units = {"output_units": ["a"], "ground_truth_units": ["a"]}
    match = {"number": 1, "explanation": "so", "output_unit": 1, "match_type": "exact"}
    found = {"matches": [match], "extra_in_output": [], "contradictions": []}
    judge = ScriptedJudge(preprocess=units, analyze=found, generate_reason="So.")
    spec, row = load_scorer("answer_similarity"), {"output": "a", "ground_truth": ["a", "b"]}
    before = scored(judge, row, spec=spec)
    (again,) = scored(judge, row_again(before), spec=begun_at(spec, "analyze"))
    assert "preprocess: nothing that fits was stored; asked anew" in again["notes"]
    (one,) = scored(judge, row_again([{**before[0], "ground_truth": "a"}]), spec=begun_at(spec, "analyze"))
    assert "preprocess: as stored" in one["notes"]


def test_two_scorers_of_one_id_each_have_what_was_theirs() -> None:
    spec, judge = load_scorer("custom"), ScriptedJudge(analyze=lambda m: rating(m))
    criteria = {"named": "It names a source.", "polite": "It is polite."}

    def made(spec_of: Any, **how: Any) -> list[dict[str, Any]]:
        scorers = [Scorer.of(spec_of(n), judge, options={"criterion": c}, label=n) for n, c in criteria.items()]
        return [r.to_dict() for r in run_evals([how.get("row", ROW)], scorers).results]

    def rating(messages: Any) -> Any:
        word = "yes" if "polite" in str(messages) else "no"
        return {"verdicts": [{"number": 1, "reason": word, "level": word}]}

    first = made(lambda _: spec)
    assert {r["scorer_label"]: r["score"] for r in first} == {"named": 0.0, "polite": 1.0}
    again = made(lambda name: begun_at(spec, "generate_score", name), row=row_again(first))
    assert {r["scorer_label"]: (r["score"], [*r["judge"]]) for r in again} == {
        "named": (0.0, []),
        "polite": (1.0, []),
    }
    unnamed = made(
        lambda _: begun_at(spec, "generate_score"), row=row_again([{**r, "scorer_label": "x"} for r in first])
    )
    assert [r["score"] for r in unnamed] == [0.0, 1.0]
    assert not any("analyze" in r["judge"] for r in unnamed)


def test_the_results_of_a_row_are_found_wherever_they_stand(tmp_path: Path) -> None:
    made = [{**first_run()[0], "index": index, "scorer_id": id} for id in ("a", "b") for index in (2, 0, 1)]
    rows = [[(r["index"], r["scorer_id"]) for r in row] for row in places(written(made, tmp_path / "r.jsonl")).rows()]
    assert rows == [[(n, "a"), (n, "b")] for n in range(3)]


def test_a_last_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    whole = written([{**first_run()[0], "index": n} for n in range(2)], tmp_path / "r.jsonl")
    whole.write_bytes(whole.read_bytes()[:-20])
    assert [row[0]["index"] for row in places(whole).rows()] == [0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no results in '"),
        ("{}\n", "line 1: not a result; expected a file of results, as scorer run writes them"),
        ('{"index": 0,\n', "line 1: not JSON"),
        ("[1]\n", "line 1: not a result"),
    ],
)
def test_a_file_of_something_else_is_told(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        places(tmp_path / "r.jsonl")


def test_packed_results_are_to_be_unpacked(tmp_path: Path) -> None:
    (file := tmp_path / "r.jsonl.gz").write_bytes(b"")
    with pytest.raises(UsageError, match=r"r\.jsonl\.gz': packed results can't be .*; unpack the file first"):
        find_results([str(file)])


def test_a_scorer_that_is_spared_nothing_says_so() -> None:
    spec = evolve(load_scorer("faithfulness"), preprocess=None, analyze=None)
    with pytest.raises(UsageError, match="--from-step analyze: faithfulness asks its judge nothing before that"):
        begun_at(spec, "analyze")


# The command line


AGAIN = ("rescore", "results.jsonl", "--scorer", "faithfulness", "--model", "python:judge_of_tests:judge")


@pytest.fixture
def done(scorer: Any, rows: Any, judged: Any) -> None:
    """The results of a run of two scorers."""
    good = {"input": "q?", "output": "an answer", "context": ["so it is"], "lang": "en"}
    scorer("run", rows({**good, "id": "r1"}, {**good, "id": "r2", "output": "a WRONG answer"}), *judged)


@pytest.mark.usefixtures("done")
def test_results_are_scored_anew_from_their_outputs(scorer: Any, results: Any) -> None:
    told = scorer(*AGAIN, "--out", "again.jsonl")
    assert (told.code, "2 judged" in told.out, "calls    6 made" in told.out) == (0, True, True)
    kept = ("row_id", "run_id", "input", "output", "context", "metadata", "score")
    before = [{k: r[k] for k in kept} for r in results() if r["scorer_id"] == "faithfulness"]
    assert sorted(({k: r[k] for k in kept} for r in results("again.jsonl")), key=str) == sorted(before, key=str)


@pytest.mark.usefixtures("done")
def test_from_analyze_on_no_claim_is_asked_for_again(scorer: Any, results: Any) -> None:
    told = scorer(*AGAIN, "--from-step", "analyze", "--out", "again.jsonl")
    assert (told.code, "calls    4 made" in told.out) == (0, True)
    assert all([*r["judge"]] == ["analyze", "generate_reason"] for r in results("again.jsonl"))
    assert all(r["notes"][0] == "preprocess: as stored" for r in results("again.jsonl"))


@pytest.mark.usefixtures("done")
def test_another_formula_asks_for_reasons_alone(scorer: Any, results: Any) -> None:
    told = scorer(*AGAIN, "--from-step", "generate_score", "--reasons", "none", "--out", "again.jsonl")
    assert (told.code, "calls    0 made" in told.out, "2 judged" in told.out) == (0, True, True)


@pytest.mark.usefixtures("done")
def test_a_stopped_rescoring_goes_on_and_one_from_another_step_is_another_run(scorer: Any, results: Any) -> None:
    scorer(*AGAIN, "--from-step", "analyze", "--out", "again.jsonl")
    path = Path("again.jsonl")
    path.write_text(path.read_text("utf-8").splitlines()[0] + "\n", encoding="utf-8")
    told = scorer(*AGAIN, "--from-step", "generate_score", "--out", "again.jsonl", "--resume")
    assert (told.code, 'again: "analyze" in the file, "generate_score" now' in told.err) == (2, True)
    assert scorer(*AGAIN, "--from-step", "analyze", "--out", "again.jsonl", "--resume").code == 0
    assert {r["row_id"] for r in results("again.jsonl")} == {"r1", "r2"}


@pytest.mark.usefixtures("done")
def test_what_can_not_be_scored_anew_is_told(scorer: Any, rows: Any) -> None:
    wrong = ("--from-step", "analyze", "--mode", "single", "--target", "python:json:dumps")
    told = scorer(*AGAIN, *wrong)
    assert told.code == 2
    assert "--from-step analyze: --mode single asks for all at once" in told.err
    assert "--target: results hold their outputs" in told.err
    told = scorer("rescore", rows({"output": "a"}), "--scorer", "faithfulness")
    assert (told.code, "rows.jsonl, line 1: not a result; expected a file of results" in told.err) == (2, True)
    assert scorer("rescore", "none.jsonl", "--scorer", "faithfulness").code == 2


def test_each_repeat_of_a_row_is_scored_anew_with_what_was_its_own(
    scorer: Any, rows: Any, judged: Any, results: Any, folder: Path
) -> None:
    (folder.parent / "modules" / "moody.py").write_text(
        "import itertools\nn = itertools.count()\n"
        "def agent(question): return 'a WRONG answer' if next(n) % 3 == 1 else f'answer {next(n)}'\n"
    )
    source = rows({"id": "a", "input": "q", "context": "c"}, {"id": "b", "input": "r", "context": "c"})
    how = ("--target", "python:moody:agent", "--repeats", "3")
    assert scorer("run", source, *judged, *how, "--concurrency", "1").code == 0
    told = scorer(*AGAIN, "--from-step", "analyze", "--out", "again.jsonl")
    assert told.code == 0, told.err
    assert "2 rows × 3 repeats" in told.out

    def kept(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        mine = [r for r in lines if r["scorer_id"] == "faithfulness"]
        return sorted((r["row_id"], r["repeat"], r["run_id"], r["output"], r["score"]) for r in mine)

    assert kept(results("again.jsonl")) == kept(results())
    assert len({r["output"] for r in results()}) > 2
    assert {tuple(r["judge"]) for r in results("again.jsonl")} == {("analyze", "generate_reason")}
    assert "--repeats 2: the results are of 3 repeats" in scorer(*AGAIN, "--repeats", "2", "--out", "other.jsonl").err
    less = [r for r in results() if (r["row_id"], r["repeat"]) != ("b", 2)]
    Path("less.jsonl").write_text("".join(f"{json.dumps(r)}\n" for r in less))
    told = scorer("rescore", "less.jsonl", *AGAIN[2:], "--out", "fewer.jsonl")
    assert (told.code, "there is no result of repeat 2 of this row" in told.err) == (3, True)


def test_results_without_their_texts_are_never_scored_as_if_digests_were_answers(
    scorer: Any, rows: Any, judged: Any
) -> None:
    source = rows({"input": "q?", "output": "an answer", "context": ["so it is"]})
    scorer("run", source, *judged, "--store", "digest")
    told = scorer(*AGAIN)
    assert (told.code, "results.jsonl, line 1: digests stand in place of its texts (--store digest)" in told.err) == (
        2,
        True,
    )
    scorer("run", source, *judged, "--store", "slim", "--out", "slim.jsonl")
    assert scorer("rescore", "slim.jsonl", *AGAIN[2:], "--from-step", "analyze", "--out", "again.jsonl").code == 0
