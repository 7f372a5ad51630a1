"""The walls of the house: who imports whom, what is public, what is declared, what an import costs."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import scorer_core

ROOT = Path(__file__).parents[1]
CORE = ROOT / "scorer_core" / "src" / "scorer_core"
SCORERS = sorted(p.parent for p in (ROOT / "scorer_plugins" / "scorers").glob("*/pyproject.toml"))

ROOMS = (  # from the top; a module imports only from its own room and from those below
    "testing",
    "kit",
    "evals",
    "evaluating",
    "scorer",
    "walking",
    "judging",
    "answering",
    "prompting",
    "runs",
    "plugins",
    "contract",
    "support",
)
RUNNER_ROOMS = (
    "__main__",
    "cli",
    "demo",
    "running",
    "doctor",
    "planning",
    "prompting",
    "reading",
    "showing",
    "results",
    "new",
    "terminal",
    "ordering",
    "cache",
    "gates",
)
HOUSES = [
    pytest.param(CORE, ROOMS, id="core"),
    pytest.param(ROOT / "scorer_plugins/tools/runner/src/scorer_runner", RUNNER_ROOMS, id="runner"),
]
MANY = {  # lines of scorers that are more than one: asked of a judge and computed, or of several dimensions
    "prompt_alignment": 170, "tool_call_accuracy": 200, "trajectory": 260,
}  # fmt: skip
UPWARDS = {  # imports made when a function is called, and why
    ("contract.predicate", "scorer"): "a check called with its options is a scorer; making checks stays cheap",
    ("contract.chain", "scorer"): "the end of a chain is a scorer; the chain itself stays cheap to import",
}


@cache
def modules(house=CORE):
    """The modules of a package, of the core as a rule, by their dotted names: `scorer`, `judging.calling`."""
    files = (p for p in house.rglob("*.py") if p != house / "__init__.py")
    trees = {".".join(p.relative_to(house).with_suffix("").parts): ast.parse(p.read_text("utf-8")) for p in files}
    return {name: tree for name, tree in trees.items() if not name.endswith("__init__") or len(tree.body) > 1}


def room(module):
    return module.partition(".")[0]


def imports(module, house=CORE):
    """(kind, module of the same package) of each import: "module", "typing" (for types alone) or "function"."""
    tree = modules(house)[module]
    typing = {n for block in ast.walk(tree) if for_types(block) for n in ast.walk(block)}
    lazy = {n for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            kind = "typing" if node in typing else "function" if node in lazy else "module"
            above = module.split(".")[: -node.level]
            yield from (
                (kind, ".".join([*above, n])) for n in ([node.module] if node.module else [a.name for a in node.names])
            )


def for_types(node):
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def outside(tree):
    """The packages that are imported when the module is, those of types left out."""
    typing = {n for block in ast.walk(tree) if for_types(block) for n in ast.walk(block)}
    lazy = {n for f in ast.walk(tree) if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) for n in ast.walk(f)}
    for node in set(ast.walk(tree)) - typing - lazy:
        if isinstance(node, ast.Import):
            yield from (a.name.partition(".")[0] for a in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.parametrize(("house", "rooms"), HOUSES)
def test_every_module_is_in_a_room(house, rooms):
    assert {room(m) for m in modules(house)} == {*rooms}


@pytest.mark.parametrize(("house", "rooms"), HOUSES)
def test_imports_go_downwards_only(house, rooms):
    wrong = [
        f"{module} imports {other} ({kind})"
        for module in modules(house)
        for kind, other in imports(module, house)
        if kind != "typing"
        and rooms.index(room(other)) < rooms.index(room(module))
        and (kind, module, other) not in allowed()
    ]
    assert wrong == []


@pytest.mark.parametrize(("house", "rooms"), HOUSES)
def test_the_modules_of_a_room_import_each_other_one_way(house, rooms):
    for name in rooms:
        inside = {
            m: {o for kind, o in imports(m, house) if kind != "typing" and room(o) == name}
            for m in modules(house)
            if room(m) == name
        }
        assert [*TopologicalSorter(inside).static_order()]


def allowed():
    return {("function", *pair) for pair in UPWARDS}


def test_every_import_upwards_that_is_allowed_is_there():
    found = {(m, o) for m in modules() for kind, o in imports(m) if kind == "function"}
    assert set(UPWARDS) <= found


def test_the_core_names_no_plugin():
    for tree in modules().values():
        assert not {p for p in outside(tree) if p.startswith("scorer_") and p != "scorer_core"}


def test_langchain_and_pydantic_are_imported_by_the_kit_alone():
    heavy = {m for m, tree in modules().items() if {"langchain_core", "langchain", "pydantic"} & set(outside(tree))}
    assert heavy == {"judging.scripted"}


def test_the_public_names_are_these():
    assert dir(scorer_core) == [
        "Against", "Ask", "Average", "Band", "Budget", "Cache", "Caching", "Chain", "Check", "Claims",
        "ErrorInfo", "EvalReport", "Failed", "Interval", "ItemText", "Judge", "JudgeExecution", "Menu",
        "Message", "NotScorable", "Options", "Price", "Prompts", "PromptsBy", "Range", "Rate", "RepeatedRow",
        "Repeats", "Run", "RunResult", "Score", "Scorer", "ScorerError", "ScorerSpec", "Settled", "Slice",
        "Spent", "StepRun", "Strongest", "TargetResult", "TemplateFile", "Text", "ToolCall", "ToolResult",
        "Trail", "Trajectory", "UsageError", "arun_evals", "as_texts", "as_words", "between", "check",
        "claims_of_answer", "concatenated", "create_scorer", "extract_tool_results", "messages_of", "one_of",
        "run_evals", "some_texts", "some_words", "tool_calls_of", "whole",
    ]  # fmt: skip
    for name in dir(scorer_core):
        assert getattr(scorer_core, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = scorer_core.nothing


def test_whoever_imports_all_names_has_those_that_are_loaded_late_too():
    names: dict[str, object] = {}
    exec("from scorer_core import *", names)
    assert set(dir(scorer_core)) == names.keys() - {"__builtins__"}


def test_the_public_names_for_tests_are_these():
    import scorer_core.testing

    names = [n for n in dir(scorer_core.testing) if n[0] != "_" and n != "annotations"]
    assert names == ["Example", "PackConformance", "ScorerConformance", "ScriptedJudge"]


def declared(folder):
    return tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]


def name_of(requirement):
    return requirement.partition(">")[0].partition("[")[0].partition("<")[0].partition("=")[0].strip()


def test_R130_the_core_depends_on_these_and_nothing_else_without_upper_bounds():
    project = declared(ROOT / "scorer_core")
    decided = ["attrs", "cattrs", "importlib-metadata", "jinja2", "json-repair", "langchain-core"]
    assert sorted(map(name_of, project["dependencies"])) == decided
    assert not [d for d in project["dependencies"] if "<" in d or "==" in d or "~=" in d]


@pytest.mark.parametrize("folder", SCORERS, ids=lambda p: p.name)
def test_a_scorer_is_named_by_one_rule(folder):
    project, id = declared(folder), folder.name
    assert project["name"] == f"scorer-{id.replace('_', '-')}"
    points = project["entry-points"]["scorer_core.scorers"]
    both = {id: f"scorer_{id}:spec", f"{id}_code": f"scorer_{id}:code_spec"}  # asked of a judge, and computed
    assert points in ({id: both[id]}, both, {name: f"scorer_{id}:{name}.spec" for name in points})


def lines_of_docstrings(tree):
    """The lines of docstrings beyond the first of each: what is told is no reason to tell less."""
    told = [n for n in ast.walk(tree) if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
    return sum(n.end_lineno - n.lineno for n in told)


def imported_by(folder):
    (file,) = (folder / "src").rglob("*.py")
    return {*outside(ast.parse(file.read_text("utf-8")))}


def test_no_scorer_imports_another():
    ours = {f"scorer_{folder.name}" for folder in SCORERS}
    assert not [folder.name for folder in SCORERS if ours & imported_by(folder)]


@pytest.mark.parametrize("folder", SCORERS, ids=lambda p: p.name)
def test_a_scorer_is_one_short_file_that_imports_the_public_names_alone(folder):
    (file,) = (folder / "src").rglob("*.py")
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    assert text.count("\n") - lines_of_docstrings(tree) < MANY.get(folder.name, 150)
    named = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("scorer_core")]
    assert {n.module for n in named} == {"scorer_core"}, "a scorer is made of public names"
    assert {a.name for n in named for a in n.names} <= set(dir(scorer_core))
    assert (file.parent / "py.typed").exists()
    if "Ask(" in text:
        assert {p.name for p in (file.parent / "templates").iterdir()} >= {"instructions.j2", "analyze.j2"}


def in_a_fresh_process(code, *, isolated=True):
    done = subprocess.run(
        [sys.executable, *(["-I"] if isolated else []), "-X", "utf8", "-W", "error", "-c", code],
        capture_output=True, text=True, timeout=60, cwd=ROOT / "tests",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


HEAVY = (
    "langchain", "langchain_core", "langsmith", "pydantic", "httpx", "httpx2", "requests", "urllib3", "aiohttp",
    "numpy", "pandas", "torch", "openai", "anthropic", "json_repair", "pytest", "hypothesis",
)  # fmt: skip
LIGHT = ["scorer_core", *(f"scorer_{p.name}" for p in SCORERS)]


@pytest.mark.parametrize("package", LIGHT)
def test_R128_R132_an_import_is_light_and_silent_and_opens_no_connection(package):
    code = f"""
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(event) if event.startswith("socket.") else None)
import {package}
import json
print(json.dumps([sorted({{m.partition(".")[0] for m in sys.modules}} & set({HEAVY!r})), opened]))
"""
    done = in_a_fresh_process(code)
    assert json.loads(done.stdout) == [[], []]
    assert done.stderr == ""


@pytest.mark.parametrize("asked", [["--help"], ["--version"], ["list"]], ids=" ".join)
def test_R127_a_command_that_scores_nothing_loads_no_model_library_and_no_data_frames(asked):
    heavy = tuple(name for name in HEAVY if name != "pydantic")  # typer reads the values of its options by it
    code = f"""
