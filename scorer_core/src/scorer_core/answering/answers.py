"""A judge's words as a typed answer: strict in content, whatever the syntax.

`read` takes one reply after another. What fits is kept; what does not is a `Problem`, in words fit to be shown to the
judge. Items are matched by their numbers: silence about one of them is a problem, never a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen

from ..contract.errors import RowKind
from ..contract.replies import ReplyField, itemised, reply_fields, reply_names
from .exact import Misfit, Problem, problems_of, strict
from .parsing import Found, find_json, spoken
from .question import Question as Question
from .question import Ready, listed

_GRAVEST_FIRST: tuple[RowKind, ...] = ("truncated", "unknown_label", "out_of_range", "format", "incomplete_reply")


@frozen
class Answer:
    """What the replies to one question amount to so far.

    Args:
        fields: The fields that fit, by name.
        items: The elements that fit, by number.
        problems: What is still wrong after the last reply; the answer is complete when there are none.
        repairs: What was mended in reading the last reply.
    """

    fields: Mapping[str, Any] = field(factory=dict)
    items: Mapping[int, Any] = field(factory=dict)
    problems: tuple[Problem, ...] = ()
    repairs: tuple[str, ...] = ()

    @property
    def kind(self) -> RowKind:
        """The gravest kind among the problems."""
        return min((p.kind for p in self.problems), key=_GRAVEST_FIRST.index)

    def __str__(self) -> str:
        return "; ".join(p.text for p in self.problems)


def read(question: Question, words: str, before: Answer) -> Answer:
    """`before` with what `words` add to it."""
    if question.reply is str:
        return _read_text(words)
    repairs: list[str] = []
    data = _reply_in(find_json(words), question, repairs)
    if isinstance(data, Problem):
        return evolve(before, problems=(data,), repairs=())
    reading = _Reading(question, repairs)
    answer, many = before, itemised(question.reply)
    for f in reply_fields(question.reply):
        answer = reading.items(f, data, answer) if f is many else reading.field(f, data, answer)
    new = answer.problems[len(before.problems) :]
    return evolve(answer, problems=new, repairs=tuple(dict.fromkeys(repairs)))


def value_of(question: Question, answer: Answer) -> Any:
    """The reply that a complete answer makes."""
    if question.reply is str:
        return answer.fields["text"]
    if many := itemised(question.reply):
        return question.reply(**answer.fields, **{many.name: tuple(answer.items[n] for n in sorted(answer.items))})
    return question.reply(**answer.fields)


def wanted(question: Question, answer: Answer) -> list[int]:
    """The numbers of the items that have no fit element yet."""
    return [n for n in range(1, len(question.items) + 1) if n not in answer.items]


def cut_off(answer: Answer, why: str) -> Answer:
    """`answer` after a reply that was cut off: nothing of it is read."""
    return evolve(answer, problems=(Problem("truncated", why),), repairs=())


def _read_text(words: str) -> Answer:
    if text := spoken(words):
        return Answer(fields={"text": text})
    return Answer(problems=(Problem("format", "the reply is empty"),))


def _reply_in(found: Found, question: Question, repairs: list[str]) -> dict[str, Any] | Problem:
    """The last object with a field of the reply; else the last list, where the reply has exactly one."""
    names = reply_names(question.reply)
    if found.cut_off:
        return Problem("truncated", "the reply is cut off: its brackets do not close")
    fit = [p for p in found.pieces if isinstance(p.value, dict) and names & p.value.keys()]
    lists = [f.name for f in reply_fields(question.reply) if f.each]
    if not fit and len(lists) == 1:
        bare = [p for p in found.pieces if isinstance(p.value, list)]
        fit = [evolve(p, value={lists[0]: p.value}) for p in bare[-1:]]
        repairs += ["a bare list was taken for the reply"] if bare else []
    if not fit:
        came = sorted({k for p in found.pieces if isinstance(p.value, dict) for k in p.value})
        got = f"; got {listed(came)}" if came else ""
        return Problem("format", f"no JSON object with {listed(names)} was found{got}")
    piece = fit[-1]
    repairs += ["the syntax of the JSON was mended"] if piece.mended else []
    if unknown := piece.value.keys() - names:
        repairs.append(f"unknown keys dropped: {listed(unknown)}")
    return {k: v for k, v in piece.value.items() if k in names}


@frozen
class _Reading:
    """One reply, held against the question; `repairs` gathers what had to be mended."""

    question: Question
    repairs: list[str]

    @cached_property
    def ready(self) -> Ready:
        """What makes its values ready."""
        return Ready(self.question, self.repairs)

    def field(self, f: ReplyField, data: Mapping[str, Any], answer: Answer) -> Answer:
        """`answer` with the field `f` of `data`, or with what is wrong with it."""
        if f.name in answer.fields:
            return answer
        if f.name not in data:
            if f.optional:
                return answer
            return _with_problems(answer, [Problem("format", f"{f.name}: missing")])
        try:
            value = strict.structure(self.ready.prepared(data[f.name], f, f.name), f.type)
        except Exception as e:
            if f.optional:
                self.repairs.append(f"{f.name}: {data[f.name]!r} does not fit and was dropped")
                return answer
            return _with_problems(answer, problems_of(e, f.name))
        return evolve(answer, fields={**answer.fields, f.name: value})

    def items(self, f: ReplyField, data: Mapping[str, Any], answer: Answer) -> Answer:
        """`answer` with the elements of `data` that fit, matched to the items by number."""
        elements = data.get(f.name, [])
        if self.question.open and isinstance(elements, list):
            return self.open_items(f, elements, answer)
        if not isinstance(elements, list):
            return _with_problems(answer, [Problem("format", f"{f.name}: expected a list, got {elements!r}")])
        expected = wanted(self.question, answer)
        numbers = self.numbers(f.name, elements, expected)
        if elements and all(n is None for n in numbers):
            kind: RowKind = "incomplete_reply" if len(elements) < len(expected) else "format"
            said = f"{f.name}: {len(expected)} asked about, {len(elements)} came without numbers; give each its number"
            return _with_problems(answer, [Problem(kind, said)])
        fit, problems = dict(answer.items), list[Problem]()
        for number, e in zip(numbers, elements, strict=True):
            if problem := self.misnumbered(f.name, number, numbers):
                problems += [problem] if problem not in problems else []
            elif number not in answer.items:
                try:
                    fit[number] = self.element(f, number, e)
                except Exception as wrong:
                    problems += problems_of(wrong, f"{f.name}[{number}]")
        silent = [n for n in expected if n not in numbers]
        if silent:
            asked = len(self.question.items)
            said = (
                f"{f.name}: {asked} asked about, {asked - len(silent)} answered; nothing about number {_joined(silent)}"
            )
            problems.append(Problem("incomplete_reply", said))
        return _with_problems(evolve(answer, items=fit), problems)

    def open_items(self, f: ReplyField, elements: Sequence[Any], answer: Answer) -> Answer:
        """`answer` with all elements in order, each with the text of its item; none of them if one is unfit."""
        fit, problems = dict[int, Any](), list[Problem]()
        for number, e in enumerate(elements, 1):
            try:
                fit[number] = self.element(f, number, e)
            except Exception as wrong:
                problems += problems_of(wrong, f"{f.name}[{number}]")
        return _with_problems(evolve(answer, items={} if problems else fit), problems)

    def numbers(self, name: str, elements: Sequence[Any], expected: Sequence[int]) -> list[Any]:
        """The number of each element; by position only if none has one and the count is that of what was asked."""
        given = [e.get("number") if isinstance(e, dict) else None for e in elements]
        for asked in (expected, range(1, len(self.question.items) + 1)):
            if given and all(n is None for n in given) and len(given) == len(asked):
                self.repairs.append(f"{name}: numbered by position")
                return list(asked)
        return [self.ready.whole(n) for n in given]

    def misnumbered(self, name: str, number: Any, numbers: Sequence[Any]) -> Problem | None:
        if number is None:
            return Problem("format", f"{name}: an element has no number")
        if number not in range(1, len(self.question.items) + 1) or isinstance(number, (bool, float)):
            return Problem(
                "format", f"{name}: number {number!r} was not asked for; asked were 1 to {len(self.question.items)}"
            )
        return Problem("format", f"{name}: number {number} comes twice") if numbers.count(number) > 1 else None

    def element(self, f: ReplyField, number: int, raw: Any) -> Any:
        assert f.each is not None  # the elements are what it is itemised by
        kind = f.each.type
        if not isinstance(raw, dict):
            raise Misfit(f"expected an object, got {raw!r}")
        return strict.structure(self.ready.object({**raw, "number": number}, kind, f"{f.name}[{number}]"), kind)


def _with_problems(answer: Answer, problems: Sequence[Problem]) -> Answer:
    return evolve(answer, problems=(*answer.problems, *problems)) if problems else answer


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
