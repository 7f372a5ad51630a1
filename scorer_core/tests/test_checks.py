"""What is wrong with a pack: file, line, the line itself, and what to do."""

from __future__ import annotations

import pytest

import scorer_answer_similarity
import scorer_bias
import scorer_faithfulness
import scorer_hallucination
from scorer_core import Prompts
from scorer_core.prompting.checks import BUDGET, check_pack, rendered, size
from scorer_core.prompting.packs import Pack
from scorer_core.prompting.uses import uses

SPECS = [m.spec for m in (scorer_answer_similarity, scorer_bias, scorer_faithfulness, scorer_hallucination)]
EXTENDS = '{% extends "default/faithfulness/analyze.j2" %}\n'
MARKED = '{{ mark("context", context) }}{{ mark("question", question) }}{{ mark("claim", items) }}{{ answer_shape }}'


@pytest.fixture
def found(tmp_path):
    """A function that gives the findings about a pack with these files."""

    def check(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return check_pack(Pack("p", tmp_path), SPECS)

    return check


def test_a_pack_that_rewords_one_block_is_fine(found):
    assert found({"faithfulness/analyze.j2": EXTENDS + "{% block task %}Judge.{% endblock %}"}) == []


def test_a_pack_that_keeps_what_the_judge_needs_is_fine(found):
    assert found({"faithfulness/analyze.j2": MARKED, "README.md": "# Ours", "pack.toml": 'name = "p"'}) == []


ERRORS = {
    "syntax": (EXTENDS + "{% blok task %}", 2, "unknown tag 'blok'", "{% blok task %}"),
    "a name that is not there": (MARKED + "\n{{ anwser }}", 2, "did you mean 'answer'?", "{{ anwser }}"),
    "a name of a later step": (MARKED + "\n{{ score }}", 2, "at this step (analyze)", "{{ score }}"),
    "outside the language": (MARKED + "\n{{ range(3) }}", 2, "is not part of the template language", "{{ range(3) }}"),
    "row text without marks": (MARKED + "\n  {{ answer | trim }}", 2, "shows answer without", "{{ answer | trim }}"),
    "row text without marks, by a loop": (
        MARKED + "\n{% for chunk in context %}\n{{ chunk }}{% endfor %}", 3, "shows context without marks",
        "{{ chunk }}{% endfor %}",
    ),
    "row text without marks, by another name": (
        MARKED + "{% set a = items[0] %}{% set b = a or question %}\n{{ 'x' if b else b }}", 2,
        "shows items without marks", "{{ 'x' if b else b }}",
    ),
    "a block that overrides nothing": (
        EXTENDS + "{% block taks %}x{% endblock %}", 2,
        "block 'taks' overrides nothing (did you mean 'task'?); there are: task, rules, examples, answer, data",
        "{% block taks %}x{% endblock %}",
    ),
    "text that is never shown": (EXTENDS + "\nBe kind.\n{% block task %}x{% endblock %}", 2, "never shown", ""),
    "no shape": ('{{ mark("context", context) }}{{ mark("claim", items) }}', None, "put {{ answer_shape }} into", ""),
    "no items": (EXTENDS + "{% block data %}{% endblock %}", None, "does not show the judge 'claim' between marks", ""),
    "no context": (
        MARKED.replace('{{ mark("context", context) }}', ""), None, "does not show the judge 'context' between", ""
    ),
    "values that are not there": (MARKED + "{{ options.kinds }}", None, "has no attribute 'kinds'", ""),
    "not UTF-8": (b"a\nb \xe9", None, "is not UTF-8 (byte 0xe9 in line 2); save it as UTF-8", ""),
    "itself": ('{% extends "faithfulness/analyze.j2" %}', 1, "extends or includes itself", "{% extends"),
}  # fmt: skip


@pytest.mark.parametrize("what", ERRORS)
def test_an_error_has_its_line_and_what_to_do(found, what):
    text, line, said, shown = ERRORS[what]
    (told,) = [f for f in found({"faithfulness/analyze.j2": text}) if said in f.what]
    assert (told.file, told.line) == ("faithfulness/analyze.j2", line)
    assert told.text.startswith(shown)
    assert told.error


WARNINGS = {
    "nothing reads it": ({"faithfullness/analyze.j2": "x"}, "nothing reads faithfullness/analyze.j2; did you mean"),
    "another ending": ({"bias/analyze.txt": "x"}, "nothing reads bias/analyze.txt: the name of a template ends in .j2"),
    "a byte-order mark": ({"bias/instructions.j2": b"\xef\xbb\xbf</ID>"}, "has a byte-order mark"),
    "Windows line ends": ({"bias/instructions.j2": "</ID>\r\n"}, "has Windows line ends"),
    "no word on marks": ({"bias/instructions.j2": "You judge."}, "does not say what marks are: that text between"),
    "a piece less": (
        {"faithfulness/analyze.j2": MARKED.replace('{{ mark("question", question) }}', "")},
        "does not show the judge 'question' between marks",
    ),
    "too long": (
        {"faithfulness/analyze.j2": EXTENDS + "{% block task %}" + "x" * BUDGET + "{% endblock %}"},
        "without the pack; aim at 4,",
    ),
    "another version": ({"pack.toml": '[scorers]\nbias = ">=9"\n'}, "was made for bias >=9, this is"),
    "no such scorer": ({"pack.toml": '[scorers]\ntone = ">=9"\n'}, "no scorer 'tone' is installed here"),
}  # fmt: skip


@pytest.mark.parametrize("what", WARNINGS)
def test_a_warning_is_no_error(found, what):
    files, said = WARNINGS[what]
    (told,) = found(files)
    assert said in told.what
    assert not told.error


def test_a_manifest_that_can_not_be_read_is_an_error_and_hides_no_other(found):
    told = found({"pack.toml": "colour = 1", "faithfulness/analyze.j2": EXTENDS + "{% endfor %}"})
    assert [f.file for f in told if f.error] == ["faithfulness/analyze.j2", "pack.toml"]


def test_errors_of_several_steps_are_told_together_once_each(found):
    files = {"claims/preprocess.j2": "{{ anwser }}", "faithfulness/analyze.j2": "{{ outputs }}"}
    assert [f.file for f in found(files)] == ["claims/preprocess.j2", "faithfulness/analyze.j2"]


def test_a_pack_without_templates_of_these_scorers_is_told_file_by_file(found):
    assert [f.file for f in found({"a.j2": "x", "x/y/z.j2": "x"})] == ["a.j2", "x/y/z.j2"]


def test_included_files_are_read_and_checked(found):
    told = found(
        {"faithfulness/analyze.j2": MARKED + '{% include "house/tone.j2" %}', "house/tone.j2": "\n{{ answer }}"}
    )
    assert [(f.file, f.line) for f in told] == [("house/tone.j2", 2)]


def test_the_plugins_own_templates_render_with_the_made_up_row():
    for spec in SPECS:
        for use in uses(spec).values():
            assert rendered(Prompts(), spec, use).text
        assert 3000 < size(Prompts(), spec) < 5000


def test_a_scorer_has_a_use_for_each_step_that_asks_and_for_a_single_call_and_a_summary():
    told = {use.name: use.file for use in uses(scorer_faithfulness.spec).values()}
    assert told == {
        "preprocess": "claims/preprocess.j2",
        "analyze": "faithfulness/analyze.j2",
        "generate_reason": "faithfulness/generate_reason.j2",
        "single": "faithfulness/single.j2",
        "summary": "faithfulness/summary.j2",
    }
    assert "single" not in uses(scorer_answer_similarity.spec)


def test_one_of_two_lists_of_the_same_texts_that_is_not_shown_is_told(found):
    block = '{% block data %}{{ mark("question", question) }}{{ mark("ground_truth_unit", items) }}{% endblock %}'
    (told,) = found({"answer_similarity/analyze.j2": EXTENDS.replace("faithfulness", "answer_similarity") + block})
    assert "does not show the judge 'output_unit' between marks" in told.what
    assert told.error


def test_a_reason_may_be_told_by_less(found):
    block = '{% block data %}{{ mark("match", analyze.matches) }}{% endblock %}'
    extends = '{% extends "default/answer_similarity/generate_reason.j2" %}'
    told = found({"answer_similarity/generate_reason.j2": extends + block})
    assert [f.error for f in told] == [False, False]
