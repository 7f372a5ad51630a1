"""Context recall: the share of a reference answer's claims that the context holds. 1 is all of them, 0 is none."""

from typing import Annotated, Any, Literal

from attrs import frozen

from scorer_core import Ask, Band, Claims, ItemText, NotScorable, Scorer, ScorerSpec, Settled, Strongest, Text, Trail


@frozen(kw_only=True)
class Verdict:
    """The judge's word on one claim of the reference: "yes" is held by the context, by which chunk."""

    number: int
    claim: ItemText
    reason: Annotated[str, "one sentence"]
    chunk: Annotated[int | None, "number of the context that holds it", Text("context")] = None
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    """One verdict for each claim."""

    verdicts: tuple[Verdict, ...]


def nothing_found(trail: Trail[Claims, None]) -> None:
    """Settles at 0 when the reference claims something and context was looked for, but none was found."""
    if trail.preprocess.claims and not trail.context:
        why = "no context was found, so it holds nothing of the reference"
        raise Settled(0.0, why, vacuous=False, note="no_context")


def held_share(trail: Trail[Claims, Verdicts]) -> float:
    """Claims of the reference that the context holds over all its claims, in [0, 1]; higher is better.

    Raises:
        NotScorable: the reference makes no claim.

    Source: Mastra's context recall.
    """
    verdicts = trail.analyze.verdicts
    if not verdicts:
        raise NotScorable("the reference makes no claim")
    return sum(v.verdict == "yes" for v in verdicts) / len(verdicts)


spec = ScorerSpec(
    id="context_recall",
    description="Share of the reference answer's claims that the context holds",
    higher_is="better",
    bands=(
        Band(0, "nothing of the reference"),
        Band(0, "little of the reference"),
        Band(0.4, "part of the reference"),
        Band(0.7, "most of the reference"),
        Band(1, "all of the reference"),
    ),
    package=__name__,
    needs=("ground_truth", "context_source"),
    preprocess=Ask(Claims),
    analyze=Ask(Verdicts, each="claims", unless=nothing_found, cuts="context", joins=Strongest(("yes", "no"))),
    generate_score=held_share,
    generate_reason=Ask(str),
)


def create_context_recall_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: the option `scale`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