import contextlib, io, json, sys
from scorer_runner.cli import main
sys.argv[1:] = {asked!r}
with contextlib.redirect_stdout(io.StringIO()):
    code = main()
print(json.dumps([code, sorted({{m.partition(".")[0] for m in sys.modules}} & set({heavy!r}))]))
"""
    assert json.loads(in_a_fresh_process(code).stdout) == [0, []]


def test_R128_the_core_brings_in_attrs_and_cattrs_and_nothing_else():
    code = "import sys; before = {*sys.modules}; import scorer_core; print(*{*sys.modules} - before)"
    foreign = {m.partition(".")[0] for m in in_a_fresh_process(code).stdout.split()} - sys.stdlib_module_names
    assert foreign <= {"scorer_core", "attr", "attrs", "cattrs", "typing_extensions"}


def test_R128_the_core_adds_no_more_to_its_dependencies_than_they_cost():
    code = """
import time
started = time.perf_counter(); import attrs, cattrs.preconf.json, jinja2.sandbox
middle = time.perf_counter(); import scorer_core
print(middle - started, time.perf_counter() - middle)
"""
    costs = sorted(tuple(map(float, in_a_fresh_process(code).stdout.split())) for _ in range(3))
    dependencies, core = costs[1]
    assert core < max(1.5 * dependencies, 0.5)


def test_R131_an_import_reads_and_writes_no_file_of_the_working_folder(tmp_path):
    (tmp_path / ".env").write_text("X=1")
    code = f"""
