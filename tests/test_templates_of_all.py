"""Every template of every scorer: cut into the same blocks in the same order, in words alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = ["task", "rules", "examples", "answer", "data"]
TEMPLATES = sorted(
    p
    for folder in ("scorer_core/src", "scorer_plugins/scorers")
    for p in (ROOT / folder).rglob("templates/**/*.j2")
    if p.stem != "instructions"
)
PROMPTS = [p for p in TEMPLATES if p.stem != "summary"]
SUMMARIES = [p for p in TEMPLATES if p.stem == "summary"]  # a text that is sent to nobody: no rules to give


def blocks(path):
    return re.findall(r"{% block (\w+) %}", path.read_text(encoding="utf-8"))


def told(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PROMPTS, ids=told)
def test_every_prompt_has_the_five_blocks_in_this_order(path):
    assert blocks(path) == BLOCKS


@pytest.mark.parametrize("path", SUMMARIES, ids=told)
def test_a_summary_has_a_task_and_data(path):
    assert blocks(path) == ["task", "data"]


@pytest.mark.parametrize("path", PROMPTS, ids=told)
def test_a_prompt_ends_with_a_line_that_names_the_task_again_below_the_data(path):
    last = path.read_text(encoding="utf-8").partition("{% block data %}")[2].rpartition("{% endblock %}")[2].strip()
    assert last
    assert "\n" not in last


@pytest.mark.parametrize("path", PROMPTS, ids=told)
def test_R016_no_template_types_the_shape_of_the_reply_by_hand(path):
    """What a template shows of the reply is made from the class that reads it, so the two can't disagree on a key."""
    answer = re.search(r"{% block answer %}\n(.*?){% endblock %}", path.read_text(encoding="utf-8"), re.S)[1]
    assert ("{{ answer_shape }}" in answer) == (path.stem != "generate_reason")
    assert not re.search(r'(?<!\{)\{ *"', path.read_text(encoding="utf-8"))


def test_all_scorers_are_looked_at():
    explained = {p.parent.parent.name for p in PROMPTS if p.stem == "generate_reason"}
    assert {p.parent.parent.name for p in SUMMARIES} == explained
    assert len(explained) >= 4
