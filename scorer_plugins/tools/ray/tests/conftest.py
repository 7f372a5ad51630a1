"""A Ray of this machine with two CPUs for all tests of this folder, and a judge that tells which worker asks it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

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
