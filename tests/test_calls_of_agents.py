"""Published logs of agents go through the checks of tools as they are."""

import json
import os
from pathlib import Path

import pytest

import scorer_checks as checks

ROOT = Path(__file__).parents[1]
DATA = (ROOT / os.environ.get("SCORER_DATA_DIR", "../shared/data")).resolve()


def rows(name):
    file = DATA / f"{name}.jsonl"
    if not file.is_file():
        pytest.skip(f"no labelled data: looked for {file} (SCORER_DATA_DIR)")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def run_of(row):
    return {field: row[field] for field in ("input", "output", "messages")}


def test_the_calls_of_whole_conversations_are_all_counted_in_their_order():
    for row in rows("tau_airline"):
        names = [c["function"]["name"] for m in row["messages"] for c in m.get("tool_calls") or []]
        assert checks.max_tool_calls(len(names)).run(**run_of(row)).score == 1.0
        assert checks.max_tool_calls(max(len(names) - 1, 0)).run(**run_of(row)).score == (not names)
        for check in (checks.tool_order(names), checks.no_tool_errors()) if names else (checks.used_no_tools(),):
            assert check.run(**run_of(row)).score == 1.0
        for name in set(names):
            assert checks.called_tool(name, times=names.count(name)).run(**run_of(row)).score == 1.0


def test_questions_that_nobody_has_answered_yet_tell_of_no_calls():
    for row in rows("bfcl_calls"):
        for check in (checks.used_no_tools(), checks.called_tool(row["tools"][0]["name"])):
            assert check.run(**run_of(row)).status == "not_scorable"


def test_the_calls_expected_are_found_once_they_are_made():
    for row in rows("bfcl_calls"):
        names = [name for answer in row["label"]["raw"].get("possible_answers") or [] for name in answer]
        calls = [{"id": f"{n}", "function": {"name": name, "arguments": "{}"}} for n, name in enumerate(names)]
        answer = [*row["messages"], {"role": "assistant", "content": "", "tool_calls": calls}]
        check = checks.tool_order(names) if names else checks.used_no_tools()
        assert check.run(output=answer).score == 1.0
