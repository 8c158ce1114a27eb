from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.text.languages import language_table, languages
from analyzer.text.unmasking import is_declared, unmasking_spots


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "“I am Anders Holm,” he said.", "Anders Holm"),
        ("en", "My name is Holm.", "Holm"),
        ("ko", "“저는 이진우올시다.”", "이진우"),
        ("ko", "“이진우입니다.”", "이진우"),
        ("zh", "“我就是沈子安。”", "沈子安"),
        ("ja", "「藤村健一と申します」", "藤村健一"),
        ("fr", "« Je suis André. »", "André"),
        ("de", "„Ich bin Holm.“", "Holm"),
        ("ru", "«Меня зовут Волков».", "Волков"),
        ("es", "«Me llamo Andrés».", "Andrés"),
    ],
)
def test_a_name_said_of_somebody_is_declared(language: str, text: str, name: str) -> None:
    at = text.index(name)
    assert is_declared(text, at, at + len(name), language_table(language))


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        ("en", "Siam Holm saw Holm.", "Holm"),
        ("en", "He told Holm.", "Holm"),
        ("ko", "이진우가 왔다.", "이진우"),
        ("zh", "众人看着沈子安。", "沈子安"),
        ("ja", "藤村は来た。", "藤村"),
        ("und", "I am Holm.", "Holm"),
    ],
)
def test_other_mentions_are_not(language: str, text: str, name: str) -> None:
    at = text.rindex(name)
    assert not is_declared(text, at, at + len(name), language_table(language))


@pytest.mark.parametrize(
    ("language", "text", "spots"),
    [
        ("en", "He took off the wig. Wigan burnt.", (16,)),
        ("ko", "정체를 숨겼다.", (0,)),
        ("zh", "他摘下面具。", (3,)),
        ("ja", "偽名だった。", (0,)),
        ("und", "mask", ()),
    ],
)
def test_cue_words_are_found_whole(language: str, text: str, spots: tuple[int, ...]) -> None:
    assert unmasking_spots(text, language_table(language)) == spots


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(languages()), st.text(max_size=60), st.integers(0, 60), st.integers(0, 10))
def test_any_text_and_span_is_answered(language: str, text: str, start: int, length: int) -> None:
    table = language_table(language)
    assert is_declared(text, min(start, len(text)), min(start + length, len(text)), table) in (True, False)
    assert all(0 <= at < len(text) for at in unmasking_spots(text, table))
