"""The part of Jinja that templates may use: it always comes to an end, and it reaches nothing but the values given.

Output, `if`, tests and comparisons, `for` over a given value, `set`, `block`, `extends` and `include` of a constant
name, `mark(...)`, `super()` and ten filters. Anything else is refused when a template is loaded, with its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .marks import Marked, as_json, clean

FILTERS = ("default", "first", "join", "json", "last", "length", "lower", "round", "trim", "upper")
_ALLOWED = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.Getattr, nodes.Getitem, nodes.If,
    nodes.For, nodes.Assign, nodes.Block, nodes.Extends, nodes.Include, nodes.Call, nodes.Filter, nodes.Test,
    nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.CondExpr, nodes.Keyword,
)  # fmt: skip
_SAID = {
    "Add": "arithmetic", "Sub": "arithmetic", "Mul": "arithmetic", "Div": "arithmetic", "Pow": "arithmetic",
    "FloorDiv": "arithmetic", "Mod": "arithmetic", "Neg": "arithmetic", "Concat": "joining texts with ~",
    "List": "a list display", "Tuple": "a tuple display", "Dict": "a dict display",
    "AssignBlock": "the block form of set",
    "Macro": "a macro", "CallBlock": "a call block", "FilterBlock": "a filter block", "Slice": "a slice",
    "Import": "import", "FromImport": "import",
}  # fmt: skip


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """An environment that refuses what is not part of the language when it parses a template."""

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for line, why in _refusals(tree):
            raise TemplateSyntaxError(f"{why} is not part of the template language", line, name, filename)
        return tree


def environment(loader: BaseLoader) -> Environment:
    """An environment of the limited language: strict names, no escaping, nothing global."""
    env = LimitedEnvironment(
        loader=loader,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=_shown,
    )
    env.filters = {name: f for name, f in env.filters.items() if name in FILTERS} | {"json": as_json}
    env.globals.clear()
    return env


def _shown(value: Any) -> str:
    """What an expression puts into the prompt: marked text as it is, other text without the characters marks use."""
    if value is None or isinstance(value, Marked):
        return value or ""
    return clean(value if isinstance(value, str) else str(value))


def _refusals(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    alone = {id(n) for output in tree.find_all(nodes.Output) for n in output.nodes}
    for node in tree.find_all(nodes.Node):
        if why := _refused(node, alone):
            yield node.lineno or 1, why
    for loop in tree.find_all(nodes.For):
        for node in loop.find_all((nodes.For, nodes.Include, nodes.Block)):
            if node is not loop:
                yield node.lineno, f"{type(node).__name__.lower()} inside a loop"
        if any(_called(c) == "super" for c in loop.find_all(nodes.Call)):
            yield loop.lineno, "super() inside a loop"


def _refused(node: nodes.Node, alone: set[int]) -> str | None:
    if not isinstance(node, _ALLOWED):
        return _SAID.get(type(node).__name__, type(node).__name__.lower())
    if isinstance(node, (nodes.Extends, nodes.Include)) and not _constant(node.template):
        return f"{type(node).__name__.lower()} of a name that is not constant"
    if isinstance(node, nodes.Include) and node.ignore_missing:
        return "include ignore missing"
    if isinstance(node, nodes.For) and (
        node.recursive or not isinstance(node.iter, (nodes.Name, nodes.Getattr, nodes.Getitem))
    ):
        return "a loop over anything but a given value"
    if isinstance(node, nodes.Filter) and (refused := _filter(node)):
        return refused
    return _call(node, alone) if isinstance(node, nodes.Call) else None


def _filter(node: nodes.Filter) -> str | None:
    if node.name not in FILTERS:
        return f"the filter {node.name!r} (there are: {', '.join(FILTERS)})"
    if node.name == "join" and (node.kwargs or not all(map(_constant, node.args))):
        return "join with anything but a constant"
    return None


def _call(node: nodes.Call, alone: set[int]) -> str | None:
    if _called(node) not in ("mark", "super"):
        return "a call of anything but mark and super"
    if _called(node) == "mark" and id(node) not in alone:
        return "mark(...) that does not stand alone in {{ }}"
    return None


def _called(node: nodes.Call) -> str | None:
    return node.node.name if isinstance(node.node, nodes.Name) else None


def _constant(node: Any) -> bool:
    return isinstance(node, nodes.Const)
