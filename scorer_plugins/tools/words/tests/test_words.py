"""Words, languages, function words and stems in many scripts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer_core import NotScorable
from scorer_words import function_words, language_of, stands_in, stem, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The quick, brown fox!", "the quick brown fox"),
        ("Don’t; it's 3.14", "don't it's 3 14"),
        ("'quoted' words-with hyphens_here", "quoted words with hyphens here"),
        ("naïve Éa ΑΘΉΝΑ", "naive ea αθηνα"),
        ("nai\u0308ve", "naive"),
        ("й ё", "й ё"),
        ("वह घर जा रहा है", "वह घर जा रहा है"),
        ("날씨가 좋아요", "날씨가 좋아요"),
        ("مرحبا بك", "مرحبا بك"),
        ("東京タワーは電波塔である。", "東京タワー は 電波 塔 で ある"),
        ("ﾃﾞｰﾀを２０個", "データ を 20 個"),
        ("Python3でデータを読む", "python3 で データ を 読む"),
        ("今天是晴天，我们去北京", "今天 是 晴天 我们 去 北京"),
        ("วันนี้อากาศดีมาก", "วัน นี้ อากาศ ดี มาก"),
        ("  ...  ", ""),
        ("", ""),
    ],
)
def test_words_of_a_text_in_any_script(text, found):
    assert words(text) == found.split()


@pytest.mark.parametrize(
    ("text", "script"), [("ຂ້ອຍ", "Lao"), ("ជំរាប", "Khmer"), ("a မြန်မာ", "Burmese"), ("བོད", "Tibetan")]
)
def test_a_script_that_can_not_be_cut_says_so(text, script):
    with pytest.raises(NotScorable, match=f"in {script} script"):
        words(text)


def test_a_word_without_spaces_round_it_is_looked_for_wherever_the_text_is_cut():
    assert words("首都はパリ") != ["首都", "は", "パリ"]
    assert stands_in("首都", "首都はパリ")
    assert stands_in("データ", "ﾃﾞｰﾀを読む")
    assert not stands_in("cat", "a category")


@given(
    st.text(alphabet=st.characters(max_codepoint=0x0DFF) | st.sampled_from("東京タワーは、。今天ァヶ々"), max_size=60)
)
def test_words_hold_no_white_space_and_are_the_same_when_cut_again_one_by_one_or_in_capitals(text):
    found = words(text)
    assert all(word and word.split() == [word] for word in found)
    assert words(text) == found
    assert [w for word in found for w in words(f" {word} ")].count("") == 0


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is the capital of France?", "en"),
        ("Quelle est la capitale de la France ?", "fr"),
        ("Wie hoch ist der Eiffelturm?", "de"),
        ("¿Cuál es la capital de España?", "es"),
        ("Где находится эта библиотека и что там есть?", "ru"),
        ("フランスの首都は？", "ja"),
        ("法国的首都是哪里", "zh"),
        ("수도는 어디입니까", "ko"),
        ("เมืองหลวงคืออะไร", "th"),
        ("machine learning", "en"),
        ("data data data model", "en"),
        ("", "en"),
    ],
)
def test_the_language_by_script_or_by_function_words(text, language):
    assert language_of(text) == language


def test_function_words_have_no_nouns_in_english_and_a_list_each_in_many_languages():
    assert {"the", "like", "didn't"} <= function_words("en")
    assert not {"system", "world", "computer", "work"} & function_words("en")
    assert "ist" in function_words("de")
    assert "ete" in function_words("fr")
    assert "は" in function_words("ja")
    assert function_words("xx") == frozenset()


@pytest.mark.parametrize(
    ("word", "language", "root"),
    [
        ("running", "en", "run"),
        ("databases", "en", "databas"),
        ("häuser", "de", "haus"),
        ("날씨가", "ko", "날씨"),
        ("가", "ko", "가"),
        ("食べ", "ja", "食べ"),
    ],
)
def test_stems(word, language, root):
    assert stem(word, language) == root
