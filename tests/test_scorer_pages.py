"""The page of each scorer begins with a head made from its spec; SCORER_DOCS=write writes it anew."""

import os
import tomllib
from functools import cache
from pathlib import Path

import attrs
import pytest
from attrs import frozen

from scorer_core.plugins import SCORERS, installed, load_scorer

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BEGIN, END = "<!-- head: made from the spec -->\n", "<!-- end of head -->\n"
NEEDS = {"answer": "an output", "context": "a context", "context_source": "a context, which may be empty"}
DIRECTION = {"better": "higher is better", "worse": "lower is better"}


@frozen
class English:
    """How a head says what it says."""

    stop = "."

    def said(self, text):
        return text

    def joined(self, texts):
        return " and ".join(texts)

    def band(self, name):
        return name

    def span(self, low, upper):
        if low == 1:
            return "1"
        return f"{f'{low:g}' if low else 'above 0'} to {'1' if upper is None else f'below {upper:g}'}"


@frozen
class Japanese:
    """The same in Japanese; the names of bands stay beside it, since results have them."""

    words: dict
    stop = "。"

    def said(self, text):
        assert text in self.words, f"words.toml has no Japanese for {text!r}"
        return self.words[text]

    def joined(self, texts):
        return "と".join(texts)

    def band(self, name):
        return f"{name}（{self.said(name)}）"

    def span(self, low, upper):
        if low == 1:
            return "1"
        return f"{f'{low:g}以上' if low else '0より上'}、{'1以下' if upper is None else f'{upper:g}未満'}"


@cache
def of_page(name):
    """The scorers that a page is about: those of a package."""
    specs = [load_scorer(id) for id in sorted(installed(SCORERS))]
    return [spec for spec in specs if spec.package == f"scorer_{name}"]


def head(specs, t):
    spec = specs[0]
    if len(specs) > 2:
        return "\n".join([*several(specs), "", *bands(spec, t), ""])
    return "\n".join(
        line for s in specs for line in [*facts(s, t), "", *bands(s, t), "", *options(s, t), "", *steps(s, t), ""]
    )


def several(specs):
    """The facts of scorers that share a package and a page."""
    rows = [f"| `{s.id}` | {s.description} | {', '.join(map(option, own(s)))} | {needed(s)} |" for s in specs]
    package = f"The package `{specs[0].package.replace('_', '-')}`; higher is better."
    return [package, "", *table(English(), "id", "1 if", "options (defaults)", "a row needs"), *rows]


def own(spec):
    return [a for a in attrs.fields(spec.options) if a.name != "scale"]


def option(a):
    return f"`{a.name}`" if a.default is attrs.NOTHING else f"`{a.name}` ({default(a.default)})"


def needed(spec):
    return " and ".join(NEEDS.get(n, f"a {n.replace('_', ' ')}") for n in spec.needs_with()) or "nothing"


def table(t, *columns):
    return [f"| {' | '.join(map(t.said, columns))} |", f"|{' --- |' * len(columns)}"]


def facts(spec, t):
    needs = [t.said(NEEDS.get(n, f"a {n.replace('_', ' ')}")) for n in spec.needs_with()]
    return [
        f"{t.said(spec.description)}{t.stop}",
        "",
        "| | |",
        "| --- | --- |",
        f"| {t.said('id, package')} | `{spec.id}`, `{spec.package.replace('_', '-')}` |",
        f"| {t.said('direction')} | {t.said(DIRECTION[spec.higher_is])} |",
        f"| {t.said('a row needs')} | {t.joined(needs) or 'nothing'} |",
    ]


def bands(spec, t):
    starts = [b.start for b in spec.bands[1:]] + [None]
    rows = [f"| 0 | {t.band(spec.bands[0].name)} |"]
    rows += [
        f"| {t.span(b.start, upper)} | {t.band(b.name)} |" for b, upper in zip(spec.bands[1:], starts[1:], strict=True)
    ]
    return [*table(t, "score (before scaling)", "called"), *rows]


def options(spec, t):
    fields = attrs.fields_dict(spec.options)
    required = {name: "x" for name, a in fields.items() if a.default is attrs.NOTHING}
    made = spec.options(**required)
    told = {name: t.said("must be given") if name in required else default(getattr(made, name)) for name in fields}
    shown = [f"| `{name}` | {value} |" for name, value in told.items()]
    return [*table(t, "option", "default"), *shown]


def default(value):
    return ", ".join(f"`{name}`" for name in value) if isinstance(value, dict) else f"`{value!r}`"


def steps(spec, t):
    rows = []
    for step in ("preprocess", "analyze", "generate_score", "generate_reason"):
        ask = spec.asks.get(step)
        computed = t.said("computed") if getattr(spec, step) else "–"
        rows.append(f"| {step} | {f'`{ask.folder or spec.id}/{step}.j2`' if ask else computed} |")
    return [*table(t, "step", "template"), *rows]


def japanese():
    return Japanese(tomllib.loads((ROOT / "tests/data/japanese/words.toml").read_text("utf-8")))


NAMES = sorted({load_scorer(id).package.removeprefix("scorer_") for id in installed(SCORERS)})
PAGES = [(DOCS / "scorers" / f"{name}.md", English()) for name in NAMES]
PAGES += [(page, japanese()) for page in sorted((DOCS / "ja/scorers").glob("*.md"))]


@pytest.mark.parametrize(("page", "t"), PAGES, ids=[str(page.relative_to(DOCS)) for page, _ in PAGES])
def test_the_page_of_each_scorer_begins_with_its_facts(page, t):
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    fresh = f"{before}{BEGIN}{head(of_page(page.stem), t)}{END}{after}"
    if os.environ.get("SCORER_DOCS") == "write":
        page.write_text(fresh, encoding="utf-8")
    assert text == fresh or os.environ.get("SCORER_DOCS") == "write", (
        f"{page} is stale; write it with SCORER_DOCS=write"
    )


def test_the_japanese_pages_are_those_of_the_scorers_of_the_specification():
    pages = {page.stem for page in (DOCS / "ja/scorers").glob("*.md")}
    assert pages == {"answer_similarity", "bias", "faithfulness", "hallucination"}
