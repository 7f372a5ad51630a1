"""What of a row each scorer scores: its answer, each of its turns, one step of its target, or the trajectory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from attrs import evolve, frozen

from ..contract.errors import Failed, NotScorable, UsageError
from ..contract.schema import Run
from ..contract.settings import suggestion
from ..runs.messages import raw_messages
from ..scorer import Scorer
from .labels import labelled, listed, told_apart
from .targets import TargetResult
from .trajectory import path_told, trajectory
from .turns import turns_as_runs, turns_of

Scorers: TypeAlias = "Scorer | Sequence[Scorer] | Mapping[str, Any]"
At = Literal["answer", "turns", "step", "trajectory"]
_KEYS = ("agent", "workflow", "steps", "turns", "trajectory")


@frozen
class Placed:
    """A scorer, what of a row it scores, and of which step, if it is one; its label begins with that."""

    scorer: Scorer
    at: At = "answer"
    step: str | None = None

    @property
    def label(self) -> str:
        """The label of its results; those of turns tell the turn as well."""
        return self.scorer.label


@frozen
class Part:
    """A piece of a row to be scored: the label of its result, the run, or why there is none, and what to note."""

    label: str
    run: Run
    lacks: NotScorable | Failed | None = None
    notes: tuple[str, ...] = ()


def placed(scorers: Scorers) -> tuple[Placed, ...]:
    """The scorers, each in its place, with labels that differ.

    A mapping names the places: `agent` or `workflow` (the answer), `turns`, `trajectory`, and `steps`, which maps the
    names of steps to scorers. Labels there are `turns.1.ID`, `trajectory.ID` and `steps.NAME.ID`.

    Raises:
        UsageError: there are none, one of them is no scorer, or a place is unknown.
    """
    if not isinstance(scorers, Mapping):
        return tuple(Placed(s) for s in labelled(scorers))
    if unknown := [key for key in scorers if key not in _KEYS]:
        raise UsageError(
            f"scorers: no place {unknown[0]!r}{suggestion(str(unknown[0]), _KEYS)} (have: {', '.join(_KEYS)})"
        )
    steps = scorers.get("steps", {})
    if not isinstance(steps, Mapping):
        raise UsageError(f"scorers: steps maps names of steps to scorers, got {steps!r:.200}")
    answers = [s for key in ("agent", "workflow") if key in scorers for s in listed(scorers[key])]
    found = [Placed(s) for s in (labelled(answers) if answers else ())]
    found += [_at("turns", s) for s in _labelled_at("turns", scorers)]
    found += [_at("trajectory", s) for s in _labelled_at("trajectory", scorers)]
    found += [_at("step", s, name) for name in steps for s in _labelled_at(name, steps)]
    if not found:
        raise UsageError("expected one or more scorers, got none in any place")
    return tuple(evolve(p, scorer=s) for p, s in zip(found, told_apart([p.scorer for p in found]), strict=True))


def _at(at: At, scorer: Scorer, step: str | None = None) -> Placed:
    prefix = f"steps.{step}" if step else at
    return Placed(evolve(scorer, label=f"{prefix}.{scorer.label}"), at, step)


def _labelled_at(key: str, scorers: Mapping[str, Any]) -> list[Scorer]:
    return labelled(scorers[key]) if key in scorers else []


def parts_of(place: Placed, run: Run, given: TargetResult | None) -> Iterator[Part]:
    """The pieces of a row that a scorer scores: one, or one a turn.

    Args:
        place: The scorer and its place.
        run: The row.
        given: What the target gave; None where the row's own output is scored.
    """
    whole = answered(run, given) if given else run
    if place.at == "turns":
        turns = turns_as_runs(run, turns_of(run), given.turns) if given and given.turns else [whole]
        yield from (Part(of_turn(place.label, n), turn) for n, turn in enumerate(turns, 1))
    elif place.at == "step":
        yield _step(place, whole, given or TargetResult())
    elif place.at == "trajectory":
        yield _trajectory(place, whole, given)
    else:
        yield Part(place.label, whole)


def labels_of(place: Placed, run: Run) -> list[str]:
    """The labels of the results that a scorer would have for a row."""
    if place.at != "turns":
        return [place.label]
    try:
        turns = len(turns_of(run)) or 1
    except Failed:
        turns = 1
    return [of_turn(place.label, n) for n in range(1, turns + 1)]


def answered(run: Run, given: TargetResult) -> Run:
    """The row as a run that holds what the target gave; a row of turns is judged by its last, with all before it."""
    if given.turns:
        *_, last = turns_as_runs(run, turns_of(run), given.turns)
        truth = last.ground_truth if run.ground_truth is None else run.ground_truth
        return evolve(last, ground_truth=truth, metadata=run.metadata)
    context = run.context if given.context is None else given.context
    messages = given.messages or (() if given.output is None else run.messages)  # a logged answer is not the target's
    return evolve(run, output=given.output, messages=messages, context=context)


def of_turn(label: str, number: int) -> str:
    """The label of a turn's result: that of the scorer with the number of the turn in it, from 1."""
    return label.replace("turns.", f"turns.{number}.", 1)


def _step(place: Placed, run: Run, given: TargetResult) -> Part:
    """A step as a run, its last one; context, ground truth and metadata are the row's."""
    ran = [step for step in given.steps if step.name == place.step]
    if not ran:
        names = ", ".join(dict.fromkeys(step.name for step in given.steps))
        told = f"these did: {names}" if names else "the target told of none"
        return Part(place.label, run, NotScorable(f"the step {place.step!r} did not run; {told}"))
    last = ran[-1]
    scored = evolve(run, input=run.input if last.input is None else last.input, output=last.output, messages=())
    notes = (f"the step {place.step!r} ran {len(ran)} times; this is the last",) if len(ran) > 1 else ()
    return Part(place.label, scored, notes=notes)


def _trajectory(place: Placed, run: Run, given: TargetResult | None) -> Part:
    """The row as a run whose output is the trajectory: that of the target, else the one in logged messages."""
    if given is None and path_told(run.output):
        return Part(place.label, run)
    if given is None:
        told = run.output if raw_messages(run.output) else run.messages
        found, lack = trajectory([told]), "this run has no messages to read a trajectory from"
    else:
        each = given.turns or (given,)
        told = any(raw_messages(t.messages) or raw_messages(t.output) for t in each) or given.steps
        found = trajectory([given.messages or given.output], [step.name for step in given.steps])
        lack = "the target told neither messages nor steps"
    if not told:
        return Part(place.label, run, NotScorable(lack))
    return Part(place.label, evolve(run, output=found))