import os, sys
os.chdir({str(tmp_path)!r})
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import scorer_core
print([p for p in opened if p.startswith({str(tmp_path)!r}) or p == ".env"])
"""
    assert in_a_fresh_process(code).stdout == "[]\n"
    assert [p.name for p in tmp_path.iterdir()] == [".env"]


def test_R132_scoring_with_a_scripted_judge_opens_no_connection():
    code = """
import sys
connected, outwards = [], ("socket.connect", "socket.getaddrinfo")
sys.addaudithook(lambda event, args: connected.append(args) if event in outwards else None)
from scorer_core.testing import ScriptedJudge
from scorer_bias import create_bias_scorer
result = create_bias_scorer(ScriptedJudge(preprocess={"opinions": []})).run(output="x")
print(result.score, [c for c in connected if c[0].family.name != "AF_UNIX"])
"""
    assert in_a_fresh_process(code).stdout == "0.0 []\n"


@pytest.mark.parametrize(("house", "rooms"), HOUSES)
def test_every_module_says_in_its_first_line_what_it_is(house, rooms):
    for module, tree in modules(house).items():
        assert ast.get_docstring(tree), module


def test_no_file_is_named_after_nothing():
    assert not {"utils", "helpers", "common", "base", "misc"} & {m.rpartition(".")[2] for m in modules()}


def test_no_two_test_files_of_root_and_core_have_one_name():
    """pytest imports both as `tests.NAME` (the folder of the core's tests is a package), and would run one of them."""
    here, core = ({p.name for p in folder.glob("*.py")} for folder in (ROOT / "tests", ROOT / "scorer_core" / "tests"))
    assert not here & core


def test_the_cores_readme_names_every_module_once():
    rows = (ROOT / "scorer_core/README.md").read_text("utf-8").partition("## The rooms")[2].splitlines()
    table = {f[1].strip(): re.findall(r"`(\w+)`", f[2]) for f in (row.split("|") for row in rows) if len(f) > 3}
    told = [f"{folder.strip('`/')}.{name}" if folder else name for folder, names in table.items() for name in names]
    assert sorted(told) == sorted(modules())
