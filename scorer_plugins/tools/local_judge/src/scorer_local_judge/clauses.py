"""Sentences cut into clauses that can be true or false alone, each with its subject where that is plain to see."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .lexicon.grammar import BE, FINITE
from .lexicon.tables import words

_JOINT = re.compile(r"\s*;\s+|\s*,?\s+(?:and|but|while|whereas|yet)\s+", re.IGNORECASE)
_WORD = re.compile(r"[\w']+")
_STARTERS = re.compile(r"(?:it|he|she|they|we|i|you|there|this|these|those)\b", re.IGNORECASE)
_OWN_SUBJECT = re.compile(r"(?:the|a|an|its|his|her|their|our|my|your)\s", re.IGNORECASE)
_PRONOUN = re.compile(r"^(it|he|she|they)\s+(?=\S)", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whom|whose|if|when|because|where)\b|,", re.IGNORECASE)
_CONDITION = re.compile(r"\b(?:if|when|unless|until|because|since|that|whether|while)\b[^,]*$", re.IGNORECASE)
"""A half-sentence that is still open: what "and" adds belongs to it."""
_DENSE_JOINT = re.compile(r"(であり|でしたが|だったが|ましたが|ますが|ですが|ておりますが|ており|だが)、")
_DENSE_ENDINGS = {
    "であり": "である",
    "でしたが": "でした",
    "だったが": "だった",
    "ましたが": "ました",
    "ますが": "ます",
    "ですが": "です",
    "ておりますが": "ております",
    "ており": "ている",
    "だが": "だ",
}
_NOT_SUBJECTS = words("so then also here now and but or what how why who")
_OPEN_ENDED = re.compile(r"(?:ed|en|wn|ht|wrote|made|sang)$")
"""A clause that ends in its verb waits for an object ("she wrote and directed the film")."""
LONGEST_SENTENCE = 1000
"""Signs; a longer one is hardly a sentence and stays whole."""
LONGEST_SUBJECT = 5
"""Words; a longer beginning of a sentence is seldom just its subject."""


def clauses(sentence: str) -> Iterator[str]:
    """The independent clauses of `sentence`; a shared subject is said again, nothing else is added."""
    if len(sentence) > LONGEST_SENTENCE:
        yield sentence
        return
    for part in _dense_parts(sentence):
        yield from _parts(part)


def subject(clause: str) -> str:
    """The words before the first verb where they are a plain subject, else nothing."""
    found = list(_WORD.finditer(clause))
    for count, word in enumerate(found):
        if _finite(word[0]):
            said = clause[: word.start()].strip()
            plain = 0 < count <= LONGEST_SUBJECT and not _RELATIVE.search(said) and not _STARTERS.fullmatch(said)
            return said if plain and not (count == 1 and found[0][0].lower() in _NOT_SUBJECTS) else ""
    return ""


def with_subject(clause: str, before: str) -> str:
    """`clause` with its leading pronoun replaced by the subject of the clause before it, if only that can be meant."""
    pronoun, named = _PRONOUN.match(clause), subject(before)
    if pronoun is None or not named or not _fits(pronoun[1].lower(), named, before[len(named) :]):
        return clause
    return f"{named} {clause[pronoun.end() :]}"


def _fits(pronoun: str, named: str, rest: str) -> bool:
    parts = _WORD.findall(named)
    plural = parts[-1].endswith("s") and not parts[-1].endswith("ss") and not named[0].isupper()
    many = plural or " and " in named
    first_verb = (_WORD.findall(rest) or [""])[0].lower()
    if pronoun == "they":
        return many and first_verb in BE
    if pronoun == "it":
        return not many and first_verb in BE
    people = re.findall(r"(?:[A-Z][\w'-]+ )+[A-Z][\w'-]+", rest)
    return len(parts) > 1 and all(p[0].isupper() for p in parts) and not people and not many


def _finite(word: str) -> bool:
    return word.lower() in FINITE


def _has_verb(text: str) -> bool:
    return any(_finite(w) for w in _WORD.findall(text)) or bool(re.search(r"\w'(?:s|re|ve|m|ll|d)\b", text))


def _parts(sentence: str) -> Iterator[str]:
    start = 0
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[start : joint.start()].strip(), sentence[joint.end() :]
        if not _has_verb(left) or (";" not in joint[0] and _CONDITION.search(left)):
            continue
        if _starts_clause(right, semicolon=";" in joint[0]):
            yield left
            start = joint.end()
        elif shared := _shared(left, right):
            yield left
            yield from _parts(shared)
            return
    if sentence[start:].strip():
        yield sentence[start:].strip()


def _shared(left: str, right: str) -> str:
    """`right` with the subject of `left` where it begins with a verb and `left` is complete, else nothing."""
    first, named = _WORD.match(right), subject(left)
    if not first or not named or not _finite(first[0]):
        return ""
    return "" if _RELATIVE.search(left[len(named) :]) or _OPEN_ENDED.search(left) else f"{named} {right}"


def _starts_clause(right: str, *, semicolon: bool) -> bool:
    """Whether `right` has a subject and a verb of its own, so that it stands alone."""
    head = _WORD.findall(right.split(",")[0])[:8]
    if semicolon:
        return _has_verb(right)
    if not any(_finite(w) for w in head[1:]) and not re.match(r"\w+'(?:s|re|ve|m|ll|d)\b", right):
        return False
    return bool(_STARTERS.match(right) or _OWN_SUBJECT.match(right) or (right[:1].isupper() and bool(subject(right))))


def _dense_parts(sentence: str) -> Iterator[str]:
    """Japanese: a new clause where the second half has a topic (は) of its own."""
    joint = _DENSE_JOINT.search(sentence)
    while joint and not ("は" in sentence[: joint.start()] and "は" in sentence[joint.end() :]):
        joint = _DENSE_JOINT.search(sentence, joint.end())
    if joint is None:
        yield sentence
        return
    yield sentence[: joint.start()] + _DENSE_ENDINGS[joint[1]] + "。"
    yield from _dense_parts(sentence[joint.end() :])
