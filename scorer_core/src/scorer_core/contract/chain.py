"""A chain for one-off scorers, for people who know Mastra's: a thin door to the same `ScorerSpec`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from attrs import field, frozen

from .errors import UsageError
from .spec import ScorerSpec

if TYPE_CHECKING:
    from ..scorer import Scorer


@frozen
class Chain:
    """A scorer in the making, begun by `create_scorer`: each step gives a new chain, and `bind` makes a scorer of it.

    A step is a function of the `Trail`, or an `Ask`. Each may be given once.

    Args:
        about: What `create_scorer` was given.
        steps: The steps so far, by name.
    """

    about: Mapping[str, Any]
    steps: Mapping[str, Any] = field(factory=dict)

    def preprocess(self, how: Any) -> Chain:
        """With the first step, which takes apart what is judged; its value is `trail.preprocess`."""
        return self._with("preprocess", how)

    def analyze(self, how: Any) -> Chain:
        """With the second step, which judges; its value is `trail.analyze`."""
        return self._with("analyze", how)

    def generate_score(self, how: Any) -> Chain:
        """With the step that gives a fraction in [0, 1]: a function, or `Ask(Score)`. It must be there."""
        return self._with("generate_score", how)

    def generate_reason(self, how: Any) -> Chain:
        """With the step that explains the score, in a text: a function, or `Ask(str)`."""
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
        """The scorer bound to a chat model, or to None where no step asks one.

        Args:
            model: As for `Scorer.of`.
            how: As for `Scorer.of`.

        Raises:
            UsageError: there is no `generate_score`, or something given does not fit.
        """
        from ..scorer import Scorer

        return Scorer.of(self.spec, model, **how)


def create_scorer(
    *, id: str, description: str = "", higher_is: Literal["better", "worse"] = "better", **about: Any
) -> Chain:
    """A scorer made in place, for one that is used once: a `Chain` that the steps are hung on.

        chain = create_scorer(id="brevity", description="How short an answer is")
        chain = chain.generate_score(lambda trail: 10 / (10 + len(trail.answer)))
        scorer = chain.bind()

    Args:
        id: What is measured, in snake_case.
        description: It in one sentence.
        higher_is: "better" or "worse".
        about: More fields of `ScorerSpec`: `bands`, `needs`, `options`, ...
    """
    return Chain({"id": id, "description": description, "higher_is": higher_is, **about})
