"""The golden cases: what Mastra was asked, in our words, and what our scorers make of it.

The cases come from the folder that `SCORER_GOLDEN_DIR` names (from the root of the repository; unless set,
`../shared/golden`), and from `tests/data/golden`, which holds a third of them, so that a bare clone tests too.

A scorer takes part as soon as `differences/<its name there>.toml` is here. Where its cases need other words than those
below, `in_our_words/<scorer>.py` has functions of the same names.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from attrs import frozen

from scorer_core import RunResult, Scorer, UsageError
from scorer_core.testing import ScriptedJudge

Case: TypeAlias = dict[str, Any]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FOLDER = (ROOT / os.environ.get("SCORER_GOLDEN_DIR", "../shared/golden")).resolve()
STEPS = ("preprocess", "analyze", "generate_score", "generate_reason")
LISTED = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((HERE / "differences").glob("*.toml"))}
DIFFERENCES: dict[str, dict[str, str]] = {id: told for tables in LISTED.values() for id, told in tables.items()}


def cases_in(folder: Path) -> dict[str, Case]:
    """The cases of the scorers that take part, by id; none if the folder has no `mastra.jsonl`."""
    file = folder / "mastra.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {case["id"]: case for case in map(json.loads, lines) if file_of(case["scorer"]) in LISTED}


def file_of(scorer: str) -> str:
    """`checks` for `checks.includes`."""
    return scorer.partition(".")[0]


def own(case: Case, name: str, otherwise: Any) -> Any:
    """What the scorer's module among `in_our_words` has by that name."""
    module = f"in_our_words.{file_of(case['scorer']).replace('-', '_')}"
    if importlib.util.find_spec(module) is None:
        return otherwise
    return getattr(importlib.import_module(module), name, otherwise)


GIVEN, THIRD = cases_in(FOLDER), cases_in(ROOT / "tests/data/golden")
CASES = THIRD | GIVEN


# A case in our words


def snake(value: Any) -> Any:
    """`value` with snake_case keys at every depth."""
    if isinstance(value, dict):
        return {snake_word(key): snake(v) for key, v in value.items()}
    return [snake(v) for v in value] if isinstance(value, list) else value


