"""Chapters whose numbers are out of order, printed twice or missing a blank line; what stands before, between and behind."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.models.text import Manuscript
from analyzer.text.blocks import lines_of
from analyzer.text.manuscript import manuscript_from_text, preview, read_manuscript

STORY = {
    "en": "The ferry went out before dawn. Ilse counted the lanterns on the other bank until the fog had them.\n\n"
    "“Will he come back?” she asked the oldest of the ferrymen, who was busy with the rope.\n\n"
    "Nobody answered her. The rope creaked, and the water below them was as grey as slate.\n\n",
    "ko": "나룻배는 동이 트기 전에 떠났다. 일세는 안개가 등불을 모두 삼킬 때까지 강둑의 등불을 세었다.\n\n"
    "“그가 돌아올까요?” 그녀가 밧줄을 만지던 늙은 사공에게 물었다.\n\n아무도 대답하지 않았다.\n\n",
    "zh": "天還沒亮渡船就開了。伊爾莎數著對岸的燈籠，直到霧把它們全都吞沒。\n\n"
    "「他會回來嗎？」她問那個正在理繩子的老船夫。\n\n沒有人回答她，只有繩子吱吱作響，水灰得像石板一樣。\n\n",
    "ru": "Паром ушёл до рассвета. Ильза считала фонари на другом берегу, пока их не скрыл туман.\n\n"
    "— Он вернётся? — спросила она старого паромщика, который возился с канатом.\n\n"
    "Никто ей не ответил. Канат скрипел, и вода под ними была серой, как сланец.\n\n",
    "fr": "Le bac partit avant l'aube. Ilse compta les lanternes de l'autre rive jusqu'à ce que le brouillard les prît.\n\n"
    "« Reviendra-t-il ? » demanda-t-elle au plus vieux des passeurs, occupé à sa corde.\n\n"
    "Personne ne lui répondit. La corde grinçait, et l'eau était grise comme l'ardoise.\n\n",
}
HEADING = {"en": "Chapter {}", "ko": "제{}화", "zh": "第{}章", "ru": "Глава {}", "fr": "Chapitre {}"}
LANGUAGES = list(STORY)

ORDERS = [
    [5, 1, 2, 3],
    [2, 1, 3, 4],
    [3, 2, 1],
    [1, 3, 2, 4],
    [1, 2, 3, 4, 6, 5, 7, 8, 9],
    [1, 2, 33, 4, 5],
    [10, 11, 2, 13, 14],
    [1, 2, 2, 3],
    [1, 1, 2, 3],
    [1, 2, 3, 3],
    [1, 2, 3, 4, 3, 5],
]


def numbered(language: str, numbers: list[int], form: str = "") -> str:
    return "".join(f"{(form or HEADING[language]).format(n)}\n\n{STORY[language]}" for n in numbers)


def read(text: str, language: str) -> Manuscript:
    return manuscript_from_text(text, title="x", language=language)


def kinds(manuscript: Manuscript) -> list[tuple[str, str]]:
    return [(chapter.kind, chapter.label) for chapter in manuscript.chapters]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("numbers", ORDERS, ids=str)
def test_a_chapter_word_with_a_number_alone_begins_a_chapter_whatever_its_number(
    language: str, numbers: list[int]
) -> None:
    manuscript = read(numbered(language, numbers), language)
    assert kinds(manuscript) == [("chapter", str(n)) for n in numbers]
    assert not manuscript.dropped
    odd = [n for before, n in pairwise(numbers) if n != before + 1]
    assert [row.confidence for row in preview(manuscript)].count(0.6) == len(odd)
    assert any("not in sequence" in remark for remark in manuscript.remarks)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 9999), min_size=1, max_size=8))
def test_any_numbers_at_all_begin_chapters(numbers: list[int]) -> None:
    manuscript = read(numbered("en", numbers), "en")
    assert [chapter.label for chapter in manuscript.chapters] == [str(n) for n in numbers]


@pytest.mark.parametrize("ending", ["md", "html"])
@pytest.mark.parametrize("language", ["en", "ko", "zh", "ru"])
def test_headings_of_a_format_begin_chapters_whatever_their_number(tmp_path: Path, language: str, ending: str) -> None:
    form = {"md": f"# {HEADING[language]}", "html": f"<h1>{HEADING[language]}</h1>"}[ending]
    path = tmp_path / f"x.{ending}"
    words = numbered(language, [5, 1, 3, 2, 2], form)
    path.write_text(words.replace("\n\n", "<p>") if ending == "html" else words, encoding="utf-8")
    assert [chapter.label for chapter in read_manuscript(path).chapters] == ["5", "1", "3", "2", "2"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("numbers", [[1, 2, 2, 3], [1, 1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 4, 3, 5]], ids=str)
def test_a_number_alone_that_is_used_twice_with_a_chapter_of_text_begins_one(language: str, numbers: list[int]) -> None:
    manuscript = read(numbered(language, numbers, "{}."), language)
    assert [chapter.label for chapter in manuscript.chapters] == [str(n) for n in numbers]


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_alone_still_need_a_sequence_and_years_and_scores_are_none(language: str) -> None:
    assert len(read(numbered(language, [1848, 1849, 1851], "{}"), language).chapters) == 1
    scored = numbered(language, [1]) + "3 - 2\n\n" + STORY[language] + numbered(language, [2])
    assert [chapter.label for chapter in read(scored, language).chapters] == ["1", "2"]


@pytest.mark.parametrize(
    ("language", "title"), [("en", ": The Rope"), ("ko", " 밧줄"), ("zh", " 繩"), ("ru", ". Канат")]
)
def test_a_heading_with_its_title_may_stand_twice_with_full_text(language: str, title: str) -> None:
    text = "".join(f"{HEADING[language].format(n)}{title}\n\n{STORY[language]}" for n in (1, 1, 2, 2))
    assert [chapter.label for chapter in read(text, language).chapters] == ["1", "1", "2", "2"]


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        (
            "en",
            "and so they went down the long stair to the river with the",
            "lantern that the old man had left for them.",
        ),
        (
            "ko",
            "그들은 노인이 그들을 위해 남겨 둔 등불을 들고 긴 계단을 내려가",
            "강가의 낡은 배가 있는 곳까지 천천히 걸어갔다.",
        ),
        (
            "zh",
            "他們提著老人留給他們的燈籠走下那條又長又陡的石頭樓梯一直走到",
            "河邊停著那條舊船的地方才慢慢地把燈籠放了下來。",
        ),
        (
            "ru",
            "и они спустились по длинной лестнице к самой реке с тем",
            "фонарём, который им оставил старый паромщик.",
        ),
    ],
)
def test_a_heading_that_repeats_in_the_middle_of_a_sentence_is_a_running_head(
    language: str, before: str, after: str
) -> None:
    head = HEADING[language].format(1)
    text = f"{head}\n\n{STORY[language]}{before}\n\n{head}\n\n{after}\n\n{numbered(language, [2])}"
    assert [chapter.label for chapter in read(text, language).chapters] == ["1", "2"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "Chapter 9. It ended there."),
        ("ko", "제9화. 그렇게 끝났다."),
        ("zh", "第9章：到此為止了。"),
        ("fr", "Chapitre 9. Tout finit là."),
    ],
)
def test_a_sentence_out_of_sequence_is_no_heading(language: str, line: str) -> None:
    text = f"{numbered(language, [1])}{line}\n\n{STORY[language]}{numbered(language, [2, 3])}"
    assert [chapter.label for chapter in read(text, language).chapters] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Chapter 12.5", "Chapter 12b"),
        ("en", "Chapter 12: The Rope (1)", "Chapter 12: The Rope (2)"),
        ("ko", "제12화 밧줄 (상)", "제12화 밧줄 (하)"),
        ("zh", "第12章 繩（上）", "第12章 繩（下）"),
        ("ja", "第12話 縄（上）", "第12話 縄（下）"),
    ],
)
def test_pieces_of_one_number_are_in_sequence(language: str, first: str, second: str) -> None:
    story = STORY["zh" if language == "ja" else language]
    manuscript = read(f"{first}\n\n{story}{second}\n\n{story}", language)
    assert [row.confidence for row in preview(manuscript)] == [0.98, 0.98]
    assert not any("sequence" in remark for remark in manuscript.remarks)


def test_numbers_that_start_again_under_a_part_are_in_sequence() -> None:
    text = "PART ONE\n\n" + numbered("en", [1, 2]) + "PART TWO\n\n" + numbered("en", [1, 2])
    manuscript = read(text, "en")
    assert {row.confidence for row in preview(manuscript)} == {0.98}
    assert not manuscript.remarks


@pytest.mark.parametrize(
    ("language", "prologue", "interlude", "epilogue"),
    [
        ("en", "Prologue", "Interlude", "Epilogue"),
        ("ko", "프롤로그", "막간", "에필로그"),
        ("zh", "楔子", "幕間", "尾聲"),
        ("fr", "Prologue", "Interlude", "Épilogue"),
    ],
)
def test_a_named_kind_without_text_gives_its_kind_to_no_numbered_chapter(
    language: str, prologue: str, interlude: str, epilogue: str
) -> None:
    text = f"{prologue}\n\n{numbered(language, [1, 2])}{interlude}\n\n{numbered(language, [3, 4])}{epilogue}\n\n"
    manuscript = read(text + numbered(language, [5]), language)
    assert kinds(manuscript) == [("chapter", str(n)) for n in range(1, 6)]


def test_a_note_to_the_reader_in_one_line_is_kept_and_stays_alone() -> None:
    text = numbered("en", [1]) + "Author's note: please vote for me!\n\n" + numbered("en", [2, 3])
    assert [kind for kind, _ in kinds(read(text, "en"))] == ["chapter", "front", "chapter", "chapter"]


@pytest.mark.parametrize(
    ("language", "name", "kind"),
    [
        ("en", "Side Story", "side_story"),
        ("ko", "외전", "side_story"),
        ("zh", "番外", "side_story"),
        ("ru", "Эпилог", "epilogue"),
    ],
)
def test_chapters_counted_anew_under_a_named_kind_are_of_it_until_the_count_goes_on(
    language: str, name: str, kind: str
) -> None:
    text = f"{numbered(language, [1, 2, 3])}{name}\n\n{numbered(language, [1, 2])}{numbered(language, [4])}"
    assert [found for found, _ in kinds(read(text, language))] == ["chapter"] * 3 + [kind] * 2 + ["chapter"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_prose_in_short_paragraphs_before_the_first_heading_is_kept(language: str) -> None:
    manuscript = read("A NOVEL\n\nI. Doe\n\n" + STORY[language] * 6 + numbered(language, [1, 2]), language)
    assert [kind for kind, _ in kinds(manuscript)] == ["front", "chapter", "chapter"]
    assert any("before the first heading" in remark for remark in manuscript.remarks)


def test_prose_between_the_works_title_and_the_first_chapter_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_text("# The Ferry\n\n" + STORY["en"] * 3 + numbered("en", [1, 2], "## Chapter {}"), encoding="utf-8")
    manuscript = read_manuscript(path)
    assert manuscript.title == "The Ferry"
    assert [kind for kind, _ in kinds(manuscript)] == ["front", "chapter", "chapter"]


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("en", "THE FERRY\n\nby I. Doe\n\nAll rights reserved.\n\nFor my mother."),
        ("ko", "나룻배\n\n도이세 지음\n\n어머니께."),
        ("zh", "渡船\n\n多伊 著\n\n獻給母親。"),
        ("ru", "ПАРОМ\n\nИ. Доу\n\nМоей матери."),
    ],
)
def test_a_title_page_is_left_out(language: str, lines: str) -> None:
    manuscript = read(f"{lines}\n\n{numbered(language, [1, 2])}", language)
    assert [gap.reason for gap in manuscript.dropped] == ["title page"]
    assert len(manuscript.chapters) == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_heading_right_below_text_is_found(language: str) -> None:
    heads = [HEADING[language].format(n) for n in (1, 2, 3)]
    text = "\n".join(f"{head}\n\n{STORY[language].rstrip()}" for head in heads)
    manuscript = read(text, language)
    assert [chapter.heading for chapter in manuscript.chapters] == heads


def test_the_end_of_a_wrapped_paragraph_is_no_heading() -> None:
    wrapped = (
        "The ferry went out before dawn, and Ilse counted all of the lanterns\n"
        "on the other bank until the fog had them, as she had been told to in\n"
        "Chapter 2.\n\n"
    )
    manuscript = read(f"Chapter 1\n\n{wrapped * 8}Chapter 2\n\n{wrapped * 8}", "en")
    assert [len(chapter.blocks) for chapter in manuscript.chapters] == [8, 8]


@pytest.mark.parametrize(
    ("language", "title", "parting"),
    [("en", "The Rope", ": "), ("ko", "밧줄", " "), ("zh", "繩子", " "), ("ru", "Канат", ". ")],
)
def test_a_number_printed_twice_is_one_heading_with_the_title_of_the_second_line(
    language: str, title: str, parting: str
) -> None:
    heads = [HEADING[language].format(n) for n in (1, 2)]
    text = "".join(f"{head}\n\n{head}{parting}{title}\n\n{STORY[language]}" for head in heads)
    assert [(c.label, c.title) for c in read(text, language).chapters] == [("1", title), ("2", title)]


def test_a_number_printed_twice_on_two_levels_is_one_heading(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    words = [f"# Chapter {n}\n\n## Chapter {n}: The Rope\n\n{STORY['en']}" for n in (1, 2)]
    path.write_text("".join(words), encoding="utf-8")
    assert [(c.label, c.title) for c in read_manuscript(path).chapters] == [("1", "The Rope"), ("2", "The Rope")]


@pytest.mark.parametrize(
    ("language", "about", "also"),
    [
        ("en", "About the Author", "Also by Ilse Brandt"),
        ("ko", "작가 소개", "작가의 다른 작품"),
        ("zh", "關於作者", "作者其他作品"),
        ("fr", "À propos de l'auteur", "Du même auteur"),
        ("de", "Über die Autorin", "Weitere Bücher von Ilse Brandt"),
    ],
)
def test_what_is_said_of_the_author_behind_the_last_chapter_is_none_of_it(language: str, about: str, also: str) -> None:
    story, head = STORY.get(language, STORY["en"]), HEADING.get(language, "Kapitel {}")
    text = f"{head.format(1)}\n\n{story}{head.format(2)}\n\n{story}{about}\n\n{story}{also}\n\nIlse 2\n"
    assert [kind for kind, _ in kinds(read(text, language))] == ["chapter", "chapter", "back", "back"]


@pytest.mark.parametrize("text", ["...\n***\n", "…。\n\n1\n\n2\n", "「！？」\n", "— — —\n"])
def test_a_text_without_a_letter_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no letter"):
        read_manuscript(tmp_path / "x.txt")


def test_of_a_long_run_of_blank_lines_a_few_are_kept() -> None:
    lines = lines_of("One\n" + "\n" * 100_000 + "  Two")
    assert len(lines) < 100
    assert (lines[-1].start, lines[-1].text, lines[-1].indent) == (100_006, "Two", 2)
