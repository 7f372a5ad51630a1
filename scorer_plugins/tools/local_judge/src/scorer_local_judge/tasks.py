"""What the judge can do: each template it answers, with the reply made from the prompt's marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from .claims import claims
from .marks import Item, Marks, read_marks
from .opinions import Bias, bias, opinions
from .reasons import explain
from .similarity import Contradiction, Match, compare
from .support import Support, support
from .units import units

Reply = Mapping[str, object]


def answer(template: str, prompt: str) -> str:
    """The reply to `prompt`, made from `template` (`faithfulness/analyze`): JSON, or prose for a reason.

    Raises:
        ValueError: the template is not one of the shipped scorers', or the prompt does not mark what it needs.
    """
    scorer, _, step = template.partition("/")
    if scorer and step == "generate_reason":
        return explain(read_marks(prompt), scorer)
    if template not in TASKS:
        raise ValueError(_refusal(f"{template!r}" if template else "a prompt without a template"))
    try:
        return json.dumps(TASKS[template](read_marks(prompt)), ensure_ascii=False)
    except MissingMarkError as e:
        raise ValueError(_refusal(f"{template!r} with other marks: {e}")) from e


class MissingMarkError(ValueError):
    """A prompt does not mark what its template should."""


def _refusal(asked: str) -> str:
    return (
        f"the local judge answers only the prompts of the shipped scorers, and was asked for {asked} "
        f"(it knows: {', '.join(sorted(TASKS))}, */generate_reason); pass a chat model"
    )


def _text(marks: Marks, name: str) -> str:
    try:
        return marks.text(name)
    except ValueError as e:
        raise MissingMarkError(str(e)) from e


def _items(marks: Marks, name: str) -> Sequence[Item]:
    if not marks.items(name):
        raise MissingMarkError(f"the prompt marks no {name!r}")
    return marks.items(name)


def _claims(marks: Marks) -> Reply:
    return {"claims": claims(_text(marks, "answer"))}


def _opinions(marks: Marks) -> Reply:
    return {"opinions": opinions(_text(marks, "answer"))}


def _units(marks: Marks) -> Reply:
    return {"output_units": units(_text(marks, "answer")), "ground_truth_units": units(_text(marks, "ground_truth"))}


def _supported(marks: Marks) -> Reply:
    words = {"supported": "yes", "contradicted": "no", "not found": "unsure"}
    return {"verdicts": [_verdict(item, found, words) for item, found in _found(marks)]}


def _hallucinated(marks: Marks) -> Reply:
    words = {"supported": "no", "contradicted": "yes", "not found": "yes"}
    return {"verdicts": [_verdict(item, found, words) for item, found in _found(marks)]}


def _found(marks: Marks) -> list[tuple[Item, Support]]:
    chunks = marks.texts("context")
    return [(item, support(item.text, chunks)) for item in _items(marks, "claim")]


def _verdict(item: Item, found: Support, words: Mapping[str, str]) -> Reply:
    reason = f"By its words the claim is {found.stand}: {found.why}."
    return {"number": item.number, "reason": reason, "chunk": found.chunk, "verdict": words[found.stand]}


def _biased(marks: Marks) -> Reply:
    return {"results": [_result(item.number, bias(item.text)) for item in _items(marks, "opinion")]}


def _result(number: int, found: Bias) -> Reply:
    result = "yes" if found.biased else "no"
    return {"number": number, "reason": f"By its words: {found.why}.", "result": result, "kind": found.kind}


def _compared(marks: Marks) -> Reply:
    reference = _items(marks, "ground_truth_unit")
    found = compare(marks.items("output_unit"), reference, question=marks.optional("question"))
    return {
        "matches": [_matched(match) for match in found.matches],
        "extra_in_output": list(found.extra),
        "contradictions": [_contradicted(clash) for clash in found.contradictions],
    }


def _matched(match: Match) -> Reply:
    explanation = f"By its words: {match.why}."
    return {
        "number": match.number,
        "explanation": explanation,
        "output_unit": match.output_unit,
        "match_type": match.kind,
    }


def _contradicted(clash: Contradiction) -> Reply:
    return {
        "explanation": f"By its words: {clash.why}.",
        "output_unit": clash.output_unit,
        "ground_truth_unit": clash.ground_truth_unit,
    }


TASKS: Mapping[str, Callable[[Marks], Reply]] = {
    "claims/preprocess": _claims,
    "faithfulness/analyze": _supported,
    "hallucination/analyze": _hallucinated,
    "bias/preprocess": _opinions,
    "bias/analyze": _biased,
    "answer_similarity/preprocess": _units,
    "answer_similarity/analyze": _compared,
}
"""The templates of the shipped scorers; reasons are answered for every scorer."""
