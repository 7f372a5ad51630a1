"""What every benchmark here shares: its options, its table, and its figures as JSON."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any


def asked_for(doc: str | None, **defaults: Any) -> argparse.Namespace:
    """The options of the command line: those with a default, and `--json FILE`; flags default to False."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE")
    for name, default in defaults.items():
        how: dict[str, Any] = {"action": "store_true"} if default is False else {"type": type(default)}
        parser.add_argument(f"--{name}", default=default, **how)
    return parser.parse_args()


def told(rows: Sequence[Mapping[str, Any]], file: Path | None, goal: str) -> None:
    """Print the figures as a table with the goal beneath, and write them to `file` if there is one."""
    names = list(rows[0])
    cells = [names, *([str(row[name]) for name in names] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    print(goal)
    if file:
        about = {"when": datetime.now(UTC).isoformat(timespec="seconds"), "python": platform.python_version()}
        file.write_text(json.dumps({**about, "goal": goal, "figures": list(rows)}, indent=2) + "\n", "utf-8")
