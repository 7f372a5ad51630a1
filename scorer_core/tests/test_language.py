"""The part of Jinja that templates may use; the rest is refused when a template is loaded."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, TemplateError, TemplateSyntaxError

from scorer_core.prompting.language import FILTERS, environment
from scorer_core.prompting.marks import Marks


def render(source, **names):
    marks = Marks()
    env = environment(DictLoader({"t": source, "other": "[{{ answer }}]", "base": "{% block b %}base{% endblock %}"}))
    return marks.fill(env.get_template("t").render({"mark": marks.mark, "answer": "A", **names}))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("{{ ().__class__.__base__.__subclasses__() }}", "a call"),
        ("{{ joiner.__init__.__globals__['os'].popen('id') }}", "a call"),
        ("{{ answer.upper() }}", "a call"),
        ("{{ '{0.__class__}'.format(answer) }}", "a call"),
        ("{{ range(10 ** 9) }}", ""),
        ("{% for i in range(1000000000) %}x{% endfor %}", ""),
        ("{{ lipsum() }}{{ cycler() }}{{ namespace() }}", "a call"),
        ("{{ 'x' * 1000000000 }}", "arithmetic"),
        ("{{ 9 ** 9 ** 9 }}", "arithmetic"),
        ("{{ 1 + 1 }}", "arithmetic"),
        ("{% set x = answer ~ answer %}", "joining texts"),
        ("{% for a in items %}{% for b in items %}x{% endfor %}{% endfor %}", "inside a loop"),
        ("{% for a in items %}{% if a %}{% for b in a %}x{% endfor %}{% endif %}{% endfor %}", "inside a loop"),
        ("{% for a in items recursive %}{{ loop(a) }}{% endfor %}", ""),
        ("{% for a in [1, 2] %}x{% endfor %}", ""),
        ("{% for a in 'abc' %}x{% endfor %}", "a loop over"),
        ("{% for a in items | join('x') %}x{% endfor %}", "a loop over"),
        ("{% for k, v in options.kinds.items() %}x{% endfor %}", ""),
        ("{% set x %}text{% endset %}", "block form"),
        ("{% macro m() %}x{% endmacro %}", "macro"),
        ("{% call mark() %}x{% endcall %}", ""),
        ("{% filter upper %}x{% endfilter %}", "filter block"),
        ("{% import 'other' as o %}", "import"),
        ("{% from 'other' import x %}", "import"),
        ("{% include answer %}", "constant"),
        ("{% include ['other', 't'] %}", ""),
        ("{% include 'other' ignore missing %}", "ignore missing"),
        ("{% for a in items %}{% include 'other' %}{% endfor %}", "inside a loop"),
        ("{% extends answer %}", "constant"),
        ("{{ [1, 2] }}", "list display"),
        ("{{ (1, 2) }}", "tuple display"),
        ("{{ {'a': 1} }}", "dict display"),
        ("{{ answer[0:5] }}", "slice"),
        ("{{ answer | replace('a', answer) }}", "filter 'replace'"),
        ("{{ answer | center(1000000000) }}", "filter 'center'"),
        ("{{ items | map(attribute='__class__') }}", "filter 'map'"),
        ("{{ answer | tojson }}", "filter 'tojson'"),
        ("{{ answer | attr('__class__') }}", "filter 'attr'"),
        ("{{ items | join(answer) }}", "join"),
        ("{{ items | join(d=answer) }}", "join"),
        ("{{ mark('a', answer) | upper }}", "stand alone"),
        ("{% set x = mark('a', answer) %}", "stand alone"),
        ("{{ self.b() }}{% block b %}{% endblock %}", "a call"),
        ("{% extends 'base' %}{% block b %}{% for a in items %}{{ super() }}{% endfor %}{% endblock %}", "super()"),
        ("{% block x %}{% for a in items %}{% block y %}{% endblock %}{% endfor %}{% endblock %}", "inside a loop"),
        ("{% autoescape true %}{{ answer }}{% endautoescape %}", ""),
        ("{% do answer %}", ""),
        ("{% break %}", ""),
    ],
)
def test_R117_what_could_run_away_or_reach_out_is_refused_when_loaded(source, why):
    with pytest.raises(TemplateSyntaxError) as refused:
        render(source, items=("a", "b"))
    assert why in str(refused.value)


@pytest.mark.parametrize("name", ["__class__", "_private", "__init__.__globals__", "__dict__"])
def test_R117_inner_attributes_of_values_are_out_of_reach(name):
    with pytest.raises(TemplateError):
        render(f"{{{{ answer.{name} }}}}")
    with pytest.raises(TemplateError):
        render(f"{{{{ mark.{name} }}}}")


@pytest.mark.parametrize("name", ["range", "dict", "lipsum", "cycler", "joiner", "namespace"])
def test_R117_nothing_is_global(name):
    with pytest.raises(TemplateError):
        render(f"{{{{ {name} }}}}")


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("plain text, {braces} and {'json': 1}", "plain text, {braces} and {'json': 1}"),
        ("{# a comment #}{{ answer }}", "A"),
        ("{% if answer == 'A' and not empty %}yes{% else %}no{% endif %}", "yes"),
        ("{% if items is defined and items | length > 1 %}many{% endif %}", "many"),
        ("{{ 'x' if number > 2 else 'y' }}", "x"),
        ("{% for i in items %}{{ loop.index }}{{ i }};{% endfor %}", "1a;2b;"),
        ("{% for i in items if i != 'a' %}{{ i }}{% endfor %}", "b"),
        ("{% for k in kinds %}{{ k }}: {{ kinds[k] }};{% endfor %}", "age: years;"),
        ("{% set x = items[0] %}{{ x }}", "a"),
        ("{% include 'other' %}", "[A]"),
        ("{% extends 'base' %}{% block b %}{{ super() }}+{% endblock %}", "base+"),
        ("{{ language or 'the language of the text' }}", "the language of the text"),
        ("{{ items | join(', ') }}", "a, b"),
        ("{{ items | first }}{{ items | last }}", "ab"),
        ("{{ ' A ' | trim | lower }}{{ 'b' | upper }}", "aB"),
        ("{{ number | round(1) }}", "3.1"),
        ("{{ language | default('x', true) }}", "x"),
        ("{{ kinds | json }}", '{"age": "years"}'),
        ("{{ language }}", ""),
    ],
)
def test_what_templates_need_works(source, shown):
    names = {"items": ("a", "b"), "number": 3.14, "kinds": {"age": "years"}, "language": None, "empty": ""}
    assert render(source, **names) == shown


def test_the_filters_are_ten():
    assert sorted(FILTERS) == list(FILTERS)
    assert len(FILTERS) == 10


def test_json_keeps_declared_order_and_escapes_nothing():
    assert render("{{ answer | json }}", answer={"b": "é<語>", "a": 1}) == '{"b": "é<語>", "a": 1}'


def test_an_undefined_name_is_an_error_and_never_blank():
    with pytest.raises(TemplateError, match="anwser"):
        render("{{ anwser }}")


def test_R113_nothing_is_escaped():
    code = 'if (a < b && c > "x") { run(); } // 5 > 3 & "ok"'
    assert render("{{ answer }}", answer=code) == code
    assert code in render("{{ mark('answer', answer) }}", answer=code)


def test_values_can_not_be_changed_from_a_template():
    with pytest.raises(TemplateError):
        render("{{ items.append('x') }}", items=["a"])


def test_text_outside_marks_can_not_hold_their_characters():
    assert render("{{ answer }}", answer="a\0b\0010\1") == "a\ufffdb\ufffd0\ufffd"
