"""CPU per row beside the bare model calls: python tests/benchmarks/overhead.py [--profile]

One row of faithfulness with three claims takes three calls; the bare loop makes the same three `ainvoke` calls on the
same model. Both in one run, so that the ratio holds on a noisy machine.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import pstats
import sys
import time
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from scorer_faithfulness import create_faithfulness_scorer

ROWS, ROUNDS = 300, 5
VERDICTS = [{"number": n, "reason": "The context says so.", "chunk": 1, "verdict": "yes"} for n in (1, 2, 3)]
REPLIES = {
    "preprocess": json.dumps({"claims": ["It opened in 1932.", "It is 134 metres high.", "It is red."]}),
    "analyze": json.dumps({"verdicts": VERDICTS}),
    "generate_reason": "All three claims are supported.",
}


class Instant(BaseChatModel):
    """A chat model that replies at once."""

    @property
    def _llm_type(self) -> str:
        return "instant"

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(REPLIES[run_manager.metadata["step"]]))])


async def bare(model: BaseChatModel, prompts: dict[str, str]) -> None:
    for _ in range(ROWS):
        for step, prompt in prompts.items():
            await model.ainvoke([SystemMessage("Check."), HumanMessage(prompt)], {"metadata": {"step": step}})


async def scored(scorer: Any) -> None:
    for _ in range(ROWS):
        result = await scorer.arun(input="How high?", output="It opened in 1932, is 134 metres high and red.")
        assert result.score == 1.0


def seconds(work: Any) -> float:
    begun = time.process_time()
    asyncio.run(work)
    return time.process_time() - begun


def main() -> None:
    model = Instant()
    scorer = create_faithfulness_scorer(model, context=["Opened to traffic in 1932.", "134 metres high, painted red."])
    first = scorer.run(input="How high?", output="It opened in 1932, is 134 metres high and red.")
    prompts = {step: str(getattr(first, f"{step}_prompt")) for step in REPLIES}
    seconds(bare(model, prompts)), seconds(scored(scorer))
    both = [(seconds(bare(model, prompts)), seconds(scored(scorer))) for _ in range(ROUNDS)]
    floor, ours = (min(times) / ROWS * 1000 for times in zip(*both, strict=True))
    print(f"bare calls {floor:.2f} ms CPU a row, scored {ours:.2f} ms a row, {ours / floor:.2f} times")
    if "--profile" in sys.argv:
        with cProfile.Profile() as profile:
            asyncio.run(scored(scorer))
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
