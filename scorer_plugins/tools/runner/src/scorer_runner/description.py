"""What a run is: enough to tell later which numbers can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from scorer_core import Scorer
from scorer_core.schema import plain

from .journal import sha256_of
from .models import shown_args
from .order import Order


def description(order: Order, model: str | None, scorers: Sequence[Scorer]) -> Mapping[str, Any]:
    """What is written beside the results of `order`, in JSON's types."""
    from importlib_metadata import version

    return {
        "scorers": [
            {
                "id": s.spec.id,
                "label": s.label,
                "version": s.spec.version,
                "options": plain(s.options),
                "templates": _templates(s),
            }
            for s in scorers
        ],
        "model": model,
        "model_args": shown_args(order.model_arg),
        "packs": list(order.prompts),
        "language": order.language,
        "reasons": order.reasons,
        "mode": order.mode,
        "redact": sha256_of(order.redact) if order.redact else None,
        "data": {"path": order.data, "sha256": sha256_of(order.data), "limit": order.limit},
        "target": order.target,
        "repeats": order.repeats,
        "columns": {"map": list(order.map), "split": list(order.split)},
        "core_version": version("scorer-core"),
        "runner_version": version("scorer-runner"),
        "started": datetime.now(UTC).isoformat(),
    }


def _templates(scorer: Scorer) -> Mapping[str, str]:
    """The digest of each file that the prompts are made of."""
    spec, single = scorer.spec, scorer.spec.at_once if scorer.mode == "single" else None
    asks = spec.asks | ({"analyze": single} if single else {})
    judged = [(step, ask) for step, ask in asks.items() if step != "generate_reason" or scorer.reasons == "judge"]
    files = scorer.prompts.files(spec, judged, summary=scorer.reasons == "summary")
    return {file.file: file.sha256 for file in files}
