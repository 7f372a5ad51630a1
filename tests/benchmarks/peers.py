"""CPU per row of other libraries on the same instant model; read README.md for what can be compared.

    uv run --with-requirements tests/peers.txt python tests/benchmarks/peers.py

Those that are not installed are left out and named.

    --rows N       rows each (default 200)
    --json FILE    write the figures as JSON
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import time
from collections.abc import Callable, Coroutine
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from overhead import CONTEXT, ROW, Instant, bare, one_by_one, seconds
from table import asked_for, told

from scorer_faithfulness import create_faithfulness_scorer

Work = Callable[[int], Coroutine[Any, Any, None]]
os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = os.environ["RAGAS_DO_NOT_TRACK"] = "true"


class Fixed(BaseChatModel):
    """A chat model that replies at once, by the first of its keys that stands in the prompt, and counts its calls."""

    replies: dict[str, str]
    calls: list[int] = []

    @property
    def _llm_type(self) -> str:
        return "fixed"

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        self.calls.append(1)
        prompt = " ".join(str(m.content) for m in messages)
        words = next(reply for key, reply in self.replies.items() if key in prompt)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(words))])

    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:
        return self._generate(*args, **kwargs)


def ours() -> tuple[Work, Callable[[], int]]:
    model = Instant()
    return one_by_one(create_faithfulness_scorer(model, context=CONTEXT)), lambda: 3


def floor() -> tuple[Work, Callable[[], int]]:
    return bare(Instant()), lambda: 3


def deepeval() -> tuple[Work, Callable[[], int]]:
    """FaithfulnessMetric: truths, claims, verdicts and a reason."""
    from deepeval.metrics import FaithfulnessMetric
    from deepeval.models import DeepEvalBaseLLM
    from deepeval.test_case import LLMTestCase

    verdicts = json.dumps({"verdicts": [{"verdict": "yes", "reason": "so"}] * 3})
    claims = json.dumps({"truths": CONTEXT, "claims": ["a", "b", "c"], "verdicts": [{"verdict": "yes"}] * 3})
    model = Fixed(replies={"faithfulness score": json.dumps({"reason": "All."}), "verdict": verdicts, "": claims})

    class Model(DeepEvalBaseLLM):  # type: ignore[misc]
        def load_model(self) -> Any:
            return model

        def generate(self, prompt: str) -> str:
            return str(model.invoke(prompt).content)

        async def a_generate(self, prompt: str) -> str:
            return str((await model.ainvoke(prompt)).content)

        def get_model_name(self) -> str:
            return "fixed"

    async def work(rows: int) -> None:
        for _ in range(rows):
            case = LLMTestCase(input=ROW["input"], actual_output=ROW["output"], retrieval_context=CONTEXT)
            await FaithfulnessMetric(model=Model()).a_measure(case, _show_indicator=False)

    return work, lambda: len(model.calls)


def ragas() -> tuple[Work, Callable[[], int]]:
    """Faithfulness: statements and verdicts."""
    from ragas.dataset_schema import SingleTurnSample
    from ragas.llms import LangchainLLMWrapper
    from ragas.metrics import Faithfulness

    told = json.dumps({"statements": [{"statement": s, "reason": "so", "verdict": 1} for s in ("a", "b", "c")]})
    first = json.dumps({"statements": ["a", "b", "c"]})
    model = Fixed(replies={"judge the faithfulness": told, "": first})
    metric = Faithfulness(llm=LangchainLLMWrapper(model))

    async def work(rows: int) -> None:
        for _ in range(rows):
            sample = SingleTurnSample(user_input=ROW["input"], response=ROW["output"], retrieved_contexts=CONTEXT)
            await metric.single_turn_ascore(sample)

    return work, lambda: len(model.calls)


def openevals() -> tuple[Work, Callable[[], int]]:
    """One call that is asked for a score."""
    from langchain_core.runnables import RunnableLambda
    from openevals.llm import create_async_llm_as_judge

    class Scored(Fixed):
        def with_structured_output(self, schema: Any, **how: Any) -> Any:
            return self | RunnableLambda(lambda message: json.loads(message.content))

    model = Scored(replies={"": json.dumps({"score": True, "reasoning": "All."})})
    prompt = "Is <output>{outputs}</output> supported by <context>{context}</context>?"
    judge = create_async_llm_as_judge(prompt=prompt, judge=model)

    async def work(rows: int) -> None:
        for _ in range(rows):
            await judge(inputs=ROW["input"], outputs=ROW["output"], context="\n".join(CONTEXT))

    return work, lambda: len(model.calls)


def measured(name: str, made: Callable[[], tuple[Work, Callable[[], int]]], rows: int) -> dict[str, Any]:
    """Milliseconds of CPU a row, calls a row; or why there are none."""
    if name not in ("ours", "bare calls") and importlib.util.find_spec(name) is None:
        return {"what": name, "ms CPU a row": "not installed", "calls a row": ""}
    try:
        work, calls = made()
        asyncio.run(work(3))
        before = calls()
        took = min(seconds(work(rows), time.process_time) for _ in range(2)) / rows * 1000
    except Exception as e:
        return {"what": name, "ms CPU a row": f"{type(e).__name__}: {e}"[:60], "calls a row": ""}
    a_row = (calls() - before) / rows / 2
    return {"what": name, "ms CPU a row": round(took, 2), "calls a row": round(a_row, 2) or calls()}


def main() -> None:
    asked = asked_for(__doc__, rows=200)
    ways = {"bare calls": floor, "ours": ours, "deepeval": deepeval, "ragas": ragas, "openevals": openevals}
    told(
        [measured(name, made, asked.rows) for name, made in ways.items()], asked.json,
        "one row after the other; what is asked differs from library to library, so divide by the calls with care",
    )  # fmt: skip


if __name__ == "__main__":
    main()
