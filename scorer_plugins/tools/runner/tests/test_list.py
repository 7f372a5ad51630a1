"""`scorer list` beside packages of every kind: what is right is shown, what is broken is told and hides nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SPEC = """
from scorer_core import Band, ScorerSpec

def size(trail):
    return min(1.0, len(trail.answer) / 10)

spec = ScorerSpec(id={id!r}, description="How long", higher_is="better", version="7.1", needs=("answer",),
    bands=(Band(0, "none"), Band(0, "some")), generate_score=size)
"""
BROKEN = {  # what is wrong: (the code of the package, what else its metadata says, what is told)
    "its import fails": ("import no_such_library", "", "ModuleNotFoundError: No module named 'no_such_library'"),
    "it is no Python": ("spec = (", "", "SyntaxError: '(' was never closed"),
    "it is no scorer": ("spec = 'odd'", "", "expected a ScorerSpec, got 'odd'"),
    "it has no such name": ("", "", "AttributeError"),
    "its id is another": (SPEC.format(id="other"), "", "the entry point is named 'odd', its spec 'other'"),
    "it ends the process": ("raise SystemExit('enough')", "", "SystemExit: enough"),
    "it needs a later core": (
        SPEC.format(id="odd"), "Requires-Dist: scorer-core<8,>=7\n",
        "scorer-odd 1.0 needs scorer-core >=7,<8, this is 0.1.0; try: pip install --upgrade scorer-odd, "
        "or pip install 'scorer-core>=7,<8'",
    ),
    "it needs an earlier core": (
        SPEC.format(id="odd"), "Requires-Dist: scorer-core~=0.0.3\n", "needs scorer-core ~=0.0.3, this is 0.1.0",
    ),
}  # fmt: skip


@pytest.fixture
def told(scorer: Any) -> Any:
    """What `scorer list --json` tells of each scorer, by its id."""

    def by_id() -> dict[str, dict[str, Any]]:
        done = scorer("list", "--json")
        assert done.code == 0, done.err
        return {entry["id"]: entry for entry in json.loads(done.out)["scorers"]}

    return by_id


def test_a_scorer_of_others_is_listed_with_all_there_is_to_know(scorer: Any, install: Any, told: Any) -> None:
    install(SPEC.format(id="odd"))
    assert told()["odd"] == {
        "id": "odd", "package": "scorer-odd 1.0", "version": "7.1", "description": "How long", "higher_is": "better",
        "needs": ["answer"], "steps": ["generate_score"], "asks": [], "packs": [],
    }  # fmt: skip
    shown = scorer("list").out
    assert "higher is better · needs answer · version 7.1" in shown
    assert "preprocess*, analyze*, generate_score, generate_reason*" in shown
    assert "needs answer, context · packs ja, strict" in shown


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_scorer_is_told_with_its_package_by_every_command_and_hides_no_other(
    scorer: Any, install: Any, told: Any, what: str
) -> None:
    code, metadata, said = BROKEN[what]
    install(code, metadata)
    assert said in told()["odd"]["error"]
    assert told()["odd"]["package"] == "scorer-odd 1.0"
    assert told()["bias"]["version"] == "0.1.0"
    assert said in unwrapped(scorer("list").out)
    looked, shown = scorer("doctor", "--json"), scorer("show", "odd")
    assert (looked.code, shown.code) == (1, 2)
    assert said in next(found["told"] for found in json.loads(looked.out)["scorers"] if found["name"] == "odd")
    assert f"'odd' of scorer-odd 1.0 does not load: {told()['odd']['error']}" in shown.err


def unwrapped(table: str) -> str:
    """The last column of a table, its lines as one."""
    return " ".join(line[35:].strip() for line in table.splitlines())


def test_two_packages_with_one_id_are_told_by_both_names(scorer: Any, install: Any, told: Any) -> None:
    install(SPEC.format(id="bias"), scorer_core__scorers={"bias": "spec"})
    assert told()["bias"] == {
        "id": "bias",
        "package": "scorer-bias 0.1.0 and scorer-odd 1.0",
        "error": "two packages have the name 'bias': scorer-bias 0.1.0 and scorer-odd 1.0; uninstall one",
    }
    assert scorer("show", "bias").code == 2


def test_what_an_interrupted_installation_leaves_breaks_nothing_else(
    scorer: Any, install: Any, told: Any, folder: Path
) -> None:
    install(SPEC.format(id="odd"))
    (folder.parent / "modules/scorer_odd-1.0.dist-info/METADATA").unlink()
    assert (told()["odd"]["package"], told()["odd"]["error"]) == (
        "a package without metadata",
        "its package has no metadata; install it again",
    )
    assert "error" not in told()["bias"]
    assert scorer("show", "bias").code == 0
    assert scorer("doctor").code == 1
    assert scorer("new", "odd", "--code").code == 2


def test_what_a_scorer_prints_when_it_is_imported_is_no_part_of_what_is_told(scorer: Any, install: Any) -> None:
    install("print('hello')" + SPEC.format(id="odd"))
    done = scorer("list", "--json")
    assert "odd" in {entry["id"] for entry in json.loads(done.out)["scorers"]}
    assert "hello" in done.err


def test_no_scorer_is_imported_but_the_one_that_is_asked_for(scorer: Any, install: Any, rows: Any) -> None:
    """The names come from metadata: a package that must not be imported is named, and hurts nothing."""
    install("__import__('pathlib').Path('imported.txt').touch()")
    rows({"output": "It is red.", "context": ["It is red."]})
    assert "odd" in scorer("show", "sarcasm").err
    assert scorer("run", "rows.jsonl", "--scorer", "textual_difference", "--set", "input=It is.").code == 0
    assert not Path("imported.txt").exists()
    assert scorer("list").code == 0
    assert Path("imported.txt").exists()
