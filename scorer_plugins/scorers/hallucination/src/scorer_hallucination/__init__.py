"""Hallucination: the share of an answer's claims that the context contradicts or does not have. 0 is none, 1 is all."""

from typing import Annotated, Any, Literal

from attrs import frozen

from scorer_core import (
    Ask,
    Band,
    Claims,
    ItemText,
    Scorer,
    ScorerSpec,
    Settled,
    Strongest,
    Text,
    Trail,
    claims_of_answer,
)


@frozen(kw_only=True)
class Verdict:
    """The judge's word on one statement: "yes" is hallucinated."""

    number: int
    statement: ItemText
    reason: Annotated[str, "one sentence"]
    chunk: Annotated[int | None, "number of the context that decides", Text("context")] = None
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    """One verdict for each claim."""

    verdicts: tuple[Verdict, ...]


def nothing_to_stand_on(trail: Trail[Claims, None]) -> None:
    """Settles at 1 when claims are made although context was looked for and none was found."""
    if trail.preprocess.claims and not trail.context:
        raise Settled(1.0, "no context was found, so nothing supports the claims", vacuous=False, note="no_context")


def hallucinated_share(trail: Trail[Claims, Verdicts]) -> float:
    """Contradicted and unsupported claims over all claims, in [0, 1]; lower is better.

    Where context was looked for and none was found, it is settled at 1 before the judge is asked for verdicts.

    Raises:
        Settled: the answer makes no claim; the score is 0, and vacuous.

    Source: Mastra's hallucination.
    """
    verdicts = trail.analyze.verdicts
    if not verdicts:
        raise Settled(0.0, "the answer makes no claim")
    return sum(v.verdict == "yes" for v in verdicts) / len(verdicts)


spec = ScorerSpec(
    id="hallucination",
    description="Share of the answer's claims that the context contradicts or does not have",
    higher_is="worse",
    bands=(Band(0, "none"), Band(0, "few"), Band(0.5, "mixed"), Band(0.7, "many"), Band(0.9, "nearly all")),
    package=__name__,
    needs=("answer", "context_source"),
    without={"answer": Settled(0.0, "the output is empty, so it claims nothing")},
    preprocess=claims_of_answer,
    analyze=Ask(Verdicts, each="claims", unless=nothing_to_stand_on, cuts="context", joins=Strongest(("no", "yes"))),
    generate_score=hallucinated_share,
    generate_reason=Ask(str),
    single=True,
)


def create_hallucination_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: the option `scale`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
