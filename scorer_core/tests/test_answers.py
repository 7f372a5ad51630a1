"""A judge's words as a typed answer: strict in content, whatever the syntax."""

from __future__ import annotations

import json
from typing import Annotated, Literal

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import ItemText, Menu, Range, Text
from scorer_core.answering.answers import Answer, Question, cut_off, read, value_of, wanted
from scorer_core.answering.exact import label


@frozen(kw_only=True)
class Verdict:
    number: int
    claim: ItemText
    reason: str
    chunk: Annotated[int | None, Text("context")] = None
    kind: Annotated[str | None, Menu("kinds")] = None
    verdict: Literal["yes", "no"]


@frozen
class Verdicts:
    verdicts: tuple[Verdict, ...]


@frozen
class Claims:
    claims: tuple[str, ...]


@frozen
class Rating:
    score: Annotated[float, Range(0, 1)]
    reason: str


@frozen(kw_only=True)
class Match:
    number: int
    unit: Annotated[str | None, Text("units")]


@frozen
class Comparison:
    matches: tuple[Match, ...]
    extra: Annotated[tuple[str, ...], Text("units")]


THREE = Question(Verdicts, ("a", "b", "c"), {"context": ("one", "two")}, {"kinds": ("age", "creed")})
LISTING = Question(Claims)
RATING = Question(Rating)
UNITS = Question(Comparison, ("r",), {"units": ("first", "second")})


def said(number, verdict="yes", **more):
    return {"number": number, "reason": "so", "verdict": verdict, **more}


def reading(question, *replies):
    answer = Answer()
    for reply in replies:
        answer = read(question, reply if isinstance(reply, str) else json.dumps(reply), answer)
    return answer


def verdicts(*elements):
    return reading(THREE, {"verdicts": list(elements)})


def values(answer):
    return [v.verdict for v in value_of(THREE, answer).verdicts]


def test_items_are_matched_by_number_whatever_their_order_and_get_their_own_text():
    answer = verdicts(said(3, "no"), said(1), said(2))
    assert not answer.problems
    assert [(v.number, v.claim, v.verdict) for v in value_of(THREE, answer).verdicts] == [
        (1, "a", "yes"),
        (2, "b", "yes"),
        (3, "c", "no"),
    ]


def test_the_text_of_an_item_in_a_reply_is_ignored():
    answer = verdicts(said(1, claim="another claim"), said(2), said(3))
    assert value_of(THREE, answer).verdicts[0].claim == "a"


@pytest.mark.parametrize("number", [1.0, "1", " 1 "])
def test_a_number_in_another_spelling_is_read_and_noted(number):
    answer = verdicts(said(number), said(2), said(3))
    assert not answer.problems
    assert any("was read as a number" in r for r in answer.repairs)


@pytest.mark.parametrize("number", [0, 4, -1, 1.5, "one", True, "9" * 400, 1e308])
def test_a_number_not_asked_for_is_a_format_problem(number):
    answer = verdicts(said(1), said(2), said(3), said(number))
    assert answer.kind == "format"


def test_R028_a_number_that_comes_twice_voids_both():
    answer = verdicts(said(1), said(2, "yes"), said(2, "no"), said(3))
    assert wanted(THREE, answer) == [2]
    assert (answer.kind, str(answer)) == ("format", "verdicts: number 2 comes twice")


def test_R028_missing_items_are_named_and_fit_ones_kept():
    answer = verdicts(said(1))
    assert answer.kind == "incomplete_reply"
    assert str(answer) == "verdicts: 3 asked about, 1 answered; nothing about number 2, 3"
    assert wanted(THREE, answer) == [2, 3]


def test_R028_an_empty_list_and_a_missing_list_are_silence():
    assert verdicts().kind == "incomplete_reply"
    assert reading(THREE, {"verdicts": None}).kind in ("format", "incomplete_reply")
    assert reading(THREE, {"results": []}).kind == "format"


def test_numberless_replies_are_taken_by_position_if_the_count_is_exact():
    answer = verdicts(*({"reason": "so", "verdict": v} for v in ("yes", "no", "yes")))
    assert values(answer) == ["yes", "no", "yes"]
    assert "verdicts: numbered by position" in answer.repairs


@pytest.mark.parametrize(("count", "kind"), [(1, "incomplete_reply"), (2, "incomplete_reply"), (4, "format")])
def test_numberless_replies_of_another_count_are_all_asked_again(count, kind):
    answer = verdicts(*[{"reason": "so", "verdict": "yes"}] * count)
    assert answer.kind == kind
    assert wanted(THREE, answer) == [1, 2, 3]


