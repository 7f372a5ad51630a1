"""What a reply must answer, and the values in it made ready for the class they become.

Numbers become the texts they stand for, spellings the words of a menu; what does not fit becomes a `Misfit`, and what
is optional and does not fit is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ..contract.replies import Menu, Range, ReplyField, Text, plain_names, reply_names, special_fields
from ..contract.shapes import Menus
from .exact import Misfit, fits, on_menu

MOST_DIGITS = 10  # of the number of an item


@frozen
class Question:
    """What a reply must answer.

    Args:
        reply: The attrs class of the reply, or `str` for the judge's words as they are.
        items: The texts asked about, one numbered element of the reply each.
        lists: The lists whose pieces a reply names by number.
        menus: The words of each menu.
        open: Whether the judge finds the items itself, and gives the text of each in place of a number.
    """

    reply: Any
    items: Sequence[str] = ()
    lists: Mapping[str, Sequence[str]] = field(factory=dict)
    menus: Menus = field(factory=dict)
    open: bool = False


@frozen
class Ready:
    """Makes values ready for a question; `repairs` gathers what had to be mended."""

    question: Question
    repairs: list[str]

    def prepared(self, value: Any, f: ReplyField, path: str) -> Any:
        """`value` with texts in place of numbers and menu words in place of their spellings; misfits as such."""
        if isinstance(value, list) and f.each:
            each = [self.prepared(v, f.each, f"{path}[{n}]") for n, v in enumerate(value, 1)]
            return self.without_blanks(each, path) if f.each.type is str else each
        if isinstance(value, dict) and f.nested:
            return self.object(value, f.type, path)
        if value is None and f.nullable:
            return None
        if isinstance(f.mark, Text):
            return self.piece(value, f)
        if isinstance(f.mark, Menu):
            return on_menu(value, self.question.menus[f.mark.of])
        if isinstance(f.mark, Range) and type(value) in (int, float) and not f.mark.low <= value <= f.mark.high:
            return Misfit(f"expected a number from {f.mark.low:g} to {f.mark.high:g}, got {value!r}", "out_of_range")
        return value

    def object(self, raw: Mapping[str, Any], kind: type, path: str) -> dict[str, Any]:
        """The fields of `raw` that `kind` has, prepared; optional ones that do not fit are dropped."""
        if not raw.keys() <= (known := reply_names(kind)) and (unknown := raw.keys() - known - {"number"}):
            self.repairs.append(f"unknown keys dropped: {listed(unknown)}")
        made = {name: raw[name] for name in plain_names(kind) if name in raw}
        for f in special_fields(kind):
            if not f.asked and not self.question.open:
                made[f.name] = self.question.items[raw["number"] - 1]
            elif f.name in raw:
                value = self.prepared(raw[f.name], f, f"{path}.{f.name}")
                if f.optional and not fits(value, f.type):
                    self.repairs.append(f"{path}.{f.name}: {raw[f.name]!r} does not fit and was dropped")
                else:
                    made[f.name] = value
            elif f.optional:
                self.repairs.append(f"{f.name}: not told by the judge")
        return made

    def piece(self, value: Any, f: ReplyField) -> Any:
        """The piece of a list that `value` numbers: its text, or its number where the field is one."""
        assert isinstance(f.mark, Text)
        pieces, number = self.question.lists[f.mark.of], self.whole(value)
        if type(number) is not int:
            return Misfit(f"expected the number of a piece of {f.mark.of}, got {value!r}")
        if not 1 <= number <= len(pieces):
            return Misfit(f"expected a number of {f.mark.of} from 1 to {len(pieces)}, got {value!r}", "out_of_range")
        return number if f.numeric else pieces[number - 1]

    def whole(self, value: Any) -> Any:
        """`value` as a whole number where it plainly is one (`1.0`, `"1"`)."""
        if type(value) is int:
            return value
        digits = value.strip() if isinstance(value, str) else ""
        if (isinstance(value, float) and value.is_integer()) or (digits.isdecimal() and len(digits) < MOST_DIGITS):
            self.repairs.append(f"{value!r} was read as a number")
            return int(value)
        return value

    def without_blanks(self, texts: list[Any], path: str) -> list[Any]:
        kept = [t for t in texts if not isinstance(t, str) or t.strip()]
        if len(kept) < len(texts):
            self.repairs.append(f"{path}: {len(texts) - len(kept)} blank dropped")
        return kept


def listed(names: Any) -> str:
    """Names as a message shows them."""
    return ", ".join(f"`{n}`" for n in sorted(names))
