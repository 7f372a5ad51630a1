"""Wheels in a fresh environment, from a folder outside the checkout: one scorer, a pack, a scorer just made."""

import json
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = [
    "scorer_core",
    *sorted(
        str(p.parent.relative_to(ROOT))
        for pattern in ("scorer_plugins/*/*/pyproject.toml", "prompts/*/pyproject.toml")
        for p in ROOT.glob(pattern)
    ),
]
UV = [shutil.which("uv")] if shutil.which("uv") else [sys.executable, "-m", "uv"]

ALONE = """
import json
from scorer_core.plugins import SCORERS, installed
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

judge = ScriptedJudge(
    preprocess={"claims": ["It is red."]},
    analyze={"verdicts": [{"number": 1, "reason": "said", "verdict": "yes"}]},
    generate_reason="So.",
)
result = create_faithfulness_scorer(judge, context=["It is red."]).run(output="It is red.")
print(json.dumps([result.score, result.scorer_version, sorted(installed(SCORERS))]))
"""


JAPANESE = """
import json
from scorer_core.testing import ScriptedJudge
from scorer_faithfulness import create_faithfulness_scorer

judge = ScriptedJudge(
    preprocess={"claims": ["空は青い。"]},
    analyze={"verdicts": [{"number": 1, "reason": "資料にある。", "verdict": "yes"}]},
    generate_reason="裏づけがある。",
)
result = create_faithfulness_scorer(judge, prompts="ja", context=["空は青い。"]).run(output="空は青い。")
print(json.dumps([result.score, sorted({f.pack for files in result.templates.values() for f in files})]))
"""


MINE = """
import json
from scorer_core.plugins import SCORERS, installed
from scorer_my_length import create_my_length_scorer

print(json.dumps([create_my_length_scorer().run(output="one two three four").score, sorted(installed(SCORERS))]))
"""


JUDGE = """
from scorer_core.testing import ScriptedJudge

judge = ScriptedJudge(
    preprocess={"claims": ["It is red."]},
    analyze={"verdicts": [{"number": 1, "reason": "said", "chunk": 1, "verdict": "yes"}]},
    generate_reason="So.",
)
"""
KINDS = {  # of new packages: how each is asked for and used, and the packs whose words were sent
    "my_metric": ((), ("--scorer", "my_metric", "--model", "python:judges:judge"), {"default"}),
    "my_length": (("--code",), ("--scorer", "my_length"), set()),
    "my_words": (
        ("--pack",), ("--scorer", "faithfulness", "--model", "python:judges:judge", "--prompts", "my_words"),
        {"default", "my_words"},
    ),
}  # fmt: skip


def run(*words, **how):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, encoding="utf-8", timeout=300, **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


def fresh(folder, *wheels):
    """The Python of a fresh environment that holds these wheels and what they need."""
    python = folder / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(*UV, "venv", "--python", sys.executable, folder / "env")
    run(*UV, "pip", "install", "--python", python, *wheels)
    return python


def printed(code, folder, *wheels):
    """What `code` prints in a fresh environment that holds these wheels and what they need."""
    return run(fresh(folder, *wheels), "-c", code, cwd=folder)


def new(id, folder, *how):
    """The folder of a package that `scorer new` writes."""
    run(sys.executable, "-m", "scorer_runner", "new", id, *how, "--into", folder)
    (package,) = folder.glob(f"*{id.replace('_', '-')}")
    return package


def built(package, folder):
    """The wheel of a package."""
    run(*UV, "build", "--wheel", "--out-dir", folder / package.name, package)
    (wheel,) = (folder / package.name).glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """Every package as a wheel, by the name of its import package."""
    folder = tmp_path_factory.mktemp("wheels")
    run(*UV, "build", "--all-packages", "--wheel", "--out-dir", folder, cwd=ROOT)
    return {wheel.name.split("-")[0]: wheel for wheel in folder.glob("*.whl")}


def test_every_package_builds_with_its_templates_and_its_type_marker(wheels):
    assert len(wheels) == len(PACKAGES)
    for package in PACKAGES:
        (source,) = (ROOT / package / "src").iterdir()
        inside = set(zipfile.ZipFile(wheels[source.name]).namelist())
        assert f"{source.name}/py.typed" in inside
        for file in source.rglob("*"):
            if file.suffix in (".j2", ".py", ".jsonl", ".md", ".toml", ".txt"):
                assert str(file.relative_to(source.parent)) in inside