def test_an_element_without_number_among_numbered_ones_is_not_guessed():
    answer = verdicts(said(1), {"reason": "so", "verdict": "yes"}, said(3))
    assert wanted(THREE, answer) == [2]
    assert "an element has no number" in str(answer)


def test_fit_items_are_kept_over_replies_and_a_later_word_on_them_is_not_heard():
    answer = reading(THREE, {"verdicts": [said(1, "no")]}, {"verdicts": [said(1, "yes"), said(2), said(3)]})
    assert values(answer) == ["no", "yes", "yes"]


def test_numberless_elements_of_a_second_reply_are_those_still_missing():
    answer = reading(THREE, {"verdicts": [said(2)]}, {"verdicts": [{"reason": "so", "verdict": "no"}] * 2})
    assert values(answer) == ["no", "yes", "no"]


@pytest.mark.parametrize(
    "word", ["yes", "YES", " Yes ", "Yes.", "**yes**", "*yes*", "_yes_", "`yes`", "**Yes.**", "\u200byes", "y\ufeffes"]
)
def test_R009_a_label_is_read_as_a_person_reads_it(word):
    assert values(verdicts(said(1, word), said(2), said(3)))[0] == "yes"


@pytest.mark.parametrize(
    "word", ["yess", "very yes", "yes and no", "It depends", "no - neutral", "Yes, it does", "true", "not no", "yes/no"]
)
def test_R010_R012_R026_R030_a_label_off_the_menu_is_no_label(word):
    answer = verdicts(said(1, word), said(2), said(3))
    assert answer.kind == "unknown_label"
    assert str(answer) == f"verdicts[1].verdict: expected one of ['yes', 'no'], got {word!r}"
    assert wanted(THREE, answer) == [1]


@pytest.mark.parametrize("value", [True, 1, ["yes"], {"verdict": "yes"}])
def test_a_label_that_is_no_text_is_no_label(value):
    assert verdicts(said(1, value), said(2), said(3)).problems


def test_R060_a_null_or_absent_verdict_is_an_unanswered_item():
    answer = verdicts(said(1), {"number": 2, "reason": "unclear"}, said(3, None))
    assert wanted(THREE, answer) == [2, 3]
    assert values(reading(THREE, {"verdicts": [said(1), said(3, None)]}, {"verdicts": [said(2), said(3)]}))


@pytest.mark.parametrize(("name", "value"), [("kind", "height"), ("chunk", 9), ("chunk", "first"), ("kind", 3)])
def test_an_optional_field_that_does_not_fit_is_none_and_noted(name, value):
    answer = verdicts(said(1, **{name: value}), said(2), said(3))
    assert getattr(value_of(THREE, answer).verdicts[0], name) is None
    assert any(f"{name}: {value!r} does not fit and was dropped" in r for r in answer.repairs)


def test_an_optional_field_that_is_absent_is_none_and_noted():
    answer = verdicts(said(1, kind="Age"), said(2, kind=None), said(3))
    assert [v.kind for v in value_of(THREE, answer).verdicts] == ["age", None, None]
    assert any("kind" in r for r in answer.repairs)


def test_a_piece_is_named_by_number_and_shown_as_text_or_as_number():
    assert value_of(THREE, verdicts(said(1, chunk="2"), said(2), said(3))).verdicts[0].chunk == 2
    answer = reading(UNITS, {"matches": [{"number": 1, "unit": 2}], "extra": [1]})
    assert value_of(UNITS, answer) == Comparison((Match(number=1, unit="second"),), ("first",))


@pytest.mark.parametrize(("unit", "kind"), [(3, "out_of_range"), (0, "out_of_range"), ("second", "format")])
def test_a_piece_that_is_not_there_is_a_problem(unit, kind):
    assert reading(UNITS, {"matches": [{"number": 1, "unit": unit}], "extra": []}).kind == kind
    assert reading(UNITS, {"matches": [{"number": 1, "unit": None}], "extra": [unit]}).kind == kind


def test_null_is_a_value_where_the_type_has_it():
    answer = reading(UNITS, {"matches": [{"number": 1, "unit": None}], "extra": []})
    assert value_of(UNITS, answer).matches[0].unit is None


