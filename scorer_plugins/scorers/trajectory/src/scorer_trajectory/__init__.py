"""Trajectory: the way to an answer by accuracy, efficiency, failures of tools and what is forbidden. 1 is the best."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import attrs
from attrs import evolve, field, frozen
from attrs.validators import deep_iterable, instance_of, optional

from scorer_core import (
    Band,
    Failed,
    NotScorable,
    Scorer,
    ScorerSpec,
    Settled,
    Trail,
    UsageError,
    between,
    whole,
)
from scorer_steps import ComparedOptions, TakenStep, compare, expected_of, path_of

Found: TypeAlias = tuple[float, str]
WEIGHTS = {"accuracy": 0.4, "efficiency": 0.3, "tool_failures": 0.2, "blacklist": 0.1}
NESTED = 0.3  # what steps within steps weigh, where something is expected of them
COST = 0.2  # of each redundant call, and of each retry too many
BUDGETS = {"max_steps": "steps", "max_total_tokens": "tokens", "max_total_duration_ms": "ms"}


def _weights(given: Any) -> Any:
    return {**WEIGHTS, **given} if isinstance(given, Mapping) else given


def _are_weights(_: Any, setting: Any, value: Any) -> None:
    if not isinstance(value, Mapping) or value.keys() != WEIGHTS.keys():
        raise UsageError(f"weights: expected numbers for {', '.join(WEIGHTS)}, got {value!r}")
    for weight in value.values():
        between(0)(None, setting, weight)
    if not any(value.values()):
        raise UsageError(f"weights: at least one must be above 0, got {value!r}")


def _tuples(given: Any) -> Any:
    return tuple(map(_tuples, given)) if isinstance(given, list) else given


NAMES = deep_iterable(instance_of(str), instance_of(tuple))
BUDGET = optional(between(0))


@frozen(kw_only=True)
class TrajectoryOptions(ComparedOptions):
    """What is expected, beside the steps; what a row says goes before it, field by field.

    Args:
        max_steps: How many steps it may take; 0 or more.
        max_total_tokens: How many tokens; 0 or more.
        max_total_duration_ms: How long, in milliseconds; 0 or more.
        no_redundant_calls: Whether the same call twice in a row costs; unless told it does where there is a budget.
        max_retries_per_tool: How often a tool may be called again right after it failed; 0 or more.
        blacklisted_tools: The score is 0 if one of them was called.
        blacklisted_sequences: The score is 0 if the tools of one of them follow each other.
        weights: Of "accuracy", "efficiency", "tool_failures" and "blacklist", each 0 or more; what is not looked at
            does not count, and those not given keep 0.4, 0.3, 0.2 and 0.1.
    """

    max_steps: float | None = field(default=None, validator=BUDGET)
    max_total_tokens: float | None = field(default=None, validator=BUDGET)
    max_total_duration_ms: float | None = field(default=None, validator=BUDGET)
    no_redundant_calls: bool | None = field(default=None, validator=optional(instance_of(bool)))
    max_retries_per_tool: int = field(default=2, validator=whole(0))
    blacklisted_tools: tuple[str, ...] = field(default=(), converter=_tuples, validator=NAMES)
    blacklisted_sequences: tuple[tuple[str, ...], ...] = field(
        default=(), converter=_tuples, validator=deep_iterable(NAMES, instance_of(tuple))
    )
    weights: Mapping[str, float] = field(factory=dict, converter=_weights, validator=_are_weights)


EXPECTED = {a.name for a in attrs.fields(TrajectoryOptions)} - {"scale", "weights"}


def with_row(o: TrajectoryOptions, row: Mapping[str, Any]) -> TrajectoryOptions:
    """The options with what a row expects in their place."""
    own = {"expected_trajectory" if name == "steps" else name: value for name, value in row.items()}
    try:
        return evolve(o, **{name: value for name, value in own.items() if name in EXPECTED})
    except (TypeError, ValueError) as e:
        raise Failed("bad_row", f"expected_trajectory: {e.args[0]}") from e


@frozen(kw_only=True)
class Evaluation:
    """What became of a way: its score in [0, 1], or None where nothing of it is looked at; that of each dimension.

    `found` tells what was found, `nested` has the steps of which something within is expected, and `forbidden` says
    whether a blacklisted thing was done, there or here.
    """

    score: float | None = None
    dimensions: Mapping[str, float] = field(factory=dict)
    found: Mapping[str, str] = field(factory=dict)
    nested: tuple[tuple[str, "Evaluation"], ...] = ()
    forbidden: bool = False


def evaluated(o: TrajectoryOptions, path: TakenStep) -> Evaluation:
    """A way held against what is expected of it, and the steps within its steps against what is expected of those.

        own   = mean of the dimensions looked at, by their weights
        score = own, or 0.7 * own + 0.3 * mean of the nested scores;
                0 if something forbidden was done

    Source: Mastra's trajectory scorer, with its weights.
    """
    looked = {"accuracy": accuracy(o, path), "efficiency": efficiency(o, path)}
    looked |= {"tool_failures": failures(o, path), "blacklist": blacklist(o, path)}
    told = {name: found for name, found in looked.items() if found}
    nested = tuple(_nested(o, path))
    weight = sum(o.weights[name] for name in told)
    own = sum(o.weights[name] * score for name, (score, _) in told.items()) / weight if weight else None
    hit = any(e.forbidden for _, e in nested) or ("blacklist" in told and told["blacklist"][0] == 0)
    return Evaluation(
        score=0.0 if hit else together(own, [e.score for _, e in nested if e.score is not None]),
        dimensions={name: score for name, (score, _) in told.items()},
        found={name: words for name, (_, words) in told.items()},
        nested=nested,
        forbidden=hit,
    )


def together(own: float | None, nested: Sequence[float]) -> float | None:
    """A score with those of what is within; where there is one of the two alone, it is that."""
    if not nested:
        return own
    mean = sum(nested) / len(nested)
    return mean if own is None else min((1 - NESTED) * own + NESTED * mean, 1.0)


def _nested(o: TrajectoryOptions, path: TakenStep) -> Iterator[tuple[str, Evaluation]]:
    wanted = o.expected_trajectory or ()
    pairs = compare(wanted, path.children, o.ordering, allow_repeated_steps=True).pairs
    for n, step in enumerate(wanted):
        if step.within is not None and n in pairs:
            yield (
                step.name,
                evaluated(with_row(TrajectoryOptions(weights=o.weights), step.within), path.children[pairs[n]]),
            )
        elif step.within is not None:
            yield step.name, Evaluation(score=0.0)


def accuracy(o: TrajectoryOptions, path: TakenStep) -> Found | None:
    """How far the steps are those expected, in [0, 1]; the `compare` of trajectory accuracy. None if none are told."""
    if o.expected_trajectory is None:
        return None
    found = compare(o.expected_trajectory, path.children, o.ordering, allow_repeated_steps=o.allow_repeated_steps)
    return found.score, str(found)


def efficiency(o: TrajectoryOptions, path: TakenStep) -> Found | None:
    """Mean of how far each budget was kept and redundant calls avoided, in [0, 1]; None if there is no budget.

        budget    = 1 - (used - limit) / limit, from 0 to 1
        redundant = 1 - 0.2 for each call that is the same as the one before, at least 0

    Raises:
        NotScorable: there is a budget of tokens or time, and nothing tells how many or how long it took.
    """
    limits = {name: limit for name in BUDGETS if (limit := getattr(o, name)) is not None}
    used = {name: _used(name, path) for name in limits}
    parts = [within_budget(used[name], limit) for name, limit in limits.items()]
    told = [f"{used[name]:g} of {limit:g} {BUDGETS[name]}" for name, limit in limits.items()]
    if o.no_redundant_calls or (limits and o.no_redundant_calls is None):
        again = [b.name for a, b in pairwise(path.children) if b.repeats(a)]
        parts.append(max(0.0, 1 - COST * len(again)))
        told += [f"redundant calls: {', '.join(again)}"] if again else []
    return (sum(parts) / len(parts), f"{', '.join(told) or 'no redundant call'}.") if parts else None


def within_budget(used: float, limit: float) -> float:
    """1 for what keeps within its limit, less by the share that goes beyond, at least 0."""
    return 1.0 if used <= limit else max(0.0, 1 - (used - limit) / limit) if limit else 0.0


def _used(budget: str, path: TakenStep) -> float:
    if budget == "max_steps":
        return len(path.children)
    used = path.tokens if budget == "max_total_tokens" else path.told.get("duration_ms")
    if used is None:
        raise NotScorable(
            f"{budget} is set, and nothing tells how many {BUDGETS[budget]} {path.name or 'the run'} took"
        )
    return float(used)


def failures(o: TrajectoryOptions, path: TakenStep) -> Found | None:
    """1 - 0.2 for each retry beyond those allowed, at least 0; None without retries.

    A retry is the same tool again right after it failed.
    """
    retries = Counter(b.name for a, b in pairwise(path.children) if a.failed and a.name == b.name)
    beyond = sum(max(0, count - o.max_retries_per_tool) for count in retries.values())
    told = ", ".join(f"{name} {count}" for name, count in retries.items())
    return (max(0.0, 1 - COST * beyond), f"retries: {told}.") if retries else None


def blacklist(o: TrajectoryOptions, path: TakenStep) -> Found | None:
    """0 if something forbidden was done, else 1; None if nothing is forbidden."""
    names = path.names
    hits = [name for name in o.blacklisted_tools if name in names]
    follow = {row for row in o.blacklisted_sequences for n in range(len(names)) if names[n : n + len(row)] == [*row]}
    hits += [" → ".join(row) for row in o.blacklisted_sequences if row in follow]
    listed = o.blacklisted_tools or o.blacklisted_sequences
    return (float(not hits), f"forbidden: {', '.join(hits)}." if hits else "nothing forbidden.") if listed else None


def looked_at(trail: Trail[None, None]) -> Evaluation:
    """The way of the run, evaluated."""
    row = expected_of(trail.run) or {}
    o = with_row(trail.options, row)
    if unknown := row.keys() - EXPECTED - {"steps", "total_duration_ms", "raw_output"}:
        trail.note(f"expected_trajectory: passed over: {', '.join(sorted(unknown))}")
    path = path_of(trail.run, o.expected_trajectory or ())
    if path.kind == "text" and not o.expected_trajectory:
        raise NotScorable("the output is a text, and nothing tells of steps")
    if path.kind == "text":
        raise Settled(0.0, f"nothing tells of steps; {len(o.expected_trajectory or ())} were expected", vacuous=False)
    found = evaluated(o, path)
    if found.score is None:
        raise NotScorable("nothing is expected of the way: neither steps, nor a budget, nor a blacklist")
    return found


def told(found: Evaluation, within: str = "") -> str:
    """One line for each dimension, of the way and of what is within its steps."""
    lines = [
        f"{within}{name.replace('_', ' ')} {score:.2f}: {found.found[name]}" for name, score in found.dimensions.items()
    ]
    lines += [] if found.dimensions or not within else [f"{within}not there"]
    return "\n".join([*lines, *(told(e, f"{within}{name} > ") for name, e in found.nested)])


def weighted_mean(trail: Trail[None, Evaluation]) -> float:
    """The mean of the dimensions by their weights, in [0, 1]; higher is better. See `evaluated`."""
    return trail.analyze.score or 0.0


def dimensions_in_words(trail: Trail[None, Evaluation]) -> str:
    """One line for each dimension that was looked at."""
    return told(trail.analyze)


spec = ScorerSpec[None, Evaluation](
    id="trajectory",
    description="How good the way to an answer was: accuracy, efficiency, failures of tools, what is forbidden",
    higher_is="better",
    bands=(Band(0, "wrong"), Band(0, "poor"), Band(0.5, "fair"), Band(0.8, "good"), Band(1, "as it should be")),
    package=__name__,
    options=TrajectoryOptions,
    analyze=looked_at,
    generate_score=weighted_mean,
    generate_reason=dimensions_in_words,
)


def create_trajectory_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `TrajectoryOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, **how)
