"""What a run is: enough to tell later which numbers can be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from scorer_core import Scorer
from scorer_core.contract.plain import plain

from ..ordering.models import shown_args
from ..ordering.order import Order
from ..prompting.by import described, each
from ..reading.looking import Looked
from ..results.journal import sha256_of


def description(order: Order, model: str | None, scorers: Sequence[Scorer], data: Looked) -> Mapping[str, Any]:
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
        "packs": _packs(scorers),
        "prompts_by": list(order.prompts_by),
        "language": order.language,
        "reasons": order.reasons,
        "mode": order.mode,
        "redact": sha256_of(order.redact) if order.redact else None,
        "target": order.target,
        "repeats": order.repeats,
        "data": {
            "path": list(data.data.files),
            "sha256": _sha256(data.data.files),
            "limit": order.limit,
            "encoding": order.encoding,
            "rows_at": order.rows_at,
            "id_duplicates": order.id_duplicates,
        },
        "columns": {
            "map": list(order.map),
            "set": list(order.set),
            "split": list(order.split),
            "known": dict(data.how.known),
        },
        "core_version": version("scorer-core"),
        "runner_version": version("scorer-runner"),
        "started": datetime.now(UTC).isoformat(),
    }


def _packs(scorers: Sequence[Scorer]) -> list[Mapping[str, str | None]]:
    """The packs of all scorers, each once, with the names and versions that they tell."""
    packs = {pack.name: pack for scorer in scorers for _, prompts in each(scorer.prompts) for pack in prompts.packs}
    return [described(pack) for pack in packs.values()]


def _sha256(files: Sequence[str]) -> str | None:
    """The digest of a file, or of the digests of several; None of standard input."""
    digests = [digest for file in files if (digest := sha256_of(file))]
    return sha256("\n".join(digests).encode()).hexdigest() if len(digests) > 1 else next(iter(digests), None)


def _templates(scorer: Scorer) -> Mapping[str, Any]:
    """The digest of each file that the prompts are made of; those of other packs under the value they are told by."""
    spec, single = scorer.spec, scorer.spec.at_once if scorer.mode == "single" else None
    asks = spec.asks | ({"analyze": single} if single else {})
    judged = [(step, ask) for step, ask in asks.items() if step != "generate_reason" or scorer.reasons == "judge"]
    told: dict[str, Any] = {}
    for value, prompts in each(scorer.prompts):
        files = prompts.files(spec, judged, summary=scorer.summarises)
        digests = {file.file: file.sha256 for file in files}
        told |= {value: digests} if value else digests
    return told
