"""Claims beside a context: the verdicts of faithfulness and hallucination."""

import pytest

from scorer_local_judge.support import support

TESLA = (
    "Tesla was founded in July 2003 by Martin Eberhard and Marc Tarpenning. Elon Musk joined in 2004 as an investor.",
    "Tesla makes electric cars. Its first car was the Roadster.",
)
IPHONE = (
    "The first iPhone was announced by Steve Jobs on January 9, 2007.",
    "It went on sale on June 29, 2007 and had a 3.5-inch screen.",
)
CITY = ("東京は日本の首都です。人口は約1400万人です。地下鉄は24時間運行していません。",)


@pytest.mark.parametrize(
    ("claim", "context", "stand"),
    [
        ("Tesla was founded in 2003", TESLA, "supported"),
        ("Tesla was founded by Martin Eberhard and Marc Tarpenning", TESLA, "supported"),
        ("The Roadster was the first car of Tesla", TESLA, "supported"),
        ("Elon Musk founded Tesla in 2005", TESLA, "contradicted"),
        ("Tesla does not make electric cars", TESLA, "contradicted"),
        ("Tesla was sold to Toyota for money", TESLA, "not found"),
        ("The first iPhone was announced in 2007 by Steve Jobs", IPHONE, "supported"),
        ("The iPhone had a 3.5-inch screen", IPHONE, "supported"),
        ("It had a 5-inch screen", IPHONE, "contradicted"),
        ("The iPhone was released in 2008", IPHONE, "not found"),
        ("東京は日本の首都である", CITY, "supported"),
        ("人口は1400万人です", CITY, "supported"),
        ("人口は1350万人です", CITY, "supported"),
        ("人口は900万人です", CITY, "contradicted"),
        ("地下鉄は24時間運行しています", CITY, "contradicted"),
        ("大阪は商業の都市である", CITY, "not found"),
        ("Prices rose in May", ("Prices fell in May.",), "contradicted"),
        ("It is printed by 2,600 papers", ("It is printed by 2,580 papers.",), "contradicted"),
        ("It is printed by about 2,600 papers", ("It is printed by 2,580 papers.",), "supported"),
        ("Twenty people came", ("20 people came.",), "supported"),
        ("Ada is a founder", ("Founders:\n- Ada\n- Grace",), "supported"),
        ("Anything", (), "not found"),
        ("", ("A text.",), "not found"),
    ],
)
def test_a_claim_stands_as_its_words_and_numbers_do(claim: str, context: tuple[str, ...], stand: str) -> None:
    assert support(claim, context).stand == stand


def test_the_chunk_is_the_one_it_rests_on() -> None:
    assert support("Its first car was the Roadster", TESLA).chunk == 2
    assert support("Bananas are yellow", TESLA).chunk is None


def test_reasons_speak_of_words_and_numbers() -> None:
    assert '"5"' in support("It had a 5-inch screen", IPHONE).why
    assert "weighted words" in support("It had a 3.5-inch screen", IPHONE).why
    assert '"Toyota"' in support("Tesla was sold to Toyota", TESLA).why
