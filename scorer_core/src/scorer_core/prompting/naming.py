"""What a template can name: the same names in templates as on the trail, as far as they are known at its step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from jinja2 import meta, nodes

from ..contract.ask import Ask
from ..contract.settings import suggestion
from ..contract.trail import Step

INSTRUCTION_NAMES = ("language",)
_ALWAYS = ("question", "answer", "ground_truth", "context", "scale", "options", "language", "run", "mark")


def names_at(step: Step, ask: Ask[Any]) -> tuple[str, ...]:
    """What a template can name at a step."""
    later = {"preprocess": (), "analyze": ("preprocess",), "generate_score": ("preprocess", "analyze")}
    known: Sequence[str] = later.get(step, ("preprocess", "analyze", "score"))
    return (*_ALWAYS, *known, *(["items"] if ask.each else []), *([] if ask.reply is str else ["answer_shape"]))


def unknown_names(tree: nodes.Template, step: str, known: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines that name what is not there, each with what to say about it."""
    there = ", ".join(sorted(known))
    lines = {n.name: n.lineno for n in reversed([*tree.find_all(nodes.Name)])}
    for name in sorted(meta.find_undeclared_variables(tree) - {*known, "super"}):
        yield lines[name], f"uses {name!r}{suggestion(name, known)}; at this step ({step}) there are: {there}"
