"""Which lines are headings: numbers of every kind, parts, contents lists, and lines that only look like one."""

from __future__ import annotations

import pytest

from analyzer.models.text import Manuscript
from analyzer.text.chapters import split_chapters
from analyzer.text.headings import match_heading
from analyzer.text.languages import language_table
from analyzer.text.manuscript import manuscript_from_text, preview
from analyzer.text.readers._reader import SourceText

PROSE = {
    "en": "The lamp went out and nobody in the long room moved, because each of them had heard the step on the stair. "
    * 3,
    "fr": "La lampe s'éteignit et personne ne bougea, car chacun avait entendu le pas dans l'escalier de bois. " * 3,
    "de": "Die Lampe erlosch, und niemand im Zimmer rührte sich, denn alle hatten den Schritt auf der Treppe gehört. "
    * 3,
    "es": "La lámpara se apagó y nadie se movió, porque todos habían oído el paso en la escalera de madera. " * 3,
    "ru": "Лампа погасла, и никто в комнате не шевельнулся, потому что все услышали шаги на лестнице. " * 3,
    "ko": "등불이 꺼졌고 아무도 움직이지 않았다. 모두가 계단을 오르는 발소리를 들었기 때문이다. " * 3,
    "zh": "燈滅了，屋裡的人都沒有動，因為每個人都聽見了樓梯上的腳步聲。" * 4,
    "ja": "灯りが消え、誰も動かなかった。階段を上る足音を、皆が聞いていたからである。" * 4,
    "und": "The lamp went out and nobody in the long room moved, because each of them had heard the step. " * 3,
}


def book(language: str, *parts: str) -> Manuscript:
    """Join lines by blank ones; "~" stands for a paragraph of prose."""
    words = [PROSE[language].strip() if part == "~" else part for part in parts]
    return manuscript_from_text("\n\n".join(words) + "\n", title="x", language=language)


def found(manuscript: Manuscript) -> list[tuple[str, str, str]]:
    return [(c.kind, c.label, c.title) for c in manuscript.chapters]


@pytest.mark.parametrize(
    ("language", "headings", "expected"),
    [
        ("en", ["Chapter 1", "Chapter 2"], [("1", ""), ("2", "")]),
        ("en", ["CHAPTER ONE", "CHAPTER TWENTY-TWO"], [("ONE", ""), ("TWENTY-TWO", "")]),
        ("en", ["Chapter I. Dusk", "Chapter II — Dawn, at last"], [("I", "Dusk"), ("II", "Dawn, at last")]),
        ("en", ["Chapter the First", "Chapter the Second"], [("First", ""), ("Second", "")]),
        ("en", ["Episode 1: Pilot", "Episode 2: Storm"], [("1", "Pilot"), ("2", "Storm")]),
        ("en", ["--- Chapter 1 ---", "--- Chapter 2 ---"], [("1", ""), ("2", "")]),
        ("en", ["Chapter 1 The Well", "Chapter 2 The Rope"], [("1", "The Well"), ("2", "The Rope")]),
        ("fr", ["Chapitre premier", "Chapitre 2"], [("premier", ""), ("2", "")]),
        ("fr", ["CHAPITRE VINGT ET UN", "CHAPITRE VINGT-DEUX"], [("VINGT ET UN", ""), ("VINGT-DEUX", "")]),
        ("de", ["Erstes Kapitel", "Einundzwanzigstes Kapitel"], [("Erstes", ""), ("Einundzwanzigstes", "")]),
        ("de", ["1. Kapitel: Abend", "2. Kapitel: Morgen"], [("1", "Abend"), ("2", "Morgen")]),
        ("es", ["Capítulo primero", "Capítulo segundo"], [("primero", ""), ("segundo", "")]),
        ("ru", ["Глава первая", "Глава двадцать вторая"], [("первая", ""), ("двадцать вторая", "")]),
        ("ko", ["제1장", "제 2 장 비"], [("1", ""), ("2", "비")]),
        ("ko", ["1화 첫눈", "2화 둘째 날"], [("1", "첫눈"), ("2", "둘째 날")]),
        ("zh", ["第一回　雨夜　歸人", "第一百零二回　天明"], [("一", "雨夜　歸人"), ("一百零二", "天明")]),
        ("zh", ["第１章：雨夜", "第２章：天明"], [("１", "雨夜"), ("２", "天明")]),
        ("zh", ["第一章雨夜", "第二章天明"], [("一", "雨夜"), ("二", "天明")]),
        ("ja", ["第一話　雨の夜", "第二話　朝"], [("一", "雨の夜"), ("二", "朝")]),
        ("und", ["Kapitola 1", "Kapitola 2"], [("1", ""), ("2", "")]),
    ],
)
def test_numbered_headings_are_found(language: str, headings: list[str], expected: list[tuple[str, str]]) -> None:
    manuscript = book(language, headings[0], "~", headings[1], "~")
    assert found(manuscript) == [("chapter", *row) for row in expected]
    assert [c.heading for c in manuscript.chapters] == headings


