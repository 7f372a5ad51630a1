"""Tool call accuracy: whether the right tools were called, as a judge sees it or as it was expected. 1 is right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from attrs import evolve, field, frozen, validators

from scorer_core import (
    Ask,
    Band,
    ItemText,
    NotScorable,
    Options,
    Scorer,
    ScorerSpec,
    Settled,
    Trail,
    UsageError,
)
from scorer_steps import expected_of, named_among, path_of


def tools(given: Any) -> tuple[str, ...]:
    """Tools as `name: description`: of names, of functions as models are told of them, or of LangChain's tools."""
    if given is not None and (isinstance(given, str) or not isinstance(given, Iterable)):
        raise UsageError(f"available_tools: expected a list of tools, got {given!r:.200}")
    return tuple(map(_tool, given.items() if isinstance(given, Mapping) else given or ()))


def _tool(given: Any) -> str:
    if isinstance(given, tuple):
        given = {"name": given[0], "description": given[1]}
    if isinstance(given, Mapping):
        given = given.get("function", given)
        name, about = given.get("name") or given.get("id"), given.get("description")
    else:
        name, about = (
            given if isinstance(given, str) else getattr(given, "name", None),
            getattr(given, "description", ""),
        )
    if not isinstance(name, str):
        raise UsageError(f"available_tools: expected a tool with a name, got {given!r:.200}")
    return f"{name}: {about}" if about else name


@frozen(kw_only=True)
class ToolCallOptions(Options):
    """What a user can set.

    Args:
        available_tools: The tools that could be called: names, names with what they do, functions as models are told of
            them, or LangChain's. Unless given, the `tools` of each row's metadata.
    """

    available_tools: tuple[str, ...] = field(default=(), converter=tools)


@frozen
class Calls:
    """The calls that were made, with their arguments, and the tools that there were."""

    calls: tuple[str, ...]
    available_tools: tuple[str, ...]


@frozen(kw_only=True)
class Evaluation:
    """The judge's word on one call: "yes" is appropriate."""

    number: int
    call: ItemText
    reason: Annotated[str, "one sentence"]
    verdict: Literal["yes", "no"]


@frozen
class Evaluations:
    """One for each call, and the tools that were needed and not called."""

    evaluations: tuple[Evaluation, ...]
    missing_tools: Annotated[tuple[str, ...], "names of tools"]


def calls_made(trail: Trail[None, None]) -> Calls:
    """The calls of the run; one that made none, of which no tools are known, leaves nothing to judge."""
    available = trail.options.available_tools or tools(trail.run.metadata.get("tools"))
    made = path_of(trail.run).children
    if not made and not available:
        raise NotScorable("no tool was called, and which tools there were is not told (option available_tools)")
    return Calls(tuple(step.call for step in made), available)


def only_available(trail: Trail[Calls, None], said: Evaluations) -> Evaluations:
    """`said` with each missing tool once, and none that there was not."""
    names = [text.partition(":")[0] for text in trail.preprocess.available_tools]
    return evolve(said, missing_tools=named_among(said.missing_tools, names, trail.note))


def appropriate_share(trail: Trail[Calls, Evaluations]) -> float:
    """Appropriate calls over calls made and tools missing, in [0, 1]; 1 where none was made and none is missing.

    Higher is better. Source: Mastra's tool call accuracy.
    """
    said = trail.analyze.evaluations
    needed = len(said) + len(trail.analyze.missing_tools)
    return sum(e.verdict == "yes" for e in said) / needed if needed else 1.0


BANDS = (Band(0, "wrong"), Band(0, "mostly wrong"), Band(0.5, "mostly right"), Band(1, "right"))

spec = ScorerSpec(
    id="tool_call_accuracy",
    description="Share of the calls of tools, made or needed, that were made and appropriate",
    higher_is="better",
    bands=BANDS,
    package=__name__,
    needs=("question",),
    options=ToolCallOptions,
    preprocess=calls_made,
    analyze=Ask(Evaluations, each="calls", always=True, then=only_available),
    generate_score=appropriate_share,
    generate_reason=Ask(str),
)


def _names(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


@frozen(kw_only=True)
class ExpectedToolOptions(Options):
    """What is expected; unless given, the steps of each row's `expected_trajectory`.

    Args:
        expected_tool: The name of the one tool that must be called.
        expected_tool_order: The names of tools that must be called in this order; goes before `expected_tool`.
        strict_mode: Whether there may be no other calls; if not, others may come between them.
    """

    expected_tool: str | None = field(default=None, validator=validators.optional(validators.min_len(1)))
    expected_tool_order: tuple[str, ...] | None = field(default=None, converter=_names)
    strict_mode: bool = field(default=False, validator=validators.instance_of(bool))

    @expected_tool_order.validator
    def _is_an_order(self, _: Any, order: Any) -> None:
        if order is not None and not (isinstance(order, tuple) and order and all(isinstance(n, str) for n in order)):
            raise UsageError(f"expected_tool_order: expected a list of one or more names, got {order!r}")


def in_order(expected: Iterable[str], called: Sequence[str]) -> bool:
    """Whether all that is expected was called in this order, others between them or not."""
    rest: Iterator[str] = iter(called)
    return all(name in rest for name in expected)


def compared(trail: Trail[None, None]) -> Mapping[str, Any]:
    """What was called and what was expected to be: the option's order, or its tool, or what the row expects."""
    o, row = trail.options, expected_of(trail.run) or {}
    order = o.expected_tool_order or ((o.expected_tool,) if o.expected_tool else None)
    if order is None and row.get("steps") is None:
        raise NotScorable("nothing is expected: no option expected_tool or expected_tool_order, no expected_trajectory")
    expected = [step.name for step in row["steps"]] if order is None else list(order)
    path = path_of(trail.run, row.get("steps") or () if order is None else ())
    if path.kind == "text" and not expected:
        raise Settled(1.0, "no call is expected, and nothing tells of calls")
    called = path.names
    strict = o.strict_mode or not expected
    correct = called == expected if strict else in_order(expected, called)
    return {"expected": expected, "called": called, "strict_mode": o.strict_mode, "correct": correct}


def correct(trail: Trail[None, Mapping[str, Any]]) -> float:
    """1 if what was expected was called, else 0. Where no call is expected, none may be made."""
    return float(trail.analyze["correct"])


def said(trail: Trail[None, Mapping[str, Any]]) -> str:
    """What was called, and what was expected."""
    called, expected = (", ".join(trail.analyze[name]) or "no tool" for name in ("called", "expected"))
    return f"Called: {called}. Expected: {expected}."


code_spec = ScorerSpec[None, Mapping[str, Any]](
    id="tool_call_accuracy_code",
    description="Whether the expected tools were called, in their order",
    higher_is="better",
    bands=(Band(0, "wrong"), Band(0, "in part"), Band(1, "right")),
    package=__name__,
    options=ExpectedToolOptions,
    named_by=("expected_tool", "expected_tool_order", "strict_mode"),
    analyze=compared,
    generate_score=correct,
    generate_reason=said,
)


def create_tool_call_accuracy_scorer(model: Any, **how: Any) -> Scorer:
    """A scorer that asks `model`, a chat model or its name; `how`: `ToolCallOptions`, and all of `Scorer.of`."""
    return Scorer.of(spec, model, **how)


def create_tool_call_accuracy_code_scorer(**how: Any) -> Scorer:
    """A scorer that asks nobody; `how`: `ExpectedToolOptions`, and all of `Scorer.of`."""
    return Scorer.of(code_spec, **how)
