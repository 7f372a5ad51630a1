"""Trajectory accuracy: whether the way to an answer was right, as a judge sees it or as it was expected. 1 is right."""

from typing import Annotated, Any, Literal

from attrs import evolve, frozen

from scorer_core import Ask, Band, Failed, ItemText, NotScorable, Scorer, ScorerSpec, Settled, Trail
from scorer_steps import (
    ComparedOptions,
    Comparison,
    ExpectedOptions,
    compare,
    expected,
    expected_of,
    named_among,
    path_of,
)

BANDS = (Band(0, "wrong"), Band(0, "mostly wrong"), Band(0.5, "mostly right"), Band(1, "right"))


@frozen
class Steps:
    """The steps that were taken, and those that were expected, in words."""

    steps: tuple[str, ...]
    expected: tuple[str, ...]


@frozen(kw_only=True)
class StepEvaluation:
    """The judge's word on one step."""

    number: int
    step: ItemText
    reason: Annotated[str, "one sentence"]
    necessary: Literal["yes", "no"]
    in_order: Literal["yes", "no"]


@frozen
class StepEvaluations:
    """One for each step that was taken, and the steps that were needed and not taken."""

    step_evaluations: tuple[StepEvaluation, ...]
    missing_steps: Annotated[tuple[str, ...], "names of steps"]


def steps_in_words(trail: Trail[None, None]) -> Steps:
    """The steps of the run; settles at 0 where none was taken and some were expected."""
    wanted = expected(trail) or ()
    taken = path_of(trail.run, wanted).children
    if wanted and not taken:
        raise Settled(0.0, f"no step was taken, {len(wanted)} were expected", vacuous=False)
    return Steps(tuple(map(str, taken)), tuple(map(str, wanted)))


def only_expected(trail: Trail[Steps, None], said: StepEvaluations) -> StepEvaluations:
    """`said` with each missing step once, and where steps were expected none that was not."""
    names = [step.name for step in expected(trail) or ()]
    return evolve(said, missing_steps=named_among(said.missing_steps, names, trail.note))


def right_share(trail: Trail[Steps, StepEvaluations]) -> float:
    """How far the steps are right, in [0, 1]; higher is better. 1 where none was taken and none is missing.

        score = (2 * steps that were needed + steps in their order)
                / (3 * (steps taken + steps missing))

    Source: Mastra's trajectory accuracy.
    """
    said, missing = trail.analyze.step_evaluations, trail.analyze.missing_steps
    earned = sum(2 * (e.necessary == "yes") + (e.in_order == "yes") for e in said)
    return earned / (3 * (len(said) + len(missing))) if said or missing else 1.0


spec = ScorerSpec(
    id="trajectory_accuracy",
    description="Whether the steps on the way to an answer were needed, in order, and all there",
    higher_is="better",
    bands=BANDS,
    package=__name__,
    needs=("question",),
    options=ExpectedOptions,
    preprocess=steps_in_words,
    analyze=Ask(StepEvaluations, each="steps", always=True, then=only_expected),
    generate_score=right_share,
    generate_reason=Ask(str),
)


def compared(trail: Trail[None, None]) -> Comparison:
    """The steps of the run held against those expected of it."""
    wanted, row = expected(trail), expected_of(trail.run) or {}
    if wanted is None:
        raise NotScorable("nothing is expected: no option expected_trajectory, and the row has none")
    try:
        own = {name: row[name] for name in ("ordering", "allow_repeated_steps") if name in row}
        how: ComparedOptions = evolve(trail.options, **own)
    except (TypeError, ValueError) as e:
        raise Failed("bad_row", f"expected_trajectory: {e.args[0]}") from e
    path = path_of(trail.run, wanted)
    if path.kind == "text" and not wanted:
        raise Settled(1.0, "nothing is expected, and nothing tells of steps")
    return compare(wanted, path.children, how.ordering, allow_repeated_steps=how.allow_repeated_steps)


def matched_share(trail: Trail[None, Comparison]) -> float:
    """The share of the expected steps, in [0, 1]; higher is better. See `compare`."""
    return trail.analyze.score


def comparison_in_words(trail: Trail[None, Comparison]) -> str:
    """How many of the expected steps were taken, and which were not."""
    return str(trail.analyze)


code_spec = ScorerSpec[None, Comparison](
    id="trajectory_accuracy_code",
    description="Share of the expected steps that were taken on the way to an answer",
    higher_is="better",
    bands=BANDS,
    package=__name__,
    options=ComparedOptions,
    analyze=compared,
    generate_score=matched_share,
    generate_reason=comparison_in_words,
)


def create_trajectory_accuracy_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `ExpectedOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)


def create_trajectory_accuracy_code_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `ComparedOptions`, and all of `Scorer.of`."""
    return Scorer.of(code_spec, **how)
