"""The reference shows what is public, each name once, and the docstrings of what it shows tell every argument."""

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path

import attrs
import pytest

import scorer_core
from scorer_core import Check, testing
from scorer_core.plugins import SCORERS, installed, load_scorer

ROOT = Path(__file__).parents[1]
SHOWN = [
    name
    for page in sorted((ROOT / "docs" / "reference").glob("*.md"))
    for name in re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.M)
]
TOLD_TO_JUDGES = ("Claims", "Score")  # their docstrings are sent; the notes of their fields say what these hold


def shown_of(package):
    return sorted(name for name in SHOWN if name.startswith(f"{package}."))


def public(package):
    """The names that a package offers: those of `__all__`, or those imported as themselves."""
    (file,) = ROOT.glob(f"scorer_plugins/tools/*/src/{package}/__init__.py")
    body = ast.parse(file.read_text("utf-8")).body
    listed = [ast.literal_eval(n.value) for n in body if isinstance(n, ast.Assign) and n.targets[0].id == "__all__"]
    named = [a.asname for n in body if isinstance(n, ast.ImportFrom) for a in n.names if a.asname]
    return sorted(f"{package}.{name}" for name in (listed[0] if listed else named))


def test_nothing_is_shown_twice():
    assert sorted(SHOWN) == sorted(set(SHOWN))


def test_of_the_core_all_that_is_public_is_shown_and_nothing_else():
    kits = [n for n in vars(testing) if n[0] != "_" and n != "annotations"]
    public = [f"scorer_core.{n}" for n in dir(scorer_core)] + [f"scorer_core.testing.{n}" for n in kits]
    assert shown_of("scorer_core") == sorted(public)


@pytest.mark.parametrize("package", ["scorer_local_judge", "scorer_ray", "scorer_steps", "scorer_words"])
def test_of_a_package_of_functions_all_that_is_public_is_shown(package):
    assert shown_of(package) == public(package)


@pytest.mark.parametrize("id", sorted(installed(SCORERS)))
def test_of_each_scorer_the_function_that_makes_it_its_options_and_its_formula_are_shown(id):
    spec = load_scorer(id)
    module = import_module(spec.package)
    if isinstance(getattr(module, id, None), Check):  # which is all of these
        wanted = [id]
    else:
        options = [spec.options.__name__] if spec.options.__module__ == spec.package else []
        wanted = [f"create_{id}_scorer", *options, spec.generate_score.__name__]
    assert {f"{spec.package}.{name}" for name in wanted} <= set(SHOWN)
    assert {n for n in vars(module) if n.startswith("create_")} <= {n.rpartition(".")[2] for n in SHOWN}


def told(kind):
    """The arguments that a docstring tells of; of a class those of its bases as well."""
    told = set()
    for thing in inspect.getmro(kind) if isinstance(kind, type) else [kind]:
        _, _, args = inspect.cleandoc(thing.__dict__.get("__doc__") or thing.__doc__ or "").partition("Args:\n")
        told |= set(re.findall(r"^    (\w+):", args.partition("\n\n")[0], re.M))
    return told


def taken(thing):
    """What a function takes, or a class of attrs."""
    if isinstance(thing, type):
        return {a.name for a in attrs.fields(thing) if a.init}
    return set(inspect.signature(thing).parameters) - {"trail"}


def looked_at(thing):
    """Whether a thing has arguments to tell of: a function, or a class of attrs."""
    return attrs.has(thing) if isinstance(thing, type) else inspect.isfunction(thing)


def things():
    for place in SHOWN:
        package, _, name = place.rpartition(".")
        if package != "scorer_ray" and name not in TOLD_TO_JUDGES:  # what needs Ray is read by the build alone
            thing = getattr(import_module(package), name)
            if looked_at(thing):
                yield pytest.param(thing, id=place)


@pytest.mark.parametrize("thing", [*things()])
def test_a_docstring_tells_of_every_argument_or_of_none_where_there_are_few(thing):
    missing = taken(thing) - told(thing)
    few = not isinstance(thing, type) and len(taken(thing)) < 3
    assert not missing or (few and "Args:" not in (thing.__doc__ or "")), missing