def test_one_scorer_alone_works_without_the_others(wheels, tmp_path):
    told = printed(ALONE, tmp_path, wheels["scorer_core"], wheels["scorer_faithfulness"])
    assert json.loads(told) == [1.0, "0.1.0", ["faithfulness"]]


def test_a_pack_installed_from_a_wheel_is_found_by_its_name(wheels, tmp_path):
    needed = [wheels[name] for name in ("scorer_core", "scorer_faithfulness", "scorer_prompts_ja")]
    assert json.loads(printed(JAPANESE, tmp_path, *needed)) == [1.0, ["ja"]]


def test_a_scorer_written_in_fifteen_minutes_is_changed_tested_built_and_listed_elsewhere(wheels, tmp_path):
    """`scorer new`, another formula, its tests green, its wheel installed in a fresh environment and listed there."""
    package = new("my_length", tmp_path, "--code")
    file = package / "src/scorer_my_length/__init__.py"
    file.write_text(file.read_text("utf-8").replace("default=100", "default=2"), encoding="utf-8")
    needed = [f"{wheels['scorer_core']}[testing]", wheels["scorer_runner"], built(package, tmp_path / "dist")]
    python = fresh(tmp_path, *needed)
    assert json.loads(run(python, "-c", MINE, cwd=tmp_path)) == [0.5, ["my_length"]]
    assert "my_length" in run(python, "-m", "scorer_runner", "list", cwd=tmp_path)
    assert "passed" in run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=package)


@pytest.fixture(scope="module")
def elsewhere(wheels, tmp_path_factory):
    """The Python of a fresh environment with the wheel of a new package of each kind, and the folder of all."""
    folder = tmp_path_factory.mktemp("elsewhere")
    made = [built(new(id, folder, *how), folder / "dist") for id, (how, _, _) in KINDS.items()]
    needed = [wheels["scorer_runner"], wheels["scorer_faithfulness"], f"{wheels['scorer_core']}[testing]", "mypy>=1.15"]
    (folder / "judges.py").write_text(JUDGE, encoding="utf-8")
    (folder / "rows.jsonl").write_text('{"output": "It is red.", "context": ["It is red."]}\n', encoding="utf-8")
    return fresh(folder, *needed, *made), folder


def test_new_packages_of_each_kind_are_listed_where_they_are_installed(elsewhere):
    python, folder = elsewhere
    told = json.loads(run(python, "-m", "scorer_runner", "list", "--json", cwd=folder))
    assert {e["id"]: e.get("error") for e in told["scorers"]} == dict.fromkeys(
        ("faithfulness", "my_length", "my_metric")
    )
    assert told["packs"] == {"my_words": "scorer-prompts-my-words 0.1.0"}
    assert run(python, "-m", "scorer_runner", "doctor", cwd=folder).endswith("all of it works\n")


@pytest.mark.parametrize("id", KINDS)
def test_a_new_package_scores_a_row_where_it_is_installed(elsewhere, id):
    python, folder = elsewhere
    _, how, packs = KINDS[id]
    run(python, "-m", "scorer_runner", "run", "rows.jsonl", *how, "--out", f"{id}.jsonl", cwd=folder)
    (result,) = map(json.loads, (folder / f"{id}.jsonl").read_text("utf-8").splitlines())
    assert (result["status"], result["score"]) == ("scored", 1.0)
    assert {file["pack"] for files in result["templates"].values() for file in files} == packs


@pytest.mark.parametrize("id", KINDS)
def test_a_new_package_passes_its_own_tests_types_and_checks_where_it_is_installed(elsewhere, id):
    python, folder = elsewhere
    (package,) = folder.glob(f"scorer-*{id.replace('_', '-')}")
    told = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=package)
    assert "passed" in told
    assert "skipped" not in told
    checked = run(python, "-m", "mypy", "--strict", "--cache-dir", folder / "types", "src", cwd=package)
    assert "no issues found" in checked
    if KINDS[id][2]:
        assert "nothing is wrong" in run(python, "-m", "scorer_runner", "prompts", "check", id, cwd=folder)


def test_the_umbrella_requires_every_scorer():
    project = tomllib.loads((ROOT / "scorer_plugins/tools/all/pyproject.toml").read_text("utf-8"))["project"]
    scorers = {p.parent.name for p in (ROOT / "scorer_plugins/scorers").glob("*/pyproject.toml")}
    required = {line.partition(">")[0] for line in project["dependencies"]}
    assert required == {f"scorer-{id.replace('_', '-')}" for id in (*scorers, "runner", "local_judge")}
