"""What every scorer is held to, as a class of tests: ours, and those of others."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from attrs import evolve

from ..answering.answers import Question
from ..contract.ask import Ask
from ..contract.schema import RunResult
from ..contract.shapes import answer_shape, json_schema
from ..contract.spec import ScorerSpec
from ..contract.trail import Options, Step
from ..plugins import SCORERS, installed, load_scorer
from ..prompting.checks import check_pack, rendered
from ..prompting.packs import own_templates
from ..prompting.samples import CONTEXT, ITEMS
from ..prompting.templates import Prompts
from ..prompting.uses import uses
from .complete import Kit
from .examples import Example
from .trials import AnyList, Rows, drawn, imported, kind_of, reaching, reads_back, scored, without
from .wrong_replies import (
    NONSENSE,
    WORDS,
    labels_of,
    object_in,
    silent_verdicts,
    texts_of,
    unnumbered,
    with_value,
    without_last_item,
)


class ScorerConformance(Kit):
    """What a scorer is held to; subclass it in a test file, and pytest runs the rest.

        class TestOurs(ScorerConformance):
            spec = our_scorer.spec
            examples = (
                Example(Run(output="Red"), answers=({"claims": ["Red"]}, ...), score=0.5),
                ...
            )

    Attributes:
        spec: The scorer.
        examples: Runs and what they score. Two that come to different scores; together they reach every step.
    """

    spec: ClassVar[ScorerSpec[Any, Any]]
    examples: ClassVar[Sequence[Example]]

    def test_it_is_installed_under_its_id(self) -> None:
        """An entry point of an installed package leads from its id to its spec."""
        found = load_scorer(self.spec.id)
        assert found is self.spec, f"the entry point {self.spec.id!r} leads to another spec"

    def test_it_says_what_it_measures(self) -> None:
        """It has a description in one line, and a name for every score, each only once."""
        spec = self.spec
        assert spec.description.strip(), f"{spec.id}: say in `description` what is measured"
        assert "\n" not in spec.description.strip(), f"{spec.id}: `description` is one line"
        names = [band.name.strip() for band in spec.bands]
        assert len(names) > 1, f"{spec.id}: give `bands`, names for ranges of the score"
        assert len({*names} - {""}) == len(names), f"{spec.id}: two bands have the same name, or none"

    def test_its_templates_show_rows_between_marks_and_use_known_names(self) -> None:
        """Its templates load, name what their step has, ask for the form of the reply, and mark all that rows hold."""
        if wrong := check_pack(own_templates(self.spec), [self.spec]) if self.spec.asks else []:
            raise AssertionError("\n" + "\n".join(map(str, wrong)))
        for name, use in uses(self.spec).items():
            if name in self.spec.asks or name == "single":
                text = rendered(Prompts(), self.spec, use).text
                marked = re.findall(r"<[^<>]* ([0-9a-f]{6,})>(.*?)</\1>", text, re.S)
                assert marked, f"{use.file} shows nothing of the row; put it between marks, as {{{{ mark(...) }}}} does"
                items = {None: (), "context": CONTEXT}.get(use.ask.each, ITEMS)
                lost = {*items} - {shown for _, shown in marked}
                assert not lost, f"{use.file} asks about items and does not show them: {{{{ mark(..., items) }}}}"

    def test_every_example_scores_what_it_says(self) -> None:
        """Each example ends as told, and together they reach every step that asks."""
        import pytest

        assert self.examples, "give `examples`: runs, what the judge says of them, and what they score"
        for example in self.examples:
            result = example.result(self.spec)
            expected = pytest.approx(example.score, abs=1e-9) if example.score is not None else None
            said = f"expected {example.score}, got {result.score} ({result.error or result.reason}): {example.run}"
            assert result.status != "failed", said
            assert result.score == expected, said
        for step in self.spec.asks:
            reaching(self.spec, self.examples, step)

    def test_a_result_survives_json(self) -> None:
        """What comes out is the same after a journey through a file, and readable there."""
        for example in self.examples:
            result = example.result(self.spec)
            line = result.to_json()
            assert RunResult.from_dict(json.loads(line)) == result
            told = json.dumps([result.preprocess_step_result, result.analyze_step_result])
            assert " object at 0x" not in told, f"a step gives what JSON can't show; give an attrs class: {told}"

    def test_what_it_needs_is_declared(self) -> None:
        """A run without what `needs` names ends as the spec says, asking nobody; without the rest none breaks."""
        example = next(e for e in self.examples if e.score is not None)
        options = self.spec.make_options(example.options)
        needs = {"context" if n == "context_source" else n for n in self.spec.needs_with(options)}
        for name in ("question", "answer", "context", "ground_truth"):
            result = scored(self.spec, without(example.run, name), example.options, lambda choices: choices[0])
            if name not in needs:
                broken = kind_of(result) == "scorer_error"
                assert not broken, f"without {name} it breaks, and `needs` does not name it: {result.error}"
            elif name == "ground_truth" and getattr(options, "require_ground_truth", True):
                assert kind_of(result) == "missing_ground_truth", f"without {name} it is {result.status}"
            elif settled := self.spec.without.get(name):
                assert result.score == settled.score * options.scale, f"without {name}: {result}"
            else:
                assert result.status == "not_scorable", f"without {name} it is {result.status}"
            assert name not in needs or not result.judge, f"without {name} somebody was asked"

    def test_any_reply_that_fits_gives_a_score_in_range(self) -> None:
        """Whatever a judge says that fits, and whatever the answer is: a fraction in [0, 1], or nothing to score."""
        from hypothesis import Phase, given, settings
        from hypothesis import strategies as st

        prompts = Prompts()

        @settings(max_examples=60, deadline=None, database=None, phases=(Phase.generate,))
        @given(st.data())
        def holds(data: st.DataObject) -> None:
            example = data.draw(st.sampled_from(self.examples))
            output = data.draw(st.none() | st.text(max_size=60))
            run = example.run if output is None else evolve(example.run, output=output)
            result = scored(self.spec, run, example.options, drawn(data), prompts)
            broken = kind_of(result) == "scorer_error"
            assert not broken, f"{result.error}; said: { {s: [e.reply for e in x] for s, x in result.judge.items()} }"

        holds()

    def test_every_reply_can_be_read_back(self) -> None:
        """What a judge says becomes the class of the reply, and that class the same JSON and back."""
        asks = [*self.spec.asks.values(), *([self.spec.at_once] if self.spec.at_once else [])]
        for ask in (a for a in asks if a.reply is not str):
            menus = ask.menus(self._options())
            assert json.dumps(json_schema(ask.reply, menus))
            assert answer_shape(ask.reply, menus)
            reads_back(Question(ask.reply, ITEMS if ask.each else (), AnyList(), menus, ask.open))

    def test_nonsense_is_no_score(self) -> None:
        """A judge that speaks of something else gives no score, whatever step it does so in."""
        for step in self._judged():
            example, _ = reaching(self.spec, self.examples, step)
            for words in NONSENSE:
                result = example.result(self.spec, **{step: words})
                assert result.status == "failed", f"{step}: {words!r} became {result.status} {result.score}"

    def test_silence_is_no_verdict(self) -> None:
        """A judge that says nothing about an item, or about a label, has given no verdict on it."""
        for step, ask in self._judged().items():
            silent = silent_verdicts(ask.reply)
            assert not silent, f"{', '.join(silent)}: a judge's silence becomes a verdict; give it no default, or None"
            example, reply = reaching(self.spec, self.examples, step)
            if ask.reply is not str and (shorter := without_last_item(ask, object_in(reply))):
                result = example.result(self.spec, **{step: shorter})
                assert kind_of(result) == "incomplete_reply", f"{step}: with one item less it is {result.status}"
        before, judging = self.spec.preprocess, self.spec.analyze
        if isinstance(before, Ask) and isinstance(judging, Ask) and (name := unnumbered(before.reply, judging)):
            raise AssertionError(
                f"{judging.reply.__name__}.{name}: silence about one of them is not noticed; "
                "give its elements a `number` and name the list they are about in Ask(..., each=...)"
            )

    def test_a_label_off_the_menu_is_no_verdict(self) -> None:
        """A word that is not on the menu fails, and no free text is read as if it were a label."""
        for step, ask in self._judged().items():
            example, reply = reaching(self.spec, self.examples, step)
            said = object_in(reply) if ask.reply is not str else {}
            for name, path in labels_of(ask.reply, said).items() if said else ():
                result = example.result(self.spec, **{step: with_value(said, path, "perhaps, who can tell")})
                assert kind_of(result) == "unknown_label", f"{step}: {name} off its menu is {result.status}"
            for name, path in texts_of(ask.reply, said).items() if said and step != "preprocess" else ():
                results = [example.result(self.spec, **{step: with_value(said, path, word)}) for word in WORDS]
                scores = {result.score for result in results}
                assert len(scores) == 1, f"{step}: the score hangs on the words of {name}; make it a Literal"

    def test_rows_do_not_touch_each_other(self) -> None:
        """Many rows at once come to what each comes to alone."""
        rows = Rows.of(self.spec, self.examples)
        alone = [told for n in range(len(rows.runs)) for told in rows.come_to([n])]
        assert len({json.dumps(told) for told in alone}) > 1, "the examples all come to the same; give two that differ"
        order = [*range(len(alone)), *reversed(range(len(alone)))]
        for n, told in zip(order, rows.come_to(order), strict=True):
            assert told == alone[n], f"beside other rows {rows.runs[n]} comes to {told}, alone to {alone[n]}"

    def test_it_can_be_pickled(self) -> None:
        """It can be sent to another process."""
        assert pickle.loads(pickle.dumps(self.spec)).id == self.spec.id

    def test_its_import_is_quiet_and_light(self) -> None:
        """Importing it prints nothing, opens no connection and loads no LangChain."""
        points = installed(SCORERS).get(self.spec.id, [])
        module = points[0].module if points else self.spec.package or self.spec.generate_score.__module__
        done = imported(module)
        assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", ""), done.stdout + done.stderr

    def _options(self) -> Options:
        return self.spec.make_options(self.examples[0].options)

    def _judged(self) -> dict[Step, Ask[Any]]:
        """The steps that ask, and on which the score hangs."""
        return {step: ask for step, ask in self.spec.asks.items() if step != "generate_reason"}
