"""What the API reference knows beside the docstrings, as an extension of griffe: nothing is imported for it.

A class of attrs takes its fields, those of its bases with what these say of them; a check is called without the trail;
a type that has a name of its own inside a package is shown as what it stands for; and a name in backticks leads to
where it is shown.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from math import inf
from pathlib import Path
from typing import Any

from griffe import (
    Attribute,
    Class,
    Expr,
    ExprAttribute,
    ExprCall,
    ExprName,
    ExprSubscript,
    Extension,
    Function,
    Module,
    Parameter,
    ParameterKind,
    Parameters,
    safe_get_annotation,
)

PAGES = Path(__file__).parents[1] / "docs" / "reference"
BLOCK = re.compile(r"^::: (\S+)((?:\n +.*)*)", re.M)
LONGEST = 120  # characters of a type that a signature still bears
NAME = re.compile(r"(?<!\[)`([\w.]+)`")
ARGS = re.compile(r"^Args:\n((?:    .*\n|\n(?=    ))*)", re.M)


def _blocks() -> Iterator[tuple[str, str]]:
    """What the pages show, each with its options as they stand there."""
    for page in sorted(PAGES.glob("*.md")):
        yield from BLOCK.findall(page.read_text("utf-8"))


def _with_members(name: str, options: str) -> Iterator[str]:
    listed = re.search(r" members: \[(.*)\]", options)
    yield from (name, *(f"{name}.{member}" for member in re.findall(r"\w+", listed[1] if listed else "")))


SHOWN = {name for block in _blocks() for name in _with_members(*block)}
GIVEN = {name for name, options in _blocks() if "merge_init_into_class: false" in options}  # users make none of these


class Reference(Extension):
    """See the module."""

    def on_package(self, *, pkg: Module, **_: Any) -> None:
        """Complete all that a package holds."""
        for thing in _all(pkg):
            _unfold(thing)
            if isinstance(thing, Class) and _made_by_attrs(thing):
                _take_fields(thing)
                if thing.docstring and f"{pkg.name}.{thing.name}" in GIVEN:
                    thing.docstring.value = thing.docstring.value.replace("Args:\n", "Attributes:\n", 1)
            elif isinstance(thing, Function) and any(str(d.value).startswith("check(") for d in thing.decorators):
                thing.parameters = Parameters(*map(_without_notes, [*thing.parameters][1:]))
                thing.returns = ExprName("Scorer", parent=pkg.modules_collection["scorer_core"])
            if thing.docstring:
                thing.docstring.value = NAME.sub(lambda m: _linked(m[1], pkg.name), thing.docstring.value)


def _all(thing: Module | Class) -> Iterator[Any]:
    for member in [*thing.members.values()]:
        if not member.is_alias:
            yield member
            if isinstance(member, (Module, Class)):
                yield from _all(member)


def _made_by_attrs(cls: Class) -> Expr | None:
    made = (d.value for d in cls.decorators if isinstance(d.value, Expr))
    return next((d for d in made if d.canonical_path.startswith("attrs.")), None)


def _take_fields(cls: Class) -> None:
    """Give a class the `__init__` that attrs makes, and the words of its bases on the fields it has from them."""
    bases = [c for c in reversed(cls.mro()) if _made_by_attrs(c)]
    fields = {p.name: p for c in (*bases, cls) for p in _fields(c)}
    named = {n: p for n, p in fields.items() if p.kind is ParameterKind.keyword_only}
    placed = [Parameter("self", kind=ParameterKind.positional_or_keyword)]
    placed += [p for name, p in fields.items() if name not in named]
    cls.set_member("__init__", Function("__init__", parameters=Parameters(*placed, *named.values()), parent=cls))
    told = {name: text for c in (*bases, cls) for name, text in _args(c).items()}
    if cls.docstring and told.keys() > _args(cls).keys():
        before, _, after = ARGS.sub("Args:\n", f"{cls.docstring.value}\n").partition("Args:\n")
        cls.docstring.value = f"{before}\n\nArgs:\n{''.join(told.values())}\n{after}"


def _args(cls: Class) -> dict[str, str]:
    """What a docstring says of each argument, as it stands there."""
    found = ARGS.search(f"{cls.docstring.value}\n") if cls.docstring else None
    items = re.split(r"^(?=    \w)", found[1], flags=re.M)[1:] if found else []
    return {item.strip().partition(":")[0]: f"{item.rstrip()}\n" for item in items}


def _fields(cls: Class) -> Iterator[Parameter]:
    all_named = "kw_only=True" in str(_made_by_attrs(cls))
    for member in cls.members.values():
        if isinstance(member, Attribute) and member.annotation and "instance-attribute" in member.labels:
            given = _arguments(member.value)
            if str(given.get("init")) != "False":
                kind = "keyword_only" if all_named or "kw_only" in given else "positional_or_keyword"
                how = {"kind": ParameterKind[kind], "default": _default(member.value, given)}
                yield Parameter(member.name, annotation=_taken(member, given), **how)


def _arguments(value: Any) -> dict[str, Any]:
    """The arguments of `field(...)`; none for another value."""
    if isinstance(value, ExprCall) and value.canonical_path == "attrs.field":
        return {a.name: a.value for a in value.arguments if hasattr(a, "name")} | {"field": True}
    return {}


def _default(value: Any, given: dict[str, Any]) -> Any:
    if "factory" in given:
        return f"{given['factory']}()"
    default = given.get("default") if given else value
    return "..." if "Factory(" in str(default) else default


def _taken(member: Attribute, given: dict[str, Any]) -> Any:
    """The type that is taken: what a converter says, where it says something, else that of the field."""
    path = getattr(given.get("converter"), "canonical_path", "")
    made = member.modules_collection[path] if path.startswith("scorer_") else None
    kind = made.parameters[0].annotation if made is not None and made.is_function else None
    return member.annotation if str(kind) in ("None", "Any") else kind


def _without_notes(taken: Parameter) -> Parameter:
    """A parameter without the validators that are noted beside its type."""
    kind = taken.annotation
    if isinstance(kind, ExprSubscript) and kind.canonical_path == "typing.Annotated":
        taken.annotation = kind.slice.elements[0]
    return taken


def _unfold(thing: Any) -> None:
    """Show types by what they stand for, where users can't import their names."""
    if isinstance(thing, Function):
        thing.returns = _plain(thing.returns, thing)
    for part in thing.parameters if isinstance(thing, Function) else [thing] if isinstance(thing, Attribute) else ():
        part.annotation = _plain(part.annotation, thing)


