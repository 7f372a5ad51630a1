"""A record as a row that scorers read: fields by name, lists out of texts where a list is meant, all else metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve

from scorer_core.contract.errors import Failed
from scorer_core.runs.rows import Row as Read

from .calls import told_as_messages
from .cells import literal
from .columns import EXPECTED, FIELDS, Columns
from .paths import EACH, steps_of, value_at, walked, without
from .records import Record

TURNS = ("turns", "inputs")  # of a conversation that a target is to have; the core reads them


class Row(dict[str, Any]):
    """The fields of a run, and those that are otherwise.

    Args:
        own: For a scorer, by its label.
        repeats: For each repeat, of results that are scored anew: the row that it was.
    """

    own: Mapping[str, dict[str, Any]] = {}
    repeats: Mapping[int, Row | Failed] = {}


def own_of(label: str, row: Read) -> Mapping[str, Any]:
    """`own_fields` of a row as the core reads it."""
    return own_fields(label, row.given, row.repeat)


def own_fields(label: str, row: Any, repeat: int | None = None) -> Mapping[str, Any]:
    """The fields that the scorer of that label reads otherwise from a row, or that a repeat of it has otherwise.

    Raises:
        Failed: of results that are scored anew, there are none of this repeat.
    """
    if not isinstance(row, Row):
        return {}
    if not row.repeats or repeat is None:
        return row.own.get(label, {})
    one = row.repeats.get(repeat) or Failed("bad_row", f"there is no result of repeat {repeat} of this row")
    if isinstance(one, Failed):
        raise one
    return {name: value for name, value in one.items() if name != "id"} | one.own.get(label, {})


def row_of(record: Record, how: Columns) -> Row | Failed:
    """The row that a record is; what says so where it can't be one, of which the core makes failed results."""
    given = record.given
    if record.problem:
        return Failed("bad_row", f"{record.place}: {record.problem}")
    source = {name: path for name in FIELDS if _there(given, path := how.of(name, given))}
    row = Row({name: _field(name, path, record, how) for name, path in source.items() if name != "metadata"})
    row |= how.sets
    row.own = {label: {n: _field(n, p, record, how) for n, p in own.items()} for label, own in how.own.items()}
    used = [_taken(n, p, given) for fields in (source, *how.own.values()) for n, p in fields.items()]
    metadata = _with_turns(
        _metadata(value_at(given, source["metadata"]) if "metadata" in source else None, given, used)
    )
    row["metadata"] = _expecting(row, metadata)
    for own in row.own.values():
        if EXPECTED in own:
            own["metadata"] = _expecting(own, metadata)
    row.repeats = {n: row_of(evolve(record, given=one), how) for n, one in getattr(metadata, "repeats", {}).items()}
    problem = next((p for fields in (row, *row.own.values()) if (p := _problem(fields, how, given))), None)
    return Failed("bad_row", f"{record.place}: {problem}") if problem else row


def _there(given: Mapping[str, Any], path: str) -> bool:
    return path in given or value_at(given, path) is not None


def _field(name: str, path: str, record: Record, how: Columns) -> Any:
    value = _chunks_at(record.given, path) if name == "context" else value_at(record.given, path)
    if name in how.splits and isinstance(value, str):
        return [part.strip() for part in value.split(how.splits[name]) if part.strip()]
    if name in ("id", "run_id"):
        return None if value is None else str(value)
    told = _read(name, value, record.cells) if isinstance(value, str) else value
    return told_as_messages(told, path) if name == "messages" else told


def _read(name: str, text: str, cells: bool) -> Any:
    """The list that a text is where a list is meant; a text stays one in all else."""
    if name == EXPECTED:
        return literal(text) or text
    listed = literal(text) if name in ("messages", "context") or (name == "ground_truth" and cells) else None
    if not isinstance(listed, list) or (name == "ground_truth" and not all(isinstance(one, str) for one in listed)):
        return text
    return listed


def _chunks_at(given: Mapping[str, Any], path: str) -> Any:
    """The context at a path; of `chunks[].text` each chunk keeps its other keys as its metadata."""
    steps = () if path in given else steps_of(path)
    if len(steps) < 2 or steps[-2] is not EACH or not isinstance(steps[-1], str):
        return value_at(given, path)
    many = walked(given, steps[:-1])
    return [_chunk(one, steps[-1]) for one in many] if isinstance(many, list) else many


def _taken(name: str, path: str, given: Mapping[str, Any]) -> str:
    """The path of what leaves the metadata; of chunks all that they keep as theirs."""
    return path.rpartition("[]")[0] + "[]" if name == "context" and path not in given and "[]" in path else path


def _chunk(one: Any, key: str) -> Any:
    if not isinstance(one, Mapping) or not isinstance(one.get(key), str):
        return one.get(key) if isinstance(one, Mapping) else None
    return {"text": one[key], "metadata": {k: v for k, v in one.items() if k != key}}


def _metadata(told: Any, given: Mapping[str, Any], used: Sequence[str]) -> Mapping[str, Any]:
    rest: Mapping[str, Any] = {name: value for name, value in given.items() if name not in used}
    if deeper := [path for path in used if path not in given]:
        rest = without(rest, deeper)
    if isinstance(told, Mapping):
        return {**rest, **told} if rest else told
    return dict(rest) if told is None else {**rest, "metadata": told}


def _with_turns(metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """`metadata` with the turns of a conversation as the list that they are, where a text writes it."""
    texts = ((name, metadata[name]) for name in TURNS if isinstance(metadata.get(name), str))
    read = {name: turns for name, text in texts if isinstance(turns := literal(text), list)}
    return {**metadata, **read} if read else metadata


def _expecting(fields: dict[str, Any], metadata: Mapping[str, Any]) -> Mapping[str, Any]:
    """`metadata` with what is expected of the way to the answer, which is taken out of the fields."""
    return {**metadata, EXPECTED: fields.pop(EXPECTED)} if EXPECTED in fields else metadata


def _problem(row: Mapping[str, Any], how: Columns, given: Mapping[str, Any]) -> str | None:
    if isinstance(row.get("messages"), str):
        return f"{how.of('messages', given)}: expected messages as JSON, got {row['messages'][:60]!r}"
    context = row.get("context")
    if isinstance(context, list) and None in context:
        return f"{how.of('context', given)}, item {context.index(None) + 1}: expected a text, got null"
    return None
