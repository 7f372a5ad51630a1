"""Words, numbers and negations as the judge compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_local_judge.numbers import LONGEST, value, with_digits
from scorer_local_judge.stems import opposites, stem
from scorer_local_judge.words import analyse


@pytest.mark.parametrize(
    ("written", "digits"),
    [
        ("twenty-five", "25"),
        ("two hundred and fifty thousand", "250000"),
        ("1,000", "1000"),
        ("3.5 million", "3500000"),
        ("the tenth century", "the 10 century"),
        ("eighty percent", "80%"),
        ("2007-06-29", "2007 june 29"),
        ("one day", "one day"),
        ("one hundred and one", "101"),
        ("two and three", "2 and 3"),
        ("a million", "1000000"),
        ("3万5千円", "35000円"),
        ("四人", "4人"),
        ("二〇〇三年", "2003年"),
        ("百二十三個", "123個"),
        ("1.2億", "120000000"),
        ("一般", "一般"),
    ],
)
def test_numbers_get_one_spelling(written: str, digits: str) -> None:
    assert with_digits(written) == digits


@given(st.integers(0, 10**LONGEST - 1))
def test_separators_do_not_change_a_value(number: int) -> None:
    assert value(with_digits(f"{number:,}")) == str(number)


def test_full_width_digits_and_dates_are_read() -> None:
    assert {"2007", "29", stem("june")} <= analyse("２００７年６月２９日").keys


def test_units_tell_numbers_apart() -> None:
    assert [n.unit for n in analyse("3.5-inch, 5 km, $20, 30 %, 40度").numbers] == [
        "inch",
        "km",
        "dollar",
        "%",
        "degree",
    ]


def test_a_negation_reaches_the_words_after_it_only() -> None:
    assert analyse("Pluto is not a planet but a rock").negated == {stem("planet")}
    assert analyse("It doesn't orbit").negated == {stem("orbit")}


def test_a_japanese_negation_reaches_the_word_before_it() -> None:
    assert "惑星" in analyse("冥王星は惑星ではない").negated
    assert analyse("子供が少ない").negated == frozenset()


def test_names_are_capitals_within_a_sentence() -> None:
    assert [t.shown for t in analyse("Yesterday Elon met Tim. Then Ada came.").names] == ["Elon", "Tim", "Ada"]


def test_forms_of_a_word_share_a_key() -> None:
    assert stem("founded") == stem("founders") == stem("founding")
    assert stem("won") == stem("winner")
    assert stem("american") == stem("usa")
    assert stem("decreased") in opposites(stem("increase"))
