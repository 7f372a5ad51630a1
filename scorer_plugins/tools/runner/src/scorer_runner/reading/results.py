"""The rows of a file of results, to be scored anew, with what their judges found."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from scorer_core import UsageError

from ..results.flat import NO_PLACE
from ..results.lines import Lines

_ROW = ("input", "output", "context", "ground_truth")
_KNOWN = ("scorer_id", "scorer_label", "options", "preprocess_step_result", "analyze_step_result")
_DIGEST = re.compile("sha256:[0-9a-f]{64}")
_NO_RESULT = "expected a file of results, as scorer run writes them"


class Found(dict[str, Any]):
    """The metadata of a row that remembers its earlier results, and what each repeat of it was, if there were any."""

    results: Sequence[Mapping[str, Any]]
    repeats: Mapping[int, Mapping[str, Any]] = {}


@frozen
class Places:
    """Where the results of each row stand, in the order of the rows; 16 bytes a line are kept."""

    files: Sequence[Path]
    indices: array[int]
    offsets: array[int]

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """The results of one row after the other."""
        order = sorted(range(len(self.indices)), key=self.indices.__getitem__)
        with Lines(self.files) as lines:
            row: list[dict[str, Any]] = []
            for place in order:
                result = json.loads(lines.at(self.offsets[place]))
                if row and row[0]["index"] != result["index"]:
                    yield row
                    row = []
                row.append(result)
            if row:
                yield row


def places(*files: Path) -> Places:
    """Where the results in a file, or in the parts of one run, are; a last line that was cut off is left out.

    Raises:
        UsageError: they can't be read, or a line is no result that its row can be scored by.
    """
    found = Places(files, array("q"), array("q"))
    try:
        for at, where, raw in Lines(files):
            if (index := _index(raw, where)) is None:
                continue
            found.indices.append(index)
            found.offsets.append(at)
    except OSError as e:
        raise UsageError(f"{str(files[0])!r} can't be read: {e.strerror}") from e
    if not found.offsets:
        raise UsageError(f"no results in {str(files[0])!r}")
    return found


def _index(raw: bytes, where: str) -> int | None:
    """The place of a result's row; None of a line that was cut off, as where a run was killed."""
    try:
        result = json.loads(raw)
    except (ValueError, RecursionError) as e:
        if not raw.endswith(b"\n"):
            return None
        raise UsageError(f"{where}: not JSON: {e}; {_NO_RESULT}") from e
    if not isinstance(result, Mapping) or not {"scorer_id", "index", *_ROW} <= result.keys():
        raise UsageError(f"{where}: not a result; {_NO_RESULT}")
    if any(isinstance(result[name], str) and _DIGEST.fullmatch(result[name]) for name in _ROW):
        raise UsageError(f"{where}: digests stand in place of its texts (--store digest), so there is nothing to score")
    if result["index"] is None:
        raise UsageError(f"{where}: {NO_PLACE}")
    return int(result["index"])


def row_again(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The row that these are results of, with what their steps came to; where it was repeated, with each repeat."""
    repeats = {result.get("repeat") for result in results}
    row = _row(results)
    if repeats != {None}:
        each = {n: [r for r in results if r.get("repeat") == n] for n in sorted(n for n in repeats if n)}
        row["metadata"].repeats = {n: _row(of) for n, of in each.items()}
    return row


def _row(results: list[dict[str, Any]]) -> dict[str, Any]:
    first = results[0]
    metadata = Found(first.get("metadata") or {})
    metadata.results = [{name: result.get(name) for name in _KNOWN} for result in results]
    given = {name: first[name] for name in _ROW}
    return {"id": first.get("row_id"), "run_id": first.get("run_id"), **given, "metadata": metadata}
