from __future__ import annotations

import errno
import gc
import gzip
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from scorer_core import RunResult, UsageError
from scorer_runner.ordering.order import Order
from scorer_runner.planning.making import made
from scorer_runner.running.again import how_to_go_on

GOOD = {"input": "q?", "output": "an answer", "context": ["so it is"]}
BAD = {**GOOD, "output": "a WRONG answer"}


def test_each_row_and_scorer_is_a_line_and_the_summary_names_both(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    told = scorer("run", rows({**GOOD, "id": "r1"}, {**BAD, "id": "r2"}), *judged)
    assert told.code == 0
    lines = results()
    scores = {(line["row_id"], line["scorer_id"]): line["score"] for line in lines}
    assert scores == {
        ("r1", "faithfulness"): 1.0,
        ("r2", "faithfulness"): 0.0,
        ("r1", "hallucination"): 1.0,
        ("r2", "hallucination"): 0.0,
    }
    assert all(RunResult.from_dict(line) for line in lines)
    assert "2 rows · 2 scorers" in told.out
    assert "faithfulness" in told.out
    assert "higher is better" in told.out
    assert "0.50" in told.out
    assert "2 judged" in told.out
    assert "results.jsonl  4 lines" in told.out
    assert told.err == ""


def test_a_judge_that_would_end_the_process_fails_its_row_and_no_other(
    process: Any, rows: Any, folder: Path, results: Any
) -> None:
    (folder.parent / "modules" / "leaving.py").write_text(
        "import sys\nfrom scorer_core.testing import ScriptedJudge\n"
        "def opinions(messages):\n"
        "    return sys.exit('no key') if 'WRONG' in str(messages) else {'opinions': []}\n"
        "judge = ScriptedJudge(preprocess=opinions)\n"
    )
    told = process("run", rows(BAD, GOOD, BAD, GOOD), "--scorer", "bias", "--model", "python:leaving:judge")
    assert told.code == 3
    assert sorted(line["status"] for line in results()) == ["failed", "failed", "scored", "scored"]
    assert "2 failed" in told.err
    assert told.err.count("the model raised SystemExit") == 2


def test_what_was_there_before_a_run_is_out_of_the_way_of_the_garbage_collector_while_it_runs(
    scorer: Any, rows: Any, folder: Path, results: Any
) -> None:
    (folder.parent / "modules" / "frozen.py").write_text(
        "import gc\nfrom scorer_core.testing import ScriptedJudge\n"
        "judge = ScriptedJudge(preprocess=lambda *_: {'opinions': [str(gc.get_freeze_count() > 10_000)]},\n"
        "    analyze={'verdicts': [{'number': 1, 'reason': 'r', 'verdict': 'no'}]}, generate_reason='so')\n"
    )
    scorer("run", rows(GOOD), "--scorer", "bias", "--model", "python:frozen:judge")
    assert results()[0]["preprocess_step_result"] == {"opinions": ["True"]}
    assert gc.get_freeze_count() == 0


def test_the_worst_rows_are_shown_with_verdict_reason_and_chunk(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows({**BAD, "id": "r2"}), *judged[:2], *judged[4:])
    block = told.out[told.out.index("the worst rows") :]
    for part in ("r2", "q?", "a WRONG answer", "✗ no", "a WRONG claim", "it says so", "context 1: “so it is”"):
        assert part in block


def test_the_description_tells_scorers_model_data_and_versions(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    source = rows(GOOD)
    scorer("run", source, "--scorer", "faithfulness:scale=10", *judged[2:], "--map", "input=output")
    told = json.loads(Path("results.jsonl.run.json").read_text("utf-8"))
    first = told["scorers"][0]
    assert (first["id"], first["label"], first["options"]) == ("faithfulness", "faithfulness", {"scale": 10})
    assert told["model"] == "python:judge_of_tests:judge"
    assert told["data"] == {
        "path": [source], "sha256": sha256(Path(source).read_bytes()).hexdigest(), "limit": None,
        "encoding": "utf-8", "rows_at": None, "id_duplicates": "error",
    }  # fmt: skip
    assert told["columns"] == {"map": ["input=output"], "set": [], "split": [], "known": {}}
    assert {"packs", "core_version", "runner_version", "started"} <= told.keys()
    assert results()[0]["scale"] == 10
    assert {line["run"] for line in results()} == {sha256(Path("results.jsonl.run.json").read_bytes()).hexdigest()}


def test_csv_with_mapped_and_split_columns_is_scored(scorer: Any, folder: Path, judged: Any, results: Any) -> None:
    (folder / "d.csv").write_text("qid,answer,passages,label\n7,an answer,one|two,x\n", "utf-8")
    maps = ("--map", "id=qid", "--map", "output=answer", "--map", "context=passages", "--split", "context=|")
    assert scorer("run", "d.csv", *judged, *maps).code == 0
    line = results()[0]
    assert (line["row_id"], line["context"], line["output"]) == ("7", ["one", "two"], "an answer")
    assert line["metadata"]["label"] == "x"
    assert not {"answer", "passages"} & line["metadata"].keys()


def test_cells_without_a_value_are_missing_and_the_text_nan_is_a_text(
    scorer: Any, folder: Path, judged: Any, results: Any
) -> None:
    (folder / "d.csv").write_text("id,output,context\n1,a,c\n2,nan,c\n3,None,c\n4,,c\n", "utf-8")
    scorer("run", "d.csv", *judged[:2], *judged[4:])
    by_id = {line["row_id"]: line for line in results()}
    assert [by_id[n]["output"] for n in "1234"] == ["a", "nan", "None", None]
    assert [by_id[n]["status"] for n in "1234"] == ["scored", "scored", "scored", "not_scorable"]
    assert "nan" not in by_id["1"]["preprocess_prompt"]


def test_only_the_first_rows_are_taken_and_looked_at_with_a_limit(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    assert scorer("run", rows(GOOD, GOOD, "not json"), *judged, "--limit", "2").code == 0
    assert len(results()) == 4


def test_quiet_shows_nothing_at_all(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(GOOD), *judged, "--quiet")
    assert (told.code, told.out, told.err) == (0, "", "")


def test_reasons_can_be_left_out_and_a_language_asked_for(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    scorer("run", rows(GOOD), *judged, "--reasons", "none", "--language", "Welsh")
    assert results()[0]["reason"] is None
    assert "Welsh" in results()[0]["analyze_prompt"]


def test_templates_of_a_folder_are_used_and_recorded(
    scorer: Any, rows: Any, judged: Any, results: Any, folder: Path
) -> None:
    (folder / "mine/faithfulness").mkdir(parents=True)
    text = '{% extends "default/faithfulness/analyze.j2" %}{% block task %}My own words.{% endblock %}'
    (folder / "mine/faithfulness/analyze.j2").write_text(text)
    scorer("run", rows(GOOD), *judged, "--prompts", "mine")
    line = next(line for line in results() if line["scorer_id"] == "faithfulness")
    assert "My own words." in line["analyze_prompt"]
    assert line["templates"]["analyze"][0]["pack"] == "mine"


def test_a_module_of_the_user_lies_where_the_command_is_called(process: Any, rows: Any, folder: Path) -> None:
    text = (folder.parent / "modules/judge_of_tests.py").read_text()
    (folder / "my_own_judge.py").write_text(text)
    told = process("run", rows(GOOD), "--scorer", "faithfulness", "--model", "python:my_own_judge:judge", "--quiet")
    assert (told.code, told.err) == (0, "")


# What is wrong is told before the first call


def wrong(scorer: Any, *args: str) -> str:
    told = scorer("run", *args)
    assert told.code == 2
    assert told.out == ""
    assert "Traceback" not in told.err
    assert not list(Path.cwd().glob("results*"))
    return str(told.err)


def test_everything_that_is_wrong_is_told_at_once(scorer: Any, rows: Any) -> None:
    Path("out.jsonl").write_text("mine")
    told = wrong(
        scorer, rows({"question": "q", "output": "a"}),
        "--scorer", "faithfullness", "--scorer", "bias:kind=3", "--scorer", "faithfulness",
        "--model", "nosuch", "--prompts", "no/folder", "--out", "out.jsonl",
    )  # fmt: skip
    assert "no scorer 'faithfullness' is installed" in told
    assert "pip install scorer-faithfullness" in told
    assert "'kind'" in told
    assert "unknown model 'nosuch'" in told
    assert "no folder 'no/folder'" in told
    assert "'out.jsonl' is there already" in told
    assert "context  for faithfulness" in told
    assert Path("out.jsonl").read_text() == "mine"


def test_an_option_out_of_range_is_told(scorer: Any, rows: Any, judged: Any) -> None:
    told = wrong(scorer, rows(GOOD), *judged, "--scorer", "faithfulness:scale=-1")
    assert "scale: expected a finite number above 0, got -1" in told


def test_prices_tell_the_cost_and_what_of_it_is_not_known(scorer: Any, rows: Any, judged: Any, folder: Path) -> None:
    (folder / "prices.toml").write_text('["scripted"]\ninput = 1\noutput = 1\n', encoding="utf-8")
    told = scorer("run", rows(GOOD), *judged, "--prices", "prices.toml")
    assert "cost     at least 0; unknown for 5 calls" in told.out  # the judge of the tests tells no tokens


def test_what_is_redacted_is_not_in_the_prompts(
    scorer: Any, rows: Any, judged: Any, results: Any, folder: Path
) -> None:
    (folder / "patterns.toml").write_text("right = 'right'", encoding="utf-8")
    scorer("run", rows({**GOOD, "output": "a right answer"}), *judged, "--redact", "patterns.toml")
    first = results()[0]
    assert "a [right] answer" in first["preprocess_prompt"]
    assert first["output"] == "a right answer"


@pytest.mark.parametrize(("flag", "told"), [("--prices", "prices: nofile"), ("--redact", "redact: nofile")])
def test_a_table_that_is_not_there_is_told(scorer: Any, rows: Any, judged: Any, flag: str, told: str) -> None:
    assert told in wrong(scorer, rows(GOOD), *judged, flag, "nofile")


def test_reasons_can_be_had_without_a_call(scorer: Any, rows: Any, judged: Any, results: Any) -> None:
    scorer("run", rows(GOOD), *judged, "--reasons", "summary")
    assert all(line["reason"].startswith(("1.0 of 1.0", "0.0 of 1.0")) for line in results())
    assert all("generate_reason" not in line["judge"] for line in results())


def test_a_reason_that_is_computed_stays_as_it_is_where_others_are_summed_up(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    told = scorer("run", rows(GOOD), *judged, "--scorer", "tone", "--reasons", "summary")
    assert told.code == 0, told.err
    assert all(line["reason"] for line in results())


def test_a_scorer_that_can_not_be_asked_at_once_is_told(scorer: Any, rows: Any, judged: Any) -> None:
    told = wrong(scorer, rows(GOOD), "--scorer", "answer_similarity", *judged[4:], "--mode", "single")
    assert "answer_similarity can't be asked in a single call" in told


def test_two_scorers_of_one_kind_with_other_options_stand_side_by_side(scorer: Any, rows: Any, judged: Any) -> None:
    scorer("run", rows(GOOD), "--scorer", "faithfulness:scale=10", "--scorer", "faithfulness:scale=5", *judged[4:])
    lines = [json.loads(line) for line in Path("results.jsonl").read_text("utf-8").splitlines()]
    assert sorted(line["scorer_label"] for line in lines) == ["faithfulness[scale=10]", "faithfulness[scale=5]"]


def test_scorers_of_one_kind_with_long_labels_are_told_apart_wherever_they_are_shown(scorer: Any, rows: Any) -> None:
    kinds = [f"answer_similarity:contradiction_penalty={n}" for n in ("0.25", "0.75")]
    row = {**GOOD, "ground_truth": "another one", "lang": "en"}
    asked = (rows(row), "--scorer", kinds[0], "--scorer", kinds[1])
    for told in (scorer("run", *asked, "--by", "lang"), scorer("plan", *asked)):
        assert "penalty=0.25]" in told.out
        assert "penalty=0.75]" in told.out


def test_a_template_with_an_unknown_name_is_told(scorer: Any, rows: Any, judged: Any, folder: Path) -> None:
    (folder / "mine/faithfulness").mkdir(parents=True)
    (folder / "mine/faithfulness/analyze.j2").write_text("{{ anwser }}")
    told = wrong(scorer, rows(GOOD), *judged, "--prompts", "mine")
    assert "template faithfulness/analyze.j2, line 1: uses 'anwser'" in told
    assert "'answer'" in told


def test_no_scorer_at_all_lists_those_there_are(scorer: Any, rows: Any) -> None:
    assert "name at least one: --scorer ID (have: " in wrong(scorer, rows(GOOD))


@pytest.mark.parametrize("text", ["", "\n  \n"])
def test_a_file_without_rows_is_told(scorer: Any, folder: Path, judged: Any, text: str) -> None:
    (folder / "d.jsonl").write_text(text)
    assert "no rows in d.jsonl" in wrong(scorer, "d.jsonl", *judged)
    (folder / "d.csv").write_text("")
    assert "no rows in d.csv" in wrong(scorer, "d.csv", *judged)


def test_all_unfit_rows_are_told_with_their_lines(scorer: Any, rows: Any, judged: Any) -> None:
    null = {**GOOD, "context": [1, None, "x"]}
    told = wrong(scorer, rows(GOOD, "{nope", "", null, "[1]"), *judged)
    assert "line 2 (row 2): not JSON" in told
    assert "line 4 (row 3): context, item 2: expected a text, got null" in told
    assert "line 5 (row 4): expected a JSON object, got [1]" in told


def test_a_file_that_is_not_there_or_has_another_ending_is_told(scorer: Any, judged: Any) -> None:
    assert "no file 'none.jsonl'" in wrong(scorer, "none.jsonl", *judged)
    Path("d.txt").write_text("{}")
    assert "JSON Lines has one object a line" in wrong(scorer, "d.txt", *judged)


def test_a_parameter_for_a_model_that_takes_none_is_told(scorer: Any, rows: Any, judged: Any) -> None:
    told = wrong(scorer, rows(GOOD), *judged, "--model-arg", "temperature=0")
    assert "they are for models named provider:model" in told


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--concurrency", "0"), "--concurrency"),
        (("--limit", "x"), "--limit"),
        (("--reasons", "some"), "--reasons"),
        (("--nosuch",), "--nosuch"),
        ((), "DATA"),
    ],
)
def test_what_the_parser_refuses_is_wrong_usage_too(
    scorer: Any, rows: Any, judged: Any, args: Any, message: str
) -> None:
    given = (rows(GOOD), *judged) if args else ()
    assert message in wrong(scorer, *given, *args)


def test_a_provider_s_model_is_made_with_the_parameters(monkeypatch: pytest.MonkeyPatch, rows: Any) -> None:
    import types

    from scorer_core.testing import ScriptedJudge
    from scorer_runner.ordering.models import judge_of, shown_args

    asked: list[Any] = []
    chat_models = types.ModuleType("langchain.chat_models")

    def init_chat_model(name: str, **args: Any) -> Any:
        asked.append((name, args))
        if name.endswith("none"):
            raise ValueError(name)
        return ScriptedJudge()

    chat_models.init_chat_model = init_chat_model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "langchain", types.ModuleType("langchain"))
    monkeypatch.setitem(sys.modules, "langchain.chat_models", chat_models)
    judge_of("openai/gpt", ["temperature=0", "api_key=abc"])
    with pytest.raises(UsageError, match="can't be made: ValueError"):
        judge_of("openai:none", ["temperature=0"])
    assert asked[0] == ("openai:gpt", {"max_retries": 0, "temperature": 0, "api_key": "abc"})
    assert shown_args(["temperature=0", "api_key=abc"]) == {"temperature": 0, "api_key": "***"}


def test_secrets_in_parameters_are_shown_nowhere_and_all_else_is() -> None:
    from scorer_runner.ordering.models import shown_args, told_args

    args = ["max_tokens=100", 'extra={token = "abc", n = [1, "sk-abcdefghij"]}', "base_url=http://me:hunter22@host/v1"]
    shown = {"max_tokens": 100, "extra": {"token": "***", "n": [1, "[secret]"]}, "base_url": "http://[secret]@host/v1"}
    assert shown_args(args) == shown
    assert shown_args(told_args(args)) == shown


def test_the_command_that_goes_on_names_defaults_where_settings_tell_something_else(rows: Any, judged: Any) -> None:
    Path("scorer.toml").write_text('store = "digest"\nretry_failed = true\nlimit = 3\nreasons = "none"\n')
    order = Order(data=[rows(GOOD)], scorer=("faithfulness",), model=judged[-1], out="r.jsonl", reasons="none")
    assert how_to_go_on(made(order)).endswith(
        "--reasons none --model python:judge_of_tests:judge --out r.jsonl --store full --resume --no-retry-failed"
    )


def test_the_command_that_goes_on_tells_no_secret(rows: Any, judged: Any) -> None:
    order = Order(data=[rows(GOOD)], scorer=("faithfulness",), model=judged[-1], out="r.jsonl")
    command = how_to_go_on(evolve(made(order), order=evolve(order, model_arg=["api_key=abc", "max_tokens=10"])))
    assert " --model-arg 'api_key=***' --model-arg max_tokens=10 " in command


# Rows that fail, and runs that stop


def test_a_row_that_fails_is_a_result_and_the_others_are_scored(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    told = scorer(
        "run",
        rows({**GOOD, "id": "r1"}, {**GOOD, "output": "BROKEN", "id": "r2"}, {**GOOD, "id": "r3"}),
        *judged[:2],
        *judged[4:],
    )
    assert told.code == 3
    assert {line["row_id"]: line["status"] for line in results()} == {"r1": "scored", "r2": "failed", "r3": "scored"}
    assert "1 failed (server 1)" in told.out
    assert "1 failed:" in told.err
    assert "r2  faithfulness  server: " in told.err
    assert "this row is broken red" in told.err
    assert "\x1b" not in told.err


def test_only_the_first_failed_rows_are_listed(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", rows(*[{**GOOD, "output": "BROKEN"}] * 8), *judged[:2], *judged[4:], "--quiet")
    assert told.code == 3
    assert told.out == ""
    assert told.err.count("server: ") == 5
    assert "and 3 more" in told.err


def test_an_error_for_which_all_rows_would_fail_stops_the_run(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    given = [GOOD, GOOD, {**GOOD, "output": "KEYLESS"}, *[GOOD] * 50]
    told = scorer("run", rows(*given), *judged, "--concurrency", "1")
    assert told.code == 3
    assert told.err.count("stopped: auth: ") == 1
    assert "no such key" in told.err
    assert "complete rows are in 'results.jsonl'" in told.err
    assert 0 < len(results()) < 20


# The terminal, pipes and locales


def test_control_characters_of_a_row_never_reach_the_terminal(
    scorer: Any, rows: Any, judged: Any, results: Any
) -> None:
    hostile = "WRONG \x1b[2J\x1b]0;owned\x07\x9b31m [bold]markup[/bold] \u202e end"
    told = scorer("run", rows({**GOOD, "id": "\x1b[5mid", "output": hostile, "context": [hostile]}), *judged)
    assert told.code == 0
    assert not set(told.out) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert "[bold]markup[/bold]" in told.out
    assert results()[0]["output"] == hostile


def test_standard_output_as_a_place_holds_json_lines_and_nothing_else(process: Any, rows: Any, judged: Any) -> None:
    told = process("run", rows(GOOD, {**BAD, "output": "WRONG 你好"}), *judged, "--out", "-")
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert told.code == 0
    assert len(lines) == 4
    assert all("run" in line for line in lines)
    assert told.err == ""


def test_rows_come_from_standard_input_and_bad_ones_after_the_first_hundred_fail(process: Any, judged: Any) -> None:
    rows = [json.dumps(GOOD)] * 100 + ["{nope", "[1]", json.dumps({**GOOD, "context": [None]}), json.dumps(GOOD)]
    told = process("run", "-", *judged[:2], *judged[4:], "--out", "-", stdin="\n".join(rows).encode())
    lines = {line["index"]: line for line in map(json.loads, told.out.splitlines())}
    assert told.code == 3
    assert len(lines) == 104
    assert [lines[n]["error"] and lines[n]["error"]["kind"] for n in range(99, 104)] == [
        None, "bad_row", "bad_row", "bad_row", None,
    ]  # fmt: skip
    assert lines[101]["error"]["message"] == "line 102 (row 102): expected a JSON object, got [1]"


@pytest.mark.parametrize(
    ("more", "code"), [((), 0), (("--format", "json"), 0), (("--gate", "faithfulness>=1"), 1), (("--out", "-"), 3)]
)
def test_the_exit_code_is_that_of_the_run_though_nobody_reads_what_it_shows(
    rows: Any, judged: Any, environ: Any, more: tuple[str, ...], code: int
) -> None:
    command = [sys.executable, "-m", "scorer_runner", "run", rows(GOOD, {**GOOD, "output": "WRONG"}), *judged, *more]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, env=environ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        told = running.stderr.read().decode()
        assert running.wait(timeout=30) == code
    assert "BrokenPipe" not in told


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", [("plan",), ("list", "--json"), ("config",)])
def test_what_can_not_be_shown_on_a_full_disk_is_told(
    rows: Any, judged: Any, environ: Any, command: tuple[str, ...]
) -> None:
    about = () if command[0] == "list" else (rows(GOOD), *judged)
    with open("/dev/full", "wb") as full:
        told = subprocess.run(
            [sys.executable, "-m", "scorer_runner", *command, *about], stdout=full, stderr=subprocess.PIPE, env=environ
        )
    assert told.returncode == 3
    assert told.stderr.decode() == "scorer: what was to be written is not whole: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="another error there")
def test_a_name_that_no_file_can_have_is_told(scorer: Any, rows: Any, judged: Any) -> None:
    told = scorer("run", f"{'a' * 300}.jsonl", *judged, "--out", f"{'b' * 300}.jsonl")
    assert told.code == 2
    assert "aaa.jsonl' can't be used: File name too long" in told.err
    assert "bbb.jsonl' can't be used: File name too long" in told.err


def test_standard_input_that_is_cut_off_stops_the_run_after_the_rows_before(
    process: Any, judged: Any, results: Any
) -> None:
    rows = [json.dumps({**GOOD, "id": str(n), "key": sha256(str(n).encode()).hexdigest()}) for n in range(300)]
    packed = gzip.compress("\n".join(rows).encode())
    command = ("run", "-", *judged, "--out", "cut.jsonl", "--quiet")
    told = process(*command, stdin=packed[: len(packed) * 2 // 3])
    assert told.code == 3
    kept = len(results("cut.jsonl"))
    assert kept > 200
    assert told.err.startswith("stopped: standard input can't be read: Compressed file ended before")
    assert f"; {kept} results of {kept // 2} complete rows are in 'cut.jsonl'; go on with: scorer run - " in told.err
    assert process(*command, "--resume", stdin=packed).code == 0
    assert len(results("cut.jsonl")) == 600


def test_bad_rows_among_the_first_hundred_of_standard_input_are_told_before_any_call(process: Any, judged: Any) -> None:
    told = process("run", "-", *judged, "--out", "-", stdin=b'{"output": "a", "context": "c"}\nnope\n')
    assert (told.code, told.out) == (2, "")
    assert "rows of standard input that can't be used:" in told.err


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_terminal_that_can_not_show_a_character_gets_another(
    process: Any, rows: Any, judged: Any, results: Any, encoding: str
) -> None:
    told = process("run", rows({**BAD, "input": "ł 你好 ✓ \ud800"}), *judged, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert told.code == 0, told.err
    assert "x no" in told.out
    assert "? ???? +" in told.out
    assert results()[0]["input"] == "ł 你好 ✓ \ud800"


def test_redirected_output_has_no_control_characters(process: Any, rows: Any, judged: Any) -> None:
    told = process("run", rows(GOOD, BAD, {**GOOD, "output": "BROKEN"}), *judged)
    assert not {c for c in told.out + told.err if ord(c) < 32} - {"\n"}


def test_a_reader_that_goes_away_ends_the_run_quietly(rows: Any, judged: Any, environ: Any) -> None:
    command = [sys.executable, "-m", "scorer_runner", "run", rows(*[GOOD] * 2000), *judged, "--out", "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environ) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.readline()
        running.stdout.close()
        told = running.stderr.read().decode()
        assert running.wait(30) == 3
    assert "Traceback" not in told


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
def test_an_interrupted_run_keeps_what_is_complete(rows: Any, judged: Any, environ: Any, folder: Path) -> None:
    slow = {**GOOD, "output": "SLOW"}
    command = [sys.executable, "-m", "scorer_runner", "run", rows(*[GOOD] * 5, *[slow] * 40), *judged]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, env=environ, preexec_fn=_heed_interrupts) as running:
        file = folder / "results.jsonl"
        end = time.monotonic() + 30
        while time.monotonic() < end and not (file.exists() and file.read_bytes().count(b"\n") == 10):
            assert running.poll() is None, running.communicate()
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        out, told = running.communicate(timeout=30)
    assert running.returncode == 130
    assert out == b""
    last = told.decode().splitlines()[-1]
    assert last.startswith("scorer: interrupted; 10 results of 5 complete rows are in 'results.jsonl'; go on with: ")
    assert last.endswith("--out results.jsonl --resume")
    assert [json.loads(line)["status"] for line in file.read_text("utf-8").splitlines()] == ["scored"] * 10


@pytest.mark.skipif(os.name == "nt", reason="no SIGINT to send")
@pytest.mark.parametrize("after", [0.05, 0.15, 0.4, 1.0])
def test_a_run_that_is_interrupted_before_it_begins_says_so_in_a_line(
    rows: Any, judged: Any, environ: Any, folder: Path, after: float
) -> None:
    slow = [{**GOOD, "output": "SLOW"}] * 40
    command = [sys.executable, "-c", START, "run", rows(*slow), *judged]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environ, preexec_fn=_heed_interrupts) as running:
        assert running.stderr is not None
        assert running.stderr.read(1) == b"!"  # Python has started
        time.sleep(after)
        running.send_signal(signal.SIGINT)
        time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        told = running.stderr.read().decode()
    assert running.wait(30) in (130, -signal.SIGINT)  # the second may come when all is done
    assert told.startswith("scorer: ")
    assert "interrupted" in told
    assert "Traceback" not in told


START = """
import sys

sys.stderr.write("!")
sys.stderr.flush()
from scorer_runner.__main__ import start

sys.exit(start())
"""


def _heed_interrupts() -> None:
    """What runs in the background, as tests may, is started with interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_unforeseen_error_is_one_line_and_a_traceback_only_where_asked(
    process: Any, rows: Any, judged: Any, folder: Path
) -> None:
    source = rows(GOOD)
    judge = folder.parent / "modules/judge_of_tests.py"
    broken = "import sys\nfrom scorer_runner.planning import making\nmaking.labelled = None\n"
    judge.write_text(broken + judge.read_text())
    told = process("run", source, *judged)
    assert told.code == 3
    assert (
        told.err.strip() == "scorer: TypeError: 'NoneType' object is not callable; run again with --debug to see where"
    )
    told = process("run", source, *judged, "--debug")
    assert told.code == 3
    assert "Traceback" in told.err


def test_a_scorer_that_only_computes_needs_no_judge(process: Any, rows: Any, results: Any, folder: Path) -> None:
    (folder.parent / "modules/scorer_length.py").write_text(
        "from scorer_core import ScorerSpec\n"
        "def size(trail):\n    return len(trail.answer) / 10\n"
        "spec = ScorerSpec(id='length', needs=('answer',), higher_is='better', generate_score=size)\n"
    )
    info = folder.parent / "modules/scorer_length-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scorer-length\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scorer_core.scorers]\nlength = scorer_length:spec\n")
    told = process("run", rows({"output": "12345"}), "--scorer", "length", "--model", "nosuch")
    assert (told.code, told.err) == (0, "")
    assert "1 row · 1 scorer · no judge" in told.out
    assert results()[0]["score"] == 0.5


@pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminals")
@pytest.mark.parametrize(("more", "seen"), [((), True), (("--quiet",), False)])
def test_progress_is_shown_on_a_terminal_and_on_standard_error_alone(
    rows: Any, judged: Any, environ: Any, more: Any, seen: bool
) -> None:
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scorer_runner", "run", rows(GOOD, GOOD), *judged, *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, env={**environ, "TERM": "xterm"}) as running:
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
        out = running.stdout.read() if running.stdout else b""
    os.close(ours)
    assert (b"2/2 rows" in shown) is seen
    assert (b"2 rows" in out) is seen
    assert b"\x1b" not in out


@pytest.mark.skipif(os.name == "nt", reason="no terminal to open")
def test_R088_R105_results_and_exit_code_are_the_same_whoever_watches(
    rows: Any, judged: Any, environ: Any, results: Any, folder: Path
) -> None:
    import pty

    source = rows(GOOD, {**GOOD, "output": "BROKEN"}, BAD)
    came, told = [], {}
    for name, more in (("terminal", ()), ("pipe", ()), ("quiet", ("--quiet",)), ("quiet terminal", ("--quiet",))):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "scorer_runner", "run", source, *judged, "--out", f"{name}.jsonl", *more]
        stderr = theirs if "terminal" in name else subprocess.PIPE
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, env={**environ, "TERM": "xterm"}) as p:
            os.close(theirs)
            told[name] = b""
            while chunk := (_read(ours) if p.stderr is None else p.stderr.read(4096)):
                told[name] += chunk
        os.close(ours)
        keys = ("row_id", "scorer_label", "status", "score")
        came.append((p.returncode, sorted(str([line[k] for k in keys]) for line in results(f"{name}.jsonl"))))
    assert came == [came[0]] * 4
    assert came[0][0] == 3
    assert not set(told["pipe"] + told["quiet"]) & {0x1B, 0x0D}
    assert b"3/3 rows" in told["terminal"]
    assert b"3/3 rows" not in told["quiet terminal"]


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
@pytest.mark.parametrize("form", ["table", "json"])
def test_a_full_disk_behind_what_is_shown_leaves_all_results_and_says_so(
    rows: Any, judged: Any, environ: Any, results: Any, form: str
) -> None:
    command = [sys.executable, "-m", "scorer_runner", "run", rows(GOOD), *judged, "--format", form]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environ, check=False)
    last = done.stderr.decode().splitlines()[-1]
    assert done.returncode == 3
    assert last == (
        "scorer: standard output can't be written: No space left on device; all results are in 'results.jsonl'"
    )
    assert len(results()) == 2


def test_standard_input_that_is_closed_is_wrong_usage(
    scorer: Any, judged: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "standard input is closed" in wrong(scorer, "-", *judged)


@pytest.mark.skipif(os.name == "nt", reason="no shell to close it with")
def test_standard_output_that_is_closed_changes_no_result(rows: Any, judged: Any, environ: Any, results: Any) -> None:
    command = shlex.join([sys.executable, "-m", "scorer_runner", "run", rows(GOOD), *judged])
    done = subprocess.run(["sh", "-c", f"{command} >&-"], stderr=subprocess.PIPE, env=environ, check=False)
    assert (done.returncode, done.stderr, len(results())) == (0, b"", 2)


def test_a_disk_that_is_full_from_the_start_is_wrong_usage_and_leaves_nothing(
    scorer: Any, rows: Any, judged: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    source = rows(GOOD)
    monkeypatch.setattr(os, "write", full)
    monkeypatch.setattr(os, "fsync", full)
    assert "can't be written: No space left on device; choose another place" in wrong(scorer, source, *judged)
    assert [path.name for path in folder.iterdir()] == [source]


@pytest.mark.skipif(os.name == "nt", reason="no limit to the size of files")
def test_a_run_whose_file_can_not_grow_stops_cleanly_and_goes_on(
    process: Any, rows: Any, judged: Any, results: Any, folder: Path, environ: Any
) -> None:
    source, limit = rows(*[{**GOOD, "id": str(n)} for n in range(20)]), 40_000
    command = [sys.executable, "-m", "scorer_runner", "run", source, *judged]
    done = subprocess.run(command, capture_output=True, env=environ, preexec_fn=lambda: _no_file_above(limit))
    told = done.stderr.decode()
    written = results()
    assert done.returncode == 3
    assert 0 < len(written) < 40
    assert (folder / "results.jsonl").stat().st_size <= limit
    assert told.strip() == (
        f"stopped: 'results.jsonl' can't be written: File too large; {len(written)} results of {len(written) // 2} "
        "complete rows are in 'results.jsonl'; go on with: scorer run rows.jsonl --scorer faithfulness --scorer "
        "hallucination --model python:judge_of_tests:judge --out results.jsonl --resume"
    )
    assert process("run", source, *judged, "--resume").code == 0
    assert len({(line["row_id"], line["scorer_label"]) for line in results()}) == len(results()) == 40


def _no_file_above(size: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_behind_standard_output_is_one_message(rows: Any, judged: Any, environ: Any) -> None:
    command = [sys.executable, "-m", "scorer_runner", "run", rows(*[GOOD] * 3), *judged, "--out", "-"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environ)
    assert done.returncode == 3
    assert done.stderr.decode().startswith("stopped: standard output can't be written: No space left on device")
    assert done.stderr.count(b"\n") == 1
