"""A dataset of rows in, a dataset of results out, lazily."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import ray.data

from scorer_core import UsageError

from .making import Making
from .rows import PLACED, placed, tables
from .worker import Worker

if TYPE_CHECKING:
    from ray.data import Dataset

WAVES = 16  # a batch is so many times what is in flight: its end, where fewer calls are, is short beside it


def score_dataset(
    ds: Dataset,
    *,
    scorers: str | Sequence[str],
    model: str | None = None,
    concurrency: int = 8,
    workers: int = 2,
    batch_size: int | None = None,
    index: str | None = None,
    **how: Any,
) -> Dataset:
    """The results of the rows of `ds`, a row a result, made as they are consumed.

    Its columns are what one filters and sums by (`index`, `row_id`, `run_id`, `scorer_label`, `status`, `score`,
    `band`, `vacuous`, `reason`, `error_kind`), and `result`, the whole as JSON. Rows that a lost worker had are done
    again.

    Args:
        ds: Rows from `numbered`; or a dataset with the names of a run's fields as columns, where `id` names the row and
            other columns become metadata.
        scorers: Texts, as for `scorer run --scorer`; each worker makes its own scorers of them.
        model: The judge, as a text; None if no scorer asks one.
        concurrency: Judge calls in flight in each worker.
        workers: How many there are; each is an actor that takes one CPU.
        batch_size: Rows that a worker gets at a time, and that are done again if it is lost; 16 times `concurrency`.
        index: The column of the user's that holds a row's place in the data. Without it results tell no place, and
            without an `id` equal rows may share one: what is split has no order.
        how: As the options of `scorer run`: `model_arg`, `prompts`, `language`, `reasons`, `mode`, `redact`, `prices`,
            `cache`, `cache_mode`, `cache_name`.

    Raises:
        UsageError: scorers, options, model, templates or numbers are wrong; nothing was begun.
    """
    making = Making(scorer=scorers, model=model, **how)
    check_numbers(concurrency=concurrency, workers=workers, batch_size=batch_size)
    making.here()
    size = batch_size or WAVES * concurrency
    return scored_by(making, ds, concurrency=concurrency, workers=workers, batch_size=size, index=index)


def scored_by(making: Making, ds: Dataset, *, workers: int, batch_size: int, **how: Any) -> Dataset:
    """`ds` through a pool of so many `Worker`s, each made with `making` and `how`.

    Ray Data restarts the actors of a pool without end, and tries what a lost one had again without end.
    """
    return ds.map_batches(
        Worker,
        fn_constructor_args=(making,),
        fn_constructor_kwargs=how,
        batch_size=batch_size,
        batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=workers),
    )


def numbered(rows: Iterable[Any], *, block_rows: int = 128) -> Dataset:
    """Rows (mappings or runs) as a dataset that keeps the place and id they have in a run in one process.

    They are read once, in order, and handed to Ray in blocks of `block_rows`; this process keeps none of them.

    Raises:
        UsageError: `block_rows` is no whole number of 1 or more.
    """
    check_numbers(block_rows=block_rows)
    return dataset_of([ray.put(table) for table in tables((row for row, _ in placed(rows)), block_rows)])


def dataset_of(blocks: Sequence[Any]) -> Dataset:
    """Tables that Ray has as a dataset."""
    return ray.data.from_arrow_refs([*blocks] or [ray.put(PLACED.empty_table())])


def check_numbers(**numbers: int | None) -> None:
    """See that each number is a whole one of 1 or more, or None.

    Raises:
        UsageError: one is not.
    """
    for name, number in numbers.items():
        if number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 1):
            raise UsageError(f"{name}: expected a whole number of 1 or more, got {number!r}")
