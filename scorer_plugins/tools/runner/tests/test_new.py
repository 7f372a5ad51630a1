"""`scorer new`: packages that are right as they are written, and names that can't be had."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import importlib_metadata
import pytest

from scorer_runner.new.writing import compatible

KINDS = {"my_metric": (), "my_length": ("--code",), "my_words": ("--pack",)}
FOLDERS = {"my_metric": "scorer-my-metric", "my_length": "scorer-my-length", "my_words": "scorer-prompts-my-words"}
FAULTS = {
    "a space": ("my metric", "as in 'my_metric'"),
    "capitals": ("MyMetric", "as in 'my_metric'"),
    "a leading digit": ("2fast", "as in 'fast'"),
    "a path": ("../evil", "as in 'evil'"),
    "nothing": ("", "as in 'my_metric'"),
    "a hyphen": ("my-metric", "as in 'my_metric'"),
    "letters that are not English": ("größe_é", "as in 'grosse_e'"),
    "another script": ("語", "is no id"),
    "too many letters": ("a" * 200, "too long for an id: 200 letters, 50 at most"),
    "a name of ours": ("core", "'core' is reserved"),
    "a folder of templates": ("claims", "'claims' is reserved"),
    "a word of Python": ("class", "'class' is reserved; take a name that says more, as in 'class_quality'"),
    "a word of Python in some places": ("match", "'match' is reserved"),
    "a function of Python": ("print", "'print' is reserved"),
    "a module of Python": ("json", "'json' is reserved"),
    "nothing by name": ("none", "'none' is reserved"),
    "our own": ("testing", "'testing' is reserved"),
    "a package that is no scorer": ("words", "'words' is reserved"),
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


def test_a_pack_of_an_installed_name_is_refused(scorer: Any, tmp_path: Path) -> None:
    done = scorer("new", "ja", "--pack", "--into", str(tmp_path / "ours"))
    assert (done.code, "'ja' is the id of scorer-prompts-ja 0.1.0; take another one" in done.err) == (2, True)
    assert not (tmp_path / "ours").exists()


def test_the_name_of_an_installed_package_is_refused(scorer: Any, install: Any, tmp_path: Path) -> None:
    install("", scorer_core__models={"other": "model"})
    done = scorer("new", "odd", "--into", str(tmp_path / "ours"))
    assert (done.code, "scorer-odd 1.0 is installed; take another id, or uninstall that first" in done.err) == (2, True)
    assert not (tmp_path / "ours").exists()


def test_every_name_of_our_own_is_reserved() -> None:
    """Also where the package that has it is not installed."""
    root = Path(__file__).parents[4]
    homes = [*root.glob("scorer_plugins/*/*/pyproject.toml"), *root.glob("prompts/*/pyproject.toml")]
    points = [tomllib.loads(home.read_text("utf-8"))["project"].get("entry-points", {}) for home in homes]
    ours = {name for groups in points for names in groups.values() for name in names}
    reserved = (root / "scorer_plugins/tools/runner/src/scorer_runner/new/reserved.txt").read_text("utf-8").split()
    assert reserved == sorted({*reserved})
    assert ours | {home.parent.name for home in homes} <= {*reserved}


@pytest.mark.parametrize("there", ["a file", "a link to nowhere"])
def test_what_stands_where_the_folder_would_be_is_left_as_it_is(scorer: Any, tmp_path: Path, there: str) -> None:
    place = tmp_path / "scorer-my-metric"
    place.write_text("mine") if there == "a file" else place.symlink_to(tmp_path / "nowhere")
    done = scorer("new", "my_metric", "--into", str(tmp_path))
    assert (done.code, "is there already" in done.err) == (2, True)
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(("scorer", "."))] == ["scorer-my-metric"]


def test_a_disk_that_fills_up_midway_leaves_nothing(scorer: Any, tmp_path: Path, monkeypatch: Any) -> None:
    write, place = Path.write_text, tmp_path / "ours"

    def full(path: Path, *how: Any, **more: Any) -> int:
        if path.name == "README.md":
            raise OSError(28, "No space left on device")
        return write(path, *how, **more)

    monkeypatch.setattr(Path, "write_text", full)
    done = scorer("new", "my_metric", "--into", str(place))
    assert (done.code, "can't be written: No space left on device" in done.err) == (2, True)
    assert not [*place.iterdir()]


def test_a_pack_for_a_scorer_that_is_not_installed_is_not_written(
    scorer: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    others = [p for p in importlib_metadata.entry_points() if p.name != "faithfulness"]
    monkeypatch.setattr(
        "scorer_core.plugins.importlib_metadata.entry_points", lambda group: [p for p in others if p.group == group]
    )
    done = scorer("new", "my_words", "--pack", "--into", str(tmp_path / "ours"))
    assert (done.code, "try: pip install scorer-faithfulness" in done.err) == (2, True)
    assert not (tmp_path / "ours").exists()


@pytest.mark.parametrize(
    ("version", "range"),
    [
        ("1.4.2", ">=1.4,<2"),
        ("0.1.0", ">=0.1,<0.2"),
        ("2", ">=2.0,<3"),
        ("1.0rc1", ">=1.0,<2"),
        ("0.2.dev3", ">=0.2,<0.3"),
    ],
)
def test_a_new_package_requires_what_keeps_the_contract_of_today(version: str, range: str) -> None:
    assert compatible(version) == range


def test_two_kinds_at_once_and_a_folder_that_can_not_be_made_are_told(scorer: Any, tmp_path: Path) -> None:
    assert scorer("new", "my_metric", "--code", "--pack", "--into", str(tmp_path)).code == 2
    (tmp_path / "file").write_text("")
    done = scorer("new", "my_metric", "--into", str(tmp_path / "file"))
    assert done.code == 2
    assert "can't be written" in done.err
    assert not [*tmp_path.rglob("scorer-my-metric*")]
