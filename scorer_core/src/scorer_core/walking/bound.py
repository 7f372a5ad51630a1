"""A spec bound to judge, options, prompts and context: all that a walk needs beside the run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

import attrs
from attrs import field, frozen

from ..contract.errors import UsageError
from ..contract.settings import one_of, suggestion
from ..contract.spec import ScorerSpec
from ..contract.trail import STEPS, Options, Step
from ..judging.judge import Judge
from ..prompting.prompts_by import PromptsBy, prompts_of
from ..prompting.templates import Prompts
from ..runs.context import GetContext
from ..runs.redaction import Redact, redact_of

_JUDGE = tuple(a.name for a in attrs.fields(Judge) if a.name != "model")
_OWN = ("prompts", "context", "get_context", "language", "reasons", "mode", "label", "judges", "redact")


def _judges(given: Mapping[str, Any]) -> dict[Any, Judge]:
    """Judges by step, made of chat models or their names."""
    for step in given:
        if step not in STEPS:
            raise UsageError(f"judges: no step {step!r}{suggestion(step, STEPS)} (there are: {', '.join(STEPS)})")
    return {step: model if isinstance(model, Judge) else Judge(model) for step, model in given.items()}


@frozen
class Bound:
    """What measures; holds no state of any row, so that it serves many rows at once.

    Args:
        spec: What is measured and how.
        judge: Who is asked; None for a scorer that asks nobody.
        judges: Other judges for single steps, by the step's name.
        options: The scorer's own options.
        prompts: The template packs to look in before the plugin's own templates; `PromptsBy` has them by a column.
        context: A context for runs that bring none, in the forms of `Run`.
        get_context: A function `(run=..., step="analyze")`, sync or async, called once a run; goes before all others.
        redact: A function of a text, or a TOML file of patterns, applied to row text before the judge sees it.
        language: The language that reasons are asked for; None: that of the text judged.
        reasons: "judge" has the score explained, "summary" renders `summary.j2` without a call, "none" does neither.
        mode: "single" asks for items and verdicts in one call, where the scorer can; "steps" one after the other.
        label: The name of its scores where several scorers run; unless given, the id with the options that name it.

    Raises:
        UsageError: a step asks a judge and there is none, it can't be asked in a single call, or a template is missing
            or wrong.
    """

    spec: ScorerSpec[Any, Any]
    judge: Judge | None
    judges: Mapping[Step, Judge] = field(factory=dict, kw_only=True, converter=_judges)
    options: Options = field(kw_only=True)
    prompts: Prompts | PromptsBy = field(factory=Prompts, kw_only=True, converter=prompts_of)
    context: Any = field(default=None, kw_only=True)
    get_context: GetContext | None = field(default=None, kw_only=True)
    redact: Redact | None = field(default=None, kw_only=True, converter=redact_of)
    language: str | None = field(default=None, kw_only=True)
    reasons: Literal["judge", "summary", "none"] = field(
        default="judge", kw_only=True, validator=one_of("judge", "summary", "none")
    )
    mode: Literal["steps", "single"] = field(default="steps", kw_only=True, validator=one_of("steps", "single"))
    label: str = field(default=attrs.Factory(lambda me: me.spec.label(me.options), takes_self=True), kw_only=True)

    @property
    def id(self) -> str:
        """What is measured: the id of the spec."""
        return self.spec.id

    @property
    def summarises(self) -> bool:
        """Whether `summary.j2` gives the reason; one that is computed stays as it is."""
        return self.reasons == "summary" and "generate_reason" in self.spec.asks

    def __attrs_post_init__(self) -> None:
        if self.judge is None and not self.spec.asks.keys() <= self.judges.keys():
            raise UsageError(f"{self.spec.id} asks a judge: pass a chat model, or the name of one")
        if self.mode == "single" and self.spec.at_once is None:
            raise UsageError(f"{self.spec.id} can't be asked in a single call; leave mode='steps'")
        more = [self.spec.at_once] if self.mode == "single" and self.spec.at_once else []
        self.prompts.check(self.spec, *more, summary=self.summarises)

    @classmethod
    def of(
        cls,
        spec: ScorerSpec[Any, Any],
        model: Any = None,
        *,
        options: Mapping[str, Any] | Options | None = None,
        **how: Any,
    ) -> Self:
        """`spec` bound to a model.

        Args:
            spec: The scorer.
            model: A LangChain chat model, a text that names one, a `Judge`, or None where no step asks.
            options: The scorer's options as a mapping or as their class; or give them as keywords.
            how: Options of the scorer, and fields of `Scorer` and `Judge`: `context=`, `prompts=`, `timeout=`, ...

        Raises:
            UsageError: a keyword, an option, the model or a template is unknown or does not fit.
        """
        own = {k: how.pop(k) for k in _OWN if k in how}
        asked = {k: how.pop(k) for k in _JUDGE if k in how}
        if options is not None and how:
            raise UsageError(f"{spec.id}: {', '.join(how)} given beside options; use one of them")
        made = spec.make_options(options if options is not None else _known(spec, how))
        return cls(spec, _judge(model, asked), options=made, **own)


def _judge(model: Any, how: Mapping[str, Any]) -> Judge | None:
    if isinstance(model, Judge):
        return attrs.evolve(model, **how) if how else model
    return None if model is None else Judge(model, **how)


def _known(spec: ScorerSpec[Any, Any], how: Mapping[str, Any]) -> Mapping[str, Any]:
    options = [a.name for a in attrs.fields(spec.options)]
    for name in how:
        if name not in options:
            known = [*options, *_OWN, *_JUDGE]
            raise UsageError(f"{spec.id}: unknown keyword {name!r}{suggestion(name, known)} (have: {', '.join(known)})")
    return how
