"""What a user asks of a run; each field of `Order` is an option, of the same name, of every command that takes one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_type_hints

import attrs
from attrs import field, frozen

COMMAND_LINE = "command line"
Places = Mapping[tuple[str, int | None], str]  # where an option, or an item of it, stands in a file
WHAT, JUDGE, DATA, RESULTS, LIMITS, GATES = "What to measure", "The judge", "Data", "Results", "Limits", "Gates"


@frozen
class Option:
    """How a field is asked for.

    Args:
        group: The heading it stands under.
        help: What it is for, in a sentence.
        shown: What stands for its value.
        least: The smallest number it takes; `most` the largest.
        path: Whether it names a file or folder.
        table: How a table in a settings file spells texts: "named", a list's item names a scorer and its options;
            "texts" and "values", a name with a text or any value; "bounds", a name with what it is compared with.
    """

    group: str
    help: str
    shown: str | None = None
    least: float | None = None
    most: float | None = None
    path: bool = False
    table: Literal["named", "texts", "values", "bounds"] | None = None


@frozen(kw_only=True)
class Order:
    """What a user asked for, as typed; `min_coverage` is `--min-coverage`, and what may be repeated is a sequence."""

    data: Annotated[
        Sequence[str],
        Option(
            DATA, "Files of JSON Lines, JSON, CSV, TSV, Parquet or Arrow, or globs; - is standard input.", "DATA...",
            path=True,
        ),
    ] = ()  # fmt: skip
    map: Annotated[
        Sequence[str],
        Option(DATA, "Read a field, or one scorer's, from another place.", "[SCORER.]FIELD=COLUMN", table="texts"),
    ] = ()
    set: Annotated[
        Sequence[str], Option(DATA, "Give a field the same value in every row.", "FIELD=VALUE", table="values")
    ] = ()
    split: Annotated[
        Sequence[str], Option(DATA, "Make a list of a joined ground_truth or context.", "FIELD=SEP", table="texts")
    ] = ()
    rows_at: Annotated[
        str | None, Option(DATA, "Where rows are in a JSON file: data, data[].paragraphs[].qas[].", "PATH")
    ] = None
    encoding: Annotated[str, Option(DATA, "How files of text are encoded.", "NAME")] = "utf-8"
    id_duplicates: Annotated[
        Literal["error", "number"], Option(DATA, "number makes ids that come again differ: 7, 7-2, 7-3.")
    ] = "error"
    target: Annotated[
        str | None, Option(DATA, "What answers the rows: a function, Runnable or graph.", "python:MODULE:NAME")
    ] = None
    repeats: Annotated[int, Option(DATA, "Do each row so often, each a result of its own.", "N", least=1)] = 1
    limit: Annotated[int | None, Option(DATA, "Take only the first rows.", "N", least=1)] = None

    scorer: Annotated[
        Sequence[str],
        Option(WHAT, "A scorer, with options of its own; repeat for several.", "ID[:NAME=VALUE,...]", table="named"),
    ] = ()
    prompts: Annotated[
        Sequence[str], Option(WHAT, "A folder or pack of templates; the first wins.", "PACK", path=True)
    ] = ()
    prompts_by: Annotated[
        Sequence[str],
        Option(WHAT, "Other packs for the rows with a value in a column; repeat for more.", "COLUMN=VALUE:PACK"),
    ] = ()
    language: Annotated[str | None, Option(WHAT, "The language of the reasons.", "NAME")] = None
    reasons: Annotated[
        Literal["judge", "summary", "none"], Option(WHAT, "Who explains each score; summary asks nobody.")
    ] = "judge"
    mode: Annotated[Literal["steps", "single"], Option(WHAT, "single asks for items and verdicts in one call.")] = (
        "steps"
    )

    model: Annotated[str, Option(JUDGE, "The judge: local, provider:model, python:module:name.", "NAME")] = "local"
    model_arg: Annotated[
        Sequence[str], Option(JUDGE, "A parameter of a provider's model.", "NAME=VALUE", table="values")
    ] = ()
    prices: Annotated[str | None, Option(JUDGE, "A TOML file of prices per million tokens.", "FILE", path=True)] = None
    redact: Annotated[
        str | None, Option(JUDGE, "A TOML file of patterns the judge may not see.", "FILE", path=True)
    ] = None
    cache: Annotated[
        str | None, Option(JUDGE, "Keep the judge's replies, and ask for no reply twice.", "FILE", path=True)
    ] = None
    cache_mode: Annotated[
        Literal["use", "refresh", "only"], Option(JUDGE, "refresh asks for all anew; only never asks.")
    ] = "use"
    cache_name: Annotated[
        str | None, Option(JUDGE, "What replies are kept by, for a model that says too little.", "NAME")
    ] = None

    out: Annotated[
        str | None,
        Option(
            RESULTS,
            "Where results go, by default the first free results.jsonl; FOLDER/ for parts; - is standard output.",
            "FILE",
            path=True,
        ),
    ] = None
    passes: Annotated[
        Sequence[str],
        Option(RESULTS, "From which score on a result passes; tells pass@k and pass^k.", "LABEL=SCORE", table="values"),
    ] = ()
    format: Annotated[
        Literal["table", "json", "jsonl", "csv", "parquet", "markdown"],
        Option(RESULTS, "What standard output shows in the end: a summary, or all results; parquet is for parts, too."),
    ] = "table"
    by: Annotated[
        Sequence[str], Option(RESULTS, "Tell rows apart by columns of the metadata; repeat for more.", "COLUMN,...")
    ] = ()
    store: Annotated[
        Literal["full", "slim", "digest"],
        Option(RESULTS, "What a line keeps: slim leaves out prompts and raw replies, digest also the row's text."),
    ] = "full"
    resume: Annotated[bool, Option(RESULTS, "Go on where the run of FILE stopped, with the same command.")] = False
    retry_failed: Annotated[bool, Option(RESULTS, "As --resume, and score anew what failed.")] = False

    concurrency: Annotated[int, Option(LIMITS, "Judge calls in flight at most.", "N", least=1)] = 8
    max_calls: Annotated[
        int | None, Option(LIMITS, "Stop before one more judge call than that; --resume goes on.", "N", least=1)
    ] = None
    max_cost: Annotated[
        float | None, Option(LIMITS, "Stop when the calls cost that much, by the price table.", "COST")
    ] = None
    deadline: Annotated[str | None, Option(LIMITS, "Stop after that time: 90, 30m, 2h.", "TIME")] = None
    engine: Annotated[
        str, Option(LIMITS, "What scores the rows: local, this process; ray:workers=N, with scorer-ray.", "NAME[:...]")
    ] = "local"

    gate: Annotated[
        Sequence[str],
        Option(
            GATES,
            "What the scores must come to, else the exit code is 1; also p10(..), rate(..).",
            "'LABEL>=N'",
            table="bounds",
        ),
    ] = ()
    min_coverage: Annotated[
        float, Option(GATES, "Rows that must not have failed for a gate to be met.", "SHARE", least=0, most=1)
    ] = 0.99

    @property
    def resumes(self) -> bool:
        """Whether the run of a file that is there goes on."""
        return self.resume or self.retry_failed


@frozen
class Applied:
    """What applies to a run.

    Args:
        order: The options, each from the command line, else from the file, else its default.
        places: Where those that come from the file stand in it.
        typed: The names of those that come from the command line.
        problems: What is wrong with the file, one line a place; what is wrong is not in the order.
    """

    order: Order
    places: Places = field(factory=dict)
    typed: frozenset[str] = frozenset()
    problems: tuple[str, ...] = ()

    def origin(self, name: str) -> str:
        """Where the option of this name comes from."""
        return COMMAND_LINE if name in self.typed else self.places.get((name, None), "default")


@frozen
class Declared:
    """An option as its field declares it: its name, the type and default of its value, and how it is asked for."""

    name: str
    kind: Any
    default: Any
    option: Option

    @property
    def flag(self) -> str:
        """How it is typed."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def plain(self) -> Any:
        """The type of a value that is given: never None."""
        told = get_args(self.kind)
        return next(t for t in told if t is not type(None)) if type(None) in told else self.kind

    @property
    def many(self) -> bool:
        """Whether it may be repeated."""
        return bool(self.kind == Sequence[str])


@cache
def declared() -> Mapping[str, Declared]:
    """The options of `Order`, by name."""
    kinds = get_type_hints(Order, include_extras=True)
    told = ((a, *get_args(kinds[a.name])) for a in attrs.fields(Order))
    return {a.name: Declared(a.name, kind, a.default, option) for a, kind, option in told}
