"""A chapter in another language is found by its heading, however short it is, and its host keeps its own language."""

from __future__ import annotations

import pytest

from analyzer.text.blocks import lines_of
from analyzer.text.detect import primary
from analyzer.text.foreign import heading_languages
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text, preview
from tests.text.test_chapters import PROSE

SHORT = {
    "ko": "소라는 문을 닫고 밖으로 나갔다. 비가 오고 있었고 아무도 그녀를 부르지 않았다. 등불만 흔들렸다.",
    "fr": "Colette était sortie dans la cour et elle n'avait rien dit. On entendait le vent dans les arbres, et il pleuvait.",
    "ru": "Вера вышла во двор и ничего не сказала. На улице был ветер, и она не знала, что он уже ушёл.",
    "zh": "她走出門去，沒有人叫她。雨還在下，燈在風裡晃，她聽見了河水的聲音，卻沒有停下來。",
    "en": "Vera went out into the yard and said nothing to him. It was raining, and the lamp was swinging in the wind.",
}


def book(host: str, headings: tuple[str, str, str], other: str) -> str:
    prose = f"{PROSE[host].strip()}\n\n{PROSE[host].strip()}"
    return f"{headings[0]}\n\n{prose}\n\n{headings[1]}\n\n{SHORT[other]}\n\n{headings[2]}\n\n{prose}\n"


@pytest.mark.parametrize(
    ("host", "other", "headings"),
    [
        ("en", "ko", ("Chapter 1", "제2화", "Chapter 3")),
        ("en", "fr", ("Chapter 1", "Chapitre 2", "Chapter 3")),
        ("ko", "en", ("제1화", "Chapter 2", "제3화")),
        ("zh", "ru", ("第一章", "Глава 2", "第三章")),
        ("fr", "zh", ("Chapitre 1", "第二章", "Chapitre 3")),
        ("ru", "ko", ("Глава 1", "제2화 비", "Глава 3")),
    ],
)
def test_a_chapter_of_two_sentences_in_another_language_is_one_of_its_own(
    host: str, other: str, headings: tuple[str, str, str]
) -> None:
    read = manuscript_from_text(book(host, headings, other), title="x", language=None)
    assert [chapter.heading for chapter in read.chapters] == list(headings)
    assert [primary(chapter.language) for chapter in read.chapters] == [host, other, host]
    assert [row.reason for row in preview(read)] == ["chapter word and number, in sequence"] * 3


@pytest.mark.parametrize(
    ("host", "quoted"), [("en", "제3화"), ("ko", "Chapitre 7"), ("zh", "Глава 5"), ("fr", "第一章")]
)
def test_a_foreign_heading_out_of_the_sequence_above_the_books_own_language_begins_no_chapter(
    host: str, quoted: str
) -> None:
    own = {"en": "Chapter {}", "ko": "제{}화", "zh": "第{}章", "fr": "Chapitre {}"}[host]
    prose = PROSE[host].strip()
    text = f"{own.format(1)}\n\n{prose}\n\n{quoted}\n\n{prose}\n\n{own.format(2)}\n\n{prose}\n\n{own.format(3)}\n\n{prose}\n"
    assert [c.label for c in manuscript_from_text(text, title="x", language=host).chapters] == ["1", "2", "3"]


def test_a_heading_printed_in_two_languages_is_no_second_chapter() -> None:
    text = "".join(f"第{n}章\n\nChapter {n}\n\n{PROSE['zh'].strip()}\n\n" for n in (1, 2, 3))
    assert [c.label for c in manuscript_from_text(text, title="x", language=None).chapters] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("host", "other", "heading"),
    [("en", "fr", "Épilogue"), ("en", "ko", "에필로그"), ("zh", "ru", "Эпилог"), ("ko", "fr", "ÉPILOGUE")],
)
def test_a_named_part_in_another_language_is_known_by_the_text_below_it(host: str, other: str, heading: str) -> None:
    own = {"en": "Chapter {}", "ko": "제{}화", "zh": "第{}章"}[host]
    prose = f"{PROSE[host].strip()}\n\n{PROSE[host].strip()}\n\n"
    text = f"{own.format(1)}\n\n{prose}{own.format(2)}\n\n{prose}{heading}\n\n{SHORT[other]} {SHORT[other]} {SHORT[other]}\n"
    last = manuscript_from_text(text, title="x", language=None).chapters[-1]
    assert (last.kind, last.heading, primary(last.language)) == ("epilogue", heading, other)


@pytest.mark.parametrize("language", ["en", "ko", "zh", "ja", "fr", "de", "es", "ru"])
def test_prose_of_one_language_has_headings_of_no_other(language: str) -> None:
    text = PROSE[language] * 20
    assert heading_languages(text, lines_of(text), language_table(language), {language}) == ()