@pytest.mark.parametrize(
    ("language", "numbers"),
    [
        ("en", ["I", "II", "III", "IV"]),
        ("en", ["1", "2", "3"]),
        ("en", ["ONE", "TWO", "THREE"]),
        ("es", ["-I-", "-II-", "- III -"]),
        ("ja", ["一", "二", "三"]),
        ("zh", ["１", "２", "３"]),
        ("ko", ["1.", "2.", "3."]),
    ],
)
def test_numbers_alone_are_chapters_where_they_count_up_with_text_between(language: str, numbers: list[str]) -> None:
    parts = [part for number in numbers for part in (number, "~")]
    assert len(book(language, *parts).chapters) == len(numbers)


def test_a_title_on_the_line_below_is_found_where_all_have_one() -> None:
    manuscript = book("fr", "I", "La lampe", "~", "II", "Le pas dans l'escalier", "~", "III", "Qui va là ?", "~")
    assert [c.title for c in manuscript.chapters] == ["La lampe", "Le pas dans l'escalier", "Qui va là ?"]
    assert manuscript.chapters[0].heading == "I\n\nLa lampe" or manuscript.chapters[0].heading == "I\nLa lampe"
    assert manuscript.chapters[0].blocks[0].text.startswith("La lampe s'éteignit")


def test_a_short_first_paragraph_is_no_title() -> None:
    manuscript = book("ko", "제1장", "비였다.", "~", "제2장", "~", "제3장", "~")
    assert [c.title for c in manuscript.chapters] == ["", "", ""]
    assert manuscript.chapters[0].blocks[0].text == "비였다."


@pytest.mark.parametrize(
    "line",
    [
        "“Chapter 3 of my life,” he said, “begins with a lie.”",
        "Chapter and verse were what she wanted, and got.",
        "Book ii of the ledger lay open on his knee.",
        "Prologue? There was no prologue to speak of.",
        "Part of the reason was money.",
        "1848",
        "I",
        "Chapter 3 of the charter was read aloud",
        "Part two was harder, and she slept through it.",
        "Notes were passed along the bench.",
    ],
)
def test_prose_that_looks_like_a_heading_stays_a_block(line: str) -> None:
    manuscript = book("en", "Chapter 1", "~", line, "~", "Chapter 2", "~", line, "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2"]
    assert [b.text for b in manuscript.chapters[0].blocks][1] == line


def test_a_short_numbered_list_is_no_chapters() -> None:
    manuscript = book("en", "~", "1. Salt", "2. Rope", "3. A lamp", "~")
    assert len(manuscript.chapters) == 1
    assert len(manuscript.chapters[0].blocks) == 5


