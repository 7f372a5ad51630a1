"""A Ray of this machine with two CPUs for all tests of this folder, and a judge that tells which worker asks it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scorer_core.support.background import background_loop

PASSING = ("run_id", "started_at", "duration_ms", "usage", "cost", "judge", "run")
OWN = {"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "RAY_USAGE_STATS_ENABLED": "0"}
TELLING = '''
"""The local judge, which takes its time and writes down the process that it is asked in."""

import asyncio
import os
from pathlib import Path

from scorer_local_judge.model import LocalJudge

ASKED = os.open(Path(__file__).with_name("asked"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Telling(LocalJudge):
    async def _agenerate(self, messages, stop=None, run_manager=None, **how):
        os.write(ASKED, f"{os.getpid()}\\n".encode())
        await asyncio.sleep(0.05)
        return await super()._agenerate(messages, stop, run_manager, **how)


judge = Telling()
'''

KEYLESS = """
from scorer_core.testing import ScriptedJudge


class Status(Exception):
    status_code = 401


def opinions(messages):
    if "KEYLESS" in str(messages[-1].content):
        raise Status("no such key")
    return {"opinions": []}


judge = ScriptedJudge(preprocess=opinions)
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ray's warnings about Ray are no errors of ours."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(r"ignore::DeprecationWarning:ray\."))


@pytest.fixture(scope="session")
def cluster() -> Iterator[None]:
    """Ray, started."""
    os.environ.update(OWN)
    import ray

    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error", _node_ip_address="127.0.0.1"
    )
    yield
    ray.shutdown()


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[int]]:
    """The processes that asked the judge `python:telling_judge:judge`, a number a call."""
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "telling_judge.py").write_text(TELLING)
    monkeypatch.syspath_prepend(str(modules))
    monkeypatch.delitem(sys.modules, "telling_judge", raising=False)
    (modules / "asked").touch()
    return lambda: [int(line) for line in (modules / "asked").read_text().splitlines()]


@pytest.fixture(scope="session")
def demo_rows() -> list[dict[str, Any]]:
    """The 24 real rows of the demo."""
    text = (files("scorer_runner.demo") / "rows.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def keyless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A judge that needs a key for rows that say so."""
    (tmp_path / "keyless_judge.py").write_text(KEYLESS)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "keyless_judge", raising=False)
    from scorer_ray.making import Making

    return Making(scorer="bias", model="python:keyless_judge:judge")


@pytest.fixture
def rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, demo_rows: list[dict[str, Any]]) -> Path:
    """An empty folder to be in, but for the demo's rows, of which one has no id."""
    place = tmp_path / "here"
    place.mkdir()
    monkeypatch.chdir(place)
    given = [{k: v for k, v in row.items() if k != "id" or n} for n, row in enumerate(demo_rows)]
    (place / "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in given), "utf-8")
    return place / "rows.jsonl"


@pytest.fixture
def without_ray(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Two workers in this process in place of Ray's, and how many rows each batch has."""
    from scorer_ray import engine
    from scorer_ray.purse import Purse
    from scorer_ray.worker import Worker

    sizes: list[int] = []

    class Scored:
        def __init__(self, pool, tables):
            self.pool, self.tables = pool, tables

        def iter_rows(self):
            for n, table in enumerate(self.tables):
                yield from self.pool[n % len(self.pool)](table).to_pylist()

    def scored_by(making: Any, ds: Any, *, workers: int, batch_size: int, **how: Any) -> Any:
        return Scored([Worker(making, **how) for _ in range(workers)], ds)

    def put(table):
        sizes.append(table.num_rows)
        return table

    monkeypatch.setattr(engine, "started", lambda: False)
    monkeypatch.setattr(engine.ray, "put", put)
    monkeypatch.setattr(engine, "dataset_of", list)
    monkeypatch.setattr(engine, "scored_by", scored_by)
    monkeypatch.setattr(engine, "purse_of", lambda budget: Near(Purse(budget)))
    return sizes


class Near:
    """An actor that is none: its methods are called on the loop of the workers in this process."""

    def __init__(self, purse):
        self.purse = purse

    def __getattr__(self, name):
        return SimpleNamespace(remote=lambda *args: Coming(getattr(self.purse, name)(*args)))


class Coming:
    """What such a method will give; it is on its way already."""

    def __init__(self, work):
        self.made = asyncio.run_coroutine_threadsafe(work, background_loop())

    def future(self):
        return self.made

    def __await__(self):
        return asyncio.wrap_future(self.made).__await__()


@pytest.fixture
def lines() -> Callable[[Path], list[dict[str, Any]]]:
    """Reads the results in a file."""
    return lambda path: [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def lasting(lines: Callable[[Path], list[dict[str, Any]]]) -> Callable[[Path], list[dict[str, Any]]]:
    """Reads what of the results in a file is the same whenever they are made, in the order of the rows."""

    def read(path: Path) -> list[dict[str, Any]]:
        told = [{k: v for k, v in line.items() if k not in PASSING} for line in lines(path)]
        return sorted(told, key=lambda line: (line["index"], line["repeat"] or 0, line["scorer_label"]))

    return read
