from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.wordbags import word_bag


def test_inflected_words_and_full_width_letters_are_one() -> None:
    assert word_bag("promised") == word_bag("Promises") == word_bag("ＰＲＯＭＩＳＥ")


def test_scripts_without_spaces_share_pairs_of_signs() -> None:
    assert word_bag("铜钥匙") & word_bag("那把钥匙") == {"钥匙"}
    assert word_bag("놋쇠 열쇠를") & word_bag("열쇠가") == {"열쇠"}
    assert word_bag("真鍮の鍵") & word_bag("真鍮") == {"真鍮"}


def test_short_words_say_nothing_and_numbers_do() -> None:
    assert word_bag("he is at 12") == {"12"}


@settings(max_examples=50)
@given(text=st.text(max_size=60))
def test_a_bag_never_depends_on_case_or_on_what_stands_behind_a_line_end(text: str) -> None:
    assert word_bag(text + "\n" + text) == word_bag(text)
