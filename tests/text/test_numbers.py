"""Numbers of headings: every numeral there and back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.languages import language_table, languages
from analyzer.text.numbers import east_asian_value, roman_value, value_of


def roman(n: int) -> str:
    pairs = [(100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    words = ""
    for value, letters in pairs:
        while n >= value:
            words, n = words + letters, n - value
    return words


def chinese(n: int) -> str:
    digits = "〇一二三四五六七八九"
    hundreds, tens, ones = n // 100, n // 10 % 10, n % 10
    words = f"{digits[hundreds]}百" if hundreds else ""
    if tens:
        words += "十" if tens == 1 and not hundreds else f"{digits[tens]}十"
    elif hundreds and ones:
        words += "零"
    return words + (digits[ones] if ones else "")


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 399))
def test_roman_and_chinese_figures_have_the_value_they_print(n: int) -> None:
    assert roman_value(roman(n)) == roman_value(roman(n).lower()) == n
    assert east_asian_value(chinese(n)) == n
    assert value_of(str(n).translate(str.maketrans("0123456789", "０１２３４５６７８９")), language_table("zh")) == n


@pytest.mark.parametrize(
    ("language", "words", "value"),
    [
        ("en", "twenty-one", 21),
        ("en", "ONE HUNDRED AND TWELVE", 112),
        ("en", "Ⅻ", 12),
        ("fr", "quatre-vingt-dix-sept", 97),
        ("fr", "vingt et unième", 21),
        ("de", "Neunzehntes", 19),
        ("de", "zweiundvierzigste", 42),
        ("es", "veintiuno", 21),
        ("es", "vigésimo primero", 21),
        ("ru", "двадцать первая", 21),
        ("ru", "ХII", 12),
        ("ko", "십이", 12),
        ("zh", "一二三", 123),
        ("zh", "廿三", 23),
        ("ja", "百二", 102),
    ],
)
def test_number_words_of_each_language(language: str, words: str, value: int) -> None:
    assert value_of(words, language_table(language)) == value


@pytest.mark.parametrize("words", ["IIX", "VX", "Ivan", "CIVIL", "one two", "", "abc"])
def test_what_is_no_number_has_no_value(words: str) -> None:
    assert value_of(words, language_table("en")) is None


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=20), st.sampled_from(languages()))
def test_any_words_have_a_value_or_none(words: str, language: str) -> None:
    value = value_of(words, language_table(language))
    assert value is None or value >= 0
