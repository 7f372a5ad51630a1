"""Steps held against each other: when a value is the same, when a step is the one expected, and which are which."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_steps import ExpectedStep, TakenStep, matched, named_among, same
from scorer_steps.steps import AnyOf

scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)


def turned(value):
    """The same value with the keys of mappings in the opposite order."""
    if isinstance(value, dict):
        return {k: turned(v) for k, v in reversed(value.items())}
    return [turned(v) for v in value] if isinstance(value, list) else value


@given(values)
def test_a_value_is_the_same_whatever_the_order_of_its_keys(value):
    assert same(value, turned(value))
    assert same(value, json.loads(json.dumps(value)))


@pytest.mark.parametrize(
    ("expected", "taken", "is_same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (1, "1", False),
        ((1, 2), [1, 2], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": None}, {}, False),
        (AnyOf((1, 2)), 2, True),
        (AnyOf((1, 2)), 3, False),
        ({"a": AnyOf((1, ""))}, {}, True),
        ({"a": AnyOf((1,))}, {}, False),
        ({"a": AnyOf(({"b": AnyOf((1, 2))},))}, {"a": {"b": 2}}, True),
        (AnyOf(((1, 2), (2, 1))), [2, 1], True),
    ],
)
def test_values_are_held_against_each_other_as_values(expected, taken, is_same):
    assert same(expected, taken) is is_same


def test_an_expected_step_leaves_open_what_it_does_not_say():
    taken = TakenStep(name="a", told={"args": {"q": 1}, "result": 2})
    assert ExpectedStep(name="a").fits(taken)
    assert ExpectedStep(name="a", kind="tool_call", told={"args": {"q": 1.0}}).fits(taken)
    assert not ExpectedStep(name="b").fits(taken)
    assert not ExpectedStep(name="a", kind="agent_run").fits(taken)
    assert not ExpectedStep(name="a", told={"args": {}}).fits(taken)


names = st.lists(st.sampled_from("abc"), max_size=7)


def pairs(expected, taken, ordering):
    return matched([ExpectedStep(name=n) for n in expected], [TakenStep(name=n) for n in taken], ordering)


@given(names, names, st.sampled_from(["relaxed", "strict", "unordered"]))
def test_each_pair_is_of_the_same_name_and_no_step_is_taken_twice(expected, taken, ordering):
    found = pairs(expected, taken, ordering)
    assert [expected[e] for e in found] == [taken[t] for t in found.values()]
    assert len({*found.values()}) == len(found)
    assert list(found) == sorted(found)
    if ordering != "unordered":
        assert list(found.values()) == sorted(found.values())
    assert pairs(expected, expected, ordering) == {n: n for n in range(len(expected))}


@given(names, names)
def test_unordered_pairs_are_as_many_as_names_in_common(expected, taken):
    common = sum(min(expected.count(n), taken.count(n)) for n in "abc")
    assert len(pairs(expected, taken, "unordered")) == common


def test_many_steps_of_one_name_are_paired_without_deep_recursion():
    assert len(pairs("a" * 1500, "a" * 1500, "unordered")) == 1500


def test_names_are_kept_as_they_are_known_and_strange_ones_noted():
    notes = []
    assert named_among(["Search", " search ", "mail", "read"], ["read", "search"], notes.append) == ("search", "read")
    assert notes == ["passed over, as there is none of that name: mail"]
    assert named_among(["mail", "mail"], [], notes.append) == ("mail",)
    assert len(notes) == 1


def test_a_step_is_told_in_words_with_those_within():
    inner = TakenStep(name="look", told={"args": {"場所": "京都"}, "result": {"n": 1}})
    step = TakenStep(name="sub", kind="agent_run", failed=True, children=(inner, TakenStep(name="x")))
    assert str(step) == 'agent_run sub (failed)\n  look({"場所": "京都"}) -> {"n": 1}\n  x'
    assert inner.call == 'look({"場所": "京都"})'
    assert len(str(TakenStep(name="x", told={"result": "y" * 9999}))) < 600


def test_tokens_are_those_of_all_steps_within():
    generation = TakenStep(name="gen", told={"prompt_tokens": 10, "completion_tokens": 20})
    assert TakenStep(name="sub", children=(generation, TakenStep(name="a"), generation)).tokens == 60
    assert TakenStep(name="sub", children=(TakenStep(name="a"),)).tokens is None


def test_a_step_repeats_another_of_the_same_tool_with_the_same_arguments():
    step = TakenStep(name="a", told={"args": {"p": 1, "q": 2}})
    assert step.repeats(TakenStep(name="a", told={"args": {"q": 2.0, "p": 1}, "result": 3}))
    assert not step.repeats(TakenStep(name="a", told={"args": {"p": 1}}))
    assert not step.repeats(TakenStep(name="b", told=step.told))
