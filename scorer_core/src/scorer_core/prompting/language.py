"""The part of Jinja that templates may use: it always comes to an end, and it reaches nothing but the values given.

Output, `if`, tests and comparisons, `for` over a given value, `set`, `block`, `extends` and `include` of a constant
name, `mark(...)`, `super()` and ten filters. Anything else is refused when a template is loaded, with its line.
Of the values a template sees the items of lists and mappings and the public fields of our own classes, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import attrs
from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.runtime import Context, LoopContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from .filters import FILTERS, each
from .marks import Marked, clean

MOST_SOURCE = 200_000  # characters of one template
_OVER = "(over)"  # the filter around what a loop goes over; no template can name it
_OF_LOOPS = frozenset(("index", "index0", "revindex", "revindex0", "first", "last", "length", "previtem", "nextitem"))
_TAKEN = ("mark", "super", "loop", "self")  # names that a template can't give another meaning
_NAME_OF_MARK = re.compile(r"\w[\w -]*")
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

    def compile(self, source: Any, name: str | None = None, filename: str | None = None, *how: Any, **more: Any) -> Any:
        try:
            return super().compile(source, name, filename, *how, **more)
        except (RecursionError, SyntaxError, MemoryError) as e:  # of Python, for what Jinja made of the template
            raise TemplateSyntaxError("it is nested too deep", 1, name, filename) from e

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        for line, why in _unfit(source):
            raise TemplateSyntaxError(why, line, name, filename)
        tree = super()._parse(source, name, filename)
        for line, why in _refusals(tree):
            raise TemplateSyntaxError(f"{why} is not part of the template language", line, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, _OVER, [], [], None, None, lineno=loop.lineno)
        return tree

    def getattr(self, obj: Any, attribute: str) -> Any:
        return self.getitem(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """An item of a list, mapping or text, or a public field of one of our own values; nothing else is there."""
        kind: Any = type(obj)
        if isinstance(argument, str) and argument in _fields_of(kind):
            return getattr(obj, argument)
        try:
            return obj[argument] if isinstance(obj, (Mapping, list, tuple, str)) else self._no(obj, argument)
        except (LookupError, TypeError):
            return self._no(obj, argument)

    def _no(self, obj: Any, argument: Any) -> Any:
        return self.undefined(obj=obj, name=argument)

    def call(
        self, context: Context, called: Any, *args: Any, _loop_vars: Any = None, _block_vars: Any = None, **named: Any
    ) -> Any:
        """What `mark` or `super` gives; there is no other call in the language that could have to be refused here."""
        return called(*args, **named)

    def concat(self, pieces: Iterable[str]) -> Marked:
        """What `super()` and a whole template come to; all of it was made fit for the prompt piece by piece."""
        return Marked("".join(pieces))


@cache
def _fields_of(kind: Any) -> frozenset[str]:
    """The names of a class that templates see: fields and properties of attrs classes, and what loops tell."""
    if issubclass(kind, LoopContext):
        return _OF_LOOPS
    if issubclass(kind, str) and "metadata" in getattr(kind, "__annotations__", ()):
        return frozenset(("metadata",))  # of a chunk of context
    if not attrs.has(kind):
        return frozenset()
    properties = (name for name in dir(kind) if isinstance(getattr(kind, name), property))
    return frozenset(n for n in (*(a.name for a in attrs.fields(kind)), *properties) if not n.startswith("_"))


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
    env.filters = {**FILTERS, _OVER: each}
    env.globals.clear()
    return env


def _shown(value: Any) -> str:
    """What an expression puts into the prompt: marked text as it is, other text without the characters marks use."""
    if value is None or isinstance(value, Marked):
        return value or ""
    return clean(value if isinstance(value, str) else str(value))


def _unfit(source: str) -> Iterator[tuple[int, str]]:
    if len(source) > MOST_SOURCE:
        yield 1, f"a template has {MOST_SOURCE:,} characters at most, this one has {len(source):,}"
    for char in "\0\1":
        if char in source:
            yield source[: source.index(char)].count("\n") + 1, f"it holds the control character {char!r}"


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
    if isinstance(node, nodes.Name) and node.ctx != "load" and node.name in _TAKEN:
        return f"a value named {node.name!r}"
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
    called = _called(node)
    if called not in ("mark", "super"):
        return "a call of anything but mark and super"
    if id(node) not in alone:
        return f"{called}(...) that does not stand alone in {{{{ }}}}"
    return (
        "mark(...) of anything but a constant name and a value" if called == "mark" and not _well_named(node) else None
    )


def _well_named(node: nodes.Call) -> bool:
    name = node.args[0] if node.args else None
    named = isinstance(name, nodes.Const) and isinstance(name.value, str) and _NAME_OF_MARK.fullmatch(name.value)
    return bool(named) and len(node.args) == 2 and not (node.kwargs or node.dyn_args or node.dyn_kwargs)


def _called(node: nodes.Call) -> str | None:
    return node.node.name if isinstance(node.node, nodes.Name) else None


def _constant(node: Any) -> bool:
    return isinstance(node, nodes.Const)
