"""The scorer: a bound spec that scores runs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import attrs
from attrs import frozen

from .contract.errors import Failed, NotScorable, UsageError
from .contract.plain import plain
from .contract.schema import Run, RunResult
from .contract.settings import suggestion
from .judging.spent import total_cost, total_usage
from .support.background import run_here
from .support.versions import version_of
from .walking.bound import Bound
from .walking.gathered import Findings
from .walking.walk import ended, walk

_RUN = tuple(a.name for a in attrs.fields(Run))


@frozen
class Scorer(Bound):
    """A bound spec that scores runs; made by `Scorer.of` or the function of a scorer's package.

        scorer = create_faithfulness_scorer("openai:gpt-5-mini", context=["Rain is wet."])
        result = scorer.run(output="Rain is dry.")

    It holds no state of any row, so that it serves many rows at once.
    """

    def run(self, run: Run | None = None, /, **fields: Any) -> RunResult:
        """What came of scoring a run: `Scorer.arun` for code that is not async; works in a notebook too.

        Args:
            run: As for `Scorer.arun`.
            fields: As for `Scorer.arun`.

        Raises:
            UsageError: as for `Scorer.arun`.
            RuntimeError: called on the library's own background loop, as in a target; await `arun` there.
        """
        return run_here(self.arun(run, **fields), "arun(...)")

    async def arun(self, run: Run | None = None, /, **fields: Any) -> RunResult:
        """What came of scoring a run. Whatever goes wrong with it becomes a result with `status` "failed".

        Args:
            run: A `Run`; or give its fields as keywords.
            fields: Fields of a `Run`: `output`, `input`, `context`, `ground_truth`, `messages`, `run_id`, `metadata`.

        Raises:
            UsageError: `run` is no `Run`, stands beside fields, or `fields` holds a name that a run does not have.
        """
        return await self.result_of(_run_of(run, fields))

    async def result_of(
        self,
        run: Run,
        *,
        lacks: Failed | NotScorable | None = None,
        label: str | None = None,
        notes: Sequence[str] = (),
        **place: Any,
    ) -> RunResult:
        """What came of scoring `run`, as one of many.

        Args:
            run: What is scored.
            lacks: Why it can't be, for a reason outside the scorer; then nothing is asked.
            label: The label of the result; that of the scorer unless given.
            notes: What there is to note before the scorer's own notes.
            place: Fields of the result that say where the run stands among others: `index`, `row_id`, `repeat`.
        """
        started, now = time.perf_counter(), datetime.now(UTC)
        end = ended(lacks, None, Findings()) if lacks else await walk(self, run)
        found, scale = end.found, self.options.scale
        calls = [e for done in found.executions.values() for e in done]
        return RunResult(
            scorer_id=self.spec.id,
            scorer_label=label or self.label,
            scorer_version=self.spec.version,
            core_version=version_of("scorer_core"),
            higher_is=self.spec.higher_is,
            run_id=run.run_id,
            input=plain(run.input),
            output=plain(run.output if run.output is not None else run.messages or None),
            context=found.context.shown(),
            context_source=found.context.source,
            ground_truth=plain(run.ground_truth),
            metadata=plain(run.metadata),
            status=end.status,
            score=None if end.fraction is None else end.fraction * scale,
            band=None if end.fraction is None else self.spec.band(end.fraction),
            vacuous=end.vacuous,
            reason=end.reason,
            error=end.error,
            notes=tuple(dict.fromkeys((*notes, *found.notes))),
            preprocess_step_result=found.shown.get("preprocess"),
            analyze_step_result=found.shown.get("analyze"),
            preprocess_prompt=found.prompts.get("preprocess"),
            analyze_prompt=found.prompts.get("analyze"),
            generate_score_prompt=found.prompts.get("generate_score"),
            generate_reason_prompt=found.prompts.get("generate_reason"),
            options=plain(self.options),
            scale=scale,
            templates=found.templates,
            judge=found.executions,
            usage=total_usage(calls),
            cost=total_cost(calls),
            started_at=now.isoformat(),
            duration_ms=(time.perf_counter() - started) * 1000,
            **place,
        )


def _run_of(run: Run | None, fields: Mapping[str, Any]) -> Run:
    if run is not None and (fields or not isinstance(run, Run)):
        beside = f" beside {', '.join(fields)}" if fields else ""
        raise UsageError(f"expected a Run alone, or the fields of one as keywords; got {type(run).__name__}{beside}")
    for name in fields:
        if name not in _RUN:
            raise UsageError(f"a run has no {name!r}{suggestion(name, _RUN)} (have: {', '.join(_RUN)})")
    return run or Run(**fields)
