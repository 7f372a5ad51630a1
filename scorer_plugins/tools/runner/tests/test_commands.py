from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import importlib_metadata
import pytest
from typer.testing import CliRunner

from scorer_core import RunResult
from scorer_runner.cli import app
from scorer_runner.cli.demo import NEXT

ASKED = ["--help", "--version", "run --help", "list", "list --json", "show faithfulness", "show bias --json"]


@pytest.mark.parametrize("line", ASKED)
def test_asking_what_there_is_imports_no_langchain(line: str, environ: dict[str, str]) -> None:
    code = (
        "import sys; from scorer_runner.cli import main; code = main(sys.argv[1:]);"
        "sys.exit(f'loaded {m}' if (m := [m for m in sys.modules if m.startswith('langchain')]) else code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, env=environ, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_help_names_every_command_and_no_completion() -> None:
    told = CliRunner().invoke(app, ["--help"]).output
    assert all(f"  {name} " in told for name in ("demo", "run", "list", "show"))
    assert "completion" not in told


def test_the_version_names_runner_and_core(scorer: Any) -> None:
    told = scorer("--version")
    assert told.code == 0
    runner, core = map(importlib_metadata.version, ("scorer-runner", "scorer-core"))
    assert told.out == f"scorer {runner} (scorer-core {core})\n"


def test_an_unknown_command_is_wrong_usage(scorer: Any) -> None:
    told = scorer("rnu")
    assert told.code == 2
    assert "rnu" in told.err


def test_no_command_shows_the_help(scorer: Any) -> None:
    told = scorer()
    assert told.code == 2
    assert "Usage: scorer" in told.out + told.err


def test_the_list_shows_scorers_with_direction_needs_and_steps(scorer: Any) -> None:
    told = scorer("list")
    assert told.code == 0
    for part in (
        "faithfulness",
        "scorer-bias 0.1.0",
        "lower is better · needs answer",
        "preprocess*, analyze*, generate_score",
        "models",
        "template packs",
    ):
        assert part in told.out


def test_the_list_as_json_holds_the_same(scorer: Any) -> None:
    told = json.loads(scorer("list", "--json").out)
    by_id = {s["id"]: s for s in told["scorers"]}
    assert by_id["hallucination"]["higher_is"] == "worse"
    assert by_id["hallucination"]["needs"] == ["answer", "context_source"]
    assert by_id["hallucination"]["asks"] == ["preprocess", "analyze", "generate_reason"]
    assert {"models", "packs"} <= told.keys()


def test_a_broken_plugin_is_shown_with_its_error_and_hides_no_other(process: Any, folder: Path) -> None:
    info = folder.parent / "modules/scorer_broken-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scorer-broken\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scorer_core.scorers]\nbroken_one = no_such_module:spec\n")
    told = process("list")
    assert told.code == 0
    assert "scorer-broken 1.0" in told.out
    assert "ModuleNotFoundError" in told.out
    assert "faithfulness" in told.out
    assert {s["id"]: s.get("error") for s in json.loads(process("list", "--json").out)["scorers"]}["broken_one"]
    assert process("show", "broken_one").code == 2


def test_a_scorer_is_shown_with_bands_options_steps_and_templates(scorer: Any) -> None:
    told = scorer("show", "answer_similarity")
    assert told.code == 0
    for part in (
        "higher is better", "ground_truth, answer", "0.4 to below 0.7", "partly the same", "missing_penalty",
        "float, 0.15 unless given", "computes: similarity",
        "asks the judge: answer_similarity/analyze.j2",
    ):  # fmt: skip
        assert part in told.out
    paths = [Path(line.strip()) for line in told.out.splitlines() if line.endswith(".j2") and "asks" not in line]
    assert paths
    assert all(path.is_file() for path in paths)


def test_a_scorer_as_json_has_options_with_type_default_and_note(scorer: Any) -> None:
    told = json.loads(scorer("show", "faithfulness", "--json").out)
    assert told["options"] == [
        {
            "name": "scale",
            "type": "float",
            "default": 1.0,
            "required": False,
            "note": "The score of a fraction of 1; finite and above 0.",
        }
    ]
    assert [b["range"] for b in told["bands"]] == [
        "0",
        "above 0 to below 0.4",
        "0.4 to below 0.7",
        "0.7 to below 1",
        "1",
    ]
    assert told["steps"][0]["template"] == "claims/preprocess.j2"


