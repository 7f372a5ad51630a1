"""`scorer prompts compare`: which of two packs agrees better with labels, and which rows flipped."""

from __future__ import annotations

import json
from typing import Annotated, Any

import attrs
import typer

from scorer_core import UsageError

from .options import Many, Maps, Splits


def command(
    a: Annotated[str, typer.Argument(metavar="A", help="A pack, own for no pack, or a file of results.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    data: Annotated[
        str | None, typer.Argument(metavar="DATA", help="Rows to score with both; none for files of results.")
    ] = None,
    label: Annotated[str, typer.Option(metavar="COLUMN", help="Where the rows' labels stand.")] = "label",
    positive: Annotated[
        str | None, typer.Option(metavar="LABEL", help="The label of good rows; low where low numbers are good.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(metavar="SCORE", help="Where good scores begin.  [default: half the scale]")
    ] = None,
    scorer: Annotated[
        Many, typer.Option(metavar="ID[:NAME=VALUE,...]", help="What to measure; repeat for several.")
    ] = None,
    model: Annotated[str, typer.Option(metavar="NAME", help="The judge.")] = "local",
    model_arg: Annotated[Many, typer.Option(metavar="NAME=VALUE", help="A parameter of a provider's model.")] = None,
    map: Maps = None,
    split: Splits = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="Take only the first rows.")] = None,
    concurrency: Annotated[int, typer.Option(metavar="N", min=1, help="Judge calls in flight at most.")] = 8,
    cache: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep the judge's replies, and ask for none twice.")
    ] = None,
    out: Annotated[str | None, typer.Option(metavar="FILE", help="Where results go.  [default: results.jsonl]")] = None,
    shown: Annotated[int, typer.Option("--show", metavar="N", min=0, help="How many flipped rows to show.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON, with every flipped row.")] = False,
) -> None:
    """Compare two packs, or two finished files of results, by their agreement with labels."""
    from ...ordering.order import Order
    from ...prompting.comparing import compared, pairs_of, results_in, sides

    how = {"column": label, "positive": positive, "threshold": threshold}
    if data is None:
        left, right = (sides(results_in(path)) for path in (a, b))
        found = [compared(name, x, y, how) for name, x, y in pairs_of(left, right, scorer or ())]
    else:
        if not scorer:
            raise UsageError("nothing to measure; name a scorer: --scorer ID")
        order = Order(
            data=(data,), scorer=tuple(scorer), model=model, model_arg=tuple(model_arg or ()), map=tuple(map or ()),
            split=tuple(split or ()), limit=limit, concurrency=concurrency, cache=cache, out=out, reasons="none",
        )  # fmt: skip
        found = _tried(order, (a, b), how, quiet=as_json)
    if as_json:
        typer.echo(json.dumps([_told(one) for one in found], indent=2, ensure_ascii=False))
    else:
        from ...prompting.shown import comparison
        from ...terminal.console import screen

        for one in found:
            screen().print(comparison(one, a, b, shown))


def _tried(order: Any, packs: tuple[str, str], how: Any, *, quiet: bool) -> list[Any]:
    """The comparisons of a run with both packs, whose results are kept in its file."""
    from ...prompting.comparing import compared, results_in, sides
    from ...running.session import complaints, scored
    from ...running.trial import label, trial
    from ...terminal.console import say

    plan = trial(order, packs)
    if plan.out is None:
        raise UsageError("--out -: results are compared when they are complete; name a file")
    tally = scored(plan, quiet=quiet)
    complaints(plan, tally)
    if tally.stopped:
        raise typer.Exit(3)
    if not quiet:
        say(f"results of both: {plan.out}", style="dim")
    found = sides(results_in(str(plan.out)))
    of = dict.fromkeys(s.label.removesuffix(f"@{packs[0]}") for s in plan.scorers if s.label.endswith(f"@{packs[0]}"))
    return [compared(name, found[label(name, packs[0])], found[label(name, packs[1])], how) for name in of]


def _told(one: Any) -> dict[str, Any]:
    return {
        "scorer": one.scorer,
        "rule": one.rule,
        "rows": one.rows,
        "left_out": dict(one.left_out),
        "measures": [attrs.asdict(m) | {"difference": m.difference, "real": m.real} for m in one.measures],
        "flipped": [
            {
                "row_id": row.a.row_id,
                "label": row.label,
                "a": _side(row.a),
                "b": _side(row.b),
            }
            for row in one.flipped
        ],
    }


def _side(result: Any) -> dict[str, Any]:
    return {"score": result.score, "reason": result.reason, "analyze": result.analyze_step_result}
