"""What a user asked for, checked as a whole before the first call: all that is wrong is told at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from scorer_core import Judge, Options, Scorer, ScorerSpec, UsageError
from scorer_core.evaluating.labels import labelled
from scorer_core.judging.budget import Budget
from scorer_core.judging.cache import Caching
from scorer_core.judging.prices import prices_of
from scorer_core.plugins import SCORERS, installed, load_scorer
from scorer_core.runs.redaction import redact_of

from ..cache import SqliteCache
from ..gates import Gate, gate_of, placed
from ..ordering.limits import budget_of
from ..ordering.models import judge_of
from ..ordering.order import Order
from ..ordering.repeating import passing_of
from ..ordering.trying import Trier
from ..ordering.values import label_among, scorer_and_options
from ..prompting.by import AnyPrompts, column_of, prompts_of, unknown_values, warn_of_unread
from ..reading.columns import columns
from ..reading.forms import Data, find_data, find_results
from ..reading.ids import NO_ORDER
from ..reading.looking import Looked, look_at
from ..reading.needs import unknown_scorers
from ..results.forms import check_form
from ..results.journal import STDOUT, place
from ..results.rescoring import Begins, begun_at, not_again, repeats_again
from ..results.resume import earlier_run
from .description import description
from .engines import engine_of
from .plan import Plan
from .slicing import columns_of, unknown_slices
from .targets import find_target, free

Wanted = tuple[ScorerSpec[Any, Any], Options | None, str | None]  # a scorer, its options unless wrong, its label


def made(order: Order, tried: Trier | None = None, *, again: Begins | None = None) -> Plan:
    """The run that `order` asks for.

    Args:
        order: What is asked for.
        tried: What is wrong already, and where the options come from.
        again: The data is results, scored anew from this step on.

    Raises:
        UsageError: scorers, options, model, templates, data, columns or the place of the results are wrong.
    """
    tried = tried or Trier()
    wanted = _wanted(order, tried)
    if again:
        tried.problems.extend(not_again(order, again))
        wanted = _begun(wanted, again, tried)
    judge = _judge(order, wanted, tried)
    prompts = tried.of("prompts")(prompts_of, order.prompts, order.prompts_by)
    scorers = _scorers(order, wanted, judge, prompts, tried)
    engine = tried(engine_of, order)
    gates = _gates(order, scorers, tried)
    answer = tried.of("target")(find_target, order.target) if order.target is not None else None
    passing = (tried.of("passes")(passing_of, order.passes, scorers) if scorers else None) or {}
    out = tried.of("out")(partial(place, resume=order.resumes), order.out)
    if out and answer and not order.resumes:
        tried.of("out")(free, out)
    if out is None and order.format not in ("table", "jsonl") and order.out == STDOUT:
        tried.problems.append(f"--format {order.format} needs a file to be made from; --out - writes JSON Lines")
    tried.of("format")(check_form, order.format)
    by = tried.of("by")(columns_of, order.by) or ()
    find = find_results if again else partial(find_data, encoding=order.encoding, rows_at=order.rows_at)
    data = _data(order, find, wanted, scorers, _sliced(by, gates, prompts), tried)
    if data and data.found.repeats > 1:
        order = evolve(order, repeats=repeats_again(order, data.found.repeats, tried))
    if data and not data.data.streams:
        tried.problems.extend([*unknown_slices(data.found, by, gates), *unknown_values(data.found, prompts)])
    budget = tried(budget_of, order, scorers) or Budget()
    tried.done()
    assert data is not None
    if prompts:
        warn_of_unread(prompts)
    model, cache = order.model if judge else None, judge and judge.cache and judge.cache.cache
    told = {**description(order, model, scorers, data), **({"again": again} if again else {})}
    earlier = earlier_run(out, told, retry=order.retry_failed) if order.resumes and out else None
    priced = bool(judge and judge.prices)
    rest: Any = (out, model, told, engine, cache, priced, gates, by, earlier, answer, passing, budget)
    return Plan(order, scorers, data, *rest)


def scorers_of(order: Order, *, again: Begins | None = None) -> Sequence[Scorer]:
    """The scorers that `order` asks for, for who has the rows already; `again` as for `made`.

    Raises:
        UsageError: scorers, options, model or templates are wrong.
    """
    tried = Trier()
    wanted = _begun(_wanted(order, tried), again, tried)
    prompts = tried.of("prompts")(prompts_of, order.prompts, order.prompts_by)
    scorers = _scorers(order, wanted, _judge(order, wanted, tried), prompts, tried)
    tried.done()
    return scorers


def _wanted(order: Order, tried: Trier) -> Sequence[Wanted]:
    """The scorers asked for, each once."""
    if not order.scorer:
        have = ", ".join(installed(SCORERS))
        tried.problems.append(f"nothing to measure; name at least one: --scorer ID (have: {have})")
    texts = {text: tried.of("scorer", order.scorer.index(text)) for text in order.scorer}
    told = [(at, *named) for text, at in texts.items() if (named := at(scorer_and_options, text))]
    specs = [(at, spec, given) for at, id, given in told if (spec := at(load_scorer, id))]
    labels = [at(label_among, given) for at, _, given in specs]
    return [(spec, at(spec.make_options, given), label) for (at, spec, given), label in zip(specs, labels, strict=True)]


def _begun(wanted: Sequence[Wanted], again: Begins | None, tried: Trier) -> Sequence[Wanted]:
    """The scorers, beginning with the step `again`."""
    told = [(spec if again is None else tried(begun_at, spec, again, label), o, label) for spec, o, label in wanted]
    return [(spec, options, label) for spec, options, label in told if spec]


def _judge(order: Order, wanted: Sequence[Wanted], tried: Trier) -> Judge | None:
    """The one judge; None where no scorer asks one."""
    prices = tried.of("prices")(prices_of, order.prices)
    if wanted and not any(spec.asks for spec, *_ in wanted):
        return None
    caching = tried.of("cache")(_caching, order)
    return tried.of("model")(judge_of, order.model, order.model_arg, caching, prices)


def _caching(order: Order) -> Caching | None:
    if order.cache is None:
        if order.cache_mode != "use" or order.cache_name:
            raise UsageError("--cache-mode and --cache-name need a cache; name its file: --cache FILE")
        return None
    cache = SqliteCache(order.cache, there=order.cache_mode == "only")
    return Caching(cache, mode=order.cache_mode, name=order.cache_name)


def _scorers(
    order: Order, wanted: Sequence[Wanted], judge: Judge | None, prompts: AnyPrompts | None, tried: Trier
) -> Sequence[Scorer]:
    """The scorers bound to judge and templates, with labels that differ; none where any is wrong."""
    redact = tried.of("redact")(redact_of, order.redact)
    if prompts is None:
        return ()
    for spec, *_ in wanted:
        tried(prompts.check, spec)
    how: Any = {"language": order.language, "reasons": order.reasons, "mode": order.mode}
    bind = partial(Scorer.of, prompts=prompts, redact=redact, **how)
    ready = [(s, judge if s.asks else None, o, {"label": label} if label else {}) for s, o, label in wanted if o]
    able = [partial(bind, s, asked, options=o, **named) for s, asked, o, named in ready if asked or not s.asks]
    right = [scorer for make in able if (scorer := tried(make))]
    return labelled(right) if right and len(right) == len(set(order.scorer)) else ()


def _gates(order: Order, scorers: Sequence[Scorer], tried: Trier) -> Sequence[Gate]:
    """The gates, checked against the scorers if these are right."""
    texts = [(tried.of("gate", n), text) for n, text in enumerate(order.gate)]
    gates = [(at, gate) for at, text in texts if (gate := at(gate_of, text))]
    if not scorers:
        return [gate for _, gate in gates]
    return [there for at, gate in gates if (there := at(placed, gate, scorers))]


def _sliced(by: Sequence[Sequence[str]], gates: Sequence[Gate], prompts: AnyPrompts | None) -> set[str]:
    """The columns of the metadata whose values tell rows apart."""
    gated = {column for gate in gates if gate.slice for column, _ in gate.slice.values}
    return {column for columns in by for column in columns} | gated | {*column_of(prompts)}


def _data(
    order: Order,
    find: Callable[..., Data],
    wanted: Sequence[Wanted],
    scorers: Sequence[Scorer],
    sliced: set[str],
    tried: Trier,
) -> Looked | None:
    """The data, looked at once as far as that can be done before it is scored."""
    if not order.data:
        tried.problems.append("no rows to score; name a file as DATA, or - for standard input")
        return None
    how = tried.of("map")(columns, order.map, order.split, order.set)
    data = tried.of("data")(find, order.data)
    if data is None or how is None:
        return None
    look = partial(look_at, limit=order.limit, duplicates=order.id_duplicates, sliced=sliced)
    if data.streams and order.resumes and order.id_duplicates == "number":
        tried.problems.append(NO_ORDER)
    if found := tried(look, data, how):
        named = [(s.label, s.spec, s.options) for s in scorers]
        asking = named or [(spec.id, spec, options) for spec, options, _ in wanted if options]
        tried.problems.extend(found.wrong_for(asking, order.target))
        tried.problems.extend(unknown_scorers(how, [s.label for s in scorers]) if scorers else [])
    return found
