"""Answer similarity: we name units by number, Mastra by their texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mastra_cases import Case, snake


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies with snake_case keys, and numbers where answer similarity has Mastra's texts of units."""
    said: list[dict[str, Any]] = [snake(reply) for reply in case["judge"]]
    outputs = [reply["output"] for reply in said if isinstance(reply.get("output"), dict)]
    units = [o for o in outputs if {"output_units", "ground_truth_units"} <= o.keys()]
    for comparison in outputs if units else ():
        _number(comparison, units[-1])
    return said


def _number(comparison: dict[str, Any], units: dict[str, list[str]]) -> None:
    """Puts numbers in place of texts; a unit of the output that is not listed joins the list.

    One of the reference may not join: the judge would be asked about one more. It gets a number that is out of range.
    """
    outputs, references = units["output_units"], units["ground_truth_units"]
    matches, contradictions = comparison.get("matches", []), comparison.get("contradictions", [])
    for match in matches:
        match["number"] = _place(match["ground_truth_unit"], references)
    for contradiction in contradictions:
        contradiction["ground_truth_unit"] = _place(contradiction["ground_truth_unit"], references)
    for named in (*matches, *contradictions):
        named["output_unit"] = _joined(named["output_unit"], outputs)
    if extras := comparison.get("extra_in_output"):
        comparison["extra_in_output"] = [_joined(text, outputs) for text in extras]


def _place(text: str, units: Sequence[str]) -> int:
    return units.index(text) + 1 if text in units else len(units) + 1


def _joined(text: str | None, units: list[str]) -> int | None:
    if text is None:
        return None
    if text not in units:
        units.append(text)
    return _place(text, units)
