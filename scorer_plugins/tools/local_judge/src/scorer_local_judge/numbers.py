"""Numbers in one spelling: `twenty-five`, `1,000`, `3.5 million`, `３万`, `四人` and dates become plain digits."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import reduce

from .lexicon.numbers import COUNTERS, DENSE_DIGITS, DENSE_MAGNITUDES, MAGNITUDES, MONTHS, ONES, ORDINALS

LONGEST = 18
"""Digits in the longest number that is read as a value; longer ones are compared as they stand."""

_DIGITS = rf"\d{{1,{LONGEST}}}(?:\.\d{{1,{LONGEST}}})?"
_SMALL = "|".join(sorted(ONES | ORDINALS, key=len, reverse=True))
_TENS = "|".join(word for word, number in ONES.items() if number >= 20)
_LARGE = "|".join(MAGNITUDES)
_UNDER_100 = rf"(?:(?:{_TENS})[\s-]+)?(?:{_SMALL})"
_NUMBER_WORDS = frozenset(ONES) | frozenset(ORDINALS) | frozenset(MAGNITUDES)
_SPACES = str.maketrans("-.,;:!?()", "         ")
_ANY_DIGIT = re.compile(r"\d")
_WORDS = re.compile(
    rf"\b(?:{_UNDER_100}|a(?= (?:{_LARGE})\b))"
    rf"(?:[\s-]+(?:{_LARGE})\b(?:\s+(?:and\s+)?{_UNDER_100}\b)?){{0,5}}(?![\w'])",
    re.IGNORECASE,
)
_SCALED = re.compile(rf"(?<![\w.])({_DIGITS})[\s-]?({_LARGE}|bn)\b", re.IGNORECASE)
_COMMAS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_PERCENT = re.compile(r"(?<=\d)\s*(?:percent|per cent|パーセント)(?![a-z])", re.IGNORECASE)
_ISO = re.compile(r"(?<!\d)(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?!\d)")
_DENSE_DATE = re.compile(r"(?<!\d)(1[0-2]|[1-9])月([12]\d|3[01]|[1-9])日")
_DENSE_SCALED = re.compile(rf"{_DIGITS}(?:千|[千]?[万億兆])(?:\d{{1,4}}(?![\d.])[千万億]?)*")
_DENSE_SIGNS = "".join(DENSE_DIGITS) + "十百" + "".join(DENSE_MAGNITUDES)
_DENSE_WORDS = re.compile(rf"[{_DENSE_SIGNS}]{{1,{LONGEST}}}(?=[{COUNTERS}])")


def with_digits(text: str) -> str:
    """`text` with every number it can read as digits without separators, months by their English names.

    `text` is expected in compatibility form (NFKC), so full-width digits are plain ones already.
    """
    if not _NUMBER_WORDS.isdisjoint(text.lower().translate(_SPACES).split()):
        text = _WORDS.sub(_spelt, text)
    if not text.isascii():
        text = _DENSE_WORDS.sub(lambda m: str(_dense(m[0])), text)
    return _with_plain_digits(text) if _ANY_DIGIT.search(text) else text


def _with_plain_digits(text: str) -> str:
    text = _ISO.sub(lambda m: f"{m[1]} {MONTHS[int(m[2]) - 1]} {int(m[3])}", _COMMAS.sub("", text))
    text = _SCALED.sub(lambda m: _plain(Decimal(m[1]) * MAGNITUDES.get(m[2].lower(), 10**9)), _ORDINAL.sub("", text))
    if not text.isascii():
        text = _DENSE_SCALED.sub(lambda m: _plain(_dense_scaled(m[0])), text)
        text = _DENSE_DATE.sub(lambda m: f" {MONTHS[int(m[1]) - 1]} {m[2]} ", text)
    return _PERCENT.sub("%", text)


def value(digits: str) -> str:
    """One spelling for equal values: no leading zeros, no zeros at the end of a fraction."""
    return _plain(Decimal(digits)) if len(digits) <= 2 * LONGEST else digits


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _spelt(match: re.Match[str]) -> str:
    words = re.split(r"[\s-]+", match[0].lower())
    if words == ["one"]:
        return match[0]
    total, current = 0, 0
    for word in words:
        if word in MAGNITUDES and MAGNITUDES[word] > 100:
            total, current = total + max(current, 1) * MAGNITUDES[word], 0
        elif word in MAGNITUDES:
            current = max(current, 1) * 100
        else:
            current += ONES.get(word, ORDINALS.get(word, 0))
    return str(total + current)


def _dense(signs: str) -> int:
    """The value of a Chinese numeral; digits in a row are read as a row (二〇〇三)."""
    if all(sign in DENSE_DIGITS for sign in signs):
        return reduce(lambda number, sign: number * 10 + DENSE_DIGITS[sign], signs, 0)
    total, section, digit = 0, 0, 0
    for sign in signs:
        if sign in DENSE_DIGITS:
            digit = DENSE_DIGITS[sign]
        elif sign in "十百千":
            section, digit = section + max(digit, 1) * {"十": 10, "百": 100, "千": 1000}[sign], 0
        else:
            total, section, digit = total + max(section + digit, 1) * DENSE_MAGNITUDES[sign], 0, 0
    return total + section + digit


def _dense_scaled(text: str) -> Decimal:
    """3万5千 -> 35000: digits, each with the magnitude that follows."""
    total = Decimal(0)
    for digits, signs in re.findall(rf"({_DIGITS})([千万億兆]*)", text):
        total += reduce(lambda number, sign: number * DENSE_MAGNITUDES[sign], signs, Decimal(digits))
    return total
