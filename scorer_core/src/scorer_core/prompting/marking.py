"""What a template shows, and how: row text without marks, texts that are lost, and lines that are never shown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jinja2 import nodes

from ..contract.settings import suggestion

OF_ROWS = ("question", "answer", "ground_truth", "context", "items", "preprocess", "analyze", "run")
_NO_TEXT = ("length", "round")  # filters of which a number comes
_MARKED = re.compile(r"<(\w[\w -]*?)(?: \d+)? ([0-9a-f]{6,})>(.*?)</\2>", re.S)


def unmarked(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """The lines that show row text without marks, each with the name of it."""
    rows = _from_rows(tree)
    for output in tree.find_all(nodes.Output):
        for shown in output.nodes:
            for name in _row_text(shown, rows):
                yield shown.lineno, name


def _from_rows(tree: nodes.Template) -> dict[str, str]:
    """The names that hold row text, each with the name it comes from: also what is set to it, or goes over it."""
    rows = {name: name for name in OF_ROWS}
    bound: list[tuple[nodes.Node, nodes.Node]] = [(loop.target, loop.iter) for loop in tree.find_all(nodes.For)]
    bound += [(assign.target, assign.node) for assign in tree.find_all(nodes.Assign)]
    for _ in range(len(bound)):  # as often as one can come from another
        for target, value in bound:
            if isinstance(target, nodes.Name) and target.name not in rows and (names := [*_row_text(value, rows)]):
                rows[target.name] = names[0]
    return rows


def _row_text(node: nodes.Node | None, rows: dict[str, str]) -> Iterator[str]:
    """The names of the row text that an expression gives."""
    if isinstance(node, nodes.Name) and node.name in rows:
        yield rows[node.name]
    elif isinstance(node, (nodes.Getattr, nodes.Getitem)):
        yield from _row_text(node.node, rows)
    elif isinstance(node, nodes.Filter) and node.name not in _NO_TEXT:
        for part in (node.node, *node.args):
            yield from _row_text(part, rows)
    elif isinstance(node, nodes.CondExpr):
        for part in (node.expr1, node.expr2):
            yield from _row_text(part, rows)
    elif isinstance(node, (nodes.And, nodes.Or)):
        for part in (node.left, node.right):
            yield from _row_text(part, rows)


def hidden(tree: nodes.Template, above: Sequence[nodes.Template]) -> Iterator[tuple[int, str]]:
    """The lines of a template that are never shown: blocks that the templates above it do not have, and text outside.

    Args:
        above: The templates that it extends; none where it stands alone.
    """
    if not any(isinstance(node, nodes.Extends) for node in tree.body):
        return
    there = [block.name for extended in above for block in extended.find_all(nodes.Block)]
    for node in tree.body:
        if isinstance(node, nodes.Block) and node.name not in there:
            near = suggestion(node.name, there)
            yield (
                node.lineno,
                f"block {node.name!r} overrides nothing{near}; there are: {', '.join(dict.fromkeys(there))}",
            )
        elif isinstance(node, nodes.Output) and any(_is_shown(shown) for shown in node.nodes):
            yield node.lineno, "text outside the blocks is never shown, because the template extends another"


def _is_shown(node: nodes.Node) -> bool:
    return not isinstance(node, nodes.TemplateData) or bool(node.data.strip())


def lost(ours: str, theirs: str) -> list[str]:
    """The names by which their prompt marks texts that ours marks less often, or not at all."""
    before, after = (_MARKED.findall(prompt) for prompt in (theirs, ours))
    fewer = Counter(text for _, _, text in before) - Counter(text for _, _, text in after)
    names = dict.fromkeys(name for name, _, text in before if fewer[text])
    gone = [name for name in names if name not in {name for name, _, _ in after}]
    return gone or [*names]
