"""Examples: a run, what the judge says about it, and what it then scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ..contract.schema import Run, RunResult
from ..contract.spec import ScorerSpec
from ..judging.judge import Judge
from ..judging.scripted import ScriptedJudge
from ..scorer import Scorer


@frozen
class Example:
    """A run, what the judge says about it, and what it then scores.

    Args:
        run: The run.
        answers: The judge's replies, one for each step that asks, in their order; see `ScriptedJudge` for what a reply
            may be. The last ones may be left out: a reason is made up, and a step that is not reached needs none.
        score: What comes of it, in the scorer's units; None where the run is not scorable.
        options: The scorer's options, where they are not the usual ones.
    """

    run: Run
    answers: Sequence[Any] = ()
    score: float | None = field(kw_only=True)
    options: Mapping[str, Any] = field(factory=dict, kw_only=True)

    def result(self, spec: ScorerSpec[Any, Any], **instead: Any) -> RunResult:
        """What comes of the run.

        Args:
            spec: The scorer.
            instead: Other replies for some steps, by name.
        """
        script = {"generate_reason": "Because.", **dict(zip(spec.asks, self.answers, strict=False)), **instead}
        judge = Judge(ScriptedJudge({s: [r] for s, r in script.items()}), structured="text", format_retries=0)
        return Scorer.of(spec, judge, options=self.options).run(self.run)
