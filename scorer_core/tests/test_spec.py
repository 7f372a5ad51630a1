"""The contract: a scorer is a value made of four steps."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import pytest
from attrs import evolve, field, frozen, validators

import scorer_answer_similarity
import scorer_bias
import scorer_faithfulness
import scorer_hallucination
from scorer_core import Against, Ask, Band, ItemText, Menu, Options, ScorerSpec, UsageError, between

SPECS = [m.spec for m in (scorer_answer_similarity, scorer_bias, scorer_faithfulness, scorer_hallucination)]
BANDS = (Band(0, "none"), Band(0, "few"), Band(0.5, "half"), Band(1, "all"))


@frozen
class Claims:
    claims: tuple[str, ...]


@frozen(kw_only=True)
class Verdict:
    number: int
    claim: ItemText
    kind: Annotated[str | None, Menu("kinds")] = None
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    verdicts: tuple[Verdict, ...]


@frozen(kw_only=True)
class Kinds(Options):
    kinds: tuple[str, ...] = ("age", "creed")
    weight: float = field(default=0.5, validator=between(0, 1))
    strict: bool = field(default=True, validator=validators.instance_of(bool))


def spec(**more):
    return ScorerSpec(**{"id": "length", "higher_is": "better", "generate_score": lambda trail: 1.0} | more)


@pytest.mark.parametrize(
    ("fraction", "name"), [(0, "none"), (1e-9, "few"), (0.49, "few"), (0.5, "half"), (0.99, "half"), (1, "all")]
)
def test_each_band_begins_at_its_bound_and_zero_has_one_of_its_own(fraction, name):
    assert spec(bands=BANDS).band(fraction) == name


def test_a_scorer_without_bands_names_none():
    assert spec().band(0.3) is None


@pytest.mark.parametrize("starts", [[0], [0, 0.5], [0, 0, 0.5, 0.4], [0, 0, 1.1], [0.1, 0]])
def test_bands_that_make_no_sense_are_refused(starts):
    with pytest.raises(UsageError, match="bands"):
        spec(bands=tuple(Band(s, "x") for s in starts))


@pytest.mark.parametrize("id", ["", "Bias", "my-scorer", "1st", "a b", None, 3])
def test_an_id_is_in_snake_case(id):
    with pytest.raises(UsageError, match="snake_case"):
        spec(id=id)


def test_an_unknown_need_is_refused():
    with pytest.raises(UsageError, match="contxt"):
        spec(needs=("contxt",))


def test_the_direction_is_one_of_two_words():
    with pytest.raises((UsageError, ValueError), match="higher_is"):
        spec(higher_is="up")


@pytest.mark.parametrize("name", ["id", "higher_is", "generate_score"])
def test_a_scorer_without_id_direction_or_score_is_no_scorer(name):
    given = {"id": "x", "higher_is": "worse", "generate_score": len}
    assert ScorerSpec(**given).higher_is == "worse"
    del given[name]
    with pytest.raises(TypeError, match=f"missing 1 required keyword-only argument: '{name}'"):
        ScorerSpec(**given)


def test_one_step_is_changed_with_evolve():
    other = evolve(spec(), generate_score=len)
    assert (other.generate_score, other.id) == (len, "length")


def test_the_steps_that_ask_are_listed_in_order():
    assert list(SPECS[0].asks) == ["preprocess", "analyze", "generate_reason"]
    assert spec().asks == {}


@pytest.mark.parametrize("reply", [int, dict, list, None, "str"])
def test_a_reply_is_str_or_an_attrs_class(reply):
    with pytest.raises(UsageError, match="attrs class"):
        Ask(reply)


def test_each_goes_with_numbered_elements_and_only_with_them():
    with pytest.raises(UsageError, match="each"):
        Ask(Verdicts)
    with pytest.raises(UsageError, match="each"):
        Ask(Claims, each="claims")
    with pytest.raises(UsageError, match="each"):
        Ask(str, each="claims")


def test_menus_are_read_from_the_options():
    assert Ask(Verdicts, each="claims").menus(Kinds(kinds=("x",))) == {"kinds": ("x",)}


def test_options_are_a_mapping_or_their_class():
    own = spec(options=Kinds)
    assert own.make_options({"weight": 0.1}) == own.make_options(Kinds(weight=0.1))
    with pytest.raises(UsageError, match="expected Kinds"):
        own.make_options(Options())


def test_R044_R077_an_unknown_option_is_refused_with_what_there_is_and_the_nearest_name():
    with pytest.raises(UsageError, match=r"length has no option 'wieght'.*did you mean 'weight'.*scale, kinds, weight"):
        spec(options=Kinds).make_options({"wieght": 0.1})


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, "0.5", None, True])
def test_an_option_out_of_its_bounds_is_refused_by_name(value):
    with pytest.raises(UsageError, match=r"length: weight: expected a finite number from 0 to 1, got"):
        spec(options=Kinds).make_options({"weight": value})


@pytest.mark.parametrize("scale", [0, -1, None, math.nan, math.inf, "2", True])
def test_a_scale_is_finite_and_above_zero(scale):
    with pytest.raises(UsageError, match="scale: expected a finite number above 0"):
        spec().make_options({"scale": scale})


def test_bounds_are_told():
    with pytest.raises(ValueError, match="of 3 or more"):
        between(3)(None, field_named("n"), 2)
    between(0)(None, field_named("n"), 0)


def field_named(name):
    return type("Field", (), {"name": name})


@pytest.mark.parametrize(
    ("id", "bands"),
    [
        ("faithfulness", [0, 0, 0.4, 0.7, 1]),
        ("hallucination", [0, 0, 0.5, 0.7, 0.9]),
        ("bias", [0, 0, 0.4, 0.7, 1]),
        ("answer_similarity", [0, 0, 0.4, 0.7, 1]),
    ],
)
def test_the_bands_of_the_four_scorers_begin_where_decided(id, bands):
    (found,) = [s for s in SPECS if s.id == id]
    assert [b.start for b in found.bands] == bands


def test_the_directions_of_the_four_scorers_are_those_decided():
    assert {s.id: s.higher_is for s in SPECS} == {
        "faithfulness": "better",
        "hallucination": "worse",
        "bias": "worse",
        "answer_similarity": "better",
    }


def test_the_options_of_answer_similarity_are_those_decided():
    made = scorer_answer_similarity.spec.make_options({})
    assert (made.require_ground_truth, made.semantic_threshold, made.exact_match_bonus) == (True, 0.8, 0.2)
    assert (made.missing_penalty, made.contradiction_penalty, made.extra_info_penalty) == (0.15, 1.0, 0.05)


@pytest.mark.parametrize("kinds", [("age",), ["age"], {"age": "how old people are"}])
def test_more_kinds_of_bias_join_the_four_of_the_specification(kinds):
    made = scorer_bias.spec.make_options({"kinds": kinds})
    assert list(made.kinds) == ["gender", "political", "racial", "regional", "age"]


@pytest.mark.parametrize("kinds", [5, {"age": 3}, {"": "x"}, [None]])
def test_kinds_of_bias_are_texts(kinds):
    with pytest.raises(UsageError, match="bias"):
        scorer_bias.spec.make_options({"kinds": kinds})


@frozen(kw_only=True)
class Held(Against):
    how: str = field(default="loosely")
    what: str


def test_what_an_answer_is_held_against_is_needed():
    held = spec(needs=("answer",), options=Held)
    assert held.needs_with() == ("answer", "question")
    assert held.needs_with(held.make_options({"what": "x", "against": "ground_truth"})) == ("answer", "ground_truth")
    assert spec(needs=("answer",)).needs_with() == ("answer",)


def test_an_option_without_a_default_must_be_given():
    with pytest.raises(UsageError, match="length needs the option 'what'"):
        spec(options=Held).make_options({"how": "x"})


@pytest.mark.parametrize(
    ("what", "label"),
    [
        ("rain", "length[what=rain]"),
        ("a b", "length[what=a b]"),
        ("a,how=b", 'length[what="a,how=b"]'),
        ("a]", 'length[what="a]"]'),
        (" a", 'length[what=" a"]'),
        ("", 'length[what=""]'),
        ("雨", "length[what=雨]"),
        ('"', 'length[what="\\""]'),
    ],
)
def test_a_label_tells_what_names_a_scorer(what, label):
    named = spec(options=Held, named_by=("what", "how"))
    assert named.label(named.make_options({"what": what})) == label
    assert named.label(Held(what=what, how="strictly")) == f"{label[:-1].replace('what=', 'how=strictly,what=')}]"
    assert spec(options=Held).label(Held(what=what)) == "length"


def test_what_names_a_scorer_is_among_its_options():
    with pytest.raises(UsageError, match=r"named_by: \['wat'\] are no options of it"):
        spec(named_by=("wat",))