def test_a_list_inside_a_numbered_book_does_not_restart_it() -> None:
    manuscript = book("en", "1", "~", "2", "~", "1. Salt", "2. Rope", "~", "3", "~", "4", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2", "3", "4"]


def test_years_as_lines_of_their_own_are_no_chapters() -> None:
    assert len(book("en", "1848", "~", "1849", "~", "1851", "~").chapters) == 1


def test_a_sentence_out_of_sequence_is_a_block_if_the_count_goes_on_without_it() -> None:
    manuscript = book("en", "Chapter 1", "~", "Chapter 9. It ended there.", "~", "Chapter 2", "~", "Chapter 3", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2", "3"]


def test_a_number_left_out_is_kept_and_told() -> None:
    manuscript = book("en", "Chapter 1", "~", "Chapter 3", "~", "Chapter 4", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "3", "4"]
    rows = preview(manuscript)
    assert rows[1].reason == "chapter word and number, 3 after 1"
    assert rows[1].confidence < rows[0].confidence


def test_chapters_start_again_in_every_part() -> None:
    manuscript = book(
        "en", "PART ONE", "Chapter 1", "~", "Chapter 2", "~", "PART TWO", "Chapter 1", "~", "Chapter 2", "~"
    )
    assert [c.label for c in manuscript.chapters] == ["1", "2", "1", "2"]
    assert [d.reason for d in manuscript.dropped] == ["part heading", "part heading"]


def test_the_plan_names_the_part_a_chapter_stands_under() -> None:
    text = "第一部　雨\n\n第一章\n\n" + PROSE["zh"] + "\n\n第二部　雪\n\n第二章\n\n" + PROSE["zh"] + "\n"
    plan = split_chapters(SourceText("x", text), language_table("zh"))
    assert [(c.label, c.part) for c in plan.chapters] == [("一", "第一部　雨"), ("二", "第二部　雪")]


def test_numbers_alone_start_again_in_every_part_and_take_the_kind_of_the_epilogue() -> None:
    manuscript = book("ru", "ЧАСТЬ ПЕРВАЯ", "I", "~", "II", "~", "ЭПИЛОГ", "I", "~", "II", "~")
    assert [(c.kind, c.label) for c in manuscript.chapters] == [
        ("chapter", "I"),
        ("chapter", "II"),
        ("epilogue", "I"),
        ("epilogue", "II"),
    ]


def test_text_under_a_part_heading_opens_the_part() -> None:
    manuscript = book("en", "PART ONE", "~", "~", "Chapter 1", "~", "Chapter 2", "~")
    assert found(manuscript)[0] == ("prologue", "ONE", "")


def test_a_book_of_parts_only_has_them_as_chapters() -> None:
    assert [c.label for c in book("en", "Book One", "~", "Book Two", "~").chapters] == ["One", "Two"]


@pytest.mark.parametrize(
    ("language", "line", "kind"),
    [
        ("en", "Prologue", "prologue"),
        ("en", "EPILOGUE: The Last Ferry", "epilogue"),
        ("en", "Interlude II", "interlude"),
        ("en", "Preface", "front"),
        ("en", "Afterword", "back"),
        ("fr", "Épilogue", "epilogue"),
        ("ko", "프롤로그", "prologue"),
        ("ko", "외전 1화", "side_story"),
        ("zh", "楔子", "prologue"),
        ("zh", "番外三", "side_story"),
        ("ja", "エピローグ", "epilogue"),
        ("ja", "あとがき", "back"),
        ("ru", "Пролог", "prologue"),
    ],
)
def test_named_kinds_are_found(language: str, line: str, kind: str) -> None:
    number = {"ko": "제1장", "zh": "第一章", "ja": "第一章", "ru": "Глава 1", "fr": "Chapitre 1"}.get(
        language, "Chapter 1"
    )
    parts = [number, "~", line, "~"] if kind == "back" else [line, "~", number, "~"]
    assert sorted(c.kind for c in book(language, *parts).chapters) == sorted([kind, "chapter"])


def test_a_contents_list_is_no_chapters() -> None:
    contents = "CONTENTS\n\nChapter 1. Salt ....... 1\nChapter 2. Rope ....... 9\nChapter 3. Lamp ...... 17"
    manuscript = book(
        "en", "The Salt Road", contents, "Chapter 1. Salt", "~", "Chapter 2. Rope", "~", "Chapter 3. Lamp", "~"
    )
    assert [c.title for c in manuscript.chapters] == ["Salt", "Rope", "Lamp"]
    assert [d.reason for d in manuscript.dropped] == ["title page", "contents"]


def test_a_contents_list_with_parts_and_without_a_heading_is_no_chapters() -> None:
    contents = "第一部\n第一章 雨\n第二章 雪\n第二部\n第三章 霧"
    manuscript = book("zh", contents, "第一部", "第一章 雨", "~", "第二章 雪", "~", "第二部", "第三章 霧", "~")
    assert [c.title for c in manuscript.chapters] == ["雨", "雪", "霧"]
    assert [d.reason for d in manuscript.dropped] == ["contents", "part heading", "part heading"]


def test_empty_chapters_at_the_end_of_a_draft_are_no_contents() -> None:
    manuscript = book("en", "Chapter 1", "~", "Chapter 2", "Chapter 3", "Chapter 4")
    assert [(c.label, len(c.blocks)) for c in manuscript.chapters] == [("1", 1), ("2", 0), ("3", 0), ("4", 0)]


def test_running_heads_that_part_sentences_are_blocks() -> None:
    cut = PROSE["en"] + "and then she took the lamp from"
    rest = "the hook, and went down. " + PROSE["en"]
    manuscript = book("en", "Chapter 1. Salt", cut, "Chapter 1. Salt", rest, "Chapter 2. Rope", "~")
    assert [c.label for c in manuscript.chapters] == ["1", "2"]


def test_the_end_mark_is_dropped_only_at_the_end() -> None:
    manuscript = book("en", "Chapter 1", "~", "The End", "~", "Chapter 2", "~", "THE END")
    assert [b.text for b in manuscript.chapters[0].blocks][1] == "The End"
    assert [d.reason for d in manuscript.dropped] == ["end mark"]


def test_a_text_without_headings_is_one_chapter() -> None:
    manuscript = book("ja", "~", "~")
    assert found(manuscript) == [("chapter", "", "")]
    assert preview(manuscript)[0].reason == "no heading found: the whole text is one chapter"


def test_prose_before_the_first_heading_is_kept_as_front_matter() -> None:
    manuscript = book("en", "~", "Chapter 1", "~", "Chapter 2", "~")
    assert [c.kind for c in manuscript.chapters] == ["front", "chapter", "chapter"]


def test_headings_are_found_where_every_line_is_a_paragraph() -> None:
    text = "\n".join(["第一章　雨", "　　" + PROSE["zh"], "　　她笑了。", "第二章　雪", "　　" + PROSE["zh"]])
    manuscript = manuscript_from_text(text, title="x", language="zh")
    assert [(c.title, len(c.blocks)) for c in manuscript.chapters] == [("雨", 2), ("雪", 1)]


@pytest.mark.parametrize(
    ("line", "language"), [("第一回合他就輸了。", "zh"), ("3회전에서 졌다", "ko"), ("Chapterhouse 3", "en")]
)
def test_longer_words_are_not_chapter_words(line: str, language: str) -> None:
    assert match_heading(line, language_table(language)) is None


def test_a_distributors_notices_are_no_part_of_any_chapter() -> None:
    manuscript = book(
        "en",
        "Release date: May",
        "*** START OF THE PROJECT GUTENBERG EBOOK THE SALT ROAD ***",
        "THE SALT ROAD",
        "Chapter 1",
        "~",
        "Chapter 2",
        "~",
        "*** END OF THE PROJECT GUTENBERG EBOOK THE SALT ROAD ***",
        "~",
    )
    assert [d.reason for d in manuscript.dropped] == ["distributor's notice", "title page", "distributor's notice"]
    assert [len(c.blocks) for c in manuscript.chapters] == [1, 1]
    assert manuscript.dropped[-1].end == len(manuscript.text)


@pytest.mark.parametrize(
    ("language", "line", "expected"),
    [
        ("en", "Volume 1, Chapter 3: The Door", ("word", "3", "The Door")),
        ("en", "CHAPTER 12 (Part 2)", ("word", "12", "(Part 2)")),
        ("en", "[Chapter 12] The Door", ("word", "12", "The Door")),
        ("zh", "第一卷 青雲 第一章 雨", ("word", "一", "雨")),
        ("zh", "【第12章】門（上）", ("word", "12", "門（上）")),
        ("ja", "第12話「扉」", ("word", "12", "「扉」")),
        ("ja", "幕間　雨", ("kind", "", "雨")),
        ("ko", "1부 3화 문", ("word", "3", "문")),
        ("ko", "외전 (3) 비", ("kind", "3", "비")),
        ("fr", "XIV. — La porte", ("number", "XIV", "La porte")),
    ],
)
def test_one_line_may_name_part_number_and_title(language: str, line: str, expected: tuple[str, str, str]) -> None:
    heading = match_heading(line, language_table(language))
    assert heading is not None
    assert (heading.style, heading.label, heading.title) == expected
