"""What a scorer is put through by its checks: runs that lack something, judges that say anything, rows side by side."""

from __future__ import annotations

import asyncio
import contextvars
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from attrs import evolve, frozen

from ..answering.answers import Answer, read, value_of
from ..answering.exact import strict
from ..answering.question import Question
from ..contract.plain import plain
from ..contract.schema import Run, RunResult
from ..contract.spec import ScorerSpec
from ..contract.trail import Step
from ..judging.scripted import ScriptedJudge
from ..prompting.samples import ITEMS
from ..prompting.templates import Prompts
from ..runs.messages import said
from ..scorer import Scorer
from .examples import Example
from .made_up import MadeUp, Pick, Saying

AnySpec: TypeAlias = ScorerSpec[Any, Any]
Says: TypeAlias = Callable[[str, Question], str]

_row: contextvars.ContextVar[int] = contextvars.ContextVar("row")
_IMPORT = """
import sys
sys.path[:] = {path!r}
found = []
sys.addaudithook(lambda event, args: found.append(event) if event.startswith("socket.") else None)
import {module}
found += sorted({{name.partition(".")[0] for name in sys.modules}} & {{"langchain", "langchain_core"}})
print(found)
"""


class AnyList(dict[str, Sequence[str]]):
    """The lists of which a reply names pieces by number: they have all the same."""

    def __missing__(self, name: str) -> Sequence[str]:
        return ITEMS


@frozen
class Rows:
    """Runs of one scorer, with what the judge says of each."""

    scorer: Scorer
    runs: Sequence[Run]

    @classmethod
    def of(cls, spec: AnySpec, examples: Sequence[Example]) -> Rows:
        """The examples with the options of the first, and a row about something else."""
        runs, says = zip(*_rows(spec, examples), strict=True)
        options = spec.make_options(examples[0].options)
        return cls(asking(spec, options, lambda step, question: says[_row.get()](step, question)), runs)

    def come_to(self, order: Sequence[int]) -> Sequence[Mapping[str, Any]]:
        """What the runs of these numbers come to, all at once."""

        async def one(n: int) -> Mapping[str, Any]:
            _row.set(n)
            return told(await self.scorer.arun(self.runs[n]))

        async def together() -> Sequence[Mapping[str, Any]]:
            return await asyncio.gather(*map(one, order))

        return asyncio.run(together())


def _rows(spec: AnySpec, examples: Sequence[Example]) -> Iterator[tuple[Run, Says]]:
    for example in examples:
        if example.options == examples[0].options:
            replies = {step: str(x[-1].reply) for step, x in example.result(spec).judge.items()}
            yield example.run, lambda step, _, replies=replies: replies[step]  # type: ignore[misc]
    other = evolve(examples[0].run, output="Nothing is known of it, it is said.")
    yield other, lambda _, question: MadeUp(question, lambda choices: choices[-1]).reply()


def asking(spec: AnySpec, options: Any, says: Says, prompts: Prompts | None = None) -> Scorer:
    """A scorer whose judge is a function of step and question."""
    judge = Saying(ScriptedJudge(), structured="text", format_retries=0, says=says)
    return Scorer.of(spec, judge, options=options, prompts=prompts or Prompts())


def scored(spec: AnySpec, run: Run, options: Any, pick: Pick, prompts: Prompts | None = None) -> RunResult:
    """What comes of a run with a judge that says anything that fits; `prompts` spare reading the templates again."""
    scorer = asking(spec, options, lambda _, question: MadeUp(question, pick).reply(), prompts)
    return asyncio.run(scorer.arun(run))


def reaching(spec: AnySpec, examples: Sequence[Example], step: Step) -> tuple[Example, str]:
    """An example in which a step is asked, and what the judge says there."""
    results = ((example, example.result(spec).judge.get(step)) for example in examples)
    reached = next(((example, asked[-1].reply) for example, asked in results if asked), None)
    assert reached, f"no example gets as far as {step}; add one"
    return reached[0], str(reached[1])


def drawn(data: Any) -> Pick:
    """Choices that Hypothesis makes."""
    from hypothesis import strategies as st

    return lambda choices: data.draw(st.sampled_from(choices))


def reads_back(question: Question) -> None:
    """Hold replies to a question to be read, and to be the same after JSON."""
    from hypothesis import Phase, given, settings
    from hypothesis import strategies as st

    fit, unfit = list[str](), list[str]()

    @settings(max_examples=30, deadline=None, database=None, phases=(Phase.generate,))
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        words = MadeUp(question, drawn(data)).reply()
        answer = read(question, words, Answer())
        if answer.problems:  # the class itself refuses it, such as two fields that do not go together
            unfit.append(str(answer))
        else:
            value = value_of(question, answer)
            assert strict.structure(json.loads(json.dumps(plain(value))), question.reply) == value
            fit.append(words)

    holds()
    assert fit, f"no reply fits {question.reply.__name__}: {unfit[0]}"


def without(run: Run, name: str) -> Run:
    """A run that lacks one of the names of the trail; what was said in messages is kept as texts."""
    spoken = said(run)
    given = {"input": spoken.question or None, "output": spoken.answer}
    lost = {"question": "input", "answer": "output"}.get(name, name)
    changed: dict[str, Any] = {**given, lost: None}
    return evolve(run, messages=(), **changed)


def imported(module: str) -> subprocess.CompletedProcess[str]:
    """A fresh process that imports a module and prints what connections it opens and what it loads of LangChain."""
    code = _IMPORT.format(path=sys.path, module=module)
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )


def kind_of(result: RunResult) -> str | None:
    """The kind of error of a result that has one."""
    return result.error.kind if result.error else None


def told(result: RunResult) -> Mapping[str, Any]:
    """What of a result does not change from one time to the next."""
    names = ("status", "score", "vacuous", "reason", "notes", "preprocess_step_result", "analyze_step_result")
    return {name: plain(getattr(result, name)) for name in names} | {"error": plain(result.error)}
