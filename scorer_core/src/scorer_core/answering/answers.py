"""A judge's words as a typed answer: strict in content, whatever the syntax.

`read` takes one reply after another. What fits is kept; what does not is a `Problem`, in words fit to be shown to the
judge. Items are matched by their numbers: silence about one of them is a problem, never a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


NOTHING_YET = Answer()


def read(question: Question, words: str, before: Answer) -> Answer:
    """`before` with what `words` add to it."""
    if question.reply is str:
        return _read_text(words)
    repairs: list[str] = []
    data = _reply_in(find_json(words), question, repairs)
    if isinstance(data, Problem):
        return evolve(before, problems=(data,), repairs=())
    reading = _Reading(question, Ready(question, repairs), repairs, {**before.fields}, {**before.items})
    many = itemised(question.reply)
    for f in reply_fields(question.reply):
        reading.read_items(f, data) if f is many else reading.read_field(f, data)
    return Answer(reading.fields, reading.items, tuple(reading.problems), tuple(dict.fromkeys(repairs)))


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
    if not fit and len(lists := [f.name for f in reply_fields(question.reply) if f.each]) == 1:
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
    """One reply, held against the question: what fits joins `fields` and `items`, what does not the `problems`."""

    question: Question
    ready: Ready
    repairs: list[str]
    fields: dict[str, Any]
    items: dict[int, Any]
    problems: list[Problem] = field(factory=list)

    def read_field(self, f: ReplyField, data: Mapping[str, Any]) -> None:
        """Read the field `f` of `data`, if no earlier reply had it."""
        if f.name in self.fields:
            return
        if f.name not in data:
            self.problems.extend([] if f.optional else [Problem("format", f"{f.name}: missing")])
            return
        try:
            self.fields[f.name] = strict.structure(self.ready.prepared(data[f.name], f, f.name), f.type)
        except Exception as e:
            if f.optional:
                self.repairs.append(f"{f.name}: {data[f.name]!r} does not fit and was dropped")
            else:
                self.problems.extend(problems_of(e, f.name))

    def read_items(self, f: ReplyField, data: Mapping[str, Any]) -> None:
        """Read the elements of `data` that fit, matched to the items by number."""
        elements = data.get(f.name, [])
        if not isinstance(elements, list):
            self.problems.append(Problem("format", f"{f.name}: expected a list, got {elements!r}"))
        elif self.question.open:
            self.read_open_items(f, elements)
        else:
            self.read_numbered(f, elements, [n for n in self.asked if n not in self.items])

    def read_numbered(self, f: ReplyField, elements: Sequence[Any], expected: Sequence[int]) -> None:
        """Read the elements about the numbers `expected`; those about others were read in earlier replies."""
        numbers = self.numbers(f.name, elements, expected)
        if elements and all(n is None for n in numbers):
            kind: RowKind = "incomplete_reply" if len(elements) < len(expected) else "format"
            said = f"{f.name}: {len(expected)} asked about, {len(elements)} came without numbers; give each its number"
            self.problems.append(Problem(kind, said))
            return
        for number, e in zip(numbers, elements, strict=True):
            if problem := self.misnumbered(f.name, number, numbers):
                self.problems.extend([problem] if problem not in self.problems else [])
            elif number in expected:
                self.read_element(f, number, e)
        if silent := [n for n in expected if n not in numbers]:
            asked = len(self.asked)
            told = f"{asked} asked about, {asked - len(silent)} answered; nothing about number {_joined(silent)}"
            self.problems.append(Problem("incomplete_reply", f"{f.name}: {told}"))

    def read_open_items(self, f: ReplyField, elements: Sequence[Any]) -> None:
        """Read all elements in order, each with the text of its item; none of them if one is unfit."""
        wrong = len(self.problems)
        self.items.clear()  # those of an earlier reply may be others
        for number, e in enumerate(elements, 1):
            self.read_element(f, number, e)
        if len(self.problems) > wrong:
            self.items.clear()

    def read_element(self, f: ReplyField, number: int, raw: Any) -> None:
        """Read the element about one item."""
        assert f.each is not None  # the elements are what it is itemised by
        kind, path = f.each.type, f"{f.name}[{number}]"
        try:
            if not isinstance(raw, dict):
                raise Misfit(f"expected an object, got {raw!r}")
            self.items[number] = strict.structure(self.ready.object({**raw, "number": number}, kind, path), kind)
        except Exception as wrong:
            self.problems.extend(problems_of(wrong, path))

    @property
    def asked(self) -> range:
        """The numbers of all items."""
        return range(1, len(self.question.items) + 1)

    def numbers(self, name: str, elements: Sequence[Any], expected: Sequence[int]) -> list[Any]:
        """The number of each element; by position only if none has one and the count is that of what was asked."""
        given = [e.get("number") if isinstance(e, dict) else None for e in elements]
        if any(n is not None for n in given):
            return [self.ready.whole(n) for n in given]
        for asked in (expected, self.asked):
            if given and len(given) == len(asked):
                self.repairs.append(f"{name}: numbered by position")
                return list(asked)
        return given

    def misnumbered(self, name: str, number: Any, numbers: Sequence[Any]) -> Problem | None:
        if number is None:
            return Problem("format", f"{name}: an element has no number")
        if number not in self.asked or isinstance(number, (bool, float)):
            asked = len(self.question.items)
            return Problem("format", f"{name}: number {number!r} was not asked for; asked were 1 to {asked}")
        return Problem("format", f"{name}: number {number} comes twice") if numbers.count(number) > 1 else None


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
