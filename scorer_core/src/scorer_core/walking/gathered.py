"""What a walk gathers on its way, beside its value."""

from __future__ import annotations

from attrs import define, field

from ..contract.plain import JSON
from ..contract.schema import JudgeExecution, TemplateFile
from ..runs.context import Context


@define
class Findings:
    """What a walk gathers on its way, for the result; by step but for context and notes."""

    context: Context = field(factory=Context)
    notes: list[str] = field(factory=list)
    prompts: dict[str, str] = field(factory=dict)
    templates: dict[str, tuple[TemplateFile, ...]] = field(factory=dict)
    shown: dict[str, JSON] = field(factory=dict)
    executions: dict[str, tuple[JudgeExecution, ...]] = field(factory=dict)
