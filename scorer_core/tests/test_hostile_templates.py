"""A pack from a stranger: what could reach out, run away or forge marks is refused when it is loaded or stopped."""

from __future__ import annotations

import pytest

import scorer_faithfulness
from scorer_core import Prompts, Run, UsageError
from scorer_core.contract.errors import Failed
from scorer_core.contract.trail import Options

SPEC = scorer_faithfulness.spec
NAMES = {
    "question": "Q", "answer": "\"The mill\" opened.", "ground_truth": None, "context": ("one", "two"),
    "items": ("a", "b"), "preprocess": None, "analyze": None, "score": 0.5, "scale": 1.0, "options": Options(),
    "language": None, "run": Run(metadata={"lang": "en", "format": "{0}"}), "answer_shape": "SHAPE",
}  # fmt: skip

HOSTILE = {
    "classes of a value": "{{ ().__class__.__base__.__subclasses__() }}",
    "globals of a function": "{{ mark.__init__.__globals__ }}{{ mark.__func__.__globals__['os'].environ() }}",
    "a file": "{% include '/etc/passwd' %}",
    "a file above": "{% include '../../secrets.j2' %}",
    "a file above, as Windows writes it": r"{% include '..\\..\\secrets.j2' %}",
    "a file named by the row": "{% include answer %}",
    "an import": "{% import 'os' as os %}",
    "a call of a method": "{{ answer.format(run) }}",
    "mark as another function": "{% set mark = answer.center %}{{ mark(1000000000) }}",
    "mark as what a loop goes over": "{% for mark in items %}{{ mark('a', answer) }}{% endfor %}",
    "super as another function": "{% set super = answer.format %}{{ super(run) }}",
    "a mark named by the row": "{{ mark(answer, context) }}",
    "a mark named to close another": "{{ mark('a></b', context) }}",
    "a mark that is changed": "{{ mark('answer', answer) | lower }}",
    "a block that is changed": (
        "{% extends 'default/faithfulness/analyze.j2' %}{% block data %}{{ super() | upper }}{% endblock %}"
    ),
    "places of marked texts": "{{ mark('answer', answer) }}\1" + "0\1",
    "the id of marks": "<answer \0>",
    "a range": "{% for i in range(1000000000) %}x{% endfor %}",
    "arithmetic of texts": "{{ 'x' * 1000000000 }}",
    "a power": "{{ 9 ** 9 ** 9 }}",
    "loops in loops": "{% for a in answer %}{% for b in answer %}x{% endfor %}{% endfor %}",
    "a recursive loop": "{% for a in items recursive %}{{ loop(items) }}{% endfor %}",
    "a macro that calls itself": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a filter that pads": "{{ answer | center(1000000000) }}",
    "a filter that reaches into values": "{{ items | map(attribute='__class__') | list }}",
    "itself": "{% include 'faithfulness/analyze.j2' %}",
    "parentheses without end": "{{ " + "(" * 50_000 + "1" + ")" * 50_000 + " }}",
    "ifs in ifs": "{% if answer %}" * 150 + "x" + "{% endif %}" * 150,
    "a text too long to read": "x" * 200_001,
}  # fmt: skip


@pytest.fixture
def loaded(tmp_path):
    """A function that gives the prompts of a pack with this template for faithfulness's analyze step."""

    def load(source):
        (tmp_path / "pack/faithfulness").mkdir(parents=True, exist_ok=True)
        (tmp_path / "pack/faithfulness/analyze.j2").write_text(source, encoding="utf-8")
        return Prompts(tmp_path / "pack")

    return load


@pytest.mark.parametrize("what", HOSTILE)
def test_R117_a_hostile_template_is_refused_when_loaded(loaded, what):
    with pytest.raises(UsageError, match="template"):
        loaded(HOSTILE[what]).check(SPEC)


def render(prompts, **names):
    return prompts.render(SPEC, "analyze", SPEC.asks["analyze"], {**NAMES, **names}).text


RUNS_AWAY = {
    "join takes a text apart": ("{{ answer" + " | join('xxxxxxxxxx')" * 12 + " }}", "expected a list"),
    "json of json doubles": ("{{ answer" + " | json" * 60 + " }}", "json makes more than 20,000,000 characters"),
    "join between many": ("{{ context | join('" + "-" * 1000 + "') }}", "join makes more than"),
    "a loop over a text": ("{% for letter in answer %}{{ answer | json }}{% endfor %}", "expected a list"),
    "digits without end": ("{{ score | round(999999999) }}", "from 0 to 15 digits"),
    "rounding by powers": ("{{ score | round(999999999, 'ceil') }}", "round"),
    "a part of nothing": ("{{ 4 is divisibleby(0) }}", "zero"),
}  # fmt: skip


@pytest.mark.parametrize("what", RUNS_AWAY)
def test_R117_what_would_fill_the_memory_ends_as_a_failure_of_the_row(loaded, what):
    source, said = RUNS_AWAY[what]
    with pytest.raises(Failed, match=said) as wrong:
        render(loaded(source), context=("c",) * 30_000)
    assert wrong.value.kind == "scorer_error"


class Client:
    """What a row may carry; nothing of it is for templates."""

    api_key = "SECRET"

    def __str__(self):
        return "a client"


@pytest.mark.parametrize(
    "source",
    [
        "{{ run.metadata.client.api_key }}",
        "{{ run.metadata['client']['api_key'] }}",
        "{{ run.metadata.items }}",
        "{{ answer.upper }}",
        "{{ options.__class__ }}",
        "{{ options.evolve }}",
        "{{ run.metadata.client.__str__ }}",
    ],
)
def test_R117_only_items_and_fields_of_our_own_values_are_there(loaded, source):
    with pytest.raises(Failed, match=r"template faithfulness/analyze.j2, line 1: .*has no"):
        render(loaded(source), run=Run(metadata={"client": Client()}))


def test_what_templates_look_at_is_there(loaded):
    source = "{{ run.metadata.lang }}{{ run.metadata.format }}{{ options.scale }}{{ items[1] }}{{ answer[0] }}"
    assert render(loaded(source)) == 'en{0}1.0b"'


def test_R117_a_link_out_of_the_pack_is_refused(loaded, tmp_path):
    prompts = loaded("{% include 'tone.j2' %}")
    (tmp_path / "secret.j2").write_text("SECRET", encoding="utf-8")
    (tmp_path / "pack/tone.j2").symlink_to(tmp_path / "secret.j2")
    with pytest.raises(UsageError, match=r"tone.j2 of pack .* leads out of the pack"):
        prompts.check(SPEC)


@pytest.mark.parametrize("source", ["{{ mark('x', analyze.verdcts) }}", "{{ analyze.verdcts | json }}"])
def test_a_field_that_is_not_there_is_an_error_and_never_shown(loaded, source):
    with pytest.raises(Failed, match="verdcts"):
        render(loaded(source), analyze={"verdicts": []})


def test_a_block_of_the_plugins_own_keeps_its_marks_where_it_is_added_to(loaded):
    extends = '{% extends "default/faithfulness/analyze.j2" %}'
    prompt = render(loaded(extends + "{% block data %}{{ super() }}{{ mark('more', 'a\\1b') }}{% endblock %}"))
    plain = render(loaded(extends))
    assert "\0" not in prompt
    assert prompt.count(">one</") == plain.count(">one</") == 1
    assert ">a\ufffdb</" in prompt
