"""Core and one scorer as wheels, alone in a fresh environment, score a row from a folder outside the checkout."""

import json
import shutil
import subprocess
import sys
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


def run(*words, **how):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, encoding="utf-8", timeout=300, **how)
    assert done.returncode == 0, done.stderr
    return done.stdout


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
    python = tmp_path / "env" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run(*UV, "venv", "--python", sys.executable, tmp_path / "env")
    run(*UV, "pip", "install", "--python", python, wheels["scorer_core"], wheels["scorer_faithfulness"])
    told = run(python, "-c", ALONE, cwd=tmp_path)
    assert json.loads(told) == [1.0, "0.1.0", ["faithfulness"]]
