"""Values exactly as asked: a converter without coercion, labels read as a person reads them, and what is wrong.

cattrs reads a text as a list of characters, `None` as "None" and `1.9` as 1; a judge's answer is not read so.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Any, get_args

from attrs import frozen
from cattrs.errors import (
    AttributeValidationNote,
    ClassValidationError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.preconf.json import make_converter

from ..contract.errors import RowKind
from ..contract.replies import element, labels

_NAMES = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}


@frozen
class Problem:
    """Something in a reply that does not fit."""

    kind: RowKind
    text: str


class Misfit(ValueError):
    """A value that does not fit; the text is fit to be shown to the judge."""

    def __init__(self, text: str, kind: RowKind = "format") -> None:
        super().__init__(text)
        self.kind = kind


def label(word: str) -> str:
    """`word` without case, white space, zero-width characters, Markdown emphasis and a final full stop."""
    shown = "".join(c for c in word if unicodedata.category(c) != "Cf")
    return shown.strip().strip("*_`").strip().removesuffix(".").removesuffix("。").strip("*_` ").casefold()


def on_menu(value: Any, words: Sequence[str]) -> Any:
    """The word of the menu that `value` spells; else a misfit. A whole number spells a word of digits."""
    value = str(value) if type(value) is int else value
    if isinstance(value, str) and value in words:
        return value
    spelt = {label(w): w for w in words}
    if isinstance(value, str) and label(value) in spelt:
        return spelt[label(value)]
    if value is None:
        return Misfit(f"no answer; expected one of {list(words)}", "incomplete_reply")
    return Misfit(f"expected one of {list(words)}, got {value!r}", "unknown_label")


def fits(value: Any, kind: Any) -> bool:
    try:
        strict.structure(value, kind)
    except Exception:
        return False
    return True


def problems_of(wrong: BaseException, path: str) -> list[Problem]:
    """All that is wrong in a group of exceptions, each with its path."""
    if isinstance(wrong, (ClassValidationError, IterableValidationError)):
        return [p for e in wrong.exceptions for p in problems_of(e, path + _place(e))]
    if isinstance(wrong, KeyError):
        return [Problem("format", f"{path}: missing")]
    return [Problem(getattr(wrong, "kind", "format"), f"{path}: {wrong}")]


def _place(wrong: BaseException) -> str:
    for note in getattr(wrong, "__notes__", ()):
        if isinstance(note, AttributeValidationNote):
            return f".{note.name}"
        if isinstance(note, IterableValidationNote):
            return f"[{int(note.index) + 1}]"
    return ""


def _exactly(*kinds: type) -> Any:
    def structure(value: Any, into: type) -> Any:
        if type(value) is into and into is not float:
            return value
        if isinstance(value, Misfit):
            raise value
        if type(value) not in kinds or (isinstance(value, float) and not math.isfinite(value)):
            raise Misfit(f"expected {_NAMES[into]}, got {value!r}")
        return into(value)

    return structure


def _label(kind: Any) -> Any:
    words = labels(kind) or ()

    def structure(value: Any, _: Any) -> Any:
        word = on_menu(value, words)
        if isinstance(word, Misfit):
            raise word
        return word

    return structure


def _list(kind: Any) -> Any:
    inner = get_args(kind)[0]

    def structure(value: Any, _: Any) -> Any:
        if not isinstance(value, list):
            raise value if isinstance(value, Misfit) else Misfit(f"expected a list, got {value!r}")
        made, wrong = [], []
        for n, v in enumerate(value):
            try:
                made.append(strict.structure(v, inner))
            except Exception as e:
                e.add_note(IterableValidationNote(f"number {n + 1}", n, inner))
                wrong.append(e)
        if wrong:
            raise IterableValidationError("a list with misfits", wrong, kind)
        return tuple(made)

    return structure


def _either(kind: Any) -> Any:
    """One type or None."""
    inner = next(k for k in get_args(kind) if k is not type(None))
    structure = strict.get_structure_hook(inner)
    return lambda value, _: None if value is None else structure(value, inner)


strict = make_converter(detailed_validation=True)
for _kind, _accepted in {str: (str,), int: (int,), float: (float, int), bool: (bool,)}.items():
    strict.register_structure_hook(_kind, _exactly(*_accepted))
strict.register_structure_hook_factory(lambda t: labels(t) is not None, _label)
strict.register_structure_hook_factory(lambda t: element(t) is not None, _list)
strict.register_structure_hook_factory(lambda t: type(None) in get_args(t), _either)
