"""How scorers are made, told in texts: chat models do not pickle, so each worker makes its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, Literal

import attrs
from attrs import field, frozen

from scorer_core import Scorer
from scorer_core.judging.cache import Mode
from scorer_runner.ordering.order import Order
from scorer_runner.planning.making import scorers_of
from scorer_runner.results.rescoring import Begins


def _texts(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


@frozen(kw_only=True)
class Making:
    """What scorers are made of: the options of `scorer run` that say so, by name.

    Args:
        scorer: One or several, with options of their own: `faithfulness`, `bias:scale=10`.
        model: The judge: `local`, `openai:gpt-5-mini`, `python:module:attribute`, ...
        model_arg: Parameters of a provider's model, `temperature=0`. Keys belong into the workers' environment instead.
        prompts: Folders or packs of templates; the first wins.
        prompts_by: Other packs for the rows with a value in a column: `lang=ja:ja`.
        language: The language of the reasons.
        reasons: Who explains each score.
        mode: "single" asks for items and verdicts in one call.
        redact: A TOML file of patterns the judge may not see.
        prices: A TOML file of prices per million tokens.
        cache: A file that keeps the judge's replies, on a disk that all workers share.
        cache_mode: "refresh" asks for all anew, "only" never asks.
        cache_name: What replies are kept by, for a model that says too little about itself.
        again: Rows are those of results, which are scored anew from this step on.
    """

    scorer: Sequence[str] = field(converter=_texts)
    model: str | None = None
    model_arg: Sequence[str] = field(default=(), converter=_texts, repr=False)
    prompts: Sequence[str] = field(default=(), converter=_texts)
    prompts_by: Sequence[str] = field(default=(), converter=_texts)
    language: str | None = None
    reasons: Literal["judge", "summary", "none"] = "judge"
    mode: Literal["steps", "single"] = "steps"
    redact: str | None = None
    prices: str | None = None
    cache: str | None = None
    cache_mode: Mode = "use"
    cache_name: str | None = None
    again: Begins | None = None
    folder: str = field(factory=os.getcwd, init=False, repr=False)
    path: Sequence[str] = field(factory=lambda: tuple(sys.path), init=False, repr=False)

    @classmethod
    def of(cls, order: Order, again: Begins | None = None) -> Making:
        """What the scorers of `order` are made of."""
        return cls(again=again, **{name: getattr(order, name) for name in _NAMES})

    def here(self) -> Sequence[Scorer]:
        """The scorers, made in this process.

        Raises:
            UsageError: scorers, options, model, templates or files are wrong, or not found on this machine.
        """
        told: Any = {name: getattr(self, name) for name in _NAMES}
        return scorers_of(Order(data=(), **told | {"model": self.model or ""}), again=self.again)

    def on_a_worker(self) -> Sequence[Scorer]:
        """`here`, where the driver's modules and files are found as there, as far as this machine has its folders."""
        if os.path.isdir(self.folder):
            os.chdir(self.folder)
        sys.path.extend(entry for entry in (self.folder, *self.path) if entry not in sys.path)
        return self.here()


_NAMES = [a.name for a in attrs.fields(Making) if a.init and a.name != "again"]
