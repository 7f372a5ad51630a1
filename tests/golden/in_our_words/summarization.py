"""Summarization: we ask for questions by number, Mastra by their texts; and only for those that count."""

from __future__ import annotations

from typing import Any

from mastra_cases import Case


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with numbers in place of questions; none about questions that it would not be asked."""
    first = next(reply["output"] for reply in case["judge"] if reply["step"] == "preprocess")
    listed = first["questions"]
    asked = listed[: case["options"].get("maxQuestions", 10)]
    return [
        {**reply, "output": {"coverage": _numbered(reply["output"]["coverage"], listed, asked)}}
        if reply["step"] == "analyze"
        else reply
        for reply in case["judge"]
    ]


def _numbered(coverage: list[dict[str, Any]], listed: list[str], asked: list[str]) -> list[dict[str, Any]]:
    """Each verdict by the place of its question; one about a question that nobody listed has a number out of range."""
    return [
        {"number": n, "answered": verdict["answered"], "reason": verdict["reason"]}
        for n, verdict in enumerate(coverage, 1)
        if verdict["question"] in asked or verdict["question"] not in listed
    ]
