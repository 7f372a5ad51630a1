"""A chain for one-off scorers, for people who know Mastra's: a thin door to the same `ScorerSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from .errors import UsageError
from .spec import ScorerSpec

if TYPE_CHECKING:
    from ..scorer import Scorer


@frozen
class Chain:
    """Steps given so far; each link returns a new chain. It is done once `generate_score` is given."""

    about: Mapping[str, Any]
    steps: Mapping[str, Any] = field(factory=dict)

    def preprocess(self, how: Any) -> Chain:
        """With the first step: a function of the trail, or an `Ask`."""
        return self._with("preprocess", how)

    def analyze(self, how: Any) -> Chain:
        """With the second step."""
        return self._with("analyze", how)

    def generate_score(self, how: Any) -> Chain:
        """With the function that gives a fraction in [0, 1], or `Ask(Score)`."""
        return self._with("generate_score", how)

    def generate_reason(self, how: Any) -> Chain:
        """With the step that explains the score."""
        return self._with("generate_reason", how)

    def _with(self, step: str, how: Any) -> Chain:
        if step in self.steps:
            raise UsageError(f"{self.about['id']}: {step} is given twice")
        return Chain(self.about, {**self.steps, step: how})

    @property
    def spec(self) -> ScorerSpec[Any, Any]:
        """The scorer as a value.

        Raises:
            UsageError: there is no `generate_score`.
        """
        if "generate_score" not in self.steps:
            raise UsageError(f"{self.about['id']}: generate_score is missing")
        return ScorerSpec(**self.about, **self.steps)

    def bind(self, model: Any = None, **how: Any) -> Scorer:
        """The scorer bound to a chat model (None where no step asks one); `how` as for `Scorer.of`."""
        from ..scorer import Scorer

        return Scorer.of(self.spec, model, **how)


def create_scorer(*, id: str, description: str = "", **about: Any) -> Chain:
    """A chain to be continued with steps; `about` as for `ScorerSpec`."""
    return Chain({"id": id, "description": description, **about})
