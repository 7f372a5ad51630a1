"""What goes in (`Run`), what comes out (`RunResult`), and how both become JSON."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.preconf.json import make_converter

from .camel import camelled
from .errors import Kind
from .plain import JSON, is_missing, plain, readable

Status = Literal["scored", "not_scorable", "failed"]
Style = Literal["snake", "camel"]
SCHEMA_VERSION = 1
_STEP_RESULTS = ("preprocess_step_result", "analyze_step_result")
_OWN_VALUES = ("input", "output", "context", "ground_truth", "metadata", "options", *_STEP_RESULTS)


def _given(value: Any) -> Any:
    return None if is_missing(value) else value


def _messages_given(value: Any) -> Any:
    return () if is_missing(value) else value


def _id_given(value: Any) -> str:
    return str(uuid.uuid4()) if is_missing(value) else str(value)


@frozen(kw_only=True)
class Run:
    """One thing to score. What a scorer makes no use of may be left out; what it needs, `ScorerSpec.needs` tells.

    What data frames hold for a missing value (NaN, NA, NaT) is nothing, as None is.

    Args:
        output: What is judged: a text, messages (LangChain, OpenAI mappings, Mastra's stored form), or any JSON value.
        input: What was asked, in the same forms.
        context: What the output may rest on: a text, or a list of texts, LangChain `Document`s or mappings.
        ground_truth: The right answer; a list means that any of these is right.
        messages: The conversation that led to the output, with its tool calls and their results.
        run_id: Made (UUID 4) when not given.
        metadata: Anything else that belongs to this run; it reaches the result as it is.
    """

    output: Any = field(default=None, converter=_given)
    input: Any = field(default=None, converter=_given)
    context: Any = field(default=None, converter=_given)
    ground_truth: Any = field(default=None, converter=_given)
    messages: Any = field(default=(), converter=_messages_given)
    run_id: str = field(default=None, converter=_id_given)
    metadata: Mapping[str, Any] = field(factory=dict)


@frozen(kw_only=True)
class ErrorInfo:
    """Why a run has no score.

    Args:
        kind: One word of those that `Failed` lists.
        step: "preprocess", "analyze", "generate_score" or "generate_reason"; None before the first.
        message: What happened, with the value, and what to do; without keys and other secrets.
    """

    kind: Kind
    step: str | None
    message: str


@frozen(kw_only=True)
class TemplateFile:
    """One file that a prompt was made from.

    Args:
        pack: The pack it came from; a scorer's own templates go by the name of its package.
        file: Its name there: `bias/analyze.j2`.
        sha256: Of its text, as 64 hexadecimal digits.
    """

    pack: str
    file: str
    sha256: str


@frozen(kw_only=True)
class JudgeExecution:
    """One prompt to the judge: what came back, and what it took.

    Args:
        reply: The raw reply, thinking included, up to 100,000 characters; None where every attempt failed.
        prompt: The message sent, where it differs from the first one of the step (a re-ask); else None.
        model: The model asked for.
        answered_by: The model that the reply names.
        fingerprint: The model's fingerprint, if it told one.
        attempts: Calls made, 0 or more, failed ones included; 0 where the reply came from a cache.
        repairs: What was mended in reading the reply.
        error: Why there is no reply.
        usage: Tokens as LangChain's `usage_metadata`; None where the model told nothing.
        cost: In the currency of the user's price table; None where unknown.
        duration_ms: Wall time with waiting, in milliseconds.
        cached: Whether the reply was paid for before: by another scorer of the same row, or kept in a cache.
    """

    reply: str | None
    prompt: str | None = None
    model: str | None = None
    answered_by: str | None = None
    fingerprint: str | None = None
    attempts: int = 1
    repairs: tuple[str, ...] = ()
    error: str | None = None
    usage: Mapping[str, JSON] | None = None
    cost: float | None = None
    duration_ms: float = 0.0
    cached: bool = False


@frozen(kw_only=True)
class RunResult:
    """What came of scoring one run, with the evidence behind the number. It is made whatever went wrong.

    `score` is there exactly when `status` is "scored". The JSON Schema is `run-result.schema.json`.

    Args:
        schema_version: Of this form; 1.
        scorer_id: What was measured: the id of the scorer.
        scorer_label: The id, with the options that say what was measured; differs among the scorers of a run.
        scorer_version: Of the scorer's package. Scores of two versions are not comparable without a look.
        core_version: Of `scorer_core`.
        higher_is: "better" or "worse".
        run_id: As given, else a UUID.
        row_id: In a run over many: the row's `id`, else a digest of its content and how often it came before.
        index: In a run over many: the row's place, counted from 0.
        repeat: Which time of a row done several times, counted from 1; None where it was done once.
        input: As given; all values of the user in JSON's types.
        output: What was judged, as given.
        context: The chunks judged against: texts, or `{"text", "metadata"}`; None where no source had any.
        context_source: Where they are from: "get_context", "row", "static" or "tool_results".
        ground_truth: As given.
        metadata: As given.
        status: "scored", "not_scorable" (there was nothing to score) or "failed".
        score: In [0, scale], in full precision, never NaN; `higher_is` tells the direction.
        band: The name for the range that the score lies in.
        vacuous: Whether the score is fixed as there was nothing to judge; such scores stay out of averages.
        reason: Why the score is what it is, or why there is none. None where no reason was asked for, or it failed.
        error: Of a failed run; else None.
        notes: What was mended, passed over or cut, each once.
        scale: The score of a fraction of 1.
        preprocess_step_result: The value of the step, as JSON; None where it has none.
        analyze_step_result: The value of the step, as JSON; None where it has none.
        preprocess_prompt: The message first sent for the step; None where no judge was asked.
        analyze_prompt: As `preprocess_prompt`.
        generate_score_prompt: As `preprocess_prompt`.
        generate_reason_prompt: As `preprocess_prompt`.
        options: All options of the scorer, as JSON.
        templates: By step, the files that its prompt was made from.
        judge: By step, one record for each prompt sent, in order.
        usage: Tokens of all calls, as LangChain's `usage_metadata`; None where no model told any.
        cost: Of all calls, in the currency of the price table; None where one of them is unknown.
        started_at: The time, in UTC, as ISO 8601.
        duration_ms: Wall time, in milliseconds.
    """

    schema_version: int = SCHEMA_VERSION
    scorer_id: str
    scorer_label: str
    scorer_version: str
    core_version: str
    higher_is: Literal["better", "worse"]
    run_id: str
    row_id: str | None = None
    index: int | None = None
    repeat: int | None = None
    input: JSON = None
    output: JSON = None
    context: JSON = None
    context_source: str | None = None
    ground_truth: JSON = None
    metadata: JSON = field(factory=dict)
    status: Status
    score: float | None = None
    band: str | None = None
    vacuous: bool = False
    reason: str | None = None
    error: ErrorInfo | None = None
    notes: tuple[str, ...] = ()
    scale: float = 1.0
    preprocess_step_result: JSON = None
    analyze_step_result: JSON = None
    preprocess_prompt: str | None = None
    analyze_prompt: str | None = None
    generate_score_prompt: str | None = None
    generate_reason_prompt: str | None = None
    options: JSON = field(factory=dict)
    templates: Mapping[str, tuple[TemplateFile, ...]] = field(factory=dict)
    judge: Mapping[str, tuple[JudgeExecution, ...]] = field(factory=dict)
    usage: Mapping[str, JSON] | None = None
    cost: float | None = None
    started_at: str = ""
    duration_ms: float = 0.0

    def to_dict(self, style: Style = "snake") -> dict[str, Any]:
        """The result in JSON's types.

        Args:
            style: "snake" for the names of the fields; "camel" for Mastra's (`runId`), never inside the user's values.
        """
        data: dict[str, Any] = converter.unstructure(self)
        return data if style == "snake" else camelled(data)

    def to_json(self, style: Style = "snake") -> str:
        """One line of strict JSON: no NaN, no infinity; readable as written, lone surrogates escaped.

        Args:
            style: As for `RunResult.to_dict`.
        """
        line = readable.encode(data := self.to_dict(style))
        return line if line.isascii() or _encodes(line) else json.dumps(data, allow_nan=False)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RunResult:
        """The result that `to_dict()` was made from; keys of later versions are passed over.

        Args:
            data: In snake_case.

        Raises:
            cattrs.ClassValidationError: a field is missing or of the wrong type; each is told with its path.
        """
        return converter.structure(data, cls)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_AS_PLAIN: Any = {name: override(unstruct_hook=plain) for name in (*_OWN_VALUES, "usage")}
converter = make_converter(detailed_validation=True)
converter.register_unstructure_hook(tuple, lambda items: [converter.unstructure(i) for i in items])
converter.register_unstructure_hook(
    RunResult,
    make_dict_unstructure_fn(RunResult, converter, **_AS_PLAIN),
)
converter.register_structure_hook(RunResult, make_dict_structure_fn(RunResult, converter))