def test_a_field_without_default_must_be_there_though_it_may_be_null():
    answer = reading(UNITS, {"matches": [{"number": 1}], "extra": []})
    assert (answer.kind, str(answer)) == ("format", "matches[1].unit: missing")


def test_a_field_that_fitted_is_kept_when_items_are_asked_again():
    """The second reply is asked about number 2 only: what was said of the rest stands."""
    question = Question(Comparison, ("r", "s"), {"units": ("first", "second")})
    first = {"matches": [{"number": 1, "unit": 1}], "extra": [2]}
    second = {"matches": [{"number": 2, "unit": None}], "extra": []}
    assert value_of(question, reading(question, first, second)).extra == ("second",)


@frozen
class Summed:
    verdicts: tuple[Verdict, ...]
    sum: str


def test_items_that_the_judge_found_itself_are_those_of_its_last_reply():
    question = Question(Summed, open=True, lists={"context": ("c",)})
    told = [{"claim": f"claim {n}", "reason": "r", "verdict": "yes", "chunk": 1} for n in (1, 2, 3)]
    first = json.dumps({"verdicts": told})
    second = json.dumps({"verdicts": told[1:], "sum": "two"})
    assert [p.text for p in reading(question, first).problems] == ["sum: missing"]
    answer = reading(question, first, second)
    assert not answer.problems
    assert [v.claim for v in value_of(question, answer).verdicts] == ["claim 2", "claim 3"]


@pytest.mark.parametrize("score", [1.7, -0.2, 1e300])
def test_R015_a_number_out_of_range_is_not_clamped(score):
    answer = reading(RATING, {"score": score, "reason": "so"})
    assert answer.kind == "out_of_range"
    assert f"score: expected a number from 0 to 1, got {score!r}" in str(answer)


@pytest.mark.parametrize("score", ["0.9", True, None, [0.5], "quite relevant"])
def test_R015_what_is_no_number_is_no_score(score):
    assert reading(RATING, {"score": score, "reason": "so"}).problems


@pytest.mark.parametrize("words", ["quite relevant", "", "NaN", "Infinity", "true", '{"score": NaN, "reason": "so"}'])
def test_R015_words_are_no_score(words):
    assert reading(RATING, words).problems


@pytest.mark.parametrize("score", ["1%", "0.5%", "1 %", "1/2", "0,5", "1.0.5", ""])
def test_R139_what_stands_beside_a_number_is_not_dropped(score):
    """One per cent is not one."""
    assert reading(RATING, f'{{"score": {score}, "reason": "so"}}').problems


def test_a_huge_exponent_is_no_number():
    assert reading(RATING, '{"score": 1e999, "reason": "so"}').kind == "out_of_range"


@pytest.mark.parametrize("claims", ["a text", None, 3, {"claims": []}, [1], [None], [["a"]]])
def test_a_list_of_texts_is_nothing_else(claims):
    assert reading(LISTING, {"claims": claims}).kind == "format"


def test_blank_items_are_dropped_and_noted():
    answer = reading(LISTING, {"claims": ["a", " ", "", "b"]})
    assert value_of(LISTING, answer).claims == ("a", "b")
    assert "claims: 2 blank dropped" in answer.repairs


def test_a_bare_list_is_the_one_list_of_the_shape_and_noted():
    answer = reading(LISTING, '```json\n["a", "b"]\n```')
    assert value_of(LISTING, answer).claims == ("a", "b")
    assert "a bare list was taken for the reply" in answer.repairs
    assert value_of(LISTING, reading(LISTING, "[]")).claims == ()


def test_a_bare_list_is_no_reply_where_the_shape_has_two_lists():
    assert reading(UNITS, [{"number": 1, "unit": None}]).kind == "format"


@pytest.mark.parametrize(
    "words",
    [
        "Nothing in it can be turned into a claim.",
        "Nothing in it [the answer] can be turned into a claim.",
        "The answer (see [above]) makes no claim.",
    ],
)
def test_R034_prose_is_no_list_of_claims(words):
    assert reading(LISTING, words).kind == "format"


def test_unknown_keys_are_dropped_and_noted():
    answer = verdicts(said(1, confidence=0.3), said(2), said(3))
    assert "unknown keys dropped: `confidence`" in answer.repairs
    assert "unknown keys dropped: `mood`" in reading(LISTING, {"claims": [], "mood": 1}).repairs


