"""How scorers are made, told in texts: chat models do not pickle, so each worker makes its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from attrs import evolve, field, frozen

from scorer_core import Judge, Prompts, Scorer
from scorer_core.cache import Caching, Mode
from scorer_core.labels import labelled
from scorer_core.models import find_model
from scorer_core.plugins import load_scorer
from scorer_core.prices import prices_of
from scorer_core.redaction import redact_of
from scorer_runner.cache import SqliteCache
from scorer_runner.values import scorer_and_options


def _texts(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@frozen(kw_only=True)
class Making:
    """What scorers are made of; each name is that of an option of `scorer run`.

    Args:
        scorers: One or several, with options of their own: `faithfulness`, `bias:scale=10`.
        model: The judge: `local`, `openai:gpt-5-mini`, `python:module:attribute`, ...
        model_args: Parameters of a provider's model. Keys belong into the environment of the workers instead.
        prompts: Folders or packs of templates; the first wins.
        language: The language of the reasons.
        reasons: Who explains each score.
        mode: "single" asks for items and verdicts in one call.
        redact: A TOML file of patterns the judge may not see.
        prices: A TOML file of prices per million tokens.
        cache: A file that keeps the judge's replies, on a disk that all workers share.
        cache_mode: "refresh" asks for all anew, "only" never asks.
        cache_name: What replies are kept by, for a model that says too little about itself.
    """

    scorers: Sequence[str] = field(converter=_texts)
    model: str | None = None
    model_args: Mapping[str, Any] = field(factory=dict, repr=False)
    prompts: Sequence[str] = field(default=(), converter=_texts)
    language: str | None = None
    reasons: Literal["judge", "summary", "none"] = "judge"
    mode: Literal["steps", "single"] = "steps"
    redact: str | None = None
    prices: str | None = None
    cache: str | None = None
    cache_mode: Mode = "use"
    cache_name: str | None = None
    folder: str = field(factory=os.getcwd, init=False, repr=False)
    path: Sequence[str] = field(factory=lambda: tuple(sys.path), init=False, repr=False)

    def here(self) -> list[Scorer]:
        """The scorers, made in this process.

        Raises:
            UsageError: scorers, options, model, templates or files are wrong, or not found on this machine.
        """
        told = [scorer_and_options(text) for text in dict.fromkeys(self.scorers)]
        wanted = [(spec := load_scorer(id), spec.make_options(options)) for id, options in told]
        judge = self._judge() if any(spec.asks for spec, _ in wanted) else None
        prompts, redact = Prompts(list(self.prompts)), redact_of(self.redact)
        for spec, _ in wanted:
            prompts.check(spec)
        how = {"language": self.language, "reasons": self.reasons, "mode": self.mode, "redact": redact}
        return labelled([Scorer.of(s, judge if s.asks else None, options=o, prompts=prompts, **how) for s, o in wanted])

    def on_a_worker(self) -> list[Scorer]:
        """`here`, where modules and files of the driver are found as there, as far as this machine has its folders."""
        if os.path.isdir(self.folder):
            os.chdir(self.folder)
        sys.path.extend(entry for entry in (self.folder, *self.path) if entry not in sys.path)
        return self.here()

    def _judge(self) -> Judge:
        judge = Judge(find_model(self.model or "", **self.model_args), prices=prices_of(self.prices))
        if self.cache is None:
            return judge
        cache: Any = SqliteCache(self.cache, there=self.cache_mode == "only")
        return evolve(judge, cache=Caching(cache, mode=self.cache_mode, name=self.cache_name))
