"""Scorers for the outputs of language models: preprocess, analyze, generate score, generate reason."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .contract.ask import Ask as Ask
from .contract.chain import Chain as Chain
from .contract.chain import create_scorer as create_scorer
from .contract.claims import Claims as Claims
from .contract.claims import claims_of_answer as claims_of_answer
from .contract.errors import Failed as Failed
from .contract.errors import NotScorable as NotScorable
from .contract.errors import ScorerError as ScorerError
from .contract.errors import Settled as Settled
from .contract.errors import UsageError as UsageError
from .contract.joining import Strongest as Strongest
from .contract.joining import concatenated as concatenated
from .contract.predicate import Check as Check
from .contract.predicate import check as check
from .contract.replies import ItemText as ItemText
from .contract.replies import Menu as Menu
from .contract.replies import Range as Range
from .contract.replies import Text as Text
from .contract.schema import ErrorInfo as ErrorInfo
from .contract.schema import JudgeExecution as JudgeExecution
from .contract.schema import Run as Run
from .contract.schema import RunResult as RunResult
from .contract.schema import TemplateFile as TemplateFile
from .contract.settings import as_texts as as_texts
from .contract.settings import as_words as as_words
from .contract.settings import between as between
from .contract.settings import one_of as one_of
from .contract.settings import some_texts as some_texts
from .contract.settings import some_words as some_words
from .contract.settings import whole as whole
from .contract.spec import Band as Band
from .contract.spec import Score as Score
from .contract.spec import ScorerSpec as ScorerSpec
from .contract.trail import Against as Against
from .contract.trail import Options as Options
from .contract.trail import Trail as Trail
from .runs.messages import Message as Message
from .runs.messages import extract_tool_results as extract_tool_results
from .runs.messages import messages_of as messages_of
from .runs.tool_calls import ToolCall as ToolCall
from .runs.tool_calls import ToolResult as ToolResult

if TYPE_CHECKING:
    from .evals import EvalReport as EvalReport
    from .evals import arun_evals as arun_evals
    from .evals import run_evals as run_evals
    from .evaluating.repeats import RepeatedRow as RepeatedRow
    from .evaluating.repeats import Repeats as Repeats
    from .evaluating.slices import Slice as Slice
    from .evaluating.statistics import Interval as Interval
    from .evaluating.statistics import Rate as Rate
    from .evaluating.summary import Average as Average
    from .evaluating.targets import StepRun as StepRun
    from .evaluating.targets import TargetResult as TargetResult
    from .evaluating.trajectory import Trajectory as Trajectory
    from .evaluating.trajectory import tool_calls_of as tool_calls_of
    from .judging.budget import Budget as Budget
    from .judging.cache import Cache as Cache
    from .judging.cache import Caching as Caching
    from .judging.judge import Judge as Judge
    from .judging.prices import Price as Price
    from .judging.spent import Spent as Spent
    from .prompting.prompts_by import PromptsBy as PromptsBy
    from .prompting.templates import Prompts as Prompts
    from .scorer import Scorer as Scorer

_LAZY = {
    "evals": "EvalReport arun_evals run_evals",
    "evaluating.repeats": "RepeatedRow Repeats",
    "evaluating.slices": "Slice",
    "evaluating.statistics": "Interval Rate",
    "evaluating.summary": "Average",
    "evaluating.targets": "StepRun TargetResult",
    "evaluating.trajectory": "Trajectory tool_calls_of",
    "judging.budget": "Budget",
    "judging.cache": "Cache Caching",
    "judging.judge": "Judge",
    "judging.prices": "Price",
    "judging.spent": "Spent",
    "prompting.prompts_by": "PromptsBy",
    "prompting.templates": "Prompts",
    "scorer": "Scorer",
}
_HOME = {name: module for module, names in _LAZY.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """What only scoring needs, loaded when it is first named: publishing a spec stays cheap."""
    if name == "__all__":  # all of it, for `from scorer_core import *`
        return __dir__()
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    named = {name for name, value in globals().items() if name[0] != "_" and not isinstance(value, ModuleType)}
    return sorted((named | {*_HOME}) - {"Any", "ModuleType", "TYPE_CHECKING", "annotations", "import_module"})
