"""What a text claims: its clauses without questions, orders, greetings, offers, refusals and talk about the talk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .clauses import clauses, with_subject
from .lexicon.grammar import FINITE, IMPERATIVES, OBJECTS
from .lexicon.talk import ASIDES, DENSE_REMARKS, NOT_OPENINGS, OPENINGS, REMARKS
from .sentences import Sentence, sentences

_QUESTION = re.compile(r"[?？؟;][\"')\]”’」』]{0,3}$|か。?$")
_FULL_STOPS = ".。।۔!！"
_ABBREVIATED = re.compile(r"\b\w\.\w\.$|\b(?:Inc|Ltd|Co|Jr|Sr|etc)\.$")
SHORT_ITEM = 4
"""Words up to which a list item without a verb cannot be understood without the line that introduces the list."""


def claims(text: str) -> list[str]:
    """The claims of `text`, in its order and its words, each once."""
    return list(_distinct(_resolved(statements(text))))


def statements(text: str, *, keep_questions: bool = False) -> Iterator[str]:
    """The clauses of `text` that say something, without the words that open a reply."""
    for sentence in sentences(text):
        if _is_remark(_bare(sentence.text)) or (_QUESTION.search(sentence.text) and not keep_questions):
            continue
        if sentence.header and not sentence.text.endswith(tuple(_FULL_STOPS)):
            continue
        for clause in clauses(_after_opening(sentence.text)):
            said = _bare(_after_opening(clause))
            if said and not (_is_remark(said) or _is_order(said)):
                yield _complete(said, sentence)


def _resolved(stated: Iterable[str]) -> Iterator[str]:
    before = ""
    for said in stated:
        before = with_subject(said, before)
        yield before


def _distinct(texts: Iterable[str]) -> Iterator[str]:
    seen = set()
    for text in texts:
        if (key := text.casefold()) not in seen:
            seen.add(key)
            yield text


def _complete(said: str, sentence: Sentence) -> str:
    words = said.split()
    fragment = sentence.item and len(words) <= SHORT_ITEM and not any(w.lower() in FINITE for w in words)
    return f"{sentence.lead}: {said}" if fragment and sentence.lead and not _is_remark(sentence.lead) else said


def _after_opening(sentence: str) -> str:
    """`sentence` without yes, well, I know that ... at its beginning."""
    said = ASIDES.pattern.sub("", sentence, count=1)
    while (opening := OPENINGS.search(said)) and not NOT_OPENINGS.search(said):
        said = said[opening.end() :]
    return said


def _bare(clause: str) -> str:
    """`clause` without its full stop; one that belongs to an abbreviation stays (U.S.)."""
    clause = clause.strip().strip(",、")
    return clause if _ABBREVIATED.search(clause) else clause.rstrip(_FULL_STOPS).strip()


def _is_remark(said: str) -> bool:
    """Whether `said` speaks to the reader; what stands after a comma may still say something of the matter."""
    if not any(c.isalnum() for c in said):
        return True
    return bool((REMARKS.search(said) and ", but " not in said) or DENSE_REMARKS.search(said))


def _is_order(said: str) -> bool:
    words = said.lower().split()
    return len(words) > 1 and words[0] in IMPERATIVES and words[1] in OBJECTS
