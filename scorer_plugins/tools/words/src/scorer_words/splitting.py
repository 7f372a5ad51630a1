"""Where words begin and end, in scripts with spaces and without.

Japanese, Chinese and Thai are cut by BudouX, small models that come within its package. Lao, Khmer, Burmese and Tibetan
have no such model here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from json import loads
from typing import Any

from scorer_core import NotScorable

HAN, KANA = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", "\u3040-\u30ff\u31f0-\u31ff"
THAI = "\u0e00-\u0e7f"
_UNCUT = {"Lao": "\u0e80-\u0eff", "Tibetan": "\u0f00-\u0fff", "Burmese": "\u1000-\u109f", "Khmer": "\u1780-\u17ff"}
_DENSE = re.compile(f"[{HAN}{KANA}]+|[{THAI}]+")
_ACCENTS = re.compile("(?<=[a-z\u03b1-\u03c9])[\u0300-\u036f]+")
_MODELS = {"ja": "ja_word", "zh": "zh-hans", "th": "th"}


def words(text: str) -> list[str]:
    """The words of `text` in order: in lower case, without accents and punctuation; numbers are words.

    Raises:
        NotScorable: the text is in a script without spaces that can't be cut here.
    """
    for script, letters in _UNCUT.items():
        if re.search(f"[{letters}]", text):
            raise NotScorable(f"the text is in {script} script, and where its words end can't be told")
    plain = folded(text)
    han = "ja" if re.search(f"[{KANA}]", plain) else "zh"
    return [word for run in _runs(plain) for word in _cut(run, han)]


def stands_in(word: str, text: str) -> bool:
    """Whether a word of a script without spaces is a part of `text`, wherever words are cut there; False for others."""
    return _DENSE.fullmatch(word) is not None and word in folded(text)


def folded(text: str) -> str:
    """In lower case and full forms, without the accents of Latin and Greek letters."""
    apart = unicodedata.normalize("NFKD", text.replace("\u2019", "'").casefold())
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))


def _runs(text: str) -> Iterator[str]:
    """Letters, digits and their signs without a break; an apostrophe between letters is none."""
    signs = "".join(char if unicodedata.category(char)[0] in "LMN" or char == "'" else " " for char in text)
    return (run for word in signs.split() if (run := word.strip("'")))


def _cut(run: str, han: str) -> Iterator[str]:
    """A run cut into words, where it has letters of a script without spaces; `han` is the language of Han letters."""
    end = 0
    for dense in _DENSE.finditer(run):
        yield from filter(None, [run[end : dense.start()]])
        yield from _parser("th" if re.match(f"[{THAI}]", dense[0]) else han).parse(dense[0])
        end = dense.end()
    yield from filter(None, [run[end:]])


@cache
def _parser(language: str) -> Any:
    import budoux

    model = (files(budoux) / "models" / f"{_MODELS[language]}.json").read_text("utf-8")
    return budoux.Parser(loads(model))
