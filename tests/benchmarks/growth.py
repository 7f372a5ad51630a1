"""CPU per row and peak memory as the rows become more, both to stay flat: python tests/benchmarks/growth.py

Rows of faithfulness with an instant judge, 50 in flight, each result made a line and thrown away; then a stream of
short rows of unknown length for a scorer that asks nobody; then `scorer run` as a whole, on a file with ids, with what
it takes to begin. Each measurement has a process of its own; of its memory
the part is told that it took after its first 200 rows, or more than `scorer run` took on 200 rows.

    --rows N,N,...   rows with a judge (default 1000,10000,100000)
    --stream N       rows of the stream (default 1000000; 0 leaves it out)
    --json FILE      write the figures as JSON
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from table import asked_for, told


def rows(many: int) -> Iterator[dict[str, Any]]:
    from overhead import ROW

    return ({**ROW, "output": f"{ROW['output']} {n}"} for n in range(many))


async def stream(many: int) -> AsyncIterator[dict[str, Any]]:
    for n in range(many):
        yield {"output": f"row {n}"}


def length(trail: Any) -> float:
    """Whether the answer is short."""
    return 1.0 if len(trail.answer) < 100 else 0.0


def scorer_and_rows(kind: str, many: int) -> tuple[Any, Any]:
    from overhead import CONTEXT, Instant

    from scorer_core import create_scorer
    from scorer_faithfulness import create_faithfulness_scorer

    if kind == "judged":
        return create_faithfulness_scorer(Instant(), context=CONTEXT), rows(many)
    return create_scorer(id="length", description="Short answers").generate_score(length).bind(), stream(many)


def peak() -> float:
    """The most memory that this process ever had, in MB."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


async def scored(kind: str, many: int) -> None:
    from scorer_core.evaluating.scoring import score_rows
    from scorer_core.judging.flight import Flight

    scorer, data = scorer_and_rows(kind, many)
    async for item in score_rows(data, [scorer], flight=Flight(50)):
        for result in item.results.values():
            assert result.score == 1.0
            result.to_json()


def measure(kind: str, many: int) -> None:
    """Print the CPU a row in milliseconds, and the memory before the first rows and at its peak."""
    asyncio.run(scored(kind, 200))
    before, begun = peak(), time.process_time()
    asyncio.run(scored(kind, many))
    print((time.process_time() - begun) / many * 1000, before, peak())


def measured(kind: str, many: int) -> dict[str, Any]:
    command = [sys.executable, __file__, kind, str(many)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    cpu, before, most = map(float, done.stdout.split())
    figures = {"what": kind, "rows": many, "ms CPU a row": round(cpu, 3)}
    return figures | {"peak MB": round(most), "of it since row 200": round(most - before, 1)}


def whole_rows(many: int) -> Iterator[dict[str, Any]]:
    from overhead import CONTEXT

    return ({**row, "id": str(n), "context": CONTEXT} for n, row in enumerate(rows(many)))


def command(many: int) -> tuple[float, float]:
    """The CPU of `scorer run` in seconds, and its peak memory in MB."""
    with TemporaryDirectory() as folder:
        with open(Path(folder, "rows.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row)}\n" for row in whole_rows(many))
        called = ["-m", "scorer_runner", "run", "rows.jsonl", "--scorer", "faithfulness", "--concurrency", "50"]
        judge = ["--model", "python:overhead:Instant", "--quiet", "--out", "results.jsonl"]
        environ = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
        running = subprocess.Popen([sys.executable, *called, *judge], cwd=folder, env=environ)
        _, status, used = os.wait4(running.pid, 0)
        assert status == 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def commanded(many: int) -> dict[str, Any]:
    (begin, before), (cpu, most) = command(200), command(many)
    figures = {"what": "scorer run", "rows": many, "ms CPU a row": round((cpu - begin) / (many - 200) * 1000, 3)}
    return figures | {"peak MB": round(most), "of it since row 200": round(most - before, 1)}


def main() -> None:
    if sys.argv[1:2] in (["judged"], ["stream"]):
        return measure(sys.argv[1], int(sys.argv[2]))
    asked = asked_for(__doc__, rows="1000,10000,100000", stream=1_000_000)
    figures = [measured("judged", int(many)) for many in asked.rows.split(",")]
    figures += [commanded(int(many)) for many in asked.rows.split(",")]
    if asked.stream:
        figures += [measured("stream", many) for many in (asked.stream // 100, asked.stream)]
    return told(figures, asked.json, "goal: neither CPU a row nor memory grows with the rows, but for some bytes a row")


if __name__ == "__main__":
    main()
