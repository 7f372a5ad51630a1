"""Properties of reading verdicts: what is dropped, shuffled or surrounded by junk never makes a score better."""

from __future__ import annotations

import json
from typing import Literal

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from scorer_core.answering.answers import Answer, Question, read, value_of
from scorer_core.contract.replies import ItemText

MENU = ("yes", "no", "unsure")


@frozen(kw_only=True)
class Verdict:
    number: int
    claim: ItemText
    reason: str
    verdict: Literal["yes", "no", "unsure"]


@frozen
class Verdicts:
    verdicts: tuple[Verdict, ...]


words = st.lists(st.sampled_from(MENU), min_size=1, max_size=8)
junk = st.text(alphabet=st.characters(exclude_characters="{}[]<>", exclude_categories=["Cs"]), max_size=60)


def asked(labels):
    return Question(Verdicts, [f"claim {n}" for n in range(1, len(labels) + 1)])


def elements(labels):
    return [{"number": n, "reason": "so", "verdict": v} for n, v in enumerate(labels, 1)]


def reply(said):
    return json.dumps({"verdicts": said})


def share(question, words):
    """The share of "yes" of a complete answer; None where it is not complete."""
    answer = read(question, words, Answer())
    if answer.problems:
        return None
    verdicts = value_of(question, answer).verdicts
    return sum(v.verdict == "yes" for v in verdicts) / len(verdicts)


@given(words, st.randoms())
def test_the_order_of_verdicts_never_matters(labels, random):
    said = elements(labels)
    random.shuffle(said)
    assert share(asked(labels), reply(said)) == labels.count("yes") / len(labels)


@given(words, st.data())
def test_dropping_any_verdicts_never_gives_a_score(labels, data):
    dropped = data.draw(st.sets(st.integers(0, len(labels) - 1), min_size=1))
    kept = [e for n, e in enumerate(elements(labels)) if n not in dropped]
    assert share(asked(labels), reply(kept)) is None


@given(words, junk, junk)
def test_junk_around_a_sound_reply_changes_nothing(labels, before, after):
    assert share(asked(labels), f"{before}\n{reply(elements(labels))}\n{after}") == labels.count("yes") / len(labels)


@given(words, st.text(min_size=1, max_size=12), st.text(max_size=80), st.text(max_size=80), st.data())
def test_no_junk_makes_a_score_of_what_strict_content_refuses(labels, label, before, after, data):
    said = elements(labels)
    wrong = data.draw(st.integers(0, len(labels) - 1))
    said[wrong]["verdict"] = f"not quite {label}"
    assert share(asked(labels), f"{before}\n{reply(said)}\n{after}") is None


@given(words, st.data())
def test_a_verdict_that_comes_twice_is_none(labels, data):
    said = elements(labels)
    twice = data.draw(st.integers(0, len(labels) - 1))
    again = said[twice] | {"verdict": data.draw(st.sampled_from(MENU))}
    assert share(asked(labels), reply([*said, again])) is None


@given(words, st.data())
def test_what_was_missing_and_is_told_later_completes_the_same_answer(labels, data):
    question, said = asked(labels), elements(labels)
    first = [e for e in said if data.draw(st.booleans())]
    answer = read(question, reply(first), Answer())
    answer = read(question, reply(said), answer) if answer.problems else answer
    assert [v.verdict for v in value_of(question, answer).verdicts] == labels
