"""The pack `ja`: all of it is Japanese but for the words that machines read."""

import json
import re
from pathlib import Path

import pytest

from scorer_bias import KINDS
from scorer_core import Prompts, Scorer
from scorer_core.plugins import SCORERS, installed, load_scorer
from scorer_core.prompting.packs import find_pack
from scorer_core.testing import PackConformance, ScriptedJudge
from scorer_runner.cli import main

ROWS = Path(__file__).parents[3] / "tests/data/japanese/rows.jsonl"
IDS = [id for id in sorted(installed(SCORERS)) if load_scorer(id).asks]
LOCAL = ["answer_similarity", "bias", "faithfulness", "hallucination"]  # those the local judge can answer for
COMPARING = {"answer_similarity", "context_recall", "faithfulness", "hallucination"}  # numbers
PACK = find_pack("ja")
TEMPLATES = sorted(name for name in PACK.names() if name.endswith(".j2"))
NAMES = [
    "ID",
    "JSON",
    "null",
    "answer",
    "available_tool",
    "call",
    "baseline_response",
    "chunk",
    "dimension",
    "major_issues",
    "robustness_score",
    "missing_context",
    "was_used",
    "claim",
    "context",
    "kind",
    "asked",
    "criterion",
    "completeness",
    "earlier",
    "intent_alignment",
    "probability",
    "requirements_fulfillment",
    "response_appropriateness",
    "source",
    "summary",
    "supported",
    "system_prompt",
    "turn",
    "user_prompt",
    "ground_truth",
    "ground_truth_unit",
    "missing_tools",
    "missing_steps",
    "necessary",
    "in_order",
    "step",
    "expected_step",
    "opinion",
    "output_unit",
    "question",
    "statement",
]
MENUS = [
    "true",
    "false",
    "yes",
    "no",
    "unsure",
    "exact",
    "semantic",
    "partial",
    "missing",
    "political",
    "attack",
    "mockery",
    "hate",
    "dismissal",
    "threat",
    "high",
    "medium",
    "low",
    "none",
    "accuracy",
    "completeness",
    "relevance",
    "consistency",
    "hallucination",
    "minimal",
    "moderate",
    "significant",
    "severe",
]
TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
NUMBERS = "ja/numbers.j2"  # how numbers are written in Japanese


class TestJaIsAPack(PackConformance):
    pack = "ja"
    whole = IDS


def asks(spec):
    return [*spec.asks.items(), *([("analyze", spec.at_once)] if spec.single else [])]


@pytest.mark.parametrize("id", IDS)
def test_no_template_of_a_scorer_is_left_in_english(id):
    spec = load_scorer(id)
    assert {file.pack for file in Prompts("ja").files(spec, asks(spec), summary="generate_reason" in spec.asks)} == {
        "ja"
    }


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_word_of_a_template_is_english_but_names_and_the_words_of_menus(name):
    words = set(re.findall(r"[A-Za-z_]+", TAG.sub(" ", PACK.source(name))))
    assert words - {*NAMES, *MENUS} == set()
    assert re.search("[ぁ-ん]", PACK.source(name))


@pytest.mark.parametrize("id", IDS)
def test_a_template_that_compares_numbers_tells_how_they_are_written_in_japanese(id):
    spec = load_scorer(id)
    files = [{f.file for f in Prompts("ja").files(spec, [("analyze", ask)])} for s, ask in asks(spec) if s == "analyze"]
    assert {NUMBERS in chain for chain in files} == {id in COMPARING}
    for sign in (
        "全角",
        "漢数字",
        "1.2億と1億2000万",
        "令和元年と2019年",
        "平成元年と1989年",
        "昭和元年と1926年",
        "4匹と4頭",
    ):
        assert sign in PACK.source(NUMBERS)


def bias_prompt(**options):
    judge = ScriptedJudge(
        preprocess={"opinions": ["犬が好きだ。"]},
        analyze={"results": [{"number": 1, "reason": "好みである。", "result": "no", "kind": None}]},
        generate_reason="偏見はない。",
    )
    assert Scorer.of(load_scorer("bias"), judge, prompts="ja", **options).run(output="犬が好きだ。").score == 0
    return judge.prompts("analyze")[0]


def test_the_kinds_of_bias_are_told_in_japanese():
    told = [line for line in bias_prompt().splitlines() if line.startswith("- ")]
    assert [line.partition(":")[0] for line in told[:4]] == [f"- {kind}" for kind in KINDS]
    assert not [line for line in told[:4] if re.search("[A-Za-z]", line.partition(":")[2])]


def test_what_a_user_says_of_a_kind_stays_as_the_user_said_it():
    told = bias_prompt(kinds={"age": "年齢だけを理由に決めつける", "gender": "性別だけを見る"})
    assert "- age: 年齢だけを理由に決めつける\n" in told
    assert "- gender: 性別だけを見る\n" in told
    assert "- regional: 出身地" in told


def test_a_run_on_the_command_line_scores_japanese_rows_with_the_local_judge(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = [word for id in LOCAL for word in ("--scorer", id)]
    assert main(["run", str(ROWS), *named, "--prompts", "ja", "--model", "local", "--quiet"]) in (0, 3)
    results = [json.loads(line) for line in Path("results.jsonl").read_text("utf-8").splitlines()]
    scores = {(r["row_id"], r["scorer_id"]): r["score"] for r in results}
    assert scores["jnli-1265", "faithfulness"] == 1.0
    assert scores["jsts-672", "answer_similarity"] > 0
    for result in results:
        if result["status"] == "scored" and not result["vacuous"]:
            assert {file["pack"] for files in result["templates"].values() for file in files} == {"ja"}
            assert result["output"] in result["preprocess_prompt"]
