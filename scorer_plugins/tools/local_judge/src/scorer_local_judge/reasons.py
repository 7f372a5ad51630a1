"""One short paragraph on what an analysis holds: how many of how many, which are not fine and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .marks import Item, Marks

SHOWN = 90
"""Signs of a text that is quoted; the rest becomes an ellipsis."""
QUOTED = 2
"""How many of the texts that are not fine are quoted."""
ORIGIN = "This comes from matching words and numbers (local judge), not from understanding."

_YES_IS_BAD = frozenset({"hallucination", "bias", "toxicity"})
_TEXTS = ("claim", "statement", "opinion", "ground_truth_unit", "output_unit", "text")
_WHYS = ("reason", "explanation")


class Row(NamedTuple):
    """One judged item: its text, the word on it, why."""

    text: str
    word: str
    why: str


def explain(marks: Marks, scorer: str) -> str:
    """Two or three sentences on the verdicts, results or matches that `marks` hold; `scorer` is the scorer's id."""
    if matches := list(_rows(marks.items("match"), "match_type")):
        told = _about_matches(matches, marks)
    elif results := list(_rows(marks.items("result"), "result")):
        told = _about(results, fine="no", noun=("opinion", "opinions"), bad="read as biased")
    elif verdicts := list(_rows(marks.items("verdict"), "verdict")):
        bad = scorer in _YES_IS_BAD
        told = _about(
            verdicts, fine="no" if bad else "yes", noun=("claim", "claims"), bad="not borne out by the context"
        )
    else:
        told = "There was nothing to judge."
    return f"{told} {ORIGIN}"


def _rows(items: Sequence[Item], word: str) -> Iterator[Row]:
    for item in items:
        said = _record(item.text)
        yield Row(_first(said, _TEXTS), str(said.get(word, "")), _first(said, _WHYS))


def _record(text: str) -> dict[str, object]:
    """The JSON object that `text` is; anything else counts as a bare text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {"text": text}
    return value if isinstance(value, dict) else {"text": text}


def _first(record: dict[str, object], names: Sequence[str]) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value), "")


def _about(rows: Sequence[Row], *, fine: str, noun: tuple[str, str], bad: str) -> str:
    wrong = [row for row in rows if row.word != fine]
    many = f"{len(rows)} {noun[len(rows) != 1]}"
    if not wrong:
        return f"None of {many} is {bad}."
    return f"{len(wrong)} of {many} {_is(len(wrong))} {bad}: {_quotes(wrong)}"


def _about_matches(rows: Sequence[Row], marks: Marks) -> str:
    count = {word: sum(row.word == word for row in rows) for word in ("exact", "semantic", "partial", "missing")}
    parts = ", ".join(f"{n} {word}" for word, n in count.items() if n)
    extra, against = len(marks.items("extra")), len(marks.items("contradiction"))
    parts += f", {extra} extra in the answer" if extra else ""
    parts += f", {against} contradicted" if against else ""
    wrong = [row for row in rows if row.word in ("partial", "missing")]
    of = f"Of {len(rows)} unit{'s' * (len(rows) != 1)} of the reference: {parts or 'none judged'}"
    return f"{of}; not fully there: {_quotes(wrong)}" if wrong else f"{of}."


def _quotes(rows: Sequence[Row]) -> str:
    told = "; ".join(f'"{short(row.text)}"{f" ({short(row.why)})" if row.why else ""}' for row in rows[:QUOTED])
    rest = len(rows) - QUOTED
    return f"{told}{f'; and {rest} more' if rest > 0 else ''}."


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def short(text: str) -> str:
    """`text` on one line, cut at SHOWN signs."""
    line = " ".join(text.split()).rstrip(".。")
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 1].rstrip()}…"
