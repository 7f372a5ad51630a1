"""What other tools name the fields of a run: told by a set of columns, never by one that may mean two things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from .paths import column_of, value_at

Paths = Sequence[str]


@frozen
class Dialect:
    """The names that a tool gives the fields.

    Args:
        name: The tool.
        marks: Sets of paths; a row that has all of one set is of this tool.
        fields: The paths that a field may stand at; the first that is there is taken.
        instead: Names of ours that mean something else there.
    """

    name: str
    marks: Sequence[Paths]
    fields: Mapping[str, Paths]
    instead: Sequence[str] = field(default=())


@frozen
class Recognised:
    """The tool that rows come from, and the path of each field that is named otherwise than ours."""

    name: str
    paths: Mapping[str, str]

    def __str__(self) -> str:
        read = ", ".join(f"{name} from {path!r}" for name, path in self.paths.items())
        return f"columns are read as those of {self.name}: {read}; --map FIELD=COLUMN tells it otherwise"


_ASKED = ("inputs.question", "inputs.input", "inputs.query", "inputs.messages", "inputs.*", "inputs")
_SAID = ("outputs.output", "outputs.answer", "outputs.response", "outputs.messages", "outputs.*", "outputs")
_FOUND = ("outputs.documents", "outputs.contexts", "outputs.context", "inputs.context")
_WAY = ("reference_outputs.messages", "reference_outputs")
_RIGHT = ("reference_outputs.answer", "reference_outputs.output", "reference_outputs.*", "reference_outputs")

DIALECTS = (
    Dialect(
        "ragas, several turns",
        marks=[("user_input[0].content",)],
        fields={
            "messages": ["user_input"],
            "ground_truth": ["reference"],
            "expected_trajectory": ["reference_tool_calls"],
        },
    ),
    Dialect(
        "ragas",
        marks=[("user_input", "response"), ("user_input", "retrieved_contexts"), ("user_input", "reference")],
        fields={
            "input": ["user_input"],
            "output": ["response"],
            "context": ["retrieved_contexts"],
            "ground_truth": ["reference"],
        },
    ),
    Dialect(
        "ragas before 0.2",
        marks=[("question", "answer", "contexts"), ("question", "answer", "ground_truth"),
               ("question", "answer", "ground_truths")],
        fields={
            "input": ["question"],
            "output": ["answer"],
            "context": ["contexts"],
            "ground_truth": ["ground_truths"],
        },
    ),
    Dialect(
        "deepeval",
        marks=[("input", "actual_output"), ("input", "expected_output"), ("input", "actualOutput"),
               ("input", "expectedOutput")],
        fields={
            "output": ["actual_output", "actualOutput"],
            "ground_truth": ["expected_output", "expectedOutput"],
            "context": ["retrieval_context", "retrievalContext"],
            "messages": ["tools_called[]", "toolsCalled[]"],
            "expected_trajectory": ["expected_tools[]", "expectedTools[]"],
        },
        instead=["context"],
    ),
    Dialect(
        "deepeval, several turns",
        marks=[("turns[0].content", "scenario"), ("turns[0].content", "expected_outcome"),
               ("turns[0].content", "expectedOutcome")],
        fields={"messages": ["turns"], "ground_truth": ["expected_outcome", "expectedOutcome"]},
    ),
    Dialect(
        "LangSmith's experiments",
        marks=[("example_id", "execution_time")],
        fields={"input": _ASKED, "output": _SAID, "ground_truth": ["reference.answer", "reference.output"]},
    ),
    Dialect(
        "LangSmith's examples",
        marks=[("inputs", "outputs", "dataset_id")],
        fields={"input": _ASKED, "ground_truth": _SAID},
    ),
    Dialect(
        "openevals and LangSmith, agents",
        marks=[(f"{way}[0].{key}",) for way in _WAY for key in ("role", "content")],
        fields={
            "input": _ASKED,
            "output": _SAID,
            "context": _FOUND,
            "ground_truth": _WAY,
            "expected_trajectory": _WAY,
        },
    ),
    Dialect(
        "openevals and LangSmith",
        marks=[("inputs", "outputs"), ("inputs", "reference_outputs")],
        fields={
            "input": _ASKED,
            "output": _SAID,
            "context": _FOUND,
            "ground_truth": _RIGHT,
        },
    ),
    Dialect(
        "OpenAI's logs",
        marks=[("request", "response.choices[0].message"), ("response.body.choices[0].message",),
               ("choices[0].message",), ("request", "response.output[0].type"), ("response.body.output[0].type",)],
        fields={
            "id": ["custom_id", "request_id"],
            "input": ["request.input", "request.body.input", "body.input"],
            "messages": ["request.messages", "request.body.messages", "body.messages"],
            "output": ["response.choices[0].message", "response.body.choices[0].message", "choices[0].message",
                       "response.output", "response.body.output"],
        },
    ),
)  # fmt: skip


def recognised(rows: Sequence[Any]) -> Recognised | None:
    """The first tool whose marks one of `rows` has; columns of our own names stay what they are."""
    given = [row for row in rows if isinstance(row, Mapping)]
    for dialect in DIALECTS:
        if any(_there(given, marks) for marks in dialect.marks):
            paths = {name: path for name in dialect.fields if (path := _path(given, dialect, name))}
            return Recognised(dialect.name, paths) if paths else None
    return None


def _there(rows: Sequence[Mapping[str, Any]], marks: Paths) -> bool:
    return any(all(_has(row, mark) or _flattened(row, mark) for mark in marks) for row in rows)


def _flattened(row: Mapping[str, Any], column: str) -> bool:
    """Whether a mapping was written into columns of its own: `inputs.question`, `inputs.topic`."""
    return any(name.startswith(f"{column}.") for name in row)


def _has(row: Mapping[str, Any], path: str) -> bool:
    return path in row or value_at(row, path) is not None


def _path(rows: Sequence[Mapping[str, Any]], dialect: Dialect, name: str) -> str | None:
    """The first path that all rows have which have its column at all, else the first that one has."""
    if name not in dialect.instead and any(name in row for row in rows):
        return None
    seen = [path for path in dialect.fields[name] if any(_has(row, path) for row in rows)]
    return next((path for path in seen if all(_has(row, path) for row in _with_column(rows, path))), (*seen, None)[0])


def _with_column(rows: Sequence[Mapping[str, Any]], path: str) -> Sequence[Mapping[str, Any]]:
    return [row for row in rows if row.get(column_of(row, path)) is not None]
