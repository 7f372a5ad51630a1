"""What must not be shown to the judge, taken out of row text before it is rendered."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from ..contract.errors import UsageError
from ..contract.plain import plain
from ..contract.schema import Run

Redact = Callable[[str], str]
_LIKE = "write a name and a pattern a line: card = '\\d{16}'"


def redact_of(given: Redact | str | Path | None) -> Redact | None:
    """A function as it is; or one that puts `[name]` for what the patterns of a TOML file match (`name = "pattern"`).

    Raises:
        UsageError: the file can't be read, or one of its values is no regular expression.
    """
    if given is None or callable(given):
        return given
    try:
        table = tomllib.loads(Path(given).read_text(encoding="utf-8"))
    except OSError as e:
        raise UsageError(f"redact: {given} can't be read: {e.strerror}") from e
    except ValueError as e:
        raise UsageError(f"redact: {given} is no TOML: {e}") from e
    wrong: list[str] = []
    patterns = {name: _compiled(name, pattern, wrong) for name, pattern in table.items()}
    if wrong or not patterns:
        raise UsageError("\n".join(f"redact: {given}: {problem}" for problem in wrong or [f"no pattern; {_LIKE}"]))
    return Patterns(patterns).redact


def _compiled(name: str, pattern: Any, wrong: list[str]) -> re.Pattern[str]:
    """A pattern ready to be used; what is wrong with it is put into `wrong`."""
    try:
        if isinstance(pattern, str):
            return re.compile(pattern)
        wrong.append(f"{name}: expected a regular expression as a text, got {pattern!r:.60}; {_LIKE}")
    except re.error as e:
        wrong.append(f"{name}: {pattern!r} is no regular expression: {e}")
    return re.compile("")


@frozen
class Patterns:
    """Regular expressions by the name that stands for what they match."""

    patterns: Mapping[str, re.Pattern[str]]

    def redact(self, text: str) -> str:
        """`text` with `[name]` in place of each match."""
        for name, pattern in self.patterns.items():
            text = pattern.sub(f"[{name}]", text)
        return text


def redacted_run(run: Run, redact: Redact) -> Run:
    """The run with every text in it redacted, as a template may see it."""
    fields = ("input", "output", "context", "ground_truth", "messages", "metadata")
    return evolve(run, **{name: redacted(plain(getattr(run, name)), redact) for name in fields})


def redacted(value: Any, redact: Redact) -> Any:
    """A JSON value with every text in it redacted."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {k: redacted(v, redact) for k, v in value.items()}
    return [redacted(v, redact) for v in value] if isinstance(value, list) else value
