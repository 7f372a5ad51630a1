"""Real files as users have them, and all sets of labelled data, read as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorer_core import RunResult, run_evals
from scorer_core.contract.errors import Failed
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer
from scorer_runner.reading.columns import columns
from scorer_runner.reading.forms import find_data
from scorer_runner.reading.looking import Looked, look_at

SHARED = Path(__file__).parents[6] / "shared" / "data"
SETS = sorted(path.name for path in SHARED.glob("*.jsonl"))
pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data: looked for {SHARED}")


def looked(name: str, maps: tuple[str, ...] = (), splits: tuple[str, ...] = (), rows_at: str | None = None) -> Looked:
    return look_at(find_data([str(SHARED / name)], rows_at=rows_at), columns(maps, splits), limit=None)


def rows(found: Looked) -> list[Any]:
    read = list(found.rows)
    assert found.problems == []
    assert not any(isinstance(row, Failed) for row in read)
    assert found.total == len(read)
    return read


def scored(found: Looked) -> tuple[RunResult, ...]:
    judge = ScriptedJudge(
        preprocess={"claims": ["a claim"]},
        analyze={"verdicts": [{"number": 1, "reason": "it says so", "chunk": 1, "verdict": "yes"}]},
    )
    return run_evals(rows(found), create_faithfulness_scorer(model=judge, reasons="none")).results


@pytest.mark.parametrize("name", SETS)
def test_every_set_is_read_whole_by_our_own_names(name: str) -> None:
    given = [json.loads(line) for line in (SHARED / name).read_text(encoding="utf-8").splitlines()]
    found = looked(name)
    assert found.known is None
    read = rows(found)
    fields = ("id", "input", "output", "context", "ground_truth")
    assert [[row[f] for f in fields] for row in read] == [[row[f] for f in fields] for row in given]
    assert [row["metadata"]["label"] for row in read] == [row["label"] for row in given]


def test_there_are_sets() -> None:
    assert len(SETS) == 27
    assert len(list((SHARED / "raw").iterdir())) == 6


@pytest.mark.parametrize("name", ["tau_airline.jsonl", "raw/tau_airline_chats.jsonl"])
def test_chats_have_their_tool_results_as_context(name: str) -> None:
    chats = [row["messages"] for row in rows(looked(name))]
    for messages, result in zip(chats, scored(looked(name)), strict=True):
        said = [message for message in messages if message["role"] == "tool"]
        tools = [name for name, *_ in dict.fromkeys((m["name"], m["tool_call_id"], m["content"]) for m in said)]
        assert result.status == ("scored" if tools else "not_scorable")
        assert result.context_source == "tool_results" or not tools
        assert [json.loads(chunk)["tool"] for chunk in result.context or ()] == tools
    assert any(message["role"] == "tool" for messages in chats for message in messages)


def test_chats_without_an_answer_or_tool_results_are_not_scorable() -> None:
    assert {(r.status, r.reason) for r in scored(looked("bfcl_calls.jsonl"))} == {
        ("not_scorable", "the output is empty")
    }


def test_a_table_of_questions_is_read_by_map() -> None:
    read = rows(looked("raw/ragas_hf_doc_qa_eval.csv", ("input=question", "ground_truth=expected_answer")))
    assert len(read) == 66
    assert read[0]["input"] == "What architecture is the `tokenizers-linux-x64-musl` binary designed for?\n"
    assert [n for n, row in enumerate(read) if row["ground_truth"] is None] == [49]
    assert [row["metadata"] for row in read if row["metadata"]] == [{"column 3": "64"}]


def test_goldens_of_deepeval_are_recognised_and_split_where_asked() -> None:
    found = looked("raw/deepeval_goldens.csv", splits=("context=|",))
    first = rows(found)[0]
    assert found.known is not None
    assert found.known.name == "deepeval"
    assert (first["output"], first["ground_truth"]) == ("Mount Everest", "Mount Everest")
    assert first["context"] == ["Mountain heights list", "Moutain list"]
    assert first["metadata"]["context"] == "Geography|Mountains"
    assert len(rows(looked("raw/deepeval_goldens.csv"))) == 15


def test_truths_joined_by_semicolons_are_split_where_asked() -> None:
    maps = ("input=Question", "output=Best Answer", "ground_truth=Correct Answers")
    read = rows(looked("raw/truthfulqa_demo_bom.csv", maps, ("ground_truth=;",)))
    assert read[0]["ground_truth"][:2] == ["Nothing happens", "You eat watermelon seeds"]
    assert read[0]["metadata"]["Type"] == "Adversarial"
    assert isinstance(rows(looked("raw/truthfulqa_demo_bom.csv", maps))[0]["ground_truth"], str)


def test_questions_inside_paragraphs_are_rows_with_the_paragraph_as_their_context() -> None:
    data = json.loads((SHARED / "raw/squad_v2_small.json").read_text(encoding="utf-8"))["data"]
    asked = [(p["context"], q) for part in data for p in part["paragraphs"] for q in p["qas"]]
    maps = ("input=question", "ground_truth=answers[].text")
    read = rows(looked("raw/squad_v2_small.json", maps, rows_at="data[].paragraphs[].qas[]"))
    assert [(row["id"], row["context"], row["input"]) for row in read] == [
        (q["id"], context, q["question"]) for context, q in asked
    ]
    assert [row["ground_truth"] for row in read] == [[a["text"] for a in q["answers"]] for _, q in asked]
    beside = {"answers": [{"answer_start": 159}]}
    assert read[0]["metadata"] == {"title": "Normans", "is_impossible": False, **beside}


def test_a_json_list_is_read_and_its_plain_answer_is_taken_for_nothing_unasked() -> None:
    found = looked("raw/jemhopqa_dev_ja.json")
    assert found.known is None
    assert found.found.met == set()
    read = rows(looked("raw/jemhopqa_dev_ja.json", ("id=qid", "input=question", "ground_truth=answer")))
    assert (read[0]["id"], read[0]["ground_truth"]) == (
        "2138f0638f363e75593d09df560db76c",
        "ファイナルファンタジーXIII",
    )
    assert len(read) == len(json.loads((SHARED / "raw/jemhopqa_dev_ja.json").read_text(encoding="utf-8")))
