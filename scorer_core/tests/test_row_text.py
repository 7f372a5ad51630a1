"""Row text: whatever it is, it stands in the prompt as it came, between marks that are the same every time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorer_faithfulness
from scorer_core import Prompts
from scorer_core.contract.trail import Options

SPEC = scorer_faithfulness.spec
PROMPTS = Prompts()
SURROGATES, TAKEN = r"[\ud800-\udfff]", r"[\0\1]"
TEXTS = st.text(st.characters(codec=None), max_size=200) | st.sampled_from(
    [
        "{{ 7 * 7 }}",
        "{% endraw %}",
        "{# x #}",
        "</answer>",
        "<answer 3f9a1c>",
        "\\1 \\g<0>",
        "&lt;<b>",
        "語\u202eabc",
        "\r\n",
    ]
)


def prompt(prompts=PROMPTS, **names):
    known = dict.fromkeys(("preprocess", "analyze", "ground_truth", "language", "run", "question"))
    known |= {"answer": "a", "context": (), "items": (), "options": Options(), "scale": 1.0, "answer_shape": "SHAPE"}
    return prompts.render(SPEC, "analyze", SPEC.asks["analyze"], {**known, **names}).text


def between(name, text):
    """The texts between marks of this name."""
    return [body for _, body in re.findall(rf"<{name} (\w+)>(.*?)</\1>", text, re.S)]


@given(st.lists(TEXTS, min_size=1, max_size=3), st.lists(TEXTS, max_size=3))
def test_R111_R116_R118_any_text_survives_between_its_marks_which_stay_the_same(items, context):
    made = prompt(items=tuple(items), context=tuple(context))
    assert made == prompt(Prompts(), items=tuple(items), context=tuple(context))
    fit = [as_sent(text) for text in (*context, *items)]
    assert between(r"(?:context|claim) \d+", made) == fit


def as_sent(text):
    """A text as it may be sent: no lone surrogates, and none of the characters that hold the places of marks."""
    paired = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return re.sub(TAKEN, "\ufffd", re.sub(SURROGATES, "\ufffd", paired))


@given(TEXTS)
def test_R118_the_id_of_the_marks_is_in_no_text(text):
    id = re.search(r"</(\w+)>\nJudge each claim\.$", prompt(items=(text, f"{text}!")))[1]
    assert id not in as_sent(text)


@pytest.mark.parametrize("text", ["語 <b> {{ x }} " * 150_000, "\ud800 \udc00" * 300_000, "ଅآא" * 700_000])
def test_two_megabytes_in_any_script_come_out_as_they_went_in(text):
    assert between("claim 1", prompt(items=(text,))) == [as_sent(text)]
