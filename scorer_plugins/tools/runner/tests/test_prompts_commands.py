"""`scorer prompts`: packs looked at before anybody is asked."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXTENDS = '{% extends "default/faithfulness/analyze.j2" %}\n'
ROW = {"id": "7", "input": "Why?", "output": "The <mill> {{ opened }}.", "context": ["The mill opened."], "lang": "en"}


@pytest.fixture
def pack(folder: Path) -> Callable[..., str]:
    """A function that writes a pack and gives its folder."""

    def write(files: dict[str, str], name: str = "ours") -> str:
        for file, text in files.items():
            path = folder / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return name

    return write


def test_help_names_every_command_of_the_group(scorer: Any) -> None:
    told = scorer("prompts", "--help")
    assert all(f"  {name} " in told.out for name in ("list", "show", "render", "export", "check", "diff", "compare"))
    assert scorer("prompts").code == 2


@pytest.mark.parametrize("line", ["prompts list", "prompts show faithfulness analyze", "prompts export bias out"])
def test_looking_at_packs_imports_no_langchain(line: str, environ: dict[str, str]) -> None:
    code = (
        "import sys; from scorer_runner.cli import main; code = main(sys.argv[1:]);"
        "sys.exit(f'loaded {m}' if (m := [m for m in sys.modules if m.startswith('langchain')]) else code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *line.split()], capture_output=True, env=environ, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_list_tells_of_a_pack_what_it_is_and_what_it_overrides(scorer: Any, pack: Any) -> None:
    manifest = 'version = "1.2"\nlanguage = "de"\ndescription = "Our words"\n'
    name = pack({"pack.toml": manifest, "faithfulness/analyze.j2": EXTENDS, "claims/preprocess.j2": "x", "a.j2": "x"})
    told = scorer("prompts", "list", name)
    assert told.code == 0
    assert [line.rstrip() for line in told.out.splitlines()] == [
        "ours  1.2 · de · a folder", "  Our words", "  claims         preprocess", "  faithfulness   analyze"
    ]  # fmt: skip
    (entry,) = json.loads(scorer("prompts", "list", name, "--json").out)
    assert entry["overrides"] == {"claims": ["preprocess"], "faithfulness": ["analyze"]}


def test_the_list_says_that_there_are_none_or_that_a_pack_is_not_there(
    scorer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorer_runner.prompting.packs.installed", lambda group: {})
    assert "no packs are installed; begin one: scorer prompts export" in scorer("prompts", "list").out
    told = scorer("prompts", "list", "nowhere")
    assert (told.code, "no folder 'nowhere' with templates" in told.err) == (2, True)


def test_show_tells_the_chain_with_packs_and_what_each_file_says(scorer: Any, pack: Any) -> None:
    name = pack({"faithfulness/analyze.j2": EXTENDS + "{% block task %}Judge.{% endblock %}"})
    told = scorer("prompts", "show", "faithfulness", "analyze", "--prompts", name).out
    heads = [line.split("  ")[:2] for line in told.splitlines() if "  from " in line]
    assert heads == [
        ["faithfulness/analyze.j2", "from pack ours"],
        ["default/faithfulness/analyze.j2", "from the scorer itself"],
        ["faithfulness/instructions.j2", "from the scorer itself"],
    ]
    assert "{% block task %}Judge.{% endblock %}" in told
    links = json.loads(scorer("prompts", "show", "faithfulness", "analyze", "--prompts", name, "--json").out)
    assert [link["pack"] for link in links] == ["ours", "default", "default"]


@pytest.mark.parametrize("step", ["preprocess", "analyze", "generate_reason", "single", "summary"])
def test_each_step_can_be_shown_and_rendered_with_a_made_up_row(scorer: Any, step: str) -> None:
    assert scorer("prompts", "show", "faithfulness", step).code == 0
    told = scorer("prompts", "render", "faithfulness", step)
    assert told.code == 0
    assert "134 metres" in told.out


def test_a_step_that_is_not_there_is_told_with_those_that_are(scorer: Any) -> None:
    told = scorer("prompts", "show", "faithfulness", "analyse")
    assert told.code == 2
    assert (
        "faithfulness has no template for 'analyse' (did you mean 'analyze'?) (have: preprocess, analyze," in told.err
    )


def test_R120_render_shows_the_exact_messages_that_the_run_then_sends(
    scorer: Any, rows: Any, results: Any, pack: Any
) -> None:
    name = pack({"faithfulness/analyze.j2": EXTENDS + "{% block task %}Judge.{% endblock %}"})
    data = rows(
        {**ROW, "output": "x", "answer": "no"}, {"answer": ROW["output"], **{k: ROW[k] for k in ("input", "context")}}
    )
    ordered = ("--prompts", name, "--map", "output=answer")
    run = ("run", data, "--scorer", "faithfulness", "--model", "python:judge_of_tests:judge", *ordered)
    assert scorer(*run).code == 0
    line = results()[1]
    for step in ("preprocess", "analyze", "generate_reason"):
        asked = ("prompts", "render", "faithfulness", step, "--row", f"{data}:2", "--from", "results.jsonl", *ordered)
        told = json.loads(scorer(*asked, "--json").out)
        assert [message["role"] for message in told] == ["system", "user"]
        assert told[1]["content"] == line[f"{step}_prompt"]
    assert line["analyze_prompt"].startswith("Judge.")
    assert "The <mill> {{ opened }}." in line["preprocess_prompt"]
    plain = scorer("prompts", "render", "faithfulness", "preprocess", "--row", f"{data}:2", *ordered).out
    assert line["preprocess_prompt"] in plain


def test_many_items_are_shown_in_the_groups_that_they_are_asked_about_in(scorer: Any, rows: Any) -> None:
    data = rows(ROW)
    claims = [f"Claim {n}." for n in range(40)]
    rows({"scorer_id": "faithfulness", "index": 0, "preprocess_step_result": claims}, name="results.jsonl")
    told = scorer(
        "prompts", "render", "faithfulness", "analyze", "--row", f"{data}:1", "--from", "results.jsonl", "--json"
    )
    prompts = [message["content"] for message in json.loads(told.out) if message["role"] == "user"]
    assert [prompt.count("<claim ") for prompt in prompts] == [30, 10]


def test_a_scorer_is_named_as_a_run_names_it_with_the_label_of_its_scores(scorer: Any, rows: Any, results: Any) -> None:
    data, how = rows(ROW), ("--model", "python:judge_of_tests:judge", "--out", "r.jsonl")
    named = ("faithfulness:label=first", "faithfulness:scale=10,label=second")
    scorer("run", data, "--scorer", named[0], "--scorer", named[1], *how)
    lines = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    changed = [{**r, "preprocess_step_result": [f"A claim of the {r['scorer_label']}."]} for r in lines]
    rows(*changed, name="r.jsonl")
    asked = ("--row", f"{data}:1", "--from", "r.jsonl", "--json")
    for one, label in zip(named, ("first", "second"), strict=True):
        told = scorer("prompts", "render", one, "analyze", *asked)
        assert f"A claim of the {label}." in json.loads(told.out)[1]["content"], told.err
    told = scorer("prompts", "render", "faithfulness:label=third", "analyze", *asked)
    assert (told.code, "no result of third for row 1" in told.err) == (2, True)


WRONG = {
    "no number": (("analyze", "--row", "rows.jsonl"), "expected a file and the number of a row"),
    "row 0": (("analyze", "--row", "rows.jsonl:0"), "expected a file and the number of a row"),
    "no such file": (("analyze", "--row", "lost.jsonl:1"), "no file 'lost.jsonl'"),
    "no such row": (("preprocess", "--row", "rows.jsonl:9"), "has fewer than 9 rows"),
    "nothing to read earlier steps from": (("analyze", "--row", "rows.jsonl:1"), "name its file: --from FILE"),
    "no such results": (("analyze", "--row", "rows.jsonl:1", "--from", "lost.jsonl"), "can't be read as results"),
    "no result of it": (("analyze", "--row", "rows.jsonl:1", "--from", "other.jsonl"), "no result of faithfulness"),
    "not scorable": (("preprocess", "--row", "rows.jsonl:2"), "for preprocess: this run has no context"),
    "an empty answer": (("preprocess", "--row", "rows.jsonl:3"), "the output is empty"),
    "not JSON": (("preprocess", "--row", "rows.jsonl:4"), "line 4 (row 4): not JSON"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_can_not_be_rendered_is_told(scorer: Any, rows: Any, what: str) -> None:
    rows(ROW, {"output": "a"}, {"output": " ", "context": ["c"]}, "{broken")
    rows({"scorer_id": "bias", "index": 0}, name="other.jsonl")
    args, said = WRONG[what]
    told = scorer("prompts", "render", "faithfulness", *args)
    assert told.code == 2
    assert said in told.err


def test_an_exported_pack_is_right_and_changes_nothing_and_is_never_written_over(scorer: Any, folder: Path) -> None:
    told = scorer("prompts", "export", "faithfulness", "mine")
    steps = ("instructions", "analyze", "generate_reason", "single", "summary")
    claims = ["mine/claims/instructions.j2", "mine/claims/preprocess.j2"]
    assert told.out.split() == ["mine/pack.toml", *claims, *(f"mine/faithfulness/{step}.j2" for step in steps)]
    checked = scorer("prompts", "check", "mine")
    assert (checked.code, checked.out) == (0, "nothing is wrong  7 templates of claims, faithfulness\n")
    assert scorer("prompts", "diff", "mine", "faithfulness").out == "mine changes no prompt of faithfulness\n"
    (folder / "mine/faithfulness/summary.j2").write_text("Mine.", encoding="utf-8")
    again = scorer("prompts", "export", "faithfulness", "mine")
    assert (again.code, "is there already; choose another folder" in again.err) == (2, True)
    assert (folder / "mine/faithfulness/summary.j2").read_text(encoding="utf-8") == "Mine."


def test_check_tells_file_line_the_line_itself_and_what_to_do_and_exits_with_1(scorer: Any, pack: Any) -> None:
    name = pack({"faithfulness/analyze.j2": EXTENDS + "{% block task %}\n{{ anwser }}\n{% endblock %}", "b.j2": "x"})
    told = scorer("prompts", "check", name)
    assert told.code == 1
    lines = told.out.splitlines()
    assert lines[0].startswith("error    faithfulness/analyze.j2:3  uses 'anwser' (did you mean 'answer'?)")
    assert lines[1:3] == [
        "         {{ anwser }}",
        "warning  b.j2  nothing reads b.j2; see scorer prompts list for what scorers read",
    ]
    assert lines[-1] == "1 error, 1 warning  1 template of faithfulness"
    (error, warning) = json.loads(scorer("prompts", "check", name, "--json").out)
    assert (error["line"], error["error"], warning["error"]) == (3, True, False)


def test_warnings_alone_exit_with_0_and_a_manifest_that_is_wrong_with_1(scorer: Any, pack: Any) -> None:
    assert scorer("prompts", "check", pack({"b.j2": "x"}, "first")).code == 0
    told = scorer("prompts", "check", pack({"pack.toml": "colour = 1"}, "second"))
    assert (told.code, "no key 'colour'" in told.out) == (1, True)
    assert scorer("prompts", "check", "nowhere").code == 2


def test_diff_shows_what_changes_in_the_rendered_prompts_and_nothing_else(scorer: Any, pack: Any) -> None:
    name = pack({"faithfulness/analyze.j2": EXTENDS + "{% block task %}\nJudge.\n{% endblock %}"})
    told = scorer("prompts", "diff", name, "faithfulness").out.splitlines()
    assert told[:3] == ["faithfulness/analyze.j2", "--- own", "+++ ours"]
    assert [line for line in told[3:] if line[0] in "+-"] == [
        "-Decide for each numbered claim whether the context supports it.", "+Judge."
    ]  # fmt: skip
    assert "changes no prompt of bias" in scorer("prompts", "diff", name, "bias").out


def test_diff_is_coloured_on_a_terminal(pack: Any, process: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    name = pack({"faithfulness/instructions.j2": "You judge. </ID>"})
    told = process("prompts", "diff", name, "faithfulness", FORCE_COLOR="1").out
    assert "\x1b[32m+You judge. </ID>" in told


def test_a_pack_that_does_not_load_has_no_diff(scorer: Any, pack: Any) -> None:
    told = scorer("prompts", "diff", pack({"faithfulness/analyze.j2": "{% endfor %}"}), "faithfulness")
    assert (told.code, "faithfulness/analyze.j2, line 1" in told.err) == (2, True)
