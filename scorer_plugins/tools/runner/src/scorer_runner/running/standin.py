"""A stand-in for the judge: it asks nobody, notes what would be asked, and makes up replies to walk on with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from hashlib import blake2b
from typing import Any

import attrs
from attrs import define, field, frozen

from scorer_core import Judge, Menu, Text
from scorer_core.answering.answers import Question
from scorer_core.contract.replies import Range, ReplyField, alternatives, asked_fields, element, itemised, labels
from scorer_core.judging.calling import Call
from scorer_core.judging.chat import Reply
from scorer_core.judging.judge import Outcome
from scorer_core.prompting.templates import Prompt
from scorer_core.support.digests import Digests
from scorer_core.walking.cutting import tokens

A_SENTENCE = "The text says so in as many words, and nothing in it speaks against that."
_BEFORE: ContextVar[tuple[Any, ...]] = ContextVar("before", default=())  # what a walk asked up to now
_ENDS = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


@frozen
class Asked:
    """A call that would be made: its step, how many tokens would go to and fro, and whether it is sure to come."""

    step: str
    sent: int
    replied: int
    sure: bool


@define
class Row:
    """What would be asked about one row.

    Args:
        answer: The text that replies are made up of.
        seen: What was asked about this row already, by any scorer: it is not paid for twice.
        calls: Those of the scorer that walks now.
        cached: How many of its calls are in the cache.
        guessed: The first of its steps whose reply is made up; what comes after it depends on that.
        asked: Whether it asks anything at all.
        repeat: Which repeat of the row it is, from 0.
        before: What is sure to be asked about this row or another: a run may ask for it once.
    """

    answer: str = ""
    seen: set[Any] = field(factory=set)
    calls: list[Asked] = field(factory=list)
    cached: int = 0
    guessed: str | None = None
    asked: bool = False
    repeat: int = 0
    before: Digests = field(factory=Digests)

    def begin(self) -> None:
        """Let the next scorer walk."""
        self.calls, self.cached, self.guessed, self.asked = [], 0, None, False
        _BEFORE.set(())

    def new(self, key: Any) -> bool:
        """Whether a call that is sure to come is the first of its words; it is noted."""
        digest = blake2b(repr((self.repeat, *key)).encode(errors="surrogatepass"), digest_size=16).digest()
        if digest in self.before:
            return False
        self.before.add(digest)
        return True


@frozen
class StandIn(Judge):
    """A judge that asks nobody; `row` is what it works on."""

    row: Row = field(factory=Row, kw_only=True)

    async def ask(self, prompt: Prompt, question: Question, metadata: Mapping[str, str]) -> Outcome:
        """What the replies in the cache come to, or else one that is made up."""
        row, step, key = self.row, metadata["step"], (question.reply, *question.items, prompt.instructions, prompt.text)
        kept, words = self._kept(prompt, question), made_up(question, sentences(row.answer))
        row.asked = True
        if not kept:
            row.guessed = row.guessed or step
        sure, before = row.guessed in (None, step), _BEFORE.get()
        _BEFORE.set((*before, key))
        same = key if sure else (*before, key)  # what follows from replies that are made up may be alike only there
        alike = same in row.seen and (sure or step != "generate_reason")  # a reason follows from a score, too
        if not (kept or alike):
            sent = tokens(prompt.instructions) + tokens(prompt.text)
            row.calls.append(Asked(step, sent, tokens(words), sure and row.new(key)))
        row.cached += bool(kept) and key not in row.seen
        row.seen |= {key, same}
        replies = [Call(reply, None, 0, 0.0) for reply in kept or (_said(words),)]
        return await self._converse(prompt, question, metadata, replies)

    def _kept(self, prompt: Prompt, question: Question) -> Sequence[Reply]:
        if self.cache is None:
            return ()
        return self.cache.recall(self.cache.key(self.model, self.structured, prompt, question), question)


def _said(words: str) -> Reply:
    nothing: Any = dict.fromkeys(("refused", "answered_by", "fingerprint", "usage", "fidelity"))
    return Reply(words=words, native=False, called=False, truncated=False, **nothing)


def stand_in(judge: Judge, row: Row, repeat: int = 0) -> StandIn:
    """A stand-in that prices, cuts and remembers as `judge` does for a repeat of a row."""
    cache = judge.cache and attrs.evolve(judge.cache, repeat=judge.cache.repeat + repeat)
    return StandIn(**{**{a.name: getattr(judge, a.name) for a in attrs.fields(Judge)}, "cache": cache}, row=row)


def sentences(text: str) -> list[str]:
    """The sentences of `text`, as far as full stops and lines tell."""
    return [sentence for part in _ENDS.split(text) if (sentence := part.strip())]


def made_up(question: Question, texts: Sequence[str]) -> str:
    """A reply to `question`: lists of texts, and items that the judge finds itself, are `texts`."""
    if question.reply is str:
        return A_SENTENCE
    return json.dumps(_object(question.reply, question, texts), ensure_ascii=False)


def _object(kind: Any, question: Question, texts: Sequence[str]) -> dict[str, Any]:
    many = itemised(kind)
    items = texts if question.open else question.items
    return {
        f.name: [_item(element(f.type), question, n, item) for n, item in enumerate(items, 1)]
        if many and f.name == many.name
        else _value(f, question, texts)
        for f in asked_fields(kind)
    }


def _item(kind: Any, question: Question, number: int, text: str) -> dict[str, Any]:
    fields = asked_fields(kind, question.open)
    return {f.name: number if f.name == "number" else _value(f, question, [], text) for f in fields}


def _value(f: ReplyField, question: Question, texts: Sequence[str], item: str = A_SENTENCE) -> Any:
    if isinstance(f.mark, Menu):
        return next(iter(question.menus[f.mark.of]), None)
    if isinstance(f.mark, Range):
        return f.mark.low
    if inner := element(f.type):
        return list(texts) if inner is str and not isinstance(f.mark, Text) else []
    if isinstance(f.mark, Text):
        return 1 if question.lists.get(f.mark.of) or type(None) not in alternatives(f.type) else None
    if words := labels(f.type):
        return words[0]
    if attrs.has(f.type):
        return _object(f.type, question, texts)
    plain = {str: item if not f.asked else A_SENTENCE, int: 1, float: 0.0, bool: False}
    return next((plain[kind] for kind in alternatives(f.type) if kind in plain), None)
