"""Prompts chosen row by row."""

from __future__ import annotations

import pytest

from scorer_core import Prompts, PromptsBy, Run, UsageError, run_evals
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer


@pytest.fixture
def pack(tmp_path):
    """A function that makes a pack with other first words for faithfulness's analyze step."""

    def make(name, words, block="task"):
        folder = tmp_path / name / "faithfulness"
        folder.mkdir(parents=True)
        text = f'{{% extends "default/faithfulness/analyze.j2" %}}{{% block {block} %}}{words}{{% endblock %}}'
        (folder / "analyze.j2").write_text(text, encoding="utf-8")
        return folder.parent

    return make


def judge():
    return ScriptedJudge(
        preprocess={"claims": ["a"]},
        analyze={"verdicts": [{"number": 1, "reason": "r", "verdict": "yes"}]},
        generate_reason="So.",
    )


def row(lang):
    return {"output": "a", "context": ["c"], "metadata": {"lang": lang} if lang else {}}


def test_each_row_has_the_prompts_of_its_value_and_its_result_says_which(pack):
    ja, usual = pack("ja", "判定してください。"), pack("usual", "Judge.")
    scorer = create_faithfulness_scorer(judge(), prompts=PromptsBy("lang", {"ja": ja}, usual))
    results = run_evals([row("ja"), row("en"), row(None)], scorer).results
    assert [r.analyze_prompt.split("\n")[0].split("-")[0] for r in results] == [
        "判定してください。",
        "Judge.",
        "Judge.",
    ]
    assert [r.templates["analyze"][0].pack for r in results] == [str(ja), str(usual), str(usual)]
    assert {r.templates["preprocess"][0].pack for r in results} == {"default"}


def test_a_value_that_is_no_text_is_named_by_its_json_and_a_dotted_column_looks_inside(pack):
    ja = Prompts(pack("ja", "判定"))
    by = PromptsBy("user.beta", {"true": ja})
    assert by.of(Run(metadata={"user": {"beta": True}})) is ja
    assert by.of(Run(metadata={"user": {"beta": "no"}})) == Prompts()


def test_the_templates_of_every_value_are_checked_when_the_scorer_is_made(pack):
    by = PromptsBy("lang", {"ja": pack("ja", "{{ anwser }}")})
    with pytest.raises(UsageError, match="uses 'anwser'"):
        create_faithfulness_scorer(judge(), prompts=by)


def test_a_summary_is_that_of_the_row(tmp_path):
    (tmp_path / "faithfulness").mkdir()
    (tmp_path / "faithfulness/summary.j2").write_text("要約", encoding="utf-8")
    by = PromptsBy("lang", {"ja": tmp_path})
    scorer = create_faithfulness_scorer(judge(), prompts=by, reasons="summary")
    told = [r.reason for r in run_evals([row("ja"), row("en")], scorer).results]
    assert told == ["要約", "1.0 of 1.0, higher is better; 1 claims were judged."]


def test_all_files_of_all_values_are_told(pack):
    ja = pack("ja", "判定")
    scorer = create_faithfulness_scorer(judge(), prompts=PromptsBy("lang", {"ja": ja}))
    files = scorer.prompts.files(scorer.spec, scorer.spec.asks.items())
    assert [(f.pack, f.file) for f in files if f.file == "faithfulness/analyze.j2"] == [
        ("default", "faithfulness/analyze.j2"),
        (str(ja), "faithfulness/analyze.j2"),
    ]
    assert len(set(files)) == len(files)
