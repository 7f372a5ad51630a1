"""One asked step: the prompt from the templates, the answer from the judge; in parts where one call can't hold all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs
from attrs import evolve, frozen

from ..answering.answers import Question
from ..contract.ask import Ask
from ..contract.errors import Failed
from ..contract.joining import renumbered, together
from ..contract.plain import field_names
from ..contract.replies import itemised, reply_fields
from ..contract.schema import JudgeExecution, TemplateFile
from ..contract.shapes import answer_shape
from ..contract.trail import Step
from ..judging.judge import Judge, Outcome
from ..prompting.templates import Prompt
from ..support.background import all_of
from .bound import Bound
from .cutting import FOR_THE_PROMPT, cut, tokens
from .gathered import Findings
from .start import AnyTrail

_UNREAD = ("format", "incomplete_reply", "unknown_label", "out_of_range")  # kinds of replies that could not be read


@frozen
class Part:
    """What one call asks: a question about some items, against a trail that may hold a part of context or answer."""

    trail: AnyTrail
    question: Question
    first_item: int = 0
    first_chunk: int = 0


@frozen
class Asking:
    """A step about to be asked."""

    bound: Bound
    step: Step
    how: Ask[Any]

    async def ask(self, trail: AnyTrail, items: tuple[str, ...], found: Findings) -> Any:
        """The judge's answer about all items.

        Raises:
            Failed: there is none.
        """
        judge, metadata = self.judge, self.metadata
        at_once = Part(trail, self.question(trail, items))
        whole = self.prompt(at_once)
        found.prompts[self.step], found.templates[self.step] = whole.text, whole.files
        parts = self.parts(judge, at_once, whole)
        prompts = [whole] if len(parts) == 1 else [self.prompt(part) for part in parts]
        outcomes = await all_of([judge.ask(p, part.question, metadata) for p, part in zip(prompts, parts, strict=True)])
        found.prompts[self.step], found.executions[self.step] = prompts[0].text, _executions(prompts, outcomes)
        found.notes += self.notes(judge, outcomes)
        for outcome in outcomes:
            if outcome.failed:
                raise _with_template(outcome.failed, whole.files[0])
        return self.joined(trail, parts, [o.value for o in outcomes])

    @property
    def judge(self) -> Judge:
        judge = self.bound.judges.get(self.step, self.bound.judge)
        assert judge is not None  # checked when the scorer is made
        return judge

    @property
    def metadata(self) -> dict[str, str]:
        """What a call tells about itself."""
        template = f"{self.how.folder or self.bound.spec.id}/{self.how.template or self.step}"
        return {"scorer": self.bound.spec.id, "step": self.step, "template": template}

    def question(self, trail: AnyTrail, items: Sequence[str]) -> Question:
        before: Any = trail.preprocess
        lists = {name: getattr(before, name) for name in field_names(before.__class__) or ()}
        known = {"context": trail.context, **lists}
        return Question(self.how.reply, items, known, self.how.menus(self.bound.options), self.how.open)

    def prompt(self, part: Part) -> Prompt:
        question = part.question
        shape = (
            {}
            if question.reply is str
            else {"answer_shape": answer_shape(question.reply, question.menus, question.open)}
        )
        names = {**vars(part.trail), "items": question.items, **shape}
        return self.bound.prompts.render(self.bound.spec, self.step, self.how, names)

    def parts(self, judge: Judge, at_once: Part, whole: Prompt) -> list[Part]:
        """Groups of items, each against parts of what is too long; one part as a rule.

        Raises:
            Failed: the prompt is too long for the model, and can't be cut (kind `too_long`).
        """
        items = at_once.question.items
        most = judge.items_per_call if items and _only_items(self.how.reply) else max(len(items), 1)
        trails = self.trails(judge.window, at_once.trail, whole)
        if len(items) <= most and len(trails) == 1:
            return [at_once]
        groups = [(n, items[n : n + most]) for n in range(0, len(items), most)] or [(0, items)]
        asked = [(n, chunk, t, self.question(t, group)) for n, group in groups for chunk, t in trails]
        return [Part(t, question, n, chunk) for n, chunk, t, question in asked]

    def trails(self, window: int | None, trail: AnyTrail, whole: Prompt) -> list[tuple[int, AnyTrail]]:
        if window is None:
            return [(0, trail)]
        size = tokens(whole.instructions) + tokens(whole.text)
        if size <= window * FOR_THE_PROMPT:
            return [(0, trail)]
        if self.how.cuts is None:
            takes = int(window * FOR_THE_PROMPT)
            raise Failed("too_long", f"the prompt has about {size} tokens, the model takes {takes}")
        return cut(trail, self.how.cuts, size, window)

    def joined(self, trail: AnyTrail, parts: Sequence[Part], values: Sequence[Any]) -> Any:
        """One reply: parts of a text or context joined as the spec says, groups of items behind each other."""
        if len(values) == 1:
            return values[0]
        moved = [renumbered(v, p.first_item, p.first_chunk) for p, v in zip(parts, values, strict=True)]
        firsts = dict.fromkeys(p.first_item for p in parts)
        about = [[v for p, v in zip(parts, moved, strict=True) if p.first_item == first] for first in firsts]
        joins = self.how.joins
        return together([replies[0] if joins is None else joins(trail, replies) for replies in about])

    def notes(self, judge: Judge, outcomes: Sequence[Outcome]) -> tuple[str, ...]:
        executions = [e for outcome in outcomes for e in outcome.executions]
        said = [f"{self.step}: {r}" for e in executions for r in e.repairs]
        said += [f"fidelity: {outcome.fidelity}" for outcome in outcomes if outcome.fidelity]
        if judge.prices:
            said += [f"no price for {e.answered_by or e.model}" for e in executions if e.cost is None and not e.cached]
        return tuple(dict.fromkeys(said))


def _with_template(failed: Failed, file: TemplateFile) -> Failed:
    """`failed`, with the template where that is a pack's: its words may have asked for what the reader can't take."""
    if file.pack == "default" or failed.kind not in _UNREAD:
        return failed
    return Failed(failed.kind, f"{failed.message} (asked with {file.file} of pack {file.pack})")


def nothing(reply: Any) -> Any:
    """The reply about no items: every list empty."""
    return reply(**{a.name: () for a in attrs.fields(reply) if a.default is attrs.NOTHING})


def _only_items(reply: Any) -> bool:
    """Whether a reply holds its items and nothing else, so that groups of items can be asked about alone."""
    return itemised(reply) is not None and len(reply_fields(reply)) == 1


def _executions(prompts: Sequence[Prompt], outcomes: Sequence[Outcome]) -> tuple[JudgeExecution, ...]:
    """All calls; the first one about a later part shows its prompt."""
    if len(outcomes) == 1:
        return outcomes[0].executions
    done: list[JudgeExecution] = []
    for n, (prompt, outcome) in enumerate(zip(prompts, outcomes, strict=True)):
        first, *again = outcome.executions
        done += [evolve(first, prompt=prompt.text) if n else first, *again]
    return tuple(done)
