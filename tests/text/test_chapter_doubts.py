"""Headings that are taken with doubt, and said to be: short chapters, excerpts, odd numbers, empty ones, front and back matter."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.cli.init import _language
from analyzer.cli.show import _heading
from analyzer.models.text import Manuscript
from analyzer.text.detect import primary
from analyzer.text.manuscript import manuscript_from_text, preview, read_manuscript
from analyzer.text.remarks import of_book

LINES = {
    "en": ("Ilse rowed out alone.", "Then the wind came, and Piers shouted.", "They slept on the sand."),
    "ko": ("일세는 혼자 노를 저었다.", "바람이 불었고 나루가 소리쳤다.", "둘은 모래에서 잤다."),
    "zh": ("月兒獨自划船出去。", "風來了，大河喊了起來。", "他們睡在沙灘上。"),
    "ru": ("Ильза одна вышла на лодке.", "Потом поднялся ветер, и Тихон закричал.", "Они спали на песке."),
}
TITLES = {
    "en": ("Contents", "The Boat", "The Storm", "The Shore"),
    "ko": ("차례", "배", "폭풍", "바닷가"),
    "zh": ("目錄", "小船", "風暴", "海岸"),
    "ru": ("Содержание", "Лодка", "Буря", "Берег"),
}
WORD = {"en": "Chapter {}", "ko": "제{}장", "zh": "第{}章", "ru": "Глава {}"}
LANGUAGES = sorted(LINES)


def read(text: str, language: str | None) -> Manuscript:
    return manuscript_from_text(text, title="x", language=language)


def headed(language: str, headings: list[str], times: int = 1) -> str:
    lines = LINES[language]
    return "".join(f"{head}\n\n{' '.join([lines[i % 3]] * times)}\n\n" for i, head in enumerate(headings))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("numbered", [False, True])
def test_titles_that_only_a_contents_list_tells_are_chapters_with_doubt(language: str, numbered: bool) -> None:
    contents, *titles = TITLES[language]
    entries = "\n".join(f"{i}. {title}" if numbered else title for i, title in enumerate(titles, 1))
    found = read(f"{contents}\n\n{entries}\n\n{headed(language, titles)}", language)
    assert [c.title for c in found.chapters] == titles
    assert [gap.reason for gap in found.dropped] == ["contents"]
    assert all(row.confidence == 0.6 and row.reason.startswith("a title of the contents") for row in preview(found))
    assert any(repr(titles[0]) in said and "not sure" in said for said in found.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contents_list_whose_titles_stand_nowhere_is_text(language: str) -> None:
    contents, *titles = TITLES[language]
    found = read("\n\n".join([contents, *titles, *LINES[language]]), language)
    assert len(found.chapters) == 1
    assert not found.dropped
    assert found.chapters[0].blocks[-1].text == LINES[language][-1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("headings", [["1", "2", "3"], ["I", "II", "III"], ["1. {0}", "2. {1}", "3. {2}"], ["①", "②"]])
def test_numbers_alone_over_a_few_lines_are_chapters_with_doubt(language: str, headings: list[str]) -> None:
    heads = [head.format(*TITLES[language][1:]) for head in headings]
    found = read(headed(language, heads), language)
    assert [c.heading for c in found.chapters] == heads
    assert {row.confidence for row in preview(found)} == {0.6}
    assert any("not sure" in said for said in found.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbered_lines_that_are_not_taken_are_named(language: str) -> None:
    text = headed(language, ["5", "6"]) + LINES[language][0]
    found = read(text, language)
    assert len(found.chapters) == 1
    assert any("'5', '6' look like headings" in said for said in found.remarks)


@pytest.mark.parametrize(
    ("host", "heading", "line", "language"),
    [
        ("en", "제2장", "일세는 잤다.", "ko"),
        ("en", "Глава 2", LINES["ru"][0], "ru"),
        ("ko", "第二章", "月兒睡了。", "zh"),
        ("zh", "Chapter 2", "Ilse slept.", "en"),
        ("ru", "第二話", "イルゼは眠った。", "ja"),
    ],
)
def test_a_chapter_of_one_line_in_another_script_is_in_its_language(
    host: str, heading: str, line: str, language: str
) -> None:
    one, three = (headed(host, [WORD[host].format(n)], 6) for n in (1, 3))
    found = read(f"{one}{heading}\n\n{line}\n\n{three}", host)
    assert [primary(c.language) for c in found.chapters] == [host, language, host]


@pytest.mark.parametrize(
    ("language", "above", "below"),
    [
        ("en", "It was all as we had said before in", "which followed on the rest."),
        ("ru", "Всё было так, как мы уже сказали, и", "которая была за ней, об этом говорит."),
        ("zh", "正如我們在前面已經說過的那樣在這本書的", "裡面已經講過了。"),
        ("ko", "우리가 앞에서 이미 말한 것처럼 이 책의", "에서 이미 이야기하였다."),
    ],
)
def test_a_chapter_named_inside_a_wrapped_sentence_begins_none(language: str, above: str, below: str) -> None:
    quoted = WORD[language].format(9)
    text = "".join(f"{WORD[language].format(n)}\n\n{above}\n{quoted}\n{below}\n\n" for n in (1, 2))
    found = read(text, language)
    assert [c.label for c in found.chapters] == ["1", "2"]


def test_an_author_without_capitals_has_chapters() -> None:
    text = "".join(f"Chapter {n}\nilse rowed out alone.\n\nthe wind came.\n\n" for n in (1, 2, 3))
    assert len(read(text, "en").chapters) == 3


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", ["10000", "99999999999999999999", "9" * 600, "-3"])
def test_a_number_of_any_length_or_below_zero_begins_a_chapter_that_is_doubted(language: str, number: str) -> None:
    found = read(headed(language, [WORD[language].format(n) for n in ("1", number)]), language)
    assert [c.label for c in found.chapters] == ["1", number]
    assert [row.confidence for row in preview(found)] == [0.98, 0.6]
    assert any("not in sequence" in said for said in found.remarks)


def test_a_line_of_a_million_figures_is_read_at_once() -> None:
    text = f"Chapter 1\n\nIlse rowed.\n\nChapter {'9' * 1_000_000}\n\nIlse slept.\n"
    before = time.process_time()
    assert len(read(text, "en").chapters) == 1
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    ("language", "headings", "labels"),
    [
        ("en", ["Ｃｈａｐｔｅｒ　１", "Ｃｈａｐｔｅｒ　２"], ["１", "２"]),
        ("ja", ["第①章", "第②章"], ["①", "②"]),
        ("zh", ["第㊀章", "第㊁章"], ["㊀", "㊁"]),
        ("ko", ["제Ⅰ장", "제Ⅱ장"], ["Ⅰ", "Ⅱ"]),
        ("en", ["Chapter ⅩⅢ", "Chapter ⅩⅣ"], ["ⅩⅢ", "ⅩⅣ"]),
        ("en", ["𝐂𝐡𝐚𝐩𝐭𝐞𝐫 𝟏", "𝐂𝐡𝐚𝐩𝐭𝐞𝐫 𝟐"], ["𝟏", "𝟐"]),
    ],
)
def test_other_forms_of_letters_and_figures_are_known_and_stay_as_written(
    language: str, headings: list[str], labels: list[str]
) -> None:
    story = "zh" if language == "ja" else language
    found = read(headed(story, headings), language)
    assert [c.label for c in found.chapters] == labels
    assert [found.text[c.start : c.start + len(c.heading)] for c in found.chapters] == headings
    assert {row.reason for row in preview(found)} == {"chapter word and number, in sequence"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_chapters_without_text_are_doubted_and_named(language: str) -> None:
    heads = [WORD[language].format(n) for n in (1, 2, 3)]
    found = read(f"{heads[0]}\n\n{headed(language, [heads[1]])}{heads[2]}\n", language)
    assert [row.confidence for row in preview(found)] == [0.6, 0.98, 0.6]
    assert any("2 chapters have no text" in said and repr(heads[2]) in said for said in found.remarks)


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("ko", "작가의 말"),
        ("zh", "後記"),
        ("zh", "后记"),
        ("zh", "作者的话"),
        ("ja", "あとがき"),
        ("en", "Author's Note"),
        ("en", "Also by Ilse Brandt"),
        ("ru", "От автора"),
    ],
)
def test_matter_before_the_first_chapter_is_front_and_behind_the_last_is_back(language: str, word: str) -> None:
    story = "zh" if language == "ja" else language
    chapters = headed(story, [WORD[story].format(n) for n in (1, 2)])
    note = f"{word}\n\n{LINES[story][1]}\n\n"
    assert [c.kind for c in read(note + chapters, language).chapters] == ["front", "chapter", "chapter"]
    assert [c.kind for c in read(chapters + note, language).chapters] == ["chapter", "chapter", "back"]


def test_a_gap_between_files_of_a_folder_is_no_doubt_and_remarks_name_the_path(tmp_path: Path) -> None:
    folder = tmp_path / "my serial"
    folder.mkdir()
    for n in (1, 2, 3, 10):
        (folder / f"{n}.txt").write_text(LINES["en"][1] * 5, encoding="utf-8")
    found = read_manuscript(folder)
    assert [c.label for c in found.chapters] == ["1", "2", "3", "10"]
    assert preview(found)[-1].confidence == 0.85
    assert not any("sequence" in said for said in found.remarks)
    path = tmp_path / "a b.txt"
    path.write_text(headed("en", ["Chapter 1", "Chapter 5"]), encoding="utf-8")
    assert any(f"analyzer chapters '{path}'" in said for said in pipeline.remarks(path))
    assert of_book(["see: analyzer chapters BOOK"], "x") == ("see: analyzer chapters x",)


@pytest.mark.parametrize(
    ("language", "first", "second", "title"),
    [
        ("en", "CHAPTER {}.—THE LONG", "ROAD HOME", "THE LONG ROAD HOME"),
        ("ru", "Глава {}. Дорога", "которая вела домой", "Дорога которая вела домой"),
        ("zh", "第{}章 漫長的", "歸途", "漫長的 歸途"),
        ("ko", "제{}장 집으로", "가는 긴 길", "집으로 가는 긴 길"),
    ],
)
def test_a_title_over_two_lines_is_whole(language: str, first: str, second: str, title: str) -> None:
    found = read(headed(language, [f"{first.format(n)}\n{second}" for n in (1, 2, 3)]), language)
    assert [c.title for c in found.chapters] == [title] * 3
    assert [len(c.blocks) for c in found.chapters] == [1] * 3


def test_a_chapter_is_headed_by_its_number_once() -> None:
    assert _heading(1, "1", "") == _heading(1, "1", "1") == "Chapter 1"
    assert _heading(4, "3b", "The Rope") == "Chapter 4 (3b): The Rope"


def test_an_unknown_language_is_said_in_words() -> None:
    assert _language("und", 0.94) == "no language recognised; --language names one"
    assert _language("fr", 0.94).startswith("language fr (94% sure")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_excerpt_of_numbers_alone_begins_anywhere_but_among_years(language: str) -> None:
    found = read(headed(language, ["57", "58", "59"], 12), language)
    assert [c.label for c in found.chapters] == ["57", "58", "59"]
    assert any("begin at 57" in said for said in found.remarks)
    assert len(read(headed(language, ["1848", "1849", "1850"], 12), language).chapters) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at", [0, 2, 4])
def test_one_heading_with_a_chapter_word_among_bare_numbers_stays(language: str, at: int) -> None:
    heads = [str(n) for n in range(1, 6)]
    heads[at] = WORD[language].format(at + 1)
    assert [c.heading for c in read(headed(language, heads, 12), language).chapters] == heads


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_bare_number_that_is_missing_among_chapter_words_stays(language: str) -> None:
    heads = [WORD[language].format(1), "2", WORD[language].format(3)]
    assert [c.heading for c in read(headed(language, heads), language).chapters] == heads


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_merge_the_authors_list_names_is_not_remarked_on(tmp_path: Path, language: str) -> None:
    heads = [WORD[language].format(n) for n in (1, 2)]
    (tmp_path / "x.txt").write_text(headed(language, heads), encoding="utf-8")
    listed = tmp_path / "chapters.toml"
    listed.write_text(f'[[chapter]]\nat = "{heads[0]}"\n', encoding="utf-8")
    told = read_manuscript(tmp_path / "x.txt", language=language, chapters_file=listed).remarks
    assert any(f'includes = ["{heads[1]}"]' in said for said in told)
    listed.write_text(f'[[chapter]]\nat = "{heads[0]}"\nincludes = ["{heads[1]}"]\n', encoding="utf-8")
    merged = read_manuscript(tmp_path / "x.txt", language=language, chapters_file=listed)
    assert not merged.remarks
    assert len(merged.chapters) == 1
