"""What every package of ours has: files, honest metadata, one place for its version."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions, requires
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOMES = sorted(
    p.parent for at in ("scorer_core", "scorer_plugins/*/*", "prompts/*") for p in ROOT.glob(f"{at}/pyproject.toml")
)
STDLIB = {*sys.stdlib_module_names, "compression"}  # the last one since Python 3.14
BROUGHT = {"pydantic": "langchain-core"}  # the classes of models are of the one and come with the other
packages = pytest.mark.parametrize("home", HOMES, ids=lambda p: p.name)


def project_of(home):
    return tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]


def source_of(home):
    (package,) = (home / "src").iterdir()
    return package


def version_in(home):
    project = project_of(home)
    told = project if "version" in project else tomllib.loads((source_of(home) / "pack.toml").read_text("utf-8"))
    return told["version"]


def name_of(requirement):
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


def imports(home):
    """The packages that are imported anywhere, each with whether it must be there when the package itself is."""
    for file in source_of(home).rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        late = {n for block in ast.walk(tree) if is_late(block) for n in ast.walk(block)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, node not in late) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield from ((f"{node.module}.{alias.name}", node not in late) for alias in node.names)


def is_late(node):
    for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    handlers = node.handlers if isinstance(node, ast.Try) else []
    told = any(ast.unparse(h.type or ast.Constant("")) == "ImportError" for h in handlers)  # where it is not there
    return for_types or told or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))


@cache
def installed():
    return packages_distributions()


def distributions(home, *, late):
    """The distributions of others that are imported, at once or at all."""
    known = installed()
    for module, at_once in imports(home):
        top, inner = module.split(".")[0], "-".join(module.split(".")[:2])
        if top not in STDLIB | {source_of(home).name} and (at_once or late):
            yield inner if top == "backports" else name_of(known.get(top, [top])[0])


@packages
def test_R129_a_package_declares_what_it_imports_and_nothing_else(home):
    project = project_of(home)
    required = {name_of(r) for r in project["dependencies"]}
    optional = {name_of(r) for rs in project.get("optional-dependencies", {}).values() for r in rs}
    brought = {name for name, by in BROUGHT.items() if by in required}
    assert {*distributions(home, late=False)} <= required | brought
    used = {*distributions(home, late=True)}
    assert used <= required | optional | brought
    holds_code = any(file.read_text("utf-8").count("\n") > 1 for file in source_of(home).rglob("*.py"))
    assert not holds_code or required | optional <= used


@pytest.mark.parametrize("name", BROUGHT)
def test_what_is_brought_by_another_is_required_by_it(name):
    assert name in {name_of(r) for r in requires(BROUGHT[name])}


@packages
def test_every_dependency_has_a_lowest_version_and_only_those_of_ours_a_highest(home):
    project = project_of(home)
    for requirement in [*project["dependencies"], *chain(*project.get("optional-dependencies", {}).values())]:
        bounds = requirement.partition(";")[0]
        assert ">=" in bounds, requirement
        assert ("<" in bounds) == name_of(requirement).startswith("scorer-"), requirement


@packages
def test_a_package_has_its_files_and_says_what_it_is(home):
    project = project_of(home)
    assert {"name", "description", "readme", "license", "requires-python"} <= {*project}
    assert (project["license"], project["requires-python"]) == ("Apache-2.0", ">=3.11")
    assert project["name"].replace("-", "_") == source_of(home).name
    assert (home / "README.md").read_text("utf-8").startswith(f"# {project['name']}\n")
    assert (source_of(home) / "py.typed").exists()
    assert tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"] == [
        "hatchling>=1.24"
    ]


@packages
def test_the_version_of_a_package_stands_in_one_place(home):
    version = version_in(home)
    places = [
        file.name
        for file in (home / "pyproject.toml", *source_of(home).rglob("*.toml"), *source_of(home).rglob("__init__.py"))
        if re.search(f'version.* = "{re.escape(version)}"', file.read_text("utf-8"))
    ]
    assert len(places) == 1


@packages
def test_what_a_version_brings_is_told_in_the_changelog_of_the_package(home):
    text = (home / "CHANGELOG.md").read_text("utf-8")
    assert text.startswith("# Changelog\n")
    assert f"`{project_of(home)['name']}`" in text
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert re.fullmatch(rf"(?:{re.escape(version_in(home))}|Unreleased)\b.*", headings[0])
    for told in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        assert re.search(r"^- \S", told, re.MULTILINE)
