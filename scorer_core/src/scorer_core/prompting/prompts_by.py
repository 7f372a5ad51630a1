"""Prompts chosen row by row: for each run by what its metadata says in one column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from ..contract.ask import Ask
from ..contract.schema import Run, TemplateFile
from ..contract.spec import ScorerSpec
from ..contract.trail import Step
from ..runs.metadata import told
from .templates import Prompt, Prompts

AnySpec = ScorerSpec[Any, Any]


def prompts_of(given: Any) -> Prompts | PromptsBy:
    """Prompts as they are; or those of packs, given as one or several folders or names."""
    return given if isinstance(given, PromptsBy) else _alone(given)


def _alone(given: Any) -> Prompts:
    return given if isinstance(given, Prompts) else Prompts(given)


def _each(given: Mapping[str, Any]) -> dict[str, Prompts]:
    return {value: _alone(packs) for value, packs in given.items()}


@frozen
class PromptsBy:
    """Prompts for each value of a column of the metadata, taken wherever `Prompts` are.

        PromptsBy("lang", {"ja": "ja", "de": ["./house", "./deutsch"]})

    Args:
        column: Its name; a dotted one is looked for as it is, then inside mappings.
        prompts: Packs, or `Prompts`, by the value; what is no text is named by its JSON.
        otherwise: Those of all other rows.

    Raises:
        UsageError: a pack can't be found or read.
    """

    column: str
    prompts: Mapping[str, Prompts] = field(converter=_each)
    otherwise: Prompts = field(factory=Prompts, converter=_alone)

    def of(self, run: Run) -> Prompts:
        """The prompts of one run."""
        return self.prompts.get(told(run.metadata, self.column), self.otherwise)

    def each(self) -> Iterator[Prompts]:
        """All of them."""
        yield self.otherwise
        yield from self.prompts.values()

    def check(self, spec: AnySpec, *more: Ask[Any], summary: bool = False) -> None:
        """Load every template of `spec`, see `Prompts.check`."""
        for prompts in self.each():
            prompts.check(spec, *more, summary=summary)

    def files(
        self, spec: AnySpec, asks: Iterable[tuple[Step, Ask[Any]]], *, summary: bool = False
    ) -> tuple[TemplateFile, ...]:
        """Every file that any of the prompts is made of, each once."""
        asks = [*asks]
        return tuple(dict.fromkeys(file for p in self.each() for file in p.files(spec, asks, summary=summary)))

    def summary(self, spec: AnySpec, names: Mapping[str, Any]) -> tuple[str, tuple[TemplateFile, ...]]:
        """The reason that `summary.j2` renders without a call, and the files it was made from."""
        return self.of(names["run"]).summary(spec, names)

    def render(self, spec: AnySpec, step: Step, ask: Ask[Any], names: Mapping[str, Any]) -> Prompt:
        """The prompt of one step, with the prompts of its run."""
        return self.of(names["run"]).render(spec, step, ask, names)
