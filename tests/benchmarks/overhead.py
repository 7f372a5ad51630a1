"""CPU per row beside the bare model calls, and wall time beside the ideal: python tests/benchmarks/overhead.py

One row of faithfulness with three claims takes three calls. The bare loop makes the same three `ainvoke` calls on the
same model, with the same messages and the same metadata, and gets the same replies; it reads nothing and writes
nothing. All are measured in turns, in one process, so that a ratio holds on a noisy machine.

    --rows N        rows a turn (default 100)
    --turns N       turns (default 15)
    --profile       print where the time of the scored rows goes
    --json FILE     write the figures as JSON
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import pstats
import selectors
import time
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import Field
from table import asked_for, told

from scorer_core import Scorer, arun_evals
from scorer_faithfulness import create_faithfulness_scorer

VERDICTS = [{"number": n, "reason": "The context says so.", "chunk": 1, "verdict": "yes"} for n in (1, 2, 3)]
REPLIES = {
    "preprocess": json.dumps({"claims": ["It opened in 1932.", "It is 134 metres high.", "It is red."]}),
    "analyze": json.dumps({"verdicts": VERDICTS}),
    "generate_reason": "All three claims are supported.",
}
ROW = {"input": "How high?", "output": "It opened in 1932, is 134 metres high and red."}
CONTEXT = ["Opened to traffic in 1932.", "134 metres high, painted red."]
Work = Callable[[int], Coroutine[Any, Any, None]]


class Instant(BaseChatModel):
    """A chat model that replies at once, or after so many seconds; no two replies are alike."""

    seconds: float = 0.0
    listening: bool = False  # keeps what it is asked, so that the bare loop can ask the very same
    asked: list[Any] = []
    calls: Any = Field(default_factory=count)

    @property
    def _llm_type(self) -> str:
        return "instant"

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        if self.listening:
            told = {k: run_manager.metadata[k] for k in ("scorer", "step", "template")}
            self.asked.append((messages, told, kwargs.get("tools")))
        if self.seconds:
            await asyncio.sleep(self.seconds)
        words = REPLIES[run_manager.metadata["step"]].replace("1932", f"{next(self.calls):06}")
        return ChatResult(generations=[ChatGeneration(message=self.said(words, kwargs.get("tools")))])

    def said(self, words: str, tools: Any) -> AIMessage:
        return AIMessage(words)


class Structured(Instant):
    """One with structured output, by a tool, as hosted models have it."""

    made: dict[str, Any] = {}  # the model set to the shape of a reply, by the name of its tool

    def bind_tools(self, tools: Any, **how: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **how)

    def with_structured_output(self, schema: Any, **how: Any) -> Any:
        self.made[schema["title"]] = made = super().with_structured_output(schema, **how)
        return made

    def said(self, words: str, tools: Any) -> AIMessage:
        if not tools:
            return AIMessage(words)
        call = {"name": tools[0]["function"]["name"], "args": json.loads(words), "id": "1"}
        return AIMessage("", tool_calls=[call])


def calls_of_a_row(model: Instant) -> list[tuple[Any, str, str, dict[str, str]]]:
    """The three calls that scoring one row makes: who is asked, by which messages, and with which metadata."""
    model.listening = True
    assert create_faithfulness_scorer(model, context=CONTEXT).run(**ROW).score == 1.0
    model.listening = False
    return [
        (model.made[tools[0]["function"]["name"]] if tools else model, system.content, human.content, told)
        for (system, human), told, tools in model.asked
    ]


def bare(model: Instant) -> Work:
    """The calls of each row, one after the other, and nothing else."""
    calls = calls_of_a_row(type(model)(seconds=model.seconds))

    async def work(rows: int) -> None:
        for _ in range(rows):
            for asked, system, human, metadata in calls:
                await asked.ainvoke([SystemMessage(system), HumanMessage(human)], {"metadata": dict(metadata)})

    return work


def one_by_one(scorer: Scorer) -> Work:
    async def work(rows: int) -> None:
        for _ in range(rows):
            assert (await scorer.arun(**ROW)).score == 1.0

    return work


def evals(scorer: Scorer, concurrency: int) -> Work:
    """Rows that differ, as equal calls at the same time would be one."""

    async def work(rows: int) -> None:
        data = ({**ROW, "output": f"{ROW['output']} {n}"} for n in range(rows))
        report = await arun_evals(data, scorer, concurrency=concurrency)
        assert report.scores["faithfulness"].mean == 1.0

    return work


def bare_side_by_side(model: Instant, concurrency: int) -> Work:
    """The bare loop of all rows, so many at once."""
    one = bare(model)

    async def work(rows: int) -> None:
        left = iter(range(rows))

        async def worker() -> None:
            for _ in left:
                await one(1)

        await asyncio.gather(*(worker() for _ in range(concurrency)))

    return work


class Skipping(selectors.DefaultSelector):
    """Never waits, and counts the seconds that it was to wait while nothing came."""

    skipped = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        events = super().select(0)
        self.skipped += 0.0 if events else timeout or 0.0
        return events


class Alone(asyncio.SelectorEventLoop):
    """A loop whose clock shows the process's CPU time and the waits: as if nothing else ran on the machine."""

    def __init__(self) -> None:
        self.waits = Skipping()
        super().__init__(self.waits)

    def time(self) -> float:
        return time.process_time() + self.waits.skipped


