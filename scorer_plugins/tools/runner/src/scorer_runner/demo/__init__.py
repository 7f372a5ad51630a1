"""The demo: a few real rows that ship with the package (see LICENCES.md), scored in a folder of its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from attrs import evolve

from scorer_core import RunResult, UsageError

from ..ordering.order import Order
from ..planning.making import made
from ..planning.plan import Plan

FOLDER = Path("scorer-demo")
SCORERS = (
    "faithfulness",
    "hallucination",
    "bias",
    "answer_similarity:require_ground_truth=false",  # most rows have one, not all
)
SHIPPED = ("rows.jsonl", "LICENCES.md", "prompts/faithfulness/analyze.j2")
TELLING = (
    ("q2_wow-165-memnet", "faithfulness"),
    ("begin_dev_wow-54", "faithfulness"),
    ("jnli-50", "hallucination"),
    ("crows_pairs-491-more", "bias"),
    ("truthfulqa_judged-15511", "answer_similarity"),
)


def demo_plan() -> Plan:
    """The demo's run, with its rows laid out in the demo's folder; earlier results in it are written over.

    Raises:
        UsageError: the folder can't be written, or a scorer or the local judge is not installed.
    """
    order = Order(
        data=[(_laid_out() / "rows.jsonl").as_posix()],
        scorer=SCORERS,
        out="-",
    )
    return evolve(made(order), out=FOLDER / "results.jsonl")


def telling(results: Path | None) -> Sequence[RunResult]:
    """The demo's results that show best what a score rests on, read back from its file."""
    if results is None:
        return ()
    with open(results, encoding="utf-8") as lines:
        found = {(r.row_id, r.scorer_id): r for r in map(RunResult.from_dict, map(json.loads, lines))}
    return [found[key] for key in TELLING if key in found]


def _laid_out() -> Path:
    try:
        for name in SHIPPED:
            place = FOLDER / name
            place.parent.mkdir(parents=True, exist_ok=True)
            if not (place.suffix == ".j2" and place.exists()):  # a template is there to be changed
                place.write_bytes(files(__package__).joinpath(name).read_bytes())
    except OSError as e:
        raise UsageError(f"{str(FOLDER)!r} can't be written here: {e.strerror}; go to a folder of your own") from e
    return FOLDER
