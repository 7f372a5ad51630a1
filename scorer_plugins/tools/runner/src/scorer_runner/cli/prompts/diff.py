"""`scorer prompts diff`: what a pack changes in the prompts of a scorer."""

from __future__ import annotations

from scorer_core.plugins import load_scorer

from .options import Language, PackName, ScorerId

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def command(
    pack: PackName,
    scorer: ScorerId,
    language: Language = None,
) -> None:
    """Show how the prompts of a scorer differ with a pack, both rendered for one made-up row."""
    from rich.text import Text

    from scorer_core.prompting.packs import find_pack

    from ...prompting.diffs import changes
    from ...terminal.console import clean, harmless, screen

    console, found = screen(), find_pack(pack)
    told = [*changes(found, load_scorer(scorer), language)]
    for n, change in enumerate(told):
        console.print(Text.assemble("\n" if n else "", (clean(change.file), "bold")))
        for line in change.lines:
            style = "" if line.startswith(("+++", "---")) else _COLOURS.get(line[:1], "")
            console.print(Text(harmless(line), style=style or "dim"), soft_wrap=True)
    if not told:
        console.print(Text(f"{clean(found.name)} changes no prompt of {scorer}"))
