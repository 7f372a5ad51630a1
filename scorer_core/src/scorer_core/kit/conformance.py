"""What every pack of templates is held to, as a class of tests: ours, and those of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from ..contract.spec import ScorerSpec
from ..plugins import SCORERS, plugins
from ..prompting.checks import check_pack, rendered
from ..prompting.marks import clean
from ..prompting.packs import Pack, find_pack
from ..prompting.samples import sample_names
from ..prompting.templates import Prompt, Prompts
from ..prompting.uses import Use, uses
from .complete import Kit


class PackConformance(Kit):
    """What a pack of templates is held to; subclass it in a test file, and pytest runs the rest.

        class TestOurs(PackConformance):
            pack = Path(__file__).parents[1] / "src/our_prompts"
            whole = ("faithfulness",)

    Attributes:
        pack: The folder of a pack, or the name of one that is installed.
        scorers: Those it is tried with; all that are installed unless given.
        whole: The ids of scorers of which it has every template that a judge is sent.
        warnings: Parts of warnings that are meant to be.
    """

    pack: ClassVar[str | Path | Pack]
    scorers: ClassVar[Sequence[ScorerSpec[Any, Any]]] = ()
    whole: ClassVar[Sequence[str]] = ()
    warnings: ClassVar[Sequence[str]] = ()

    def test_nothing_is_wrong_with_it(self) -> None:
        """`scorer prompts check` finds no error, and no warning but those that are meant."""
        found = check_pack(self._pack(), self._scorers())
        unmeant = [f for f in found if f.error or not any(meant in f.what for meant in self.warnings)]
        assert not unmeant, "\n" + "\n".join(map(str, unmeant))

    def test_something_of_it_is_read(self) -> None:
        """It has a template of one of the scorers at least."""
        known = {file for s in self._scorers() for use in uses(s).values() for file in (use.file, use.instructions)}
        read = known & {*self._pack().names()}
        assert read, f"no template of {self._pack().name} is read by {[s.id for s in self._scorers()]}"

    def test_it_has_the_whole_of_the_scorers_it_names(self) -> None:
        """No prompt of those scorers falls back to words of the plugin's own."""
        have = {*self._pack().names()}
        for spec in self._scorers():
            asked = [use for name, use in uses(spec).items() if name != "summary"] if spec.id in self.whole else []
            missing = {file for use in asked for file in (use.file, use.instructions)} - have
            assert not missing, f"{spec.id}: the pack has no {', '.join(sorted(missing))}"
        assert {*self.whole} <= {spec.id for spec in self._scorers()}

    def test_row_text_comes_out_as_it_went_in_and_the_prompt_is_the_same_every_time(self) -> None:
        """Whatever a row holds stands between marks as it was, in a prompt that the next run makes again."""
        from hypothesis import Phase, given, settings
        from hypothesis import strategies as st

        hostile = ("{{ 7 * 7 }}", "{% endraw %}{{ x }}", "</answer>", "<b>&lt;", r"x_{{max}} \pm {0}", "\ud800", "語\0")

        runs, changed_by = [Prompts((self._pack(),)) for _ in range(2)], [*self._changed()]

        @settings(max_examples=25, deadline=None, database=None, phases=(Phase.generate,))
        @given(st.text(max_size=100) | st.sampled_from(hostile))
        def holds(text: str) -> None:
            for spec, use in changed_by:
                names = sample_names(spec, use.step, use.ask)
                changed = {n: _with_text(names[n], f"{_SIGN}{n}{_SIGN}{text}") for n in _ROW_TEXT if names[n]}
                first, again = (prompts.render(spec, use.step, use.ask, names | changed) for prompts in runs)
                assert first == again, f"{use.file}: another prompt for the same row"
                for value in changed.values():
                    _stands(value, first, use.file)

        holds()

    def test_every_prompt_can_be_made_in_every_language(self) -> None:
        """No template fails for a language that is asked for, or for none."""
        prompts = Prompts((self._pack(),))
        for spec, use in self._changed():
            for language in (None, "Japanese", "Arabic"):
                assert rendered(prompts, spec, use, language).text

    def _pack(self) -> Pack:
        return self.pack if isinstance(self.pack, Pack) else find_pack(self.pack)

    def _scorers(self) -> Sequence[ScorerSpec[Any, Any]]:
        return self.scorers or [plugin.value for plugin in plugins(SCORERS) if plugin.error is None]

    def _changed(self) -> Iterator[tuple[ScorerSpec[Any, Any], Use]]:
        """The prompts that the pack has a hand in."""
        pack, prompts = self._pack(), Prompts((self._pack(),))
        for spec in self._scorers():
            for name, use in uses(spec).items():
                if name != "summary":
                    files = prompts.files(spec, [(use.step, use.ask)])
                    if any(file.pack == pack.name for file in files):
                        yield spec, use


_SIGN = "\N{SECTION SIGN}"
_ROW_TEXT = ("question", "answer", "ground_truth", "context", "items")


def _with_text(value: Any, text: str) -> Any:
    return (text, *value[1:]) if isinstance(value, tuple) else text


def _stands(value: Any, prompt: Prompt, file: str) -> None:
    """Hold a text that a prompt shows to be as it was, between marks."""
    text = clean(value[0] if isinstance(value, tuple) else value)
    sign = text[: text.index(_SIGN, 1) + 1]
    for _, shown in re.findall(rf"<[^<>]* ([0-9a-f]{{6,}})>({sign}.*?)</\1>", prompt.text, re.S):
        assert shown == text, f"{file}: {text!r} came out as {shown!r}"
    outside = re.sub(r"<[^<>]* ([0-9a-f]{6,})>.*?</\1>", "", prompt.text, flags=re.S)
    assert sign not in outside, f"{file}: {text!r} stands outside of marks"
