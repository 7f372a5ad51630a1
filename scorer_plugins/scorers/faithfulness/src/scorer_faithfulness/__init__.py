"""Faithfulness: the share of an answer's claims that the context supports. 1 is all of them, 0 is none."""

from typing import Annotated, Any, Literal

from attrs import evolve, frozen

from scorer_core import (
    Ask,
    Band,
    Claims,
    ItemText,
    NotScorable,
    Scorer,
    ScorerSpec,
    Strongest,
    Text,
    Trail,
    claims_of_answer,
)


@frozen(kw_only=True)
class Verdict:
    """The judge's word on one claim."""

    number: int
    claim: ItemText
    reason: Annotated[str, "one sentence"]
    chunk: Annotated[int | None, "number of the context that decides", Text("context")] = None
    verdict: Literal["yes", "no", "unsure"]


@frozen
class Verdicts:
    """One verdict for each claim."""

    verdicts: tuple[Verdict, ...]


def supported_share(trail: Trail[Claims, Verdicts]) -> float:
    """Supported claims over all claims, in [0, 1]; higher is better.

    Raises:
        NotScorable: the answer makes no claim.

    Source: Mastra's faithfulness.
    """
    verdicts = trail.analyze.verdicts
    if not verdicts:
        raise NotScorable("the answer makes no claim")
    return sum(v.verdict == "yes" for v in verdicts) / len(verdicts)


WHAT_SETTLES = Strongest(("yes", "no", "unsure"), conflict=("yes", "no"))  # among the parts of a long context

spec = ScorerSpec(
    id="faithfulness",
    description="Share of the answer's claims that the context supports",
    higher_is="better",
    bands=(
        Band(0, "all wrong or contradicted"),
        Band(0, "mostly wrong or unsupported"),
        Band(0.4, "some supported, some not verifiable"),
        Band(0.7, "most supported, small additions or omissions"),
        Band(1, "all supported"),
    ),
    package=__name__,
    needs=("answer", "context"),
    preprocess=evolve(claims_of_answer, shows="claims"),
    analyze=Ask(Verdicts, each="claims", cuts="context", joins=WHAT_SETTLES),
    generate_score=supported_share,
    generate_reason=Ask(str),
    single=True,
)


def create_faithfulness_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: the option `scale`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
