"""`scorer new`: packages that are right as they are written, and names that can't be had."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

KINDS = {"my_metric": (), "my_length": ("--code",), "my_words": ("--pack",)}
FOLDERS = {"my_metric": "scorer-my-metric", "my_length": "scorer-my-length", "my_words": "scorer-prompts-my-words"}
FAULTS = {
    "a space": ("my metric", "as in 'my_metric'"),
    "capitals": ("MyMetric", "as in 'my_metric'"),
    "a leading digit": ("2fast", "as in 'fast'"),
    "a path": ("../evil", "as in 'evil'"),
    "nothing": ("", "as in 'my_metric'"),
    "another script": ("語", "is no id"),
    "a name of ours": ("core", "'core' is reserved"),
    "a folder of templates": ("claims", "'claims' is reserved"),
    "a word of Python": ("class", "'class' is reserved"),
    "the id of an installed scorer": ("bias", "'bias' is the id of scorer-bias 0.1.0; take another one"),
}


@pytest.fixture
def written(scorer: Any, tmp_path: Path) -> Any:
    """A function that has a package written, and gives its folder."""

    def write(id: str) -> Path:
        done = scorer("new", id, *KINDS[id], "--into", str(tmp_path))
        assert done.code == 0, done.err
        return tmp_path / FOLDERS[id]

    return write


def run(folder: Path, *words: str) -> str:
    """What a command says in the folder of a package that is installed as its metadata tells, beside all else."""
    package = next((folder / "src").iterdir()).name
    info = folder / f"src/{package}-0.1.0.dist-info"
    if not info.exists():
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {folder.name}\nVersion: 0.1.0\n", "utf-8")
        declared = (folder / "pyproject.toml").read_text("utf-8").split('[project.entry-points."')[1]
        group, _, rest = declared.partition('"]\n')
        (info / "entry_points.txt").write_text(
            f"[{group}]\n{rest.partition(chr(10))[0].replace(chr(34), '')}\n", "utf-8"
        )
    beside = os.pathsep.join(filter(None, [str(folder / "src"), os.environ.get("PYTHONPATH")]))
    env = os.environ | {"PYTHONPATH": beside, "MYPYPATH": beside}
    done = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, env=env, timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("id", KINDS)
def test_a_new_package_passes_its_own_tests(written: Any, id: str) -> None:
    told = run(written(id), "pytest", "-q", "-p", "no:cacheprovider")
    assert "passed" in told
    assert "skipped" not in told


@pytest.mark.parametrize("id", KINDS)
def test_a_new_package_is_typed_throughout(written: Any, id: str) -> None:
    pytest.importorskip("mypy", reason="the types of new packages are looked at where the group `lint` is installed")
    assert "no issues found" in run(written(id), "mypy", "--strict", "--cache-dir", os.devnull, "src")


@pytest.mark.parametrize("id", ["my_metric", "my_words"])
def test_nothing_is_wrong_with_the_templates_of_a_new_package(written: Any, id: str) -> None:
    folder = written(id)
    assert "nothing is wrong" in run(folder, "scorer_runner", "prompts", "check", id)
    assert f"scorer prompts check {id}" in (folder / ".github/workflows/test.yml").read_text("utf-8")


def test_a_new_scorer_is_listed_and_every_file_is_told(scorer: Any, tmp_path: Path) -> None:
    done = scorer("new", "my_length", "--code", "--into", str(tmp_path))
    files = {str(p) for p in (tmp_path / "scorer-my-length").rglob("*") if p.is_file()}
    assert {*done.out.split()} == files
    assert "pip install -e . --group test && pytest" in done.err
    assert "my_length" in run(tmp_path / "scorer-my-length", "scorer_runner", "list")


@pytest.mark.parametrize("what", FAULTS)
def test_a_name_that_can_not_be_had_is_told_with_the_remedy_and_nothing_is_written(
    scorer: Any, tmp_path: Path, what: str
) -> None:
    id, said = FAULTS[what]
    done = scorer("new", id, "--into", str(tmp_path / "ours"))
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert not (tmp_path / "ours").exists()


def test_a_folder_that_is_there_is_left_as_it_is(scorer: Any, tmp_path: Path) -> None:
    (tmp_path / "scorer-my-metric").mkdir()
    done = scorer("new", "my_metric", "--into", str(tmp_path))
    assert done.code == 2
    assert "is there already" in done.err
    assert not [*(tmp_path / "scorer-my-metric").iterdir()]


def test_two_kinds_at_once_and_a_folder_that_can_not_be_made_are_told(scorer: Any, tmp_path: Path) -> None:
    assert scorer("new", "my_metric", "--code", "--pack", "--into", str(tmp_path)).code == 2
    (tmp_path / "file").write_text("")
    done = scorer("new", "my_metric", "--into", str(tmp_path / "file"))
    assert done.code == 2
    assert "can't be written" in done.err
    assert not [*tmp_path.rglob("scorer-my-metric*")]
