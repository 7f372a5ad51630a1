"""How much of a row's text, of prompts and of raw replies a line keeps.

`full` keeps all. `slim` leaves out what was sent and what came back raw: the prompt of each step, and prompt and reply
of each call. `digest` keeps digests instead, and no text of the row either: not its input, output, context or ground
truth, nor what was made of it, the results of the steps and the reason. Kept as it is by all three: id, metadata,
status, score, error, notes, and what the calls took.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, Literal

from attrs import evolve

from scorer_core import RunResult
from scorer_core.contract.trail import STEPS

Store = Literal["full", "slim", "digest"]
_PROMPTS = tuple(f"{step}_prompt" for step in STEPS)
_TEXTS = ("input", "output", "context", "ground_truth", "preprocess_step_result", "analyze_step_result", "reason")


def stored(result: RunResult, store: Store) -> RunResult:
    """The result as its line keeps it."""
    if store == "full":
        return result
    instead = _nothing if store == "slim" else digest
    calls = {step: tuple(_without_words(call, instead) for call in calls) for step, calls in result.judge.items()}
    left = _PROMPTS if store == "slim" else (*_PROMPTS, *_TEXTS)
    words: Any = {name: instead(getattr(result, name)) for name in left}
    return evolve(result, judge=calls, **words)


def digest(value: Any) -> str | None:
    """`sha256:` and the digest of a text, or of any other value as JSON; of nothing, nothing."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return f"sha256:{sha256(text.encode(errors='surrogatepass')).hexdigest()}"


def _without_words(call: Any, instead: Any) -> Any:
    return evolve(call, reply=instead(call.reply), prompt=instead(call.prompt))


def _nothing(_: Any) -> None:
    return None