def _plain(kind: Any, of: Any, most: float = LONGEST) -> Any:
    if isinstance(kind, list):
        return [_plain(inner, of, most) for inner in kind]
    if isinstance(kind, ExprName):
        stands_for = _meaning(of.modules_collection, kind.canonical_path)
        full = kind if stands_for is None else _plain(stands_for, of, inf)
        return full if len(str(full)) <= most else kind
    if isinstance(kind, Expr) and not isinstance(kind, ExprAttribute):
        return replace(kind, **{f.name: _plain(getattr(kind, f.name), of, most) for f in fields(kind)})
    return kind


def _meaning(modules: Any, path: str) -> Any:
    """What a name of a type stands for; None where it is a class, a variable of types, or of another library."""
    try:
        named = modules[path] if path.startswith("scorer_") else None
    except KeyError:
        return None
    if named is None or not named.is_attribute or not named.value:
        return None
    kind = ast.parse(str(named.value).strip("'\""), mode="eval").body
    return None if isinstance(kind, ast.Call) else safe_get_annotation(kind, parent=named.parent)


def _linked(name: str, package: str) -> str:
    """A name in backticks, led to where a page shows it: in its own package, or in the core."""
    first = name.partition(".")[0]
    homes = (package, "scorer_core", "scorer_core.testing")
    places = [f"{home}.{part}" for part in (name, first) for home in homes]
    return next((f"[`{name}`][{place}]" for place in places if place in SHOWN), f"`{name}`")