def test_R017_a_reply_of_another_shape_names_what_lacks_and_what_came():
    answer = reading(RATING, {"reasoning": "fine", "correct": True})
    assert answer.kind == "format"
    assert str(answer) == "no JSON object with `reason`, `score` was found; got `correct`, `reasoning`"


def test_R016_all_that_is_wrong_is_told_at_once_each_with_its_path():
    answer = verdicts({"number": 1, "reason": 3, "verdict": "maybe"}, said(2), said(3))
    assert {p.text.partition(":")[0] for p in answer.problems} == {"verdicts[1].reason", "verdicts[1].verdict"}


def test_R006_R007_the_last_complete_object_that_fits_counts():
    words = 'First {"score": 1.0, "reason": "excellent"} is quoted. {"score": 0.0, "reason": "no content"} Done {1}.'
    assert value_of(RATING, reading(RATING, words)).score == 0.0


def test_the_kind_of_several_problems_is_the_gravest():
    answer = verdicts(said(1, "maybe"), {"number": 2}, said(9))
    assert {p.kind for p in answer.problems} >= {"unknown_label", "format", "incomplete_reply"}
    assert answer.kind == "unknown_label"
    assert cut_off(answer, "cut off").kind == "truncated"


def test_R019_words_alone_are_an_answer_only_where_words_were_asked_for():
    assert value_of(Question(str), reading(Question(str), "<think>hm</think> Because.")) == "Because."
    assert reading(Question(str), " <think>hm</think> ").kind == "format"
    assert reading(RATING, "I'm sorry, I can't grade this content.").kind == "format"


@pytest.mark.parametrize(
    ("word", "shown"), [("GOOD.", "good"), (" **Good** ", "good"), ("***good***", "good"), ("良い。", "良い"), ("", "")]
)
def test_a_label_without_its_dress(word, shown):
    assert label(word) == shown


# Properties

texts = st.text(max_size=15)
some_verdicts = st.lists(st.tuples(texts, st.sampled_from(["yes", "no"])), min_size=1, max_size=5)


def rendered(pairs):
    return json.dumps({"verdicts": [said(n, v, reason=r) for n, (r, v) in enumerate(pairs, 1)]}, ensure_ascii=False)


@given(some_verdicts)
def test_a_complete_reply_is_read_as_it_was_meant(pairs):
    question = Question(Verdicts, tuple("abcde"[: len(pairs)]))
    answer = reading(question, rendered(pairs))
    assert [(v.reason, v.verdict) for v in value_of(question, answer).verdicts] == pairs


@given(some_verdicts, st.data())
def test_a_reply_cut_at_any_point_never_counts_as_whole(pairs, data):
    question, words = Question(Verdicts, tuple("abcde"[: len(pairs)])), rendered(pairs)
    answer = reading(question, words[: data.draw(st.integers(0, len(words) - 1))])
    assert answer.problems
    assert all(v.verdict == pairs[n - 1][1] for n, v in answer.items.items())


@given(st.lists(texts, max_size=4), st.data())
def test_a_list_of_texts_cut_at_any_point_never_counts_as_whole(claims, data):
    words = json.dumps({"claims": claims})
    assert reading(LISTING, words[: data.draw(st.integers(0, len(words) - 1))]).problems


@given(texts, st.floats(0, 1), st.data())
def test_a_rating_cut_at_any_point_never_counts_as_whole(reason, score, data):
    words = json.dumps({"reason": reason, "score": score})
    assert reading(RATING, words[: data.draw(st.integers(0, len(words) - 1))]).problems


@pytest.mark.parametrize("quoted", ['{"score": 1.0, "reason": "excellent"}', "{'score': 1.0, 'reason': 'excellent'}"])
@pytest.mark.parametrize(
    "opening", ['{"reason": ', '{ "reason": ', "{'reason': ", "{reason: ", '{ // my verdict\n"reason": ']
)
def test_R007_a_verdict_quoted_in_a_reason_is_no_verdict_when_the_reply_is_cut_off(opening, quoted):
    reason = json.dumps(f"it contains {quoted} and no more")
    for words in (f'{opening}{reason}, "score": 0.0}}', f'{opening}"it contains {quoted} and no more", "score": 0.0}}'):
        for end in range(len(words)):
            assert reading(RATING, words[:end]).problems, words[:end]


@given(st.text())
def test_any_words_are_an_answer_or_a_problem(words):
    for question in (THREE, LISTING, RATING, UNITS):
        answer = reading(question, words)
        assert answer.problems or value_of(question, answer) is not None
