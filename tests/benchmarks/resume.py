"""Reading the results of a run in order to go on with it: python tests/benchmarks/resume.py

--lines N      lines of the file (default 100000)
--turns N      how often it is read; the least CPU counts (default 3)
--json FILE    write the figures as JSON
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from overhead import CONTEXT, ROW, Instant
from table import asked_for, told

from scorer_faithfulness import create_faithfulness_scorer
from scorer_runner.results.journal import journal
from scorer_runner.results.kept import Earlier, kept_of


def written(path: Path, lines: int) -> Earlier:
    """A run of so many rows, whose results are in `path`."""
    with journal(path, {}) as write:
        write(create_faithfulness_scorer(Instant(), context=CONTEXT).run(**ROW))
    line = json.loads(path.read_text("utf-8"))
    with open(path, "w", encoding="utf-8") as file:
        for n in range(lines):
            print(json.dumps({**line, "row_id": f"row-{n}", "index": n}, ensure_ascii=False), file=file)
    return Earlier(path, line["run"])


def parsed(path: Path) -> None:
    """Each line as JSON, and nothing else."""
    with open(path, "rb") as file:
        for raw in file:
            json.loads(raw)


def seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main() -> None:
    asked = asked_for(__doc__, lines=100_000, turns=3)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "results.jsonl"
        earlier, counted = written(path, asked.lines), list[bool]()
        both = [
            (
                seconds(lambda: kept_of(earlier, ["faithfulness"], lambda result: counted.append(True))),
                seconds(lambda: parsed(path)),
            )
            for _ in range(asked.turns)
        ]
        size = path.stat().st_size / asked.lines
    assert len(counted) == asked.lines * asked.turns
    took, floor = map(min, zip(*both, strict=True))
    figures = {"lines": asked.lines, "bytes a line": round(size), "s CPU": round(took, 2)}
    beside = {"s to parse alone": round(floor, 2), "times": round(took / floor, 2)}
    told([figures | beside], asked.json, "goal: 100,000 lines in about a second, most of it the parsing of JSON")


if __name__ == "__main__":
    main()