def test_an_unknown_scorer_is_told_with_what_there_is_and_how_to_get_it(scorer: Any) -> None:
    told = scorer("show", "sarcasm")
    assert told.code == 2
    assert "no scorer 'sarcasm' is installed (have: answer_relevancy, " in told.err
    assert "pip install scorer-sarcasm" in told.err


# The demo


def test_the_demo_scores_its_rows_shows_evidence_and_can_be_run_again(scorer: Any, results: Any) -> None:
    for _ in range(2):
        told = scorer("demo")
        assert told.code == 0, told.err
    lines = results("scorer-demo/results.jsonl")
    assert len(lines) == 96
    assert not [line for line in lines if line["status"] == "failed"]
    judged = [line["scorer_id"] for line in lines if line["status"] == "scored" and not line["vacuous"]]
    assert min(judged.count(id) for id in set(judged)) >= 8
    assert len(set(judged)) == 4
    for part in ("24 rows · 4 scorers", "✗ no", "✓ yes", "~ unsure", "✗ missing", "男性", "scorer-demo/results.jsonl"):
        assert part in told.out
    assert told.err.count("\n") == 1
    assert "fidelity: low" in told.err


def test_the_commands_that_the_demo_prints_work_as_printed(scorer: Any) -> None:
    told = scorer("demo")
    for _, line in NEXT:
        assert f"    {line}\n" in told.out
        name, *args = shlex.split(line)
        assert name == "scorer"
        assert scorer(*args).code == 0


def test_a_template_of_the_demo_that_was_changed_is_kept(scorer: Any) -> None:
    scorer("demo")
    place = Path("scorer-demo/prompts/faithfulness/analyze.j2")
    place.write_text(changed := place.read_text() + "{# mine #}")
    scorer("demo")
    assert place.read_text() == changed


def test_a_folder_that_the_demo_can_not_have_is_told(scorer: Any) -> None:
    Path("scorer-demo").write_text("a file of the user")
    told = scorer("demo")
    assert told.code == 2
    assert "'scorer-demo' can't be written here" in told.err
    assert Path("scorer-demo").read_text() == "a file of the user"


def test_every_row_of_the_demo_keeps_its_source_and_licence_and_is_attributed() -> None:
    from importlib.resources import files

    home = files("scorer_runner.demo")
    rows = [json.loads(line) for line in (home / "rows.jsonl").read_text("utf-8").splitlines()]
    notes = (home / "LICENCES.md").read_text("utf-8")
    assert len(rows) == 24
    assert len({row["id"] for row in rows}) == 24
    assert all(row["licence"] and row["source"] in notes for row in rows)
    assert sum(any("\u3040" <= c <= "\u30ff" for c in row["output"]) for row in rows) >= 3


def test_the_local_judge_is_named_for_what_it_is_in_every_run(scorer: Any, rows: Any) -> None:
    told = scorer("run", rows({"output": "a b c", "context": "a b c"}), "--scorer", "faithfulness")
    assert told.err.count("fidelity: low") == 1
    assert RunResult.from_dict(json.loads(Path("results.jsonl").read_text("utf-8"))).status == "scored"


@pytest.mark.parametrize("line", ["--help", "list", "show bias", "run {} --scorer faithfulness --model {} --quiet"])
def test_no_command_opens_a_connection_with_a_judge_that_needs_none(line: str, rows: Any, environ: Any) -> None:
    code = (
        "import sys; opened = [];"
        "sys.addaudithook(lambda e, a: opened.append(a) if e in ('socket.connect', 'socket.getaddrinfo') else None);"
        "from scorer_runner.cli import main; code = main(sys.argv[1:]);"
        "sys.exit(str(opened) if opened else code)"
    )
    given = line.format(rows({"output": "a", "context": "c"}), "python:judge_of_tests:judge")
    done = subprocess.run([sys.executable, "-c", code, *given.split()], capture_output=True, env=environ, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
