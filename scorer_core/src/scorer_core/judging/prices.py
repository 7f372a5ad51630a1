"""What calls cost, by a price table that the user gives; a model that is not in it costs None, never 0."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from ..contract.errors import UsageError
from ..contract.settings import between

MILLION = 1_000_000


@frozen(kw_only=True)
class Price:
    """Prices per million tokens, in any one currency; 0 or more.

    Args:
        input: Of what is sent.
        output: Of what comes back, reasoning included.
        cached_input: Of what is sent and the provider had cached; as `input` unless given.

    Raises:
        UsageError: one of them is no number of 0 or more.
    """

    input: float = field(validator=between(0))
    output: float = field(validator=between(0))
    cached_input: float = field(validator=between(0))

    @cached_input.default
    def _as_input(self) -> float:
        return self.input


Prices = Mapping[str, Price]


def prices_of(given: str | Path | Prices | None) -> Prices:
    """The table as it is, or read from a TOML file: a table a model, with `input`, `output` and perhaps `cached_input`.

    Raises:
        UsageError: the file can't be read, or a model's prices are not numbers of 0 or more.
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return given
    try:
        table = tomllib.loads(Path(given).read_text(encoding="utf-8"))
    except (OSError, ValueError) as e:
        raise UsageError(f"prices: {given} can't be read: {e}") from e
    return {model: _price(given, model, told) for model, told in table.items()}


def cost(prices: Prices, models: tuple[str | None, ...], usage: Mapping[str, Any] | None) -> float | None:
    """What a call cost by the price of the first of `models` that has one; None where price or usage is unknown."""
    price = next((prices[m] for m in models if m is not None and m in prices), None)
    if price is None or not usage:
        return None
    cached = (usage.get("input_token_details") or {}).get("cache_read") or 0
    sent, back = usage.get("input_tokens", 0) - cached, usage.get("output_tokens", 0)
    return float(sent * price.input + cached * price.cached_input + back * price.output) / MILLION


def _price(file: Any, model: str, told: Any) -> Price:
    try:
        return Price(**told)
    except (TypeError, ValueError) as e:
        raise UsageError(f"prices: {file}, model {model!r}: {e}") from e
