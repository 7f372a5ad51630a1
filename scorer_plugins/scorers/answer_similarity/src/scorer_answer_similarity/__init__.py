"""Answer similarity: how much of a reference answer an answer holds. 1 is all of it, 0 nothing or a contradiction."""

from typing import Annotated, Any, Literal

from attrs import evolve, field, frozen, validators

from scorer_core import Ask, Band, ItemText, NotScorable, Options, Scorer, ScorerSpec, Settled, Text, Trail, between


@frozen(kw_only=True)
class SimilarityOptions(Options):
    """What a match is worth and a fault costs, see `similarity`; and whether a run without a reference fails.

    Args:
        require_ground_truth: Whether it does; if not, it scores 0, and is vacuous.
        semantic_threshold: What a unit of the reference counts that is there in other words, in [0, 1]; half of it one
            that is there in part.
        exact_match_bonus: What one counts beyond 1 that is there as it is, in [0, 1].
        missing_penalty: What one takes off that is not there; 0 or more.
        contradiction_penalty: What each contradiction takes off; 0 or more.
        extra_info_penalty: What each unit takes off that the reference does not have; 0 or more, all at most 0.2.
    """

    require_ground_truth: bool = field(default=True, validator=validators.instance_of(bool))
    semantic_threshold: float = field(default=0.8, validator=between(0, 1))
    exact_match_bonus: float = field(default=0.2, validator=between(0, 1))
    missing_penalty: float = field(default=0.15, validator=between(0))
    contradiction_penalty: float = field(default=1.0, validator=between(0))
    extra_info_penalty: float = field(default=0.05, validator=between(0))


@frozen
class Units:
    """Pieces that could be right or wrong alone."""

    output_units: tuple[str, ...]
    ground_truth_units: tuple[str, ...]


@frozen(kw_only=True)
class Match:
    """How one unit of the reference fares in the answer."""

    number: int
    ground_truth_unit: ItemText
    explanation: Annotated[str, "one sentence"]
    output_unit: Annotated[str | None, "number of the answer's unit", Text("output_units")]
    match_type: Literal["exact", "semantic", "partial", "missing"] = field()

    @match_type.validator
    def _names_its_unit(self, _: Any, match_type: str) -> None:
        if match_type in ("semantic", "partial") and self.output_unit is None:
            raise ValueError(f"a {match_type} match names the number of the answer's unit in output_unit")


@frozen
class Contradiction:
    """A unit of the answer that can't be right if the reference is."""

    explanation: Annotated[str, "one sentence"]
    output_unit: Annotated[str, Text("output_units")]
    ground_truth_unit: Annotated[str, Text("ground_truth_units")]


@frozen
class Comparison:
    """A match for each unit of the reference, and what else the answer says."""

    matches: tuple[Match, ...]
    extra_in_output: Annotated[tuple[str, ...], "numbers of the answer's units", Text("output_units")]
    contradictions: tuple[Contradiction, ...]


def without_matched_extras(trail: Trail[Units, None], found: Comparison) -> Comparison:
    """`found` with each extra once, and without those that a match names: they are in the reference."""
    if unnamed := sum(m.match_type == "exact" and m.output_unit is None for m in found.matches):
        trail.note(f"{unnamed} exact match(es) named no unit of the answer")
    matched = {m.output_unit for m in found.matches if m.match_type != "missing"}
    return evolve(found, extra_in_output=tuple(x for x in dict.fromkeys(found.extra_in_output) if x not in matched))


def similarity(trail: Trail[Units, Comparison]) -> float:
    """Share of the reference found, less contradictions and extras, in [0, 1]; higher is better.

        credit = exact: 1 + bonus, semantic: threshold, partial: threshold / 2,
                 missing: -penalty
        base   = sum of credits / (units of the reference * (1 + bonus))
        score  = base - contradictions * penalty - min(extras * penalty, 0.2),
                 clamped to [0, 1]

    Raises:
        NotScorable: the reference has no units.

    Source: Mastra's answer similarity, over all units of the reference.
    """
    found, o = trail.analyze, trail.options
    if not found.matches:
        raise NotScorable("the reference holds nothing to compare with")
    credit = {"exact": 1 + o.exact_match_bonus, "semantic": o.semantic_threshold, "missing": -o.missing_penalty}
    credit["partial"] = o.semantic_threshold / 2
    base = sum(credit[m.match_type] for m in found.matches) / (len(found.matches) * credit["exact"])
    extras = min(len(found.extra_in_output) * o.extra_info_penalty, 0.2)
    return float(min(max(base - len(found.contradictions) * o.contradiction_penalty - extras, 0), 1))


spec = ScorerSpec(
    id="answer_similarity",
    description="How much of a reference answer the answer holds",
    higher_is="better",
    bands=(
        Band(0, "nothing in common, or contradicted"),
        Band(0, "little in common"),
        Band(0.4, "partly the same"),
        Band(0.7, "nearly the same"),
        Band(1, "the same"),
    ),
    package=__name__,
    needs=("ground_truth", "answer"),
    without={
        "ground_truth": Settled(0.0, "this run has no ground truth to compare with"),
        "answer": Settled(0.0, "the output is empty, so every unit of the reference is missing", vacuous=False),
    },
    options=SimilarityOptions,
    preprocess=Ask(Units),
    analyze=Ask(Comparison, each="ground_truth_units", then=without_matched_extras),
    generate_score=similarity,
    generate_reason=Ask(str),
)


def create_answer_similarity_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `SimilarityOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
