"""A made-up row: what templates are looked at with when there is no real one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_origin, get_type_hints

import attrs
from attrs import evolve, frozen

from ..contract.ask import Ask
from ..contract.errors import UsageError
from ..contract.replies import Menu, Range, ReplyField, Text, alternatives, element, labels, reply_fields
from ..contract.schema import Run
from ..contract.shapes import answer_shape
from ..contract.spec import ScorerSpec
from ..contract.trail import STEPS, Options, Step, Trail

QUESTION = "What is known about the bridge?"
ANSWER = "The bridge opened in 1932. It is 134 metres high. It was painted red."
TRUTH = "It opened in 1932, is 134 metres high and grey."
CONTEXT = ("The bridge was opened to traffic in March 1932.", "Its towers are 134 metres high.")
ITEMS = ("The bridge opened in 1932.", "The bridge is 134 metres high.", "The bridge was painted red.")
METADATA = {"lang": "en"}


@frozen
class Sample:
    """Makes the values of a step's reply.

    Args:
        menus: The words of each menu, as the options list them.
        lists: The texts of what is asked about.
    """

    menus: Mapping[str, tuple[str, ...]]
    items: tuple[str, ...] = ITEMS

    def of(self, kind: Any, n: int = 1, name: str = "text") -> Any:
        """The `n`th made-up value of a type."""
        if inner := element(kind):
            texts = (
                self.items if inner is str else tuple(self.of(inner, i, name) for i in range(1, len(self.items) + 1))
            )
            return texts if get_origin(kind) is tuple else list(texts)
        if words := labels(kind):
            return words[(n - 1) % len(words)]
        if attrs.has(kind):
            return kind(**{f.name: self.field(f, n) for f in reply_fields(kind)})
        first = alternatives(kind)[0]
        if first is not kind:
            return self.of(first, n, name)
        plain = {str: f"the {name.replace('_', ' ')} of number {n}", int: n, float: 0.5, bool: True}
        return plain.get(kind, {} if get_origin(kind) else None)

    def field(self, f: ReplyField, n: int) -> Any:
        """The value of one field of the `n`th element of a list."""
        first = alternatives(f.type)[0]
        if isinstance(f.mark, Menu):
            words = self.menus[f.mark.of]
            return words[(n - 1) % len(words)] if words else None
        if isinstance(f.mark, Text):
            return (
                self.of(f.type, n) if element(f.type) else 1 if first is int else self.items[(n - 1) % len(self.items)]
            )
        if isinstance(f.mark, Range):
            return f.mark.low
        return self.of(f.type, n, f.name) if f.asked else self.items[(n - 1) % len(self.items)]


def sample_names(spec: ScorerSpec[Any, Any], step: Step, ask: Ask[Any], language: str | None = None) -> dict[str, Any]:
    """What a template of one step can name, for the made-up row."""
    options = _options(spec)
    known: dict[str, Any] = {}
    for before in STEPS[: STEPS.index(step)][:2]:
        known[before] = _value(spec, before, options)
    score = options.scale / 2 if step == "generate_reason" else None
    trail: Trail[Any, Any] = Trail(
        question=QUESTION, answer=ANSWER, ground_truth=TRUTH, context=CONTEXT, context_source="row",
        preprocess=known.get("preprocess"), analyze=known.get("analyze"), score=score, scale=options.scale,
        options=options, language=language,
        run=Run(input=QUESTION, output=ANSWER, ground_truth=TRUTH, context=CONTEXT, run_id="sample", metadata=METADATA),
    )  # fmt: skip
    shape = {} if ask.reply is str else {"answer_shape": answer_shape(ask.reply, ask.menus(options), ask.open)}
    made = ask.each == "context" or hasattr(trail.preprocess, ask.each or "")
    trail = evolve(trail, items=ask.items(trail) if made else ITEMS if ask.each else ())
    return {a.name: getattr(trail, a.name) for a in attrs.fields(Trail)} | shape


def _value(spec: ScorerSpec[Any, Any], step: Step, options: Options) -> Any:
    """What a step came to: of the class that the judge fills, or that a function says it gives back."""
    how = getattr(spec, step)
    if isinstance(how, Ask):
        return Sample(how.menus(options)).of(how.reply)
    try:
        return Sample({}).of(get_type_hints(how).get("return")) if how else None
    except (NameError, TypeError, KeyError):  # it says nothing that can be read
        return None


def _options(spec: ScorerSpec[Any, Any]) -> Options:
    """The defaults, and a made-up value of what has none."""
    required = {a.name: Sample({}).of(a.type) for a in attrs.fields(spec.options) if a.default is attrs.NOTHING}
    try:
        return spec.make_options(required)
    except UsageError:  # a made-up value does not fit
        return Options()
