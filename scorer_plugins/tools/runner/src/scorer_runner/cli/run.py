"""`scorer run`: a file of rows in, a line of JSON a row and scorer out."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from scorer_core import UsageError

Many = list[str] | None
Text = str | None


def command(
    data: Annotated[
        str,
        typer.Argument(metavar="DATA", help="A .jsonl, .ndjson, .csv or .tsv file; - is JSON Lines on standard input."),
    ],
    scorer: Annotated[
        Many,
        typer.Option(
            metavar="ID[:NAME=VALUE,...]", help="What to measure, with options of its own; repeat for several."
        ),
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="The judge: local, provider:model, python:module:name.")
    ] = "local",
    prompts: Annotated[
        Many, typer.Option(metavar="PACK", help="A folder or pack of templates; the first wins.")
    ] = None,
    out: Annotated[
        Text, typer.Option(metavar="FILE", help="Where results go; - is standard output.  [default: results.jsonl]")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on where the run of FILE stopped, with the same command.")
    ] = False,
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="As --resume, and score anew what failed.")
    ] = False,
    concurrency: Annotated[int, typer.Option(metavar="N", min=1, help="Judge calls in flight at most.")] = 8,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Take only the first rows.")] = None,
    map: Annotated[Many, typer.Option(metavar="FIELD=COLUMN", help="Read a field from another column.")] = None,
    split: Annotated[
        Many, typer.Option(metavar="FIELD=SEP", help="Make a list of a joined ground_truth or context.")
    ] = None,
    model_arg: Annotated[Many, typer.Option(metavar="NAME=VALUE", help="A parameter of a provider's model.")] = None,
    language: Annotated[Text, typer.Option(metavar="NAME", help="The language of the reasons.")] = None,
    reasons: Annotated[
        Literal["judge", "summary", "none"], typer.Option(help="Who explains each score; summary asks nobody.")
    ] = "judge",
    mode: Annotated[
        Literal["steps", "single"], typer.Option(help="single asks for items and verdicts in one call.")
    ] = "steps",
    redact: Annotated[Text, typer.Option(metavar="FILE", help="A TOML file of patterns the judge may not see.")] = None,
    prices: Annotated[Text, typer.Option(metavar="FILE", help="A TOML file of prices per million tokens.")] = None,
    cache: Annotated[
        Text, typer.Option(metavar="FILE", help="Keep the judge's replies, and ask for no reply twice.")
    ] = None,
    cache_mode: Annotated[
        Literal["use", "refresh", "only"], typer.Option(help="refresh asks for all anew; only never asks.")
    ] = "use",
    cache_name: Annotated[
        Text, typer.Option(metavar="NAME", help="What replies are kept by, for a model that says too little.")
    ] = None,
    gate: Annotated[
        Many,
        typer.Option(
            metavar="'LABEL>=N'", help="What the scores must come to, else the exit code is 1; also p10(..), rate(..)."
        ),
    ] = None,
    by: Annotated[
        Many, typer.Option(metavar="COLUMN,...", help="Tell rows apart by columns of the metadata; repeat for more.")
    ] = None,
    min_coverage: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=1, help="Rows that must not have failed for a gate to be met.")
    ] = 0.99,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show nothing but errors.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an unforeseen error came from.")] = False,
) -> None:
    """Score a file of rows.

    A row has output, and where there is one input, context, ground_truth, messages and id; all else is metadata.
    """
    if not scorer:
        from scorer_core.plugins import SCORERS, installed

        raise UsageError(f"nothing to measure; name at least one: --scorer ID (have: {', '.join(installed(SCORERS))})")
    from ..evidence import worst
    from ..plan import Order, made
    from ..session import complaints, exit_code, report, scored

    plan = made(
        Order(
            data=data,
            scorers=scorer,
            model=model,
            prompts=prompts or (),
            out=out,
            resume=resume,
            retry_failed=retry_failed,
            concurrency=concurrency,
            limit=limit,
            maps=map or (),
            splits=split or (),
            model_args=model_arg or (),
            language=language,
            reasons=reasons,
            mode=mode,
            redact=redact,
            prices=prices,
            cache=cache,
            cache_mode=cache_mode,
            cache_name=cache_name,
            gates=gate or (),
            by=by or (),
            min_coverage=min_coverage,
        )
    )
    tally = scored(plan, quiet=quiet)
    if not quiet:
        report(plan, tally, worst(tally, 3))
    complaints(plan, tally)
    raise typer.Exit(exit_code(tally))
