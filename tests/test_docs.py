"""Every code block of the README and of docs/ is run, in order, in an empty folder of its own.

A `python` block runs in the page's namespace, a `console` block runs its `$ scorer ...` commands, a block with a title
is written to that file, and a `text` block is what the block before it printed (`...` stands for anything). With the
environment variable SCORER_DOCS=write the text blocks are written anew instead.

A `python` block with another library's name as its title is that library's half of a page. It is run in a process of
its own, by the Python that SCORER_PEERS names, where `tests/peers.txt` is installed.
"""

import contextlib
import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from sybil import Document, Region, Sybil
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    *(
        p
        for pattern in ("docs/**/*.md", "scorer_plugins/*/*/README.md", "prompts/*/README.md")
        for p in sorted(ROOT.glob(pattern))
    ),
]
INFO = re.compile(r'(?P<language>\w+)(?: title="(?P<title>[^"]+)")?[ \t]*\n')
FENCED = RawFencedCodeBlockLexer(INFO)
WRITE = os.environ.get("SCORER_DOCS") == "write"
OTHERS = ("ragas", "deepeval", "openevals")
QUIET = {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "RAGAS_DO_NOT_TRACK": "true", "LANGSMITH_TRACING": "false"}
SET_UP = ("pip install ", "uv run ")  # run by .ci/run and by the tests of the wheels


def blocks(document):
    for found in FENCED(document):
        yield Region(
            found.start, found.end, (found.lexemes["language"], found.lexemes["title"], found.lexemes["source"]), run
        )


def run(example):
    """Run one block; what it printed is kept for the text block behind it."""
    language, title, source = example.parsed
    if title in OTHERS:
        example.namespace["printed"] = None
    elif title:
        Path(title).parent.mkdir(parents=True, exist_ok=True)
        Path(title).write_text(source, encoding="utf-8")
    elif language == "text":
        if example.namespace["printed"] is not None:
            compare(example, source)
    else:
        example.namespace["printed"] = LANGUAGES[language](source, example)


def python(source, example):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * example.line + source, example.path, "exec"), example.namespace)
    return printed.getvalue()


def console(source, example):
    commands = [line.removeprefix("$ ") for line in source.splitlines() if line.startswith("$ ")]
    assert commands, f"{example.path}, line {example.line}: no command"
    return "".join(command(c) for c in commands if not c.startswith(SET_UP))


def command(line):
    line, tells_code, _ = line.partition("; echo $?")
    words = shlex.split(line, comments=True)
    assert words[0] == "scorer", f"{line!r}: only commands of `scorer` and of the set-up are shown"
    tidy = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-m", "scorer_runner", *words[1:]], capture_output=True, env=tidy, timeout=120
    )
    assert tells_code or done.returncode == 0, f"{line!r} ended with {done.returncode}: {done.stderr.decode()}"
    return done.stdout.decode() + (f"{done.returncode}\n" if tells_code else "")


def diff(source, example):
    """Lines taken out stand in a template of ours, lines put in stand in a file written by this page."""
    ours = "".join(p.read_text(encoding="utf-8") for p in ROOT.glob("scorer_*/**/templates/**/*.j2"))
    written = "".join(p.read_text(encoding="utf-8") for p in Path().rglob("*.j2"))
    for line in source.splitlines():
        if line[:1] in "+-" and line[:3] not in ("+++", "---"):
            assert line[1:].strip() in (written if line[0] == "+" else ours), line
    return ""


def compare(example, wanted):
    got = tidy(example.namespace["printed"])
    if WRITE:
        example.namespace.setdefault("written", []).append((example.region.start, example.region.end, got))
    elif not same(wanted, got):
        pytest.fail(f"{example.path}, line {example.line}: printed was\n{got}")


def tidy(printed):
    return "\n".join(line.rstrip() for line in printed.splitlines()) + "\n"


def same(wanted, got):
    return doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)


LANGUAGES = {"python": python, "console": console, "diff": diff}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_block_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    document = Sybil(parsers=[blocks], path=str(page.parent)).parse(page)
    examples = list(document.examples())
    for example in examples:
        example.evaluate()
    fences = page.read_text(encoding="utf-8").count("\n```") + page.read_text(encoding="utf-8").startswith("```")
    assert fences == 2 * len(examples), "a block was not read: its first line is not of a known form"
    rewrite(page, document.namespace.get("written", []))


@pytest.mark.parametrize("library", OTHERS)
def test_the_half_of_the_other_library_prints_and_writes_what_the_page_says(library, tmp_path):
    if "SCORER_PEERS" not in os.environ:
        pytest.skip("SCORER_PEERS names no Python with the libraries of tests/peers.txt")
    page = ROOT / "docs" / f"coming_from_{library}.md"
    found = list(FENCED(Document(page.read_text(encoding="utf-8"), str(page))))
    theirs = [n for n, block in enumerate(found) if block.lexemes["title"] == library]
    printed = alone([found[n].lexemes["source"] for n in theirs], tmp_path)
    behind = [(found[n + 1], tidy(got)) for n, got in zip(theirs, printed, strict=True) if got]
    assert len(behind) > 1
    assert all(block.lexemes["language"] == "text" for block, _ in behind), "a block's output is not shown"
    if WRITE:
        rewrite(page, [(block.start, block.end, got) for block, got in behind])
    else:
        wrong = [got for block, got in behind if not same(block.lexemes["source"], got)]
        assert not wrong, "printed was\n" + "\n".join(wrong)
    shown = {block.lexemes["title"]: block.lexemes["source"] for block in found}
    files = [file for file in tmp_path.iterdir() if file.name in shown]
    assert files, "no file of theirs is shown"
    for file in files:
        assert file.read_text(encoding="utf-8").strip() == shown[file.name].strip()


def alone(sources, folder):
    """What each block printed, run one after the other in a process of the other libraries' Python."""
    command = [Path(os.environ["SCORER_PEERS"]).absolute(), "-W", "ignore", ROOT / "tests" / "alone.py"]
    given = json.dumps(sources).encode()
    done = subprocess.run(command, input=given, cwd=folder, env=os.environ | QUIET, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


def rewrite(page, written):
    text = page.read_text(encoding="utf-8")
    for start, end, got in reversed(written):
        text = f"{text[:start]}```text\n{got}```{text[end:]}"
    if written:
        page.write_text(text, encoding="utf-8")


def test_the_set_up_commands_of_the_readme_are_those_of_the_whole_check():
    readme, check = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", ".ci/run"))
    for step in ("pip install uv", "uv run scorer demo", "uv run --group test pytest"):
        assert step in readme
        assert step in check


@pytest.mark.parametrize("needs", ["--group frames", "--group ray", "--group lint", "--group docs", "SCORER_PEERS="])
def test_what_the_tests_skip_without_it_the_whole_check_runs_in_a_step_of_its_own(needs):
    check = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert [line for line in check.splitlines() if needs in line and "pytest" in line]
