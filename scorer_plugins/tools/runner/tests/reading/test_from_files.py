"""Whole runs from files of every form; what is wrong with them ends in one message, exit code 2, and no file."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

GOOD = {"id": "g", "input": "q", "output": "fine", "context": ["c"]}


def written(name: str, data: bytes | str) -> str:
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return name


BAD = {
    "an empty file": ("d.jsonl", b"", "no rows in d.jsonl"),
    "an empty table": ("d.csv", b"output\n", "no rows in d.csv"),
    "an empty JSON file": ("d.json", b" \n", "no rows in d.json"),
    "semicolons": ("d.csv", "output;context\na;b\n", "its cells seem to be separated by semicolons; "),
    "tabs": ("d.csv", "output\tcontext\na\tb\n", "its cells seem to be separated by tabs; name the file .tsv"),
    "a binary file": ("d.jsonl", bytes(range(256)), "d.jsonl is a binary file (byte 1 is zero), not text"),
    "ragged rows": ("d.csv", "output,context\na\nb,c\nd,e,f\n", "line 2 (row 1): 1 cells for 2 columns"),
    "a trailing comma": ("d.jsonl", '{"output": "a",}\n', 'line 1 (row 1): not JSON at column'),
    "a comma in a list": ("d.json", "[\n{},\n]", "d.json, line 2, column 3: not JSON (a comma stands before"),
    "another encoding": ("d.csv", "output\ncafé\n".encode("cp1252"), "line 2 (row 1): output: not utf-8: byte 0xe9"),
    "a packed file cut off": ("d.jsonl.gz", gzip.compress(b'{"output": "a"}\n' * 9)[:-9], "d.jsonl.gz can't be read"),
    "duplicated ids": ("d.jsonl", f"{json.dumps(GOOD)}\n" * 2, "'g': line 1 (row 1), line 2 (row 2)"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_told_with_its_place_and_no_file_is_touched(scorer: Any, judged: Any, what: str) -> None:
    name, data, message = BAD[what]
    told = scorer("run", written(name, data), *judged)
    assert (told.code, told.out) == (2, "")
    assert message in told.err
    assert told.err.startswith("scorer: ")
    assert [path.name for path in Path().iterdir()] == [name]


def test_a_folder_is_told_with_how_to_name_its_files(scorer: Any, judged: Any) -> None:
    Path("rows").mkdir()
    told = scorer("run", "rows", *judged)
    assert told.code == 2
    assert "'rows' is a folder; name a file in it, or all of a kind: " in told.err


@pytest.mark.skipif(os.name == "nt", reason="no pipes with names")
def test_a_pipe_with_a_name_is_not_waited_for(scorer: Any, judged: Any) -> None:
    os.mkfifo("pipe.jsonl")
    told = scorer("run", "pipe.jsonl", *judged)
    assert (told.code, "'pipe.jsonl' is no file on a disk" in told.err) == (2, True)


def test_R072_R076_all_that_is_wrong_with_a_file_is_told_at_once(scorer: Any, rows: Any, judged: Any) -> None:
    bad = [
        {"id": 1, "response": "r", "contexts": [1, None]},
        "{",
        {"id": 1, "response": "r"},
        {"id": 1, "response": "r"},
    ]
    told = scorer("run", rows(*bad), *judged, "--map", "context=contexts")
    assert told.code == 2
    for part in (
        "line 1 (row 1): contexts, item 2: expected a text, got null",
        "line 2 (row 2): not JSON at column 2",
        "'1': line 3 (row 3), line 4 (row 4)",
        "output   for faithfulness, hallucination",
        "--map output=response",
    ):
        assert part in told.err


def test_files_of_several_forms_are_one_run_and_their_digest_covers_all(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    rows({**GOOD, "id": "1"}, name="a.jsonl")
    written("b.json", json.dumps([{**GOOD, "id": "2"}]))
    written("c.csv.gz", gzip.compress(b"id,output,context\n3,fine,\"['x', 'y']\"\n"))
    assert scorer("run", "a.jsonl", "[bc].*", *judged, "--concurrency", "1").code == 0
    assert [(r["row_id"], r["index"]) for r in results()[::2]] == [("1", 0), ("2", 1), ("3", 2)]
    assert results()[-1]["context"] == ["x", "y"]
    told = json.loads(Path("results.jsonl.run.json").read_text("utf-8"))["data"]
    assert told["path"] == ["a.jsonl", "b.json", "c.csv.gz"]
    written("b.json", json.dumps([{**GOOD, "id": "other"}]))
    again = scorer("run", "a.jsonl", "[bc].*", *judged, "--resume")
    assert again.code == 2
    assert "data.sha256: " in again.err


def test_all_that_changes_how_rows_are_read_is_told_when_going_on(scorer: Any, rows: Any, judged: Any) -> None:
    source = rows(GOOD)
    assert scorer("run", source, *judged).code == 0
    changed = ("--set", "input=x", "--encoding", "cp1252", "--id-duplicates", "number")
    told = scorer("run", source, *judged, *changed, "--resume")
    assert told.code == 2
    for name in ("columns.set", "data.encoding", "data.id_duplicates"):
        assert f"{name}: " in told.err


def test_a_scorer_reads_its_own_context(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    source = rows({**GOOD, "seen": [{"body": "s", "page": 1}]})
    args = ("--map", "hallucination.context=seen[].body", "--set", "input=the same")
    assert scorer("run", source, *judged, *args).code == 0
    told = {r["scorer_label"]: (r["context"], r["input"], r["row_id"]) for r in results()}
    assert told == {
        "faithfulness": (["c"], "the same", "g"),
        "hallucination": ([{"text": "s", "metadata": {"page": 1}}], "the same", "g"),
    }


def test_what_is_expected_of_the_way_is_read_from_any_column_and_for_one_scorer_alone(
    scorer: Any, rows: Any, results: Any
) -> None:
    said = [{"role": "assistant", "content": "", "tool_calls": [{"name": "look", "args": {}, "id": "1"}]}]
    source = rows({"id": "r", "output": said, "gold": {"way": ["look"]}, "short": '["book"]'})
    how = ("--scorer", "tool_call_accuracy_code", "--scorer", "tool_call_accuracy_code:label=short")
    maps = ("--map", "expected_trajectory=gold.way", "--map", "short.expected_trajectory=short")
    told = scorer("run", source, *how, *maps)
    assert told.code == 0, told.err
    assert {r["scorer_label"]: (r["score"], r["metadata"]["expected_trajectory"]) for r in results()} == {
        "tool_call_accuracy_code": (1.0, ["look"]),
        "short": (0.0, ["book"]),
    }
    told = scorer("run", source, *how, "--map", "expected_trajectory=glod")
    assert "--map expected_trajectory=glod: no column 'glod' (did you mean 'gold'?)" in told.err


def test_what_is_expected_in_a_cell_of_a_table_is_read_as_the_list_it_is(scorer: Any, results: Any) -> None:
    said = json.dumps([{"role": "assistant", "content": "", "tool_calls": [{"name": "look", "args": {}, "id": "1"}]}])
    source = written("d.tsv", f"messages\tway\n{said}\t['look']\n")
    told = scorer("run", source, "--scorer", "tool_call_accuracy_code", "--map", "expected_trajectory=way")
    assert told.code == 0, told.err
    assert results()[0]["score"] == 1.0


def test_a_map_for_a_scorer_nobody_asked_for_is_wrong(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD), *judged, "--map", "bias.context=context")
    assert told.code == 2
    assert "--map bias.context=context: no scorer 'bias' is asked for" in told.err


def test_recognised_columns_are_told_of_unless_quiet(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    source = rows({"user_input": "q", "response": "fine", "retrieved_contexts": ["c"], "reference": "g"})
    told = scorer("run", source, *judged)
    assert told.code == 0
    assert "columns are read as those of ragas: input from 'user_input', output from 'response'" in told.err
    assert (results()[0]["output"], results()[0]["ground_truth"]) == ("fine", "g")
    known = json.loads(Path("results.jsonl.run.json").read_text("utf-8"))["columns"]["known"]
    assert known["context"] == "retrieved_contexts"
    assert scorer("run", source, *judged, "--quiet").err == ""


def test_ids_are_numbered_where_asked(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    assert scorer("run", rows(GOOD, GOOD), *judged, "--id-duplicates", "number").code == 0
    assert {r["row_id"] for r in results()} == {"g", "g-2"}


def test_the_file_can_be_of_another_encoding(scorer: Any, judged: Any, results: Any) -> None:
    source = written("d.csv", "output,context\n犬,猫\n".encode("shift_jis"))
    assert scorer("run", source, *judged, "--encoding", "shift_jis").code == 0
    assert (results()[0]["output"], results()[0]["context"]) == ("犬", ["猫"])


def test_packed_rows_come_from_standard_input(process: Any, judged: Any) -> None:
    told = process("run", "-", *judged, "--out", "-", stdin=gzip.compress(json.dumps(GOOD).encode()))
    assert (told.code, len(told.out.splitlines())) == (0, 2), told.err
