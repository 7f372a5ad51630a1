"""Which templates a scorer is asked with, by the names that commands call them."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..contract.ask import Ask
from ..contract.spec import ScorerSpec
from ..contract.trail import Step


@frozen
class Use:
    """One template of a scorer, and the step that renders it."""

    scorer: str
    name: str
    step: Step
    ask: Ask[Any]

    @property
    def folder(self) -> str:
        """Where the template is looked up: the scorer's id, or the name of a step that several share."""
        return self.ask.folder or self.scorer

    @property
    def file(self) -> str:
        """The template, as it is looked up."""
        return f"{self.folder}/{self.ask.template or self.step}.j2"

    @property
    def instructions(self) -> str:
        """The template of the system message beside it."""
        return f"{self.folder}/instructions.j2"


def uses(spec: ScorerSpec[Any, Any]) -> dict[str, Use]:
    """The templates of a scorer: one a step that asks, `single` where it has that, `summary` beside an asked reason."""
    asked: dict[str, tuple[Step, Ask[Any]]] = {step: (step, ask) for step, ask in spec.asks.items()}
    if spec.at_once:
        asked["single"] = ("analyze", spec.at_once)
    if "generate_reason" in asked:
        asked["summary"] = ("generate_reason", Ask(str, template="summary"))
    return {name: Use(spec.id, name, step, ask) for name, (step, ask) in asked.items()}
