"""A spec bound to judge, options, prompts and context: what scores runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

import attrs
from attrs import field, frozen

from .background import run_here
from .context import GetContext
from .errors import Failed, UsageError
from .judge import Judge
from .plugins import version_of
from .schema import ErrorInfo, JudgeExecution, Run, RunResult, plain
from .spec import Options, ScorerSpec, suggestion
from .templates import Prompts
from .walk import End, Findings, walk

_JUDGE = tuple(a.name for a in attrs.fields(Judge) if a.name != "model")
_OWN = ("prompts", "context", "get_context", "language", "reasons", "label")
_RUN = tuple(a.name for a in attrs.fields(Run))


@frozen
class Scorer:
    """What measures; holds no state of any row, so that one scorer serves many rows at once.

    Args:
        spec: What is measured and how.
        judge: Who is asked; None for a scorer that asks nobody.
        options: The scorer's own options.
        prompts: The template packs to look in before the plugin's own templates.
        context: A context for runs that bring none.
        get_context: A function `(run=..., step="analyze")`, sync or async, called once a run; goes before all others.
        language: The language that reasons are asked for; None: that of the text judged.
        reasons: "none" leaves out the step that explains the score.
        label: The name of its scores where several scorers run; the id unless given.
    """

    spec: ScorerSpec[Any, Any]
    judge: Judge | None
    options: Options = field(kw_only=True)
    prompts: Prompts = field(factory=Prompts, kw_only=True)
    context: Any = field(default=None, kw_only=True)
    get_context: GetContext | None = field(default=None, kw_only=True)
    language: str | None = field(default=None, kw_only=True)
    reasons: Literal["all", "none"] = field(
        default="all", kw_only=True, validator=attrs.validators.in_(("all", "none"))
    )
    label: str = field(default=attrs.Factory(lambda me: me.spec.id, takes_self=True), kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.spec.asks and self.judge is None:
            raise UsageError(f"{self.spec.id} asks a judge: pass a chat model, or the name of one")
        self.prompts.check(self.spec)

    @classmethod
    def of(
        cls,
        spec: ScorerSpec[Any, Any],
        model: Any = None,
        *,
        options: Mapping[str, Any] | Options | None = None,
        **how: Any,
    ) -> Scorer:
        """`spec` bound to a model.

        Args:
            spec: The scorer.
            model: A LangChain chat model, a text that names one, a `Judge`, or None where no step asks.
            options: The scorer's options as a mapping or as their class; or give them as keywords.
            how: Options of the scorer, and fields of `Scorer` and `Judge`.

        Raises:
            UsageError: a keyword, an option, the model or a template is unknown or does not fit.
        """
        own = {k: how.pop(k) for k in _OWN if k in how}
        asked = {k: how.pop(k) for k in _JUDGE if k in how}
        if options and how:
            raise UsageError(f"{spec.id}: {', '.join(how)} given beside options; use one of them")
        made = spec.make_options(options if options is not None else _known(spec, how))
        return cls(spec, _judge(model, asked), options=made, **_prompts(own))

    def run(self, run: Run | None = None, /, **fields: Any) -> RunResult:
        """`arun` for code that is not async; works in a notebook too.

        Raises:
            RuntimeError: called on the library's own background loop; await `arun` there.
        """
        return run_here(self.arun(run, **fields), "arun(...)")

    async def arun(self, run: Run | None = None, /, **fields: Any) -> RunResult:
        """What came of scoring a `Run`, or one made of `fields` (output, input, context, ground_truth, ...).

        Whatever goes wrong with the run becomes a result with `status` "failed".

        Raises:
            UsageError: `fields` holds a name that a run does not have.
        """
        run = run if run is not None else _run_of(fields)
        started, now = time.perf_counter(), datetime.now(UTC)
        end = await walk(self, run)
        return self._result(run, end, now, (time.perf_counter() - started) * 1000)

    def failed(self, run: Run, why: Failed) -> RunResult:
        """The result of a run that could not be scored for a reason outside the scorer."""
        end = End("failed", Findings(), error=ErrorInfo(kind=why.kind, step=None, message=why.message))
        return self._result(run, end, datetime.now(UTC), 0.0)

    def _result(self, run: Run, end: End, now: datetime, took: float) -> RunResult:
        found, scale = end.found, self.options.scale
        return RunResult(
            scorer_id=self.spec.id,
            scorer_label=self.label,
            scorer_version=self.spec.version,
            core_version=version_of("scorer_core"),
            higher_is=self.spec.higher_is,
            run_id=run.run_id,
            input=plain(run.input),
            output=plain(run.output),
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
            notes=tuple(dict.fromkeys(found.notes)),
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
            usage=total_usage([e for done in found.executions.values() for e in done]),
            started_at=now.isoformat(),
            duration_ms=took,
        )


def total_usage(executions: list[JudgeExecution]) -> Mapping[str, Any] | None:
    """The tokens of all calls together; None if no model told any."""
    told = [e.usage for e in executions if e.usage]
    total: dict[str, Any] = {}
    for usage in told:
        total = _sum(total, usage)
    return total or None


def _sum(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(a)
    for name, value in b.items():
        made[name] = _sum(made.get(name, {}), value) if isinstance(value, Mapping) else made.get(name, 0) + value
    return made


def _judge(model: Any, how: Mapping[str, Any]) -> Judge | None:
    if isinstance(model, Judge):
        return attrs.evolve(model, **how) if how else model
    return None if model is None else Judge(model, **how)


def _prompts(own: dict[str, Any]) -> dict[str, Any]:
    if "prompts" in own and not isinstance(own["prompts"], Prompts):
        own["prompts"] = Prompts(own["prompts"])
    return own


def _known(spec: ScorerSpec[Any, Any], how: Mapping[str, Any]) -> Mapping[str, Any]:
    options = [a.name for a in attrs.fields(spec.options)]
    for name in how:
        if name not in options:
            known = [*options, *_OWN, *_JUDGE]
            raise UsageError(f"{spec.id}: unknown keyword {name!r}{suggestion(name, known)} (have: {', '.join(known)})")
    return how


def _run_of(fields: Mapping[str, Any]) -> Run:
    for name in fields:
        if name not in _RUN:
            raise UsageError(f"a run has no {name!r}{suggestion(name, _RUN)} (have: {', '.join(_RUN)})")
    return Run(**fields)
