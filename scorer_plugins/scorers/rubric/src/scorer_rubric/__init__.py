"""Rubric: whether an answer satisfies every required criterion of a rubric. 1 is all of them, 0 is not all."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from attrs import field, frozen

from scorer_core import Ask, Band, ItemText, NotScorable, Options, Scorer, ScorerSpec, Trail

LIST_MARK = re.compile(r"\s*(?:[-*•・]|\d+[.)、．])\s*")


@frozen(kw_only=True)
class Criterion:
    """One criterion of a rubric.

    Args:
        description: What the answer must do or be, in a sentence.
        required: Whether the answer fails without it.
        id: A name of its own, for the reason.
    """

    description: str
    required: bool = True
    id: str | None = None


def as_criteria(given: Any) -> Any:
    """Criteria from a text with one a line, or from a list of texts, mappings and criteria."""
    if isinstance(given, str):
        return tuple(
            Criterion(description=LIST_MARK.sub("", line, count=1).strip())
            for line in given.splitlines()
            if line.strip()
        )
    if not isinstance(given, (list, tuple)):
        return given
    return tuple(
        Criterion(**c) if isinstance(c, Mapping) else Criterion(description=c) if isinstance(c, str) else c
        for c in given
    )


def criteria_alone(_: Any, option: Any, value: Any) -> None:
    """A validator: criteria whose parts are of the right types."""
    for c in value if isinstance(value, tuple) else (value,):
        told = isinstance(c, Criterion) and isinstance(c.description, str) and c.description.strip()
        if not told or not isinstance(c.required, bool) or not isinstance(c.id, str | None):
            raise ValueError(f"{option.name}: expected texts, or tables with description, required and id, got {c!r}")


@frozen(kw_only=True)
class RubricOptions(Options):
    """What a user can set.

    Args:
        criteria: The rubric: a text with a criterion on each line, all required; or a list of texts or of tables with
            `description`, `required` (true unless given) and `id`. Unless given, the `rubric` of each row's metadata.
    """

    criteria: tuple[Criterion, ...] = field(default=(), converter=as_criteria, validator=criteria_alone)


@frozen
class Rubric:
    """What is asked of the answer, and which of it is required."""

    criteria: tuple[str, ...]
    required: tuple[bool, ...]


@frozen(kw_only=True)
class Judgement:
    """The judge's word on one criterion."""

    number: int
    criterion: ItemText
    reason: Annotated[str, "one sentence, with what in the answer decides"]
    satisfied: bool


@frozen
class Judgements:
    """One judgement for each criterion."""

    criteria: tuple[Judgement, ...]


def rubric(trail: Trail[None, None]) -> Rubric:
    """The criteria of the options, or those of the row.

    Raises:
        NotScorable: there are none, or what the row has are none.
    """
    try:
        made = trail.options.criteria or RubricOptions(criteria=trail.run.metadata.get("rubric") or ()).criteria
    except (TypeError, ValueError) as e:
        raise NotScorable(f"the rubric of this run can't be read: {e}") from e
    if not made:
        raise NotScorable("there are no criteria: give some, or a rubric in the metadata of the run")
    return Rubric(tuple(c.description for c in made), tuple(c.required for c in made))


def all_required(trail: Trail[Rubric, Judgements]) -> float:
    """1 if every required criterion is satisfied, else 0; if none is required, all of them count.

    Source: Mastra's rubric.
    """
    required = trail.preprocess.required if any(trail.preprocess.required) else [True] * len(trail.preprocess.required)
    return float(all(c.satisfied for c, counts in zip(trail.analyze.criteria, required, strict=True) if counts))


def judgements_told(trail: Trail[Rubric, Judgements]) -> str:
    """A line for each criterion: whether it is satisfied, whether that counts, and why."""
    pairs = zip(trail.analyze.criteria, trail.preprocess.required, strict=True)
    return "\n".join(
        f"{'satisfied' if c.satisfied else 'not satisfied'}{'' if needed else ', optional'}: {c.criterion} ({c.reason})"
        for c, needed in pairs
    )


spec = ScorerSpec(
    id="rubric",
    description="Whether the answer satisfies every required criterion of a rubric",
    higher_is="better",
    bands=(Band(0, "not satisfied"), Band(0, "in part"), Band(1, "satisfied")),
    package=__name__,
    needs=("answer",),
    options=RubricOptions,
    preprocess=rubric,
    analyze=Ask(Judgements, each="criteria"),
    generate_score=all_required,
    generate_reason=judgements_told,
)


def create_rubric_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `RubricOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)
