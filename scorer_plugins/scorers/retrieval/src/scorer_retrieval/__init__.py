"""Retrieval: precision, recall, MRR, MAP or nDCG of what was retrieved, by relevance labels. 1 is best, 0 is worst."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen, validators

from scorer_core import Band, Failed, NotScorable, Options, Scorer, ScorerSpec, Trail, one_of, whole

MEASURES = ("precision", "recall", "mrr", "map", "ndcg")


def dcg(grades: Sequence[float]) -> float:
    """The grades, each over the logarithm to base 2 of its rank plus 1."""
    return sum(g / math.log2(rank + 1) for rank, g in enumerate(grades, 1))


def measures(top: Sequence[float], known: Sequence[float], k: int | None = None) -> dict[str, float | None]:
    """The measures of the grades of the first `k` documents, in [0, 1]; None where nothing relevant is known.

        precision = relevant ones found / k
        recall    = relevant ones found / relevant ones known
        mrr       = 1 / rank of the first relevant one, 0 without any
        map       = sum of the precision at the ranks of relevant ones / relevant ones known
        ndcg      = DCG / DCG of the best order; DCG = sum of grade / log2(rank + 1)

    Args:
        top: The grades of the documents looked at, best ranked first; above 0 is relevant.
        known: All grades that are known, in any order.
        k: How many documents were asked for; as many as there are unless given.

    Sources: Manning, Raghavan and Schütze (2008), "Introduction to information retrieval", chapter 8; for nDCG Järvelin
    and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", with the discount that is usual today.
    """
    hits = [rank for rank, g in enumerate(top, 1) if g > 0]
    relevant, best = sum(g > 0 for g in known), dcg(sorted(known, reverse=True)[:k])
    return {
        "precision": len(hits) / (k or len(top) or 1),
        "recall": len(hits) / relevant if relevant else None,
        "mrr": 1 / hits[0] if hits else 0.0,
        "map": sum(n / rank for n, rank in enumerate(hits, 1)) / relevant if relevant else None,
        "ndcg": min(dcg(top) / best, 1.0) if best else None,
    }


@frozen(kw_only=True)
class RetrievalOptions(Options):
    """What a user can set.

    Args:
        measure: "precision", "recall", "mrr", "map" or "ndcg", see `measures`; `mrr` and `map` are means over rows, so
            that a row has its own part of them.
        k: How many documents, from the first, are looked at, 1 or more; all unless given.
        labels: The column of the metadata with the labels, with dots for what lies within (`label.contexts`).
    """

    measure: str = field(default="ndcg", validator=one_of(*MEASURES))
    k: int | None = field(default=None, validator=validators.optional(whole(1)))
    labels: str = field(default="relevance", validator=[validators.instance_of(str), validators.min_len(1)])


def grades(trail: Trail[None, None], names: Sequence[str]) -> tuple[list[float], dict[str, float]]:
    """The grade of each document retrieved, and those of relevant ones that were not.

    Raises:
        NotScorable: the row has no labels.
        Failed: they are no grades, or not one for each document (kind `bad_row`).
    """
    at = trail.options.labels
    told: Any = trail.run.metadata
    for name in at.split("."):
        told = told.get(name) if isinstance(told, Mapping) else None
    if told is None:
        told = [chunk.metadata.get(at) for chunk in trail.context]  # type: ignore[attr-defined]
        if None in (told or [None]):
            raise NotScorable(f"this row has no relevance labels (a column or a field of each document, {at!r})")
    if isinstance(told, (list, tuple)) and told and all(isinstance(v, str) for v in told):
        told = dict.fromkeys(told, 1)
    if isinstance(told, Mapping):
        first = [told.get(d, 0) if d not in names[:n] else 0 for n, d in enumerate(names)]
        rest = {str(d): _grade(g, at) for d, g in told.items() if d not in names}
        return [_grade(g, at) for g in first], {d: g for d, g in rest.items() if g > 0}
    if not isinstance(told, (list, tuple)) or len(told) != len(names):
        raise Failed("bad_row", f"{at}: expected a grade for each of {len(names)} documents, got {told!r}")
    return [_grade(g, at) for g in told], {}


def _grade(value: Any, at: str) -> float:
    if not isinstance(value, (bool, int, float)) or not math.isfinite(value) or value < 0:
        raise Failed("bad_row", f"{at}: expected a grade of 0 or more, or true or false, got {value!r}")
    return float(value)


@frozen
class Found:
    """Each document with its grade, in order; all measures; the ranks with something relevant, and what was missed."""

    ranking: tuple[Mapping[str, Any], ...]
    measures: Mapping[str, float | None]
    relevant: int
    found_at: tuple[int, ...]
    missed: tuple[str, ...]


def found(trail: Trail[None, None]) -> Found:
    """What the first `k` documents have of what is relevant."""
    names = [str(chunk.metadata.get("id", chunk)) for chunk in trail.context]  # type: ignore[attr-defined]
    given, rest = grades(trail, names)
    k, known = trail.options.k, [*given, *rest.values()]
    hits = [(rank, name) for rank, (name, g) in enumerate(zip(names, given, strict=True), 1) if g > 0]
    return Found(
        ranking=tuple({"document": name, "relevance": g} for name, g in zip(names, given, strict=True)),
        measures=measures(given[:k], known, k),
        relevant=sum(g > 0 for g in known),
        found_at=tuple(rank for rank, _ in hits if not k or rank <= k),
        missed=(*(name for rank, name in hits if k and rank > k), *rest),
    )


def chosen(trail: Trail[None, Found]) -> float:
    """The measure asked for, in [0, 1]; higher is better. See `measures`.

    Raises:
        NotScorable: nothing is labelled relevant, and the measure divides by how much is.
    """
    value = trail.analyze.measures[trail.options.measure]
    if value is None:
        raise NotScorable(f"nothing is labelled relevant, so {trail.options.measure} says nothing")
    return value


def told(trail: Trail[None, Found]) -> str:
    """How much of what is relevant was found, and where."""
    seen, k = trail.analyze, trail.options.k
    at = f", at rank {', '.join(map(str, seen.found_at))}" if seen.found_at else ""
    missed = f"; missed: {', '.join(seen.missed)}" if seen.missed else ""
    within = f"the first {k}" if k else f"{len(seen.ranking)} retrieved"
    return f"{len(seen.found_at)} of {seen.relevant} relevant documents are among {within}{at}{missed}."


spec = ScorerSpec(
    id="retrieval",
    description="Precision, recall, MRR, MAP or nDCG of what was retrieved, by relevance labels",
    higher_is="better",
    bands=(Band(0, "nothing relevant"), Band(0, "poor"), Band(0.4, "fair"), Band(0.7, "good"), Band(1, "perfect")),
    package=__name__,
    needs=("context_source",),
    named_by=("measure", "k"),
    options=RetrievalOptions,
    analyze=found,
    generate_score=chosen,
    generate_reason=told,
)


def create_retrieval_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `RetrievalOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)
