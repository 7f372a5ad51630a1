"""The exact messages that a judge would be sent for a row, made without asking it."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from scorer_core import Ask, Judge, NotScorable, Run, Scorer, ScorerSpec, Settled, UsageError
from scorer_core.contract.errors import Failed
from scorer_core.contract.trail import STEPS, Step
from scorer_core.prompting.templates import Prompt
from scorer_core.prompting.uses import Use
from scorer_core.runs.rows import run_of
from scorer_core.walking.asking import Asking, Part
from scorer_core.walking.start import AnyTrail, look_at_needs, set_out

from ..reading.columns import Columns
from ..reading.forms import find_data
from ..reading.looking import look_at
from ..reading.opening import STDIN
from ..results.rescoring import read_stored

AnySpec = ScorerSpec[Any, Any]


class Nobody:
    """A judge that is never asked."""

    async def ainvoke(self, *_: Any, **__: Any) -> Any:
        """Nothing."""
        raise AssertionError("nobody is asked")


@frozen(kw_only=True)
class Row:
    """One row of a file of data, and where the steps before it were told.

    Args:
        source: The file.
        number: Which row of it, from 1.
        how: Its columns.
        results: The file of results that a run wrote; None where no step came before.
        label: What the scores are called there, where that is not the scorer's id.
    """

    source: str
    number: int
    how: Columns
    results: str | None = None
    label: str | None = None

    @classmethod
    def at(cls, place: str, how: Columns, results: str | None = None, label: str | None = None) -> Row:
        """The row that `data.jsonl:3` names.

        Raises:
            UsageError: it names none.
        """
        source, colon, number = place.rpartition(":")
        if not colon or not number.isdecimal() or int(number) < 1 or source == STDIN:
            raise UsageError(f"--row {place!r}: expected a file and the number of a row, as in --row data.jsonl:3")
        find_data([source])
        return cls(source=source, number=int(number), how=how, results=results, label=label)

    def run(self) -> Run:
        """The row as a run.

        Raises:
            UsageError: there is no such row, or it can't be read.
        """
        found = look_at(find_data([self.source]), self.how, limit=self.number)
        if found.found.rows < self.number:
            raise UsageError(f"{self.source} has fewer than {self.number} rows")
        try:
            return run_of(next(islice(found.rows, self.number - 1, None)))[0]
        except Failed as e:
            raise UsageError(f"{self.source}, {e}") from e

    def result(self, spec: AnySpec) -> Mapping[str, Any]:
        """What a run of this scorer wrote about the row.

        Raises:
            UsageError: it is not in the file, or no file was named.
        """
        if self.results is None:
            raise UsageError(f"this step needs what earlier ones came to; run {spec.id} and name its file: --from FILE")
        for line in _lines(Path(self.results)):
            ours = line.get("scorer_id") == spec.id and self.label in (None, line.get("scorer_label"))
            if ours and line.get("index") == self.number - 1:
                return line
        raise UsageError(f"--from {self.results}: no result of {self.label or spec.id} for row {self.number}")


def messages(
    spec: AnySpec,
    use: Use,
    row: Row,
    *,
    prompts: Any = (),
    options: Mapping[str, Any] = {},
    language: str | None = None,
) -> list[Prompt]:
    """What the judge would be sent for a row, as it is: one prompt, or one for each group of many items.

    Raises:
        UsageError: nothing would be sent, or the row or an earlier step's result is not there.
    """
    mode: Any = "single" if use.name == "single" else "steps"
    reasons: Any = "summary" if use.name == "summary" else "judge"
    how: Any = {"prompts": prompts, "language": language, "mode": mode, "reasons": reasons}
    scorer = Scorer.of(spec, Judge(Nobody()), options=options, **how)
    try:
        trail = _reached(scorer, use, row)
        if use.name == "summary":
            text, files = scorer.prompts.summary(spec, vars(trail))
            return [Prompt("", text, files)]
        return _asked(Asking(scorer, use.step, use.ask), trail)
    except (NotScorable, Settled, Failed) as e:
        raise UsageError(f"row {row.number}: no prompt is made for {use.name}: {e}") from e


def _asked(asking: Asking, trail: AnyTrail) -> list[Prompt]:
    """The prompts of a step that is about to be asked."""
    ask = asking.how
    if ask.unless and ask.unless(trail) is not None:
        raise NotScorable("what comes of this step is known without a judge")
    items = tuple(getattr(trail.preprocess, ask.each)) if ask.each else ()
    if ask.each and not items:
        raise NotScorable("there is nothing to ask about")
    at_once = Part(trail, asking.question(trail, items))
    return [asking.prompt(part) for part in asking.parts(asking.judge, at_once, asking.prompt(at_once))]


def _reached(scorer: Scorer, use: Use, row: Row) -> AnyTrail:
    """The trail of a row up to a step, with what earlier steps came to as a file of results tells it."""
    trail = asyncio.run(set_out(scorer, row.run())).trails[0]
    look_at_needs(scorer, trail)
    before = () if use.name == "single" else STEPS[: STEPS.index(use.step)]
    told = (
        row.result(scorer.spec)
        if any(step in scorer.spec.asks for step in before[:2]) or use.step == "generate_reason"
        else {}
    )
    for step in before[:2]:
        trail = evolve(trail, **{step: _came_to(trail, scorer.spec, step, told, row)})
    if use.step == "generate_reason":
        if told.get("score") is None:
            raise UsageError(f"--from {row.results}: {scorer.spec.id} has no score for row {row.number}")
        trail = evolve(trail, score=told["score"] / told["scale"] * scorer.options.scale)
    return trail


def _came_to(trail: AnyTrail, spec: AnySpec, step: Step, told: Mapping[str, Any], row: Row) -> Any:
    """What a step came to: as stored where a judge was asked, else computed."""
    how = getattr(spec, step)
    if how is None:
        return None
    if not isinstance(how, Ask):
        return asyncio.run(_computed(how, trail))
    value = read_stored(how, told.get(f"{step}_step_result"))
    if value is None:
        raise UsageError(f"--from {row.results}: what {step} came to for row {row.number} is missing or does not fit")
    return value


async def _computed(function: Any, trail: AnyTrail) -> Any:
    value = function(trail)
    return await value if inspect.isawaitable(value) else value


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        with open(path, encoding="utf-8") as file:
            yield from map(json.loads, file)
    except (OSError, ValueError) as e:
        raise UsageError(f"--from {path}: can't be read as results: {e}") from e
