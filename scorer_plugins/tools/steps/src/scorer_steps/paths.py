"""The way to an answer, out of messages, trajectories and texts; and what a row expects of it, in any usual form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from scorer_core import Failed, NotScorable, Run, ToolCall, Trajectory, UsageError, messages_of, tool_calls_of

from .steps import AnyOf, ExpectedStep, TakenStep

_SAME = {
    "step_type": "kind", "tool_args": "args", "arguments": "args", "kwargs": "args", "tool_result": "result",
    "function": "name", "tool": "name", "tool_name": "name", "input_parameters": "args", "output": "result",
}  # fmt: skip
_MEASURED = (  # told of a step, never expected
    "id", "tool_call_id", "type", "duration_ms", "metadata", "description", "reasoning",
)  # fmt: skip


def path_of(run: Run, expected: Sequence[ExpectedStep] = ()) -> TakenStep:
    """The way to the output of `run`: the tools called in its messages, or the steps that a trajectory tells.

    It is one step, of kind "trajectory", with the steps within it in order; of kind "text", without any, where nothing
    tells of steps.

    Args:
        run: Its output may be a `Trajectory`, messages, or a mapping with a list of `steps`.
        expected: What is expected. Of a target that told of tools and of nodes it is the nodes if all this is among
            them.

    Raises:
        NotScorable: the run has no output, and no messages that tell of an answer.
    """
    out = run.output
    if isinstance(out, Mapping) and isinstance(out.get("steps"), (list, tuple)):
        return _whole("trajectory", [_taken(s) for s in out["steps"]], _told(out))
    nodes = out.steps if isinstance(out, Trajectory) else ()
    if nodes and expected and all(e.kind == "workflow_step" or e.name in nodes for e in expected):
        return _whole("trajectory", [TakenStep(name=n, kind="workflow_step") for n in nodes])
    try:
        return _whole("trajectory", map(_called, tool_calls_of(run)))
    except NotScorable:
        if out is None:
            raise
        return _whole("text", [])


def expected_of(run: Run) -> Mapping[str, Any] | None:
    """What the row expects of the way, by names in snake_case, its `steps` as `ExpectedStep`s; None if nothing.

    It is the metadata `expected_trajectory`: a list of steps as for `expected_steps`, or a mapping that has them as
    `steps` and more beside.

    Raises:
        Failed: it is neither (kind `bad_row`).
    """
    given = run.metadata.get("expected_trajectory")
    try:
        return None if given is None else _expectation(given)
    except UsageError as e:
        raise Failed("bad_row", f"expected_trajectory: {e}") from e


def expected_steps(given: Any) -> tuple[ExpectedStep, ...]:
    """Steps as users write them.

    Args:
        given: A list of steps. A step is a name, a mapping with a `name` (and `args`, ...), or as benchmarks of
            function calls have it `{name: {argument: [each value that is right]}}`; texts may be JSON. Or messages, for
            the calls in them.

    Raises:
        UsageError: something in it is no step.
    """
    told = dict(_expectation(given))
    steps = told.pop("steps", None)
    if steps is None or told.keys() - {"total_duration_ms", "raw_output", "raw_workflow_result"}:
        raise UsageError(f"expected a list of steps, got {given!r:.200}")
    return tuple(steps)


def _expectation(given: Any) -> Mapping[str, Any]:
    given = _read(given)
    if messages_of(Run(messages=given)):
        given = [{"name": call.name, "args": call.args} for call in tool_calls_of(Run(output=given))]
    if isinstance(given, (list, tuple)):
        given = {"steps": given}
    if not isinstance(given, Mapping):
        raise UsageError(f"expected a list of steps, got {given!r:.200}")
    told = {_snake(k): v for k, v in given.items() if v is not None}
    if "steps" not in told:
        return told
    steps = _read(told["steps"])
    if not isinstance(steps, (list, tuple)):
        raise UsageError(f"expected a list of steps, got {steps!r:.200}")
    return told | {"steps": tuple(map(_expected, steps))}


def _expected(given: Any) -> ExpectedStep:
    if isinstance(given, ExpectedStep):
        return given
    if isinstance(given, str):
        return ExpectedStep(name=given)
    told = _told(given) if isinstance(given, Mapping) else {}
    if len(told) == 1 and told.keys().isdisjoint(("name", "kind", "args", "result", "children")):
        name, args = next((k, v) for k, v in given.items() if v is not None)
        if isinstance(args, Mapping) and all(isinstance(v, list) for v in args.values()):
            return ExpectedStep(name=str(name), told={"args": _accepted(args)})
    if not isinstance(told.get("name"), str):
        raise UsageError(f"expected a step with a name, got {given!r:.200}")
    within = told.pop("children", None)
    rest = {k: v for k, v in told.items() if k not in ("name", "kind", *_MEASURED)}
    return ExpectedStep(
        name=told["name"], kind=told.get("kind"), told=rest, within=None if within is None else _expectation(within)
    )


def _accepted(args: Mapping[str, Any]) -> Mapping[str, AnyOf]:
    return {k: AnyOf(tuple(_accepted(v) if isinstance(v, Mapping) else v for v in vs)) for k, vs in args.items()}


def _taken(given: Any) -> TakenStep:
    told = _told(given) if isinstance(given, Mapping) else {"name": str(given)}
    children = tuple(map(_taken, told.pop("children", None) or ()))
    name, kind = str(told.pop("name", "")), told.pop("kind", "tool_call")
    failed = told.get("success") is False or told.get("status") == "failed"
    return TakenStep(name=name, kind=kind, told=told, failed=failed, children=children)


def _called(call: ToolCall) -> TakenStep:
    told = {"args": call.args, "result": call.result}
    return TakenStep(name=call.name, told={k: v for k, v in told.items() if v is not None}, failed=call.failed)


def _whole(kind: str, steps: Any, told: Mapping[str, Any] | None = None) -> TakenStep:
    took = (told or {}).get("total_duration_ms")
    return TakenStep(name="", kind=kind, told={} if took is None else {"duration_ms": took}, children=tuple(steps))


def _told(given: Mapping[str, Any]) -> dict[str, Any]:
    """Keys in snake_case, by the names that we have; arguments that are JSON in a text as values."""
    named = {_SAME.get(name := _snake(k), name): v for k, v in given.items() if v is not None}
    if isinstance(nested := named.get("name"), Mapping):  # as OpenAI nests a call
        named |= _told(nested)
    return named | ({"args": _read(named["args"])} if "args" in named else {})


def _snake(key: Any) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", str(key)).lower()


def _read(given: Any) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return given
