"""What a user asked for, checked as a whole before the first call: all that is wrong is told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from attrs import define, field, frozen

from scorer_core import Judge, Options, Prompts, Scorer, ScorerSpec, UsageError
from scorer_core.cache import Caching, Mode
from scorer_core.evals import labelled
from scorer_core.plugins import load_scorer
from scorer_core.prices import prices_of
from scorer_core.redaction import Redact, redact_of
from scorer_core.schema import plain

from .cache import SqliteCache
from .columns import Columns, columns, row_of
from .dataset import STDIN, find_data, head_and_all
from .gates import MIN_COVERAGE, Gate, gate_of, placed
from .journal import place, sha256_of
from .models import judge_of, shown_args
from .needs import unknown_columns, unmet_needs
from .resume import Earlier, earlier_run
from .slicing import columns_of, unknown_slices
from .survey import Survey, survey, unfit_rows
from .values import scorer_and_options

AnySpec = ScorerSpec[Any, Any]
T = TypeVar("T")


@frozen(kw_only=True)
class Order:
    """What a user asked for, as typed."""

    data: str
    scorers: Sequence[str]
    model: str = "local"
    prompts: Sequence[str] = ()
    out: str | None = None
    concurrency: int = 8
    limit: int | None = None
    maps: Sequence[str] = ()
    splits: Sequence[str] = ()
    model_args: Sequence[str] = ()
    language: str | None = None
    reasons: Literal["judge", "summary", "none"] = "judge"
    mode: Literal["steps", "single"] = "steps"
    redact: str | None = None
    prices: str | None = None
    cache: str | None = None
    cache_mode: Mode = "use"
    cache_name: str | None = None
    gates: Sequence[str] = ()
    by: Sequence[str] = ()
    min_coverage: float = MIN_COVERAGE
    resume: bool = False
    retry_failed: bool = False

    @property
    def resumes(self) -> bool:
        """Whether the run of a file that is there goes on."""
        return self.resume or self.retry_failed


@frozen
class Plan:
    """A run that can begin.

    Args:
        scorers: All with the one judge, and labels that differ.
        rows: The rows, read as they are asked for.
        total: How many there are; None where that is not known yet.
        out: The file for the results; None is standard output.
        model: The judge's name, as asked for; None where no scorer asks a judge.
        concurrency: Judge calls in flight at most.
        description: What is written beside the results.
        cache: Where the judge's replies are kept, if they are.
        priced: Whether there is a table to tell the cost by.
        gates: What the scores must come to.
        min_coverage: The share of the scorable rows that must not have failed for a gate to be met.
        by: The columns of the metadata that rows are told apart by, for each way of slicing.
        resumes: Whether a run that was stopped goes on.
        earlier: That run, if it had begun.
    """

    scorers: Sequence[Scorer]
    rows: Iterator[Any] = field(repr=False)
    total: int | None
    out: Path | None
    model: str | None
    concurrency: int
    description: Mapping[str, Any] = field(repr=False)
    cache: SqliteCache | None = None
    priced: bool = False
    gates: Sequence[Gate] = ()
    min_coverage: float = MIN_COVERAGE
    by: Sequence[Sequence[str]] = ()
    resumes: bool = False
    earlier: Earlier | None = None


@define
class _Trier:
    """Makes things and gathers what is wrong with them."""

    problems: list[str] = field(factory=list)

    def __call__(self, make: Callable[..., T], *args: Any) -> T | None:
        try:
            return make(*args)
        except UsageError as e:
            self.problems.append(str(e))
            return None


def made(order: Order) -> Plan:
    """The run that `order` asks for.

    Raises:
        UsageError: scorers, options, model, templates, data, columns or the place of the results are wrong.
    """
    tried = _Trier()
    told = [named for text in dict.fromkeys(order.scorers) if (named := tried(scorer_and_options, text))]
    specs = [(spec, given) for id, given in told if (spec := tried(load_scorer, id))]
    wanted = [(spec, options) for spec, given in specs if (options := tried(spec.make_options, given))]
    model = order.model if not specs or any(spec.asks for spec, _ in specs) else None
    caching = tried(_caching, order)
    prices, redact = tried(prices_of, order.prices) or {}, tried(redact_of, order.redact)
    judge = tried(judge_of, model, order.model_args, caching, prices) if model else None
    prompts = tried(Prompts, list(order.prompts))
    for spec, _ in specs if prompts else ():
        tried(prompts.check, spec)  # type: ignore[union-attr]
    ready = [(spec, options) for spec, options in wanted if prompts and (judge or not spec.asks)]
    bound = [tried(_scorer, order, spec, options, judge, prompts, redact) for spec, options in ready]
    whole = all(bound) and len(bound) == len(set(order.scorers))
    scorers = labelled([scorer for scorer in bound if scorer]) if whole else ()
    gates = [gate for text in order.gates if (gate := tried(gate_of, text))]
    if whole:
        gates = [there for gate in gates if (there := tried(placed, gate, scorers))]
    by = tried(columns_of, order.by) or ()
    sliced = {column for columns in by for column in columns} | {c for g in gates if g.slice for c, _ in g.slice.values}
    out = tried(partial(place, resume=order.resumes), order.out)
    how = tried(columns, order.maps, order.splits)
    found, rows = _looked_at(order, how, sliced, tried)
    if found and how:
        tried.problems.extend(_wrong_with(order.data, found, how, wanted))
        tried.problems.extend(unknown_slices(found, by, gates) if order.data != STDIN else ())
    if tried.problems:
        raise UsageError(_together(list(dict.fromkeys(tried.problems))))
    total = None if order.data == "-" or found is None else found.rows
    cache: Any = caching and caching.cache
    told_of = _description(order, model, scorers)
    earlier = earlier_run(out, told_of, retry=order.retry_failed) if order.resumes and out else None
    return Plan(
        scorers,
        rows,
        total,
        out,
        model,
        order.concurrency,
        told_of,
        cache=cache,
        priced=bool(prices),
        gates=gates,
        min_coverage=order.min_coverage,
        by=by,
        resumes=order.resumes,
        earlier=earlier,
    )


def _caching(order: Order) -> Caching | None:
    if order.cache is None:
        if order.cache_mode != "use" or order.cache_name:
            raise UsageError("--cache-mode and --cache-name need a cache; name its file: --cache FILE")
        return None
    cache = SqliteCache(order.cache, there=order.cache_mode == "only")
    return Caching(cache, mode=order.cache_mode, name=order.cache_name)


def _together(problems: Sequence[str]) -> str:
    if len(problems) == 1:
        return problems[0]
    return "\n".join([f"nothing was run; {len(problems)} things are wrong:", *map(_entry, problems)])


def _entry(problem: str) -> str:
    return "- " + problem.replace("\n", "\n  ")


def _looked_at(
    order: Order, how: Columns | None, sliced: Collection[str], tried: _Trier
) -> tuple[Survey | None, Iterator[Any]]:
    """What the first pass over the data found, and its rows."""
    source = tried(find_data, order.data)
    if source is None or how is None:
        return None, iter(())
    head, every = head_and_all(source, order.limit)
    return tried(survey, head, how, sliced), (row_of(record, how) for record in every)


def _wrong_with(source: str, found: Survey, how: Columns, scorers: Sequence[tuple[AnySpec, Options]]) -> Sequence[str]:
    unknown = unknown_columns(found, how)
    return [*unfit_rows(source, found), *unknown, *([] if unknown else unmet_needs(source, found, how, scorers))]


def _scorer(
    order: Order, spec: AnySpec, options: Options, judge: Judge | None, prompts: Prompts, redact: Redact | None
) -> Scorer:
    how = {"language": order.language, "reasons": order.reasons, "mode": order.mode, "redact": redact}
    return Scorer.of(spec, judge if spec.asks else None, options=options, prompts=prompts, **how)


def _description(order: Order, model: str | None, scorers: Sequence[Scorer]) -> Mapping[str, Any]:
    """What the run is: enough to tell later which numbers can be compared."""
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
        "model_args": shown_args(order.model_args),
        "packs": list(order.prompts),
        "language": order.language,
        "reasons": order.reasons,
        "mode": order.mode,
        "redact": sha256_of(order.redact) if order.redact else None,
        "data": {"path": order.data, "sha256": sha256_of(order.data), "limit": order.limit},
        "columns": {"map": list(order.maps), "split": list(order.splits)},
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
