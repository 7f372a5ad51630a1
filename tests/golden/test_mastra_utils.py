"""Mastra's helpers for messages, tool calls and trajectories: what ours make of the same, or a difference listed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from mastra_cases import FOLDER, HERE

from scorer_core import Run, extract_tool_results
from scorer_core.evaluating.trajectory import tool_calls
from scorer_core.runs.messages import conversation, said
from scorer_steps import path_of

LISTED = tomllib.loads((HERE / "utils.toml").read_text("utf-8"))
FILE = FOLDER / "mastra-utils.jsonl"
LINES = FILE.read_text("utf-8").splitlines() if FILE.is_file() else []


def history(given: Any, options: Any = None) -> str | None:
    """The last messages that are remembered, a line each."""
    most = (options or {}).get("maxMessages", 10)
    remembered = {"rememberedMessages": given.get("rememberedMessages")} if isinstance(given, dict) else None
    lines = [f"{m.role}: {m.text}" for m in conversation(remembered)[-most:] if m.text] if most > 0 else []
    return "\n".join(lines) or None


def trajectory(given: Any) -> dict[str, Any]:
    """The way that messages tell, in Mastra's words."""
    return {
        "steps": [
            {
                "stepType": step.kind,
                "name": step.name,
                "toolArgs": step.told.get("args"),
                "toolResult": step.told.get("result"),
                "success": not step.failed,
            }
            for step in path_of(Run(output=given)).children
        ]
    }


def called(given: Any) -> dict[str, Any]:
    """The tools called, with the ids of the calls; we do not number messages."""
    calls = tool_calls(given)
    return {"tools": [c.name for c in calls], "ids": [c.id for c in calls]}


OURS: dict[str, Callable[..., Any]] = {
    "get_user_message_from_run_input": lambda given: said(Run(input=given)).question,
    "get_assistant_message_from_run_output": lambda given: said(Run(output=given)).answer,
    "get_text_content_from_message": lambda given: conversation([{"role": "user"} | given])[0].text,
    "get_combined_system_prompt": lambda given: "\n\n".join(m.text for m in conversation(given) if m.role == "system"),
    "get_system_messages_from_run_input": lambda given: [m.text for m in conversation(given) if m.role == "system"],
    "get_conversation_history_from_run_input": history,
    "get_reasoning_from_run_output": lambda given: None,
    "extract_agent_response_messages": lambda given: [m.text for m in conversation(given) if m.role == "assistant"],
    "extract_tool_calls": called,
    "extract_tool_results": lambda given: [
        {"toolName": r.tool, "toolCallId": r.id, "args": r.args, "result": r.result}
        for r in extract_tool_results(given)
    ],
    "extract_trajectory": trajectory,
    "extract_workflow_trajectory": lambda *given: trajectory(given[0]),
}
OTHERS = {
    "round_to_two_decimals",
    "evaluate_scoring_predicate",
    "validate_scoring_predicate",
    "filter_run",
    "is_closer_to",
}
CASES = {case["id"]: case for case in map(json.loads, LINES) if case["function"] not in OTHERS}


def theirs(case: dict[str, Any]) -> Any:
    """What Mastra returned: nothing is an empty text, and calls have no numbers."""
    value = case["expected"]["value"]
    if case["function"].startswith("get_") and value is None and "history" not in case["function"]:
        return "" if "message" in case["function"] else None
    if case["function"] == "extract_tool_calls":
        return {"tools": value["tools"], "ids": [info["toolCallId"] for info in value["toolCallInfos"]]}
    return value


@pytest.mark.skipif(not CASES, reason=f"no {FILE} (SCORER_GOLDEN_DIR)")
def test_every_case_is_of_a_helper_that_is_looked_at_and_every_listed_one_is_there() -> None:
    assert {case["function"] for case in CASES.values()} <= OURS.keys()
    assert LISTED.keys() <= CASES.keys()
    assert all(told.keys() == {"ours", "rule", "why"} and all(told.values()) for told in LISTED.values())


@pytest.mark.parametrize("id", CASES)
def test_our_helper_gives_what_theirs_does_or_the_difference_is_listed(id: str) -> None:
    case = CASES[id]
    ours = OURS[case["function"]](*case["args"])
    if id not in LISTED:
        assert ours == theirs(case), "not listed in utils.toml"
    else:
        assert ours != theirs(case), "listed in utils.toml, but there is no difference"
        assert json.dumps(ours, ensure_ascii=False) == LISTED[id]["ours"]
