"""The page of all differences from Mastra is made of the tables in `differences/`; SCORER_DOCS=write makes it anew."""

import os

from mastra_cases import LISTED, ROOT

PAGE = ROOT / "docs/mastra_differences.md"
HEAD = """# Where our scores differ from Mastra's

Every golden case below was run through Mastra's scorer and ours with the same replies of a scripted judge.
All other cases agree to 1e-9, after Mastra's rounding where it rounds.
Each difference has a rule, and a test that holds it.

- 2.2: a judge's silence is not a verdict; the denominator is what was asked about.
- 2.3: a label is read without case and white space; another word is no verdict.
- 2.4: what a judge says is checked: labels, counts, ranges, types.
- 2.5: `scale` is a finite number above 0, and every score lies within it.
- 2.6: if only the reason step fails, the score stands.
- 4: nothing to judge (empty output, no claims, no context), ground truth, the messages read, and what options may be.
- best: the best that there is scores 1.
- missing: what was needed and is missing counts.
- order: what was expected counts as far as it came in order, whatever else came between or before.
- values: what is expected of a step is compared, value by value; the order of keys makes no difference.
- Other rules are named in words.
"""
COLUMNS = ("case", "theirs", "ours", "rule", "why")


def row(cells):
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"


def page():
    parts = [HEAD]
    for scorer, tables in LISTED.items():
        rows = [(id.removeprefix(scorer)[1:], t["theirs"], t["ours"], t["rule"], t["why"]) for id, t in tables.items()]
        head = [row(COLUMNS), f"|{' --- |' * len(COLUMNS)}"]
        parts += [f"\n## {scorer}\n", *((*head, *map(row, rows)) if rows else ("None.",)), ""]
    return "\n".join(parts).rstrip() + "\n"


def test_the_page_lists_every_difference():
    if os.environ.get("SCORER_DOCS") == "write":
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text("utf-8") == page()
