"""What an import and a command cost, in time and in modules: python tests/benchmarks/imports.py

Each in fresh processes, in turns; the least CPU of all turns, beside that of the packages the core is built from.

    --turns N      processes each (default 7)
    --json FILE    write the figures as JSON
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from table import asked_for, told

DEPENDENCIES = "import attrs, cattrs, jinja2"
COMMAND = "from scorer_runner.cli import main\nimport sys\nsys.argv[1:] = {}\nmain()"
MEASURED = """
import sys, time, contextlib, io
modules, begun = len(sys.modules), time.process_time()
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    exec({code!r})
took = time.process_time() - begun
print(took, len(sys.modules) - modules)
"""


def measured(code: str, folder: str) -> tuple[float, int]:
    """Seconds of CPU and modules imported."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(code=code)], capture_output=True, text=True, check=True, cwd=folder
    )
    took, modules = done.stdout.split()
    return float(took), int(modules)


def main() -> None:
    asked = asked_for(__doc__, turns=7)
    row = {"input": "How high?", "output": "It is 134 metres high.", "context": ["134 metres high, painted red."]}
    run = ["run", "row.jsonl", "--scorer", "faithfulness", "--out", "-"]
    codes = {
        DEPENDENCIES: DEPENDENCIES,
        "import scorer_core": "import scorer_core",
        "import scorer_faithfulness": "import scorer_faithfulness",
        "scorer list": COMMAND.format(["list"]),
        "scorer run, one row, local judge": COMMAND.format(run),
    }
    times: dict[str, list[tuple[float, int]]] = {name: [] for name in codes}
    with TemporaryDirectory() as folder:
        (Path(folder) / "row.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
        for _ in range(asked.turns):
            for name, code in codes.items():
                times[name].append(measured(code, folder))
    floor = min(times[DEPENDENCIES])[0]
    told(
        [_figures(name, *min(all_of), floor) for name, all_of in times.items()], asked.json,
        "goal: import scorer_core at most 2 times its dependencies",
    )  # fmt: skip


def _figures(name: str, took: float, modules: int, floor: float) -> dict[str, Any]:
    return {"what": name, "ms CPU": round(took * 1000), "times": round(took / floor, 2), "modules": modules}


if __name__ == "__main__":
    main()
