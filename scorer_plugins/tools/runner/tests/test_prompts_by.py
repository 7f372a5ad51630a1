"""`--prompts-by`: rows of some values are judged with other packs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXTENDS = '{% extends "default/faithfulness/analyze.j2" %}'


@pytest.fixture
def pack(folder: Path) -> Callable[..., str]:
    """A function that makes a pack with other first words for faithfulness's analyze step."""

    def make(name: str, words: str, version: str = "1.0") -> str:
        place = folder / name / "faithfulness"
        place.mkdir(parents=True)
        (place / "analyze.j2").write_text(f"{EXTENDS}{{% block task %}}{words}{{% endblock %}}", encoding="utf-8")
        (folder / name / "pack.toml").write_text(f'name = "{name}"\nversion = "{version}"\n', encoding="utf-8")
        return name

    return make


def row(lang: str | None, id: str) -> dict[str, Any]:
    return {"id": id, "output": "A claim.", "context": ["c"], **({"lang": lang} if lang else {})}


@pytest.fixture
def data(rows: Any) -> str:
    told: str = rows(row("ja", "1"), row("en", "2"), row(None, "3"))
    return told


JUDGED = ("--scorer", "faithfulness", "--model", "python:judge_of_tests:judge")


def test_each_row_is_judged_with_the_packs_of_its_value_and_the_run_says_which(
    scorer: Any, pack: Any, data: str, results: Any, folder: Path
) -> None:
    ja, usual = pack("ja_words", "判定"), pack("usual", "Judge.", "2.1")
    told = scorer("run", data, *JUDGED, "--prompts", usual, "--prompts-by", f"lang=ja:{ja}")
    assert told.code == 0, told.err
    assert {r["row_id"]: r["templates"]["analyze"][0]["pack"] for r in results()} == {"1": ja, "2": usual, "3": usual}
    described = json.loads((folder / "results.jsonl.run.json").read_text(encoding="utf-8"))
    assert described["packs"] == [
        {"pack": "usual", "name": "usual", "version": "2.1"},
        {"pack": "ja_words", "name": "ja_words", "version": "1.0"},
    ]
    templates = described["scorers"][0]["templates"]
    assert templates["faithfulness/analyze.j2"] != templates["lang=ja"]["faithfulness/analyze.j2"]


def test_a_value_that_comes_again_has_its_packs_in_order(scorer: Any, pack: Any, data: str, results: Any) -> None:
    first, second = pack("first", "FIRST"), pack("second", "SECOND")
    by = ("--prompts-by", f"lang=ja:{first}", "--prompts-by", f"lang=ja:{second}", "--prompts-by", f"lang=en:{second}")
    assert scorer("run", data, *JUDGED, *by).code == 0
    told = {r["row_id"]: r["templates"]["analyze"][0]["pack"] for r in results()}
    assert told == {"1": "first", "2": "second", "3": "default"}


def test_other_words_for_a_value_make_another_run(scorer: Any, pack: Any, data: str, folder: Path) -> None:
    ja = pack("ja_words", "判定")
    ordered = ("run", data, *JUDGED, "--prompts-by", f"lang=ja:{ja}")
    assert scorer(*ordered).code == 0
    assert scorer(*ordered, "--resume").code == 0
    (folder / "ja_words/faithfulness/analyze.j2").write_text(EXTENDS, encoding="utf-8")
    told = scorer(*ordered, "--resume")
    assert told.code == 2
    assert "scorer faithfulness: templates.lang=ja.faithfulness/analyze.j2: " in told.err


WRONG = {
    "lang=ja": "expected COLUMN=VALUE:PACK, as in --prompts-by lang=ja:ja",
    "lang:ja=ja": "expected COLUMN=VALUE:PACK",
    "=ja:words": "expected COLUMN=VALUE:PACK",
    "lang=:words": "expected COLUMN=VALUE:PACK",
    "lnag=ja:words": "no row has 'lnag' in its metadata (did you mean 'lang'?) (columns: id, output, context, lang)",
    "lang=jp:words": "no row has lang 'jp' (there are: ja, en, (none))",
    "lang=ja:nowhere": "no folder 'nowhere' with templates",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_told_before_the_first_call(
    scorer: Any, pack: Any, data: str, text: str, folder: Path
) -> None:
    pack("words", "判定")
    told = scorer("run", data, *JUDGED, "--prompts-by", text)
    assert told.code == 2
    assert WRONG[text] in told.err
    assert not (folder / "results.jsonl").exists()


def test_two_columns_are_told(scorer: Any, pack: Any, data: str) -> None:
    pack("words", "判定")
    told = scorer("run", data, *JUDGED, "--prompts-by", "lang=ja:words", "--prompts-by", "id=1:words")
    assert (told.code, "one column tells which packs a row has, got lang, id" in told.err) == (2, True)


def test_a_template_of_any_value_is_checked_before_the_first_call(scorer: Any, pack: Any, data: str) -> None:
    told = scorer("run", data, *JUDGED, "--prompts-by", f"lang=ja:{pack('words', '{{ anwser }}')}")
    assert (told.code, "faithfulness/analyze.j2, line 1: uses 'anwser'" in told.err) == (2, True)


def test_standard_input_is_not_looked_through_for_values(process: Any, pack: Any) -> None:
    pack("words", "判定")
    line = json.dumps(row("en", "1")).encode()
    told = process("run", "-", *JUDGED, "--prompts-by", "lang=ja:words", "--out", "-", stdin=line)
    assert told.code == 0, told.err


def test_a_file_that_nothing_reads_and_a_pack_for_another_version_are_warned_about(
    process: Any, pack: Any, data: str, folder: Path
) -> None:
    pack("words", "Judge.")
    (folder / "words/faithfullness").mkdir()
    (folder / "words/faithfullness/analyze.j2").write_text("x", encoding="utf-8")
    (folder / "words/pack.toml").write_text('[scorers]\nfaithfulness = ">=7"\n', encoding="utf-8")
    told = process("run", data, *JUDGED, "--prompts", "words")
    assert told.code == 0, told.err
    warned = [line for line in told.err.splitlines() if line.startswith("warning: pack")]
    assert len(warned) == 2
    assert "warning: pack 'words' was made for faithfulness >=7, this is" in warned[0]
    assert warned[1] == (
        "warning: pack words: nothing reads faithfullness/analyze.j2; did you mean faithfulness/analyze.j2?"
    )
    assert "warning" not in process("run", data, *JUDGED, "--prompts", "words", "--quiet").err
