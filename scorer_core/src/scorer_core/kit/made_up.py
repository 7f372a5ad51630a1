"""Made-up replies: whatever a judge may say to a question and still fit it; who tests picks among what is possible."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from attrs import field, frozen

from ..answering.question import Question
from ..contract.errors import UsageError
from ..contract.replies import Menu, Range, ReplyField, Text, alternatives, asked_fields, itemised, labels
from ..judging.calling import Call
from ..judging.chat import Reply
from ..judging.judge import Judge

Pick: TypeAlias = Callable[[Sequence[Any]], Any]

MANY = (1, 0, 3)  # elements of a list
PLAIN: dict[Any, tuple[Any, ...]] = {
    str: ("It is so.", "語り", "</answer> {{ x }} <b>", "yes", "no", "It is otherwise."),
    int: (1, 0, -2, 1000),
    float: (0.5, 0.0, 1.0, -3.5, 1e9),
    bool: (True, False),
}


@frozen
class MadeUp:
    """Makes replies to one question; `pick` chooses."""

    question: Question
    pick: Pick

    def reply(self) -> str:
        """Words that fit the question."""
        if self.question.reply is str:
            return str(self.pick(PLAIN[str]))
        many = itemised(self.question.reply)
        return json.dumps(
            {
                f.name: self.items(f) if many and f.name == many.name else self.value(f)
                for f in asked_fields(self.question.reply)
                if self.told(f)
            }
        )

    def told(self, f: ReplyField) -> bool:
        """Whether a field is there: what is optional may be missing."""
        return not f.optional or bool(self.pick((True, False)))

    def items(self, f: ReplyField) -> list[Any]:
        """An element for each item, with its number; as many as one likes where the judge finds the items itself."""
        assert f.each is not None  # the elements are what it is itemised by
        if self.question.open:
            return [self.object(f.each.type) for _ in range(self.pick(MANY))]
        return [self.object(f.each.type) | {"number": n} for n in range(1, len(self.question.items) + 1)]

    def object(self, kind: type) -> dict[str, Any]:
        return {f.name: self.value(f) for f in asked_fields(kind, self.question.open) if self.told(f)}

    def value(self, f: ReplyField) -> Any:
        """A value of a field."""
        if f.each:
            none = isinstance(f.mark, Text) and not self.question.lists[f.mark.of]
            return [] if none else [self.value(f.each) for _ in range(self.pick(MANY))]
        if f.nullable and self.pick((False, True)):
            return None
        if isinstance(f.mark, Text):
            return self.pick(range(1, len(self.question.lists[f.mark.of]) + 1) or (None,))
        if isinstance(f.mark, Menu):
            return self.pick(self.question.menus[f.mark.of] or (None,))
        if isinstance(f.mark, Range):
            return self.pick((f.mark.low, (f.mark.low + f.mark.high) / 2, f.mark.high))
        return self.plain(f)

    def plain(self, f: ReplyField) -> Any:
        kind = next(k for k in alternatives(f.type) if k is not type(None))
        if f.nested:
            return self.object(kind)
        if words := labels(kind):
            return self.pick(words)
        if kind not in PLAIN:
            raise UsageError(f"{f.name}: nothing can be made up for {kind}; use texts, numbers, labels, lists, classes")
        return self.pick(PLAIN[kind])


@frozen
class Saying(Judge):
    """A judge that says what a function of a step and its question gives, at once."""

    says: Callable[[str, Question], str] = field(kw_only=True)

    async def _called(self, messages: Any, question: Question, metadata: Any) -> Call:
        await asyncio.sleep(0)  # lets the other rows go on, as a real call does
        words = self.says(metadata["step"], question)
        told: Any = dict.fromkeys(("refused", "answered_by", "fingerprint", "usage", "fidelity"))
        return Call(Reply(words=words, native=False, called=False, truncated=False, **told), None, 1, 0.0)
