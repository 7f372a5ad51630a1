"""What several commands of the group ask for."""

from __future__ import annotations

from typing import Annotated

import typer

Many = list[str] | None
ScorerId = Annotated[str, typer.Argument(metavar="SCORER", help="A scorer's id; see scorer list.")]
StepName = Annotated[str, typer.Argument(metavar="STEP", help="preprocess, analyze, generate_reason, single, summary.")]
PackName = Annotated[str, typer.Argument(metavar="PACK", help="The folder or name of a pack.")]
Packs = Annotated[Many, typer.Option(metavar="PACK", help="A folder or pack of templates; the first wins.")]
Language = Annotated[str | None, typer.Option(metavar="NAME", help="The language of the reasons.")]
Maps = Annotated[Many, typer.Option(metavar="FIELD=COLUMN", help="Read a field from another column.")]
Splits = Annotated[Many, typer.Option(metavar="FIELD=SEP", help="Make a list of a joined ground_truth or context.")]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON.")]
