"""The page of each scorer begins with a head made from its spec; SCORER_DOCS=write writes it anew."""

import os
from pathlib import Path

import attrs
import pytest

from scorer_core.plugins import SCORERS, installed, load_scorer

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- head: made from the spec -->\n", "<!-- end of head -->\n"
NEEDS = {"answer": "an output", "context": "a context", "context_source": "a context, which may be empty"}
DIRECTION = {"better": "higher is better", "worse": "lower is better"}


def head(spec):
    return "\n".join([*facts(spec), "", *bands(spec), "", *options(spec), "", *steps(spec), ""])


def facts(spec):
    needs = " and ".join(NEEDS.get(n, f"a {n.replace('_', ' ')}") for n in spec.needs)
    return [
        f"{spec.description}.",
        "",
        "| | |",
        "| --- | --- |",
        f"| id, package | `{spec.id}`, `scorer-{spec.id.replace('_', '-')}` |",
        f"| direction | {DIRECTION[spec.higher_is]} |",
        f"| a row needs | {needs} |",
    ]


def bands(spec):
    starts = [b.start for b in spec.bands[1:]] + [None]
    rows = [f"| 0 | {spec.bands[0].name} |"]
    for band, upper in zip(spec.bands[1:], starts[1:], strict=True):
        low = "above 0" if band.start == 0 else f"{band.start:g}"
        span = low if band.start == 1 else f"{low} to {'1' if upper is None else f'below {upper:g}'}"
        rows.append(f"| {span} | {band.name} |")
    return ["| score (before scaling) | called |", "| --- | --- |", *rows]


def options(spec):
    made = spec.options()
    shown = [f"| `{a.name}` | {default(getattr(made, a.name))} |" for a in attrs.fields(spec.options)]
    return ["| option | default |", "| --- | --- |", *shown]


def default(value):
    return ", ".join(f"`{name}`" for name in value) if isinstance(value, dict) else f"`{value!r}`"


def steps(spec):
    rows = []
    for step in ("preprocess", "analyze", "generate_score", "generate_reason"):
        ask = spec.asks.get(step)
        rows.append(f"| {step} | {f'`{ask.folder or spec.id}/{step}.j2`' if ask else 'computed'} |")
    return ["| step | template |", "| --- | --- |", *rows]


@pytest.mark.parametrize("name", sorted(installed(SCORERS)))
def test_the_page_of_each_scorer_begins_with_its_facts(name):
    page = ROOT / "docs" / "scorers" / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    fresh = f"{before}{BEGIN}{head(load_scorer(name))}{END}{after}"
    if os.environ.get("SCORER_DOCS") == "write":
        page.write_text(fresh, encoding="utf-8")
    assert text == fresh or os.environ.get("SCORER_DOCS") == "write", (
        f"{page} is stale; write it with SCORER_DOCS=write"
    )