def snake_word(word: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", word).lower()


def keywords(case: Case) -> dict[str, Any]:
    """The options and the context as keywords of a scorer; `{"$returns": X}` is a function that returns X."""
    given = case["options"] if case.get("options_given", True) else {}
    return {snake_word(name): _function(v) if "$returns" in str(v) else v for name, v in given.items()}


def _function(described: dict[str, Any]) -> Callable[..., Any]:
    return lambda **_: described["$returns"]


def scorer(case: Case, judge: ScriptedJudge) -> Scorer:
    """Our scorer, with the options of the case."""
    spec = importlib.import_module(f"scorer_{case['scorer'].replace('-', '_')}").spec
    return Scorer.of(spec, judge, call_retries=0, **own(case, "keywords", keywords)(case))


def fields(case: Case) -> dict[str, Any]:
    """The run of a case, as the fields of ours."""
    expected = case["run"].get("expected_trajectory")
    metadata = {} if expected is None else {"expected_trajectory": expected}
    return {name: case["run"][name] for name in ("input", "output", "ground_truth")} | {"metadata": metadata}


def replies(case: Case) -> list[dict[str, Any]]:
    """The judge's replies, with snake_case keys."""
    return [snake(reply) for reply in case["judge"]]


def script(case: Case) -> dict[str, list[Any]]:
    """The judge's replies by step; a step without any raises when it is asked."""
    replies_of: dict[str, list[Any]] = {}
    for said in own(case, "replies", replies)(case):
        replies_of.setdefault(said["step"], []).append(_reply(said))
    return {step: [LookupError(f"no script for {step}")] for step in STEPS} | replies_of


def _reply(said: dict[str, Any]) -> Any:
    if "throws" in said:
        return ConnectionError(said["throws"])
    return said["raw"] if "raw" in said else said["output"]


# What came of it


@frozen
class Outcome:
    """What we make of a case.

    Args:
        result: Our result; None where the scorer refused its options.
        asked: The step of each call of the judge.
        unscripted: Those of them that Mastra's judge was not asked in this case.
    """

    result: RunResult | None = None
    asked: Sequence[str] = ()
    unscripted: Sequence[str] = ()

    def __str__(self) -> str:
        if self.result is None:
            return "refused"
        if self.unscripted:
            return f"asks {self.unscripted[0]}"
        if self.result.error:
            return f"failed: {self.result.error.kind}"
        if self.result.score is None:
            return self.result.status
        return f"{rounded(self.result.score)}{' vacuous' if self.result.vacuous else ''}"


def measured(case: Case) -> Outcome:
    """The outcome of a case with our scorer."""
    judge = ScriptedJudge(script(case))
    try:
        made = own(case, "scorer", scorer)(case, judge)
    except UsageError:
        return Outcome()
    result = made.run(**own(case, "fields", fields)(case))
    asked, scripted = [step for step, _ in judge.asked], {reply["step"] for reply in case["judge"]}
    return Outcome(result, asked, [step for step in asked if step not in scripted])


def theirs(case: Case) -> str:
    """What Mastra made of a case, in the words of `differences/`."""
    if error := case["expected"].get("error"):
        return f"error in {error.get('failed_step') or error['stage']}"
    return str(float(case["expected"]["score"]))


def rounded(score: float) -> float:
    """Mastra's rounding: to hundredths, half up, with its float steps."""
    return math.floor((score + 2**-52) * 100 + 0.5) / 100


def agree(case: Case, ours: Outcome) -> bool:
    """Whether the scores are equal, or neither side has one because something failed."""
    error = case["expected"].get("error")
    if ours.result is None or ours.unscripted:
        return ours.result is None and bool(error) and error["stage"] == "create"
    if error or ours.result.score is None:
        return bool(error) and error["stage"] == "run" and ours.result.status == "failed"
    score, expected = ours.result.score, float(case["expected"]["score"])
    return min(abs(score - expected), abs(rounded(score) - expected)) <= 1e-9


def told(ours: Outcome) -> str:
    """Why our outcome is what it is."""
    error = ours.result and ours.result.error
    return f"{ours} ({error.message})" if error else f"{ours}"


def same_reply(case: Case, result: RunResult, step: str) -> bool:
    """Whether both sides took a reply of the judge in this step, and the same one."""
    calls = case["expected"].get("judge_calls", {}).get(step, {})  # none where the scorer could not be made
    executions = result.judge.get(step)
    failed_here = result.error is not None and result.error.step == step
    if calls.get("status") != "success" or not executions or failed_here:
        return False
    took = script(case)[step][calls["attempts"] - 1]
    return executions[-1].reply == (took if isinstance(took, str) else json.dumps(took))


LABELS = {"verdict", "result", "match_type"}
TEXTS = {"reason", "explanation", "output_unit", "ground_truth_unit"}
LISTS = {"claims", "opinions", "verdicts", "results", "output_units", "ground_truth_units", "matches"} | {
    "extra_in_output", "contradictions",
}  # fmt: skip


def evidence(step_result: Any, output_units: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """The lists of a step result, with what both sides promise of an item: its text, its labels as read, its reasons.

    `output_units` are the units listed at first: those that joined are left out.
    """
    lists = {"claims": step_result} if isinstance(step_result, (list, tuple)) else snake(step_result)
    found = {name: [_item(item) for item in items] for name, items in lists.items() if name in LISTS}
    if output_units is not None and "output_units" in found:
        del found["output_units"][len(output_units) :]
    return found


def _item(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    labels = {name: item[name].strip().casefold() for name in LABELS & item.keys()}
    return labels | {name: item[name] for name in TEXTS & item.keys()}
