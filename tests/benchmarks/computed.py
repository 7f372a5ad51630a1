"""Computed scorers beside plain word overlap on labelled sets: python tests/benchmarks/computed.py

Yes-or-no labels: AUROC, the chance that a row labelled yes scores above one labelled no (0.5 is chance). Numbers as
labels: Spearman's rank correlation. Overlap is the share of the words of the reference that are in the answer; in
Japanese, of its pairs of letters. Rows that are not scorable are left out, of overlap too, and counted.

The sets are looked for in the folder that `SCORER_DATA_DIR` names, unless set `../shared/data`.

    --json FILE     write the figures as JSON
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
from table import asked_for, told

from scorer_completeness import create_completeness_scorer
from scorer_content_similarity import create_content_similarity_scorer
from scorer_core import Scorer
from scorer_keyword_coverage import create_keyword_coverage_scorer
from scorer_textual_difference import create_textual_difference_scorer
from scorer_tone import create_tone_scorer

Row: TypeAlias = dict[str, Any]
Labelled: TypeAlias = tuple[Row, float]  # the fields of a run, and its label as a number

DATA = (Path(__file__).parents[2] / os.environ.get("SCORER_DATA_DIR", "../shared/data")).resolve()
KIND = "You are all wonderful, friendly people."


def rows(name: str) -> list[Row]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def answers(name: str, yes: Any) -> Iterator[Labelled]:
    """Answers with one right answer or several, labelled right or wrong."""
    for row in rows(name):
        truth = row["ground_truth"].split("/") if name.startswith("evouna") else row["ground_truth"]
        yield (
            {"input": row["input"], "output": row["output"], "ground_truth": truth},
            float(row["label"]["value"] == yes),
        )


def rated(name: str) -> Iterator[Labelled]:
    """Answers labelled with a number."""
    for row in rows(name):
        yield {key: row[key] for key in ("input", "output", "ground_truth")}, float(row["label"]["value"])


def passages(name: str) -> Iterator[Labelled]:
    """Each passage as the answer to its question, labelled by whether it is about it."""
    for row in rows(name):
        for passage, fits in zip(row["context"], row["label"]["contexts"], strict=True):
            yield {"input": row["input"], "output": passage}, float(fits)


def posts(name: str, no: str) -> Iterator[Labelled]:
    """Posts, labelled by whether they are without hate."""
    for row in rows(name):
        yield {"output": row["output"]}, float(row["label"]["value"] != no)


def overlap(run: Row) -> float:
    """The share of the reference's words, or pairs of Japanese letters, that the answer has; the best of several."""
    references = run.get("ground_truth") or run.get("input") or KIND
    said = pieces(run["output"])
    return max(
        len(pieces(text) & said) / (len(pieces(text)) or 1)
        for text in (references if isinstance(references, list) else [references])
    )


def pieces(text: str) -> set[str]:
    if re.search("[\u3040-\u30ff\u4e00-\u9fff]", text):
        return {a + b for a, b in pairwise(text)}
    return set(re.findall(r"\w+", text.lower()))


def auroc(scores: pd.Series, labels: pd.Series) -> float:
    yes, no = int(labels.sum()), int((1 - labels).sum())
    return float((scores.rank()[labels == 1].sum() - yes * (yes + 1) / 2) / (yes * no))


def spearman(scores: pd.Series, labels: pd.Series) -> float:
    return float(scores.rank().corr(labels.rank()))


def measured(
    name: str, labelled: list[Labelled], by: Callable[[pd.Series, pd.Series], float], *scorers: Scorer
) -> Iterator[Row]:
    """A line for each scorer: its figure, that of overlap on the same rows, and how many were not scorable."""
    for scorer in scorers:
        found = [(scorer.run(**run), run, label) for run, label in labelled]
        kept = pd.DataFrame([(r.score, overlap(run), label) for r, run, label in found if r.score is not None])
        yield {
            "set": name,
            "scorer": scorer.label,
            "figure": by.__name__,
            "ours": round(by(kept[0], kept[2]), 2),
            "overlap": round(by(kept[1], kept[2]), 2),
            "rows": len(kept),
            "not scorable": len(found) - len(kept),
        }


def all_four(against: str) -> list[Scorer]:
    makers = (
        create_content_similarity_scorer, create_textual_difference_scorer, create_keyword_coverage_scorer,
        create_completeness_scorer,
    )  # fmt: skip
    return [make(against=against) for make in makers]


def figures() -> Iterator[Row]:
    for name, yes in {
        "evouna_nq": "correct",
        "evouna_tq": "correct",
        "openqa_nq301": "correct",
        "truthfulqa_judged": "true",
    }.items():
        yield from measured(name, [*answers(name, yes)], auroc, *all_four("ground_truth"))
    yield from measured("jsts", [*rated("jsts")], spearman, *all_four("ground_truth"))
    yield from measured("feedbackqa", [*rated("feedbackqa")], spearman, *all_four("question"))
    for name in ("hotpotqa_contexts", "jsquad_contexts"):
        yield from measured(name, [*passages(name)], auroc, *all_four("question"))
    for name, no in {"hatecheck": "hateful", "edos_sexism": "biased"}.items():
        yield from measured(name, [*posts(name, no)], auroc, create_tone_scorer(reference_tone=KIND))


def main() -> None:
    asked = asked_for(__doc__)
    told([*figures()], asked.json, "0.5 is chance for auroc, 0 for spearman; overlap is the floor to stay above")


if __name__ == "__main__":
    main()