def seconds(work: Coroutine[Any, Any, None], clock: Callable[[], float] | None = None) -> float:
    """What `work` takes by that clock; by that of a loop that has the machine for itself where none is given."""

    async def measured() -> float:
        now = clock or asyncio.get_running_loop().time
        begun = now()
        await work
        return now() - begun

    with asyncio.Runner(loop_factory=None if clock else Alone) as runner:
        return runner.run(measured())


def cpu(rows: int, turns: int) -> list[dict[str, Any]]:
    """Milliseconds of CPU a row: the least of all turns, as what else runs on the machine only adds to it."""
    ours: dict[str, tuple[Work, Work]] = {}
    for how, model in {"JSON asked for in text": Instant(), "structured output": Structured()}.items():
        scorer = create_faithfulness_scorer(model, context=CONTEXT)
        ours |= {f"scorer.arun, one by one, {how}": (one_by_one(scorer), bare(model))}
        ours |= {f"run_evals, {n} in flight, {how}": (evals(scorer, n), bare(model)) for n in (1, 8, 50)}
        ours |= {f"run_evals, 50 in flight, {how}, 50 bare loops": (evals(scorer, 50), bare_side_by_side(model, 50))}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ours}
    for _ in range(turns + 1):  # the first one warms up
        for name, pair in ours.items():
            mine, floor = (seconds(work(rows), time.process_time) / rows * 1000 for work in pair)
            times[name].append((mine, floor))
    return [_beside(name, "ms CPU a row", *map(min, zip(*measured, strict=True))) for name, measured in times.items()]


def wall(turns: int, rows: int = 400, in_flight: int = 50, call: float = 0.05) -> list[dict[str, Any]]:
    """Seconds for all rows, beside the ideal: calls ÷ in flight x seconds a call; as it was, and as it were alone."""
    model = Instant(seconds=call)
    scorer = create_faithfulness_scorer(model, context=CONTEXT)
    ideal = rows * len(REPLIES) / in_flight * call
    ways = {
        "bare loops, 50 at once": bare_side_by_side(model, in_flight),
        "run_evals, 50 in flight": evals(scorer, in_flight),
    }
    clocks = {"": time.perf_counter, ", alone on the machine": None}
    times: dict[str, list[float]] = {name + where: [] for where in clocks for name in ways}
    for _ in range(turns):
        for where, clock in clocks.items():
            for name, work in ways.items():
                times[name + where].append(seconds(work(rows), clock))
    unit = f"s for {rows} rows of 50 ms a call"
    return [_beside(name, unit, min(measured), ideal) for name, measured in times.items()]


def _beside(name: str, unit: str, measured: float, floor: float) -> dict[str, Any]:
    ratio = round(measured / floor, 2)
    return {"what": name, "unit": unit, "measured": round(measured, 3), "floor": round(floor, 3), "times": ratio}


def main() -> None:
    asked = asked_for(__doc__, rows=100, turns=15, profile=False)
    told(
        [*cpu(asked.rows, asked.turns), *wall(max(asked.turns // 5, 1))], asked.json,
        "goal 1.5 times the bare calls in CPU, 2.0 the most; 1.05 times the ideal in wall time, 1.10 the most",
    )  # fmt: skip
    if asked.profile:
        scorer = create_faithfulness_scorer(Instant(), context=CONTEXT)
        with cProfile.Profile() as profile:
            asyncio.run(one_by_one(scorer)(300))
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
