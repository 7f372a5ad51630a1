"""Scorers for the outputs of language models: preprocess, analyze, generate score, generate reason."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .chain import create_scorer as create_scorer
from .claims import Claims as Claims
from .claims import claims_of_answer as claims_of_answer
from .errors import Failed as Failed
from .errors import NotScorable as NotScorable
from .errors import ScorerError as ScorerError
from .errors import Settled as Settled
from .errors import UsageError as UsageError
from .joining import Strongest as Strongest
from .joining import concatenated as concatenated
from .messages import extract_tool_results as extract_tool_results
from .messages import messages_of as messages_of
from .predicate import Check as Check
from .predicate import check as check
from .replies import ItemText as ItemText
from .replies import Menu as Menu
from .replies import Range as Range
from .replies import Text as Text
from .schema import Run as Run
from .schema import RunResult as RunResult
from .settings import as_texts as as_texts
from .settings import as_words as as_words
from .settings import between as between
from .settings import one_of as one_of
from .settings import some_texts as some_texts
from .settings import some_words as some_words
from .settings import whole as whole
from .spec import Against as Against
from .spec import Ask as Ask
from .spec import Band as Band
from .spec import Options as Options
from .spec import Score as Score
from .spec import ScorerSpec as ScorerSpec
from .spec import Trail as Trail

if TYPE_CHECKING:
    from .evals import arun_evals as arun_evals
    from .evals import run_evals as run_evals
    from .judge import Judge as Judge
    from .paths import expected_of as expected_of
    from .paths import expected_steps as expected_steps
    from .paths import path_of as path_of
    from .prompts_by import PromptsBy as PromptsBy
    from .scorer import Scorer as Scorer
    from .steps import ExpectedStep as ExpectedStep
    from .steps import TakenStep as TakenStep
    from .steps import matched as matched
    from .steps import named_among as named_among
    from .steps import same as same
    from .targets import StepRun as StepRun
    from .targets import TargetResult as TargetResult
    from .templates import Prompts as Prompts
    from .trajectory import Trajectory as Trajectory
    from .trajectory import tool_calls_of as tool_calls_of

_HEAVY = {
    "Judge": "judge", "Prompts": "templates", "PromptsBy": "prompts_by", "Scorer": "scorer", "StepRun": "targets",
    "TargetResult": "targets", "Trajectory": "trajectory", "arun_evals": "evals", "run_evals": "evals",
    "tool_calls_of": "trajectory", "ExpectedStep": "steps", "TakenStep": "steps", "expected_of": "paths",
    "expected_steps": "paths", "path_of": "paths", "matched": "steps",
    "named_among": "steps", "same": "steps",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """What only scoring needs, loaded when it is first named: publishing a spec stays cheap."""
    if name not in _HEAVY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HEAVY[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted(
        {*(n for n in globals() if n[0] != "_"), *_HEAVY} - {"Any", "TYPE_CHECKING", "annotations", "import_module"}
    )
