"""Volumes whose line carries the book's name, or that a format leaves unmarked; prose below them; prose below a contents list."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.models.text import Manuscript
from analyzer.text.manuscript import manuscript_from_text, preview, read_manuscript
from tests.text.test_chapters import PROSE
from tests.text.whole import gaps_in

CHAPTER = {"en": "Chapter {}", "ko": "{}화", "zh": "第{}章", "ja": "第{}話", "de": "Kapitel {}"}
VOLUMES = [
    ("en", "Salt Road", "Salt Road: Book One", "Salt Road: Book Two"),
    ("en", "The Salt Road", "The Salt Road, Volume I", "The Salt Road, Volume II"),
    ("ko", "소금길", "소금길 1권", "소금길 2권"),
    ("ko", "소금길", "소금길 상권", "소금길 하권"),
    ("zh", "盐路", "盐路 第一卷", "盐路 第二卷"),
    ("zh", "盐路", "盐路（上）", "盐路（下）"),
    ("ja", "塩の道", "塩の道　上", "塩の道　下"),
    ("ja", "塩の道", "塩の道　第一巻", "塩の道　第二巻"),
    ("de", "Die Salzstraße", "Die Salzstraße – Band 1", "Die Salzstraße – Band 2"),
]
LANGUAGES = sorted(CHAPTER)
CONTENTS = {"en": "Contents", "ko": "목차", "zh": "目录", "ja": "目次", "de": "Inhalt"}


def prose(language: str, times: int = 1) -> str:
    return "\n\n".join([PROSE[language].strip()] * times)


def chapters(language: str, first: int, last: int, mark: str = "") -> str:
    heads = [CHAPTER[language].format(n) for n in range(first, last + 1)]
    return "".join(f"{mark}{head}\n\n{prose(language)}\n\n" for head in heads)


def plain(language: str, text: str) -> Manuscript:
    return manuscript_from_text(text, title="x", language=language)


def marked(folder: Path, language: str, text: str) -> Manuscript:
    path = folder / "x.md"
    path.write_text(text, encoding="utf-8")
    return read_manuscript(path, language=language)


def labels(read: Manuscript) -> list[str]:
    assert not gaps_in(read)
    return [chapter.label for chapter in read.chapters]


def parts(read: Manuscript) -> list[str]:
    return [read.text[d.start : d.end].strip() for d in read.dropped if d.reason == "part heading"]


@pytest.mark.parametrize(("language", "title", "one", "two"), VOLUMES)
def test_volumes_behind_the_name_of_the_book_are_parts(language: str, title: str, one: str, two: str) -> None:
    read = plain(language, f"{one}\n\n{chapters(language, 1, 2)}{two}\n\n{chapters(language, 1, 2)}")
    assert labels(read) == ["1", "2", "1", "2"]
    assert parts(read) == [one, two]
    assert read.title == title
    assert not any("not in sequence" in said for said in read.remarks)


@pytest.mark.parametrize(("language", "title", "one", "two"), VOLUMES)
@pytest.mark.parametrize("mark", ["# ", ""])
def test_volumes_of_a_format_are_parts_marked_or_not(
    tmp_path: Path, language: str, title: str, one: str, two: str, mark: str
) -> None:
    text = f"{mark}{one}\n\n{chapters(language, 1, 2, '# ')}{mark}{two}\n\n{chapters(language, 1, 2, '# ')}"
    read = marked(tmp_path, language, text)
    assert labels(read) == ["1", "2", "1", "2"]
    assert parts(read) == [one, two]
    assert {row.confidence for row in preview(read)} == {0.98}
    assert title in read.text


@pytest.mark.parametrize(("language", "title", "one", "two"), VOLUMES)
def test_prose_right_below_a_volume_opens_it_and_its_numbers_begin_anew(
    language: str, title: str, one: str, two: str
) -> None:
    body = [chapters(language, 1, 2), f"{prose(language, 2)}\n\n{chapters(language, 1, 2)}"]
    read = plain(language, f"{one}\n\n{body[0]}{two}\n\n{body[1]}")
    assert [c.kind for c in read.chapters] == ["chapter", "chapter", "prologue", "chapter", "chapter"]
    assert read.chapters[2].heading == two and title in two
    assert not any("not in sequence" in said for said in read.remarks)


@pytest.mark.parametrize(("language", "title", "one", "two"), VOLUMES)
def test_numbers_may_go_on_in_the_next_volume(language: str, title: str, one: str, two: str) -> None:
    read = plain(language, f"{one}\n\n{chapters(language, 1, 2)}{two}\n\n{chapters(language, 3, 4)}")
    assert labels(read) == ["1", "2", "3", "4"]
    assert parts(read) == [one, two] and title in one


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "She opened the Second Book"),
        ("ko", "그는 소금길 2권을 펼쳤다."),
        ("ko", "소금길 2권"),
        ("zh", "她打开了盐路下"),
        ("ja", "塩の道　下"),
        ("de", "Er las Band 2"),
    ],
)
def test_one_such_line_inside_of_a_chapter_is_prose(language: str, line: str) -> None:
    text = f"{chapters(language, 1, 1)}{line}\n\n{prose(language)}\n\n{chapters(language, 2, 3)}"
    read = plain(language, text)
    assert labels(read) == ["1", "2", "3"]
    assert line in read.chapters[0].text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("entries", [3, 5])
def test_prose_between_a_contents_list_and_the_first_chapter_is_kept(language: str, entries: int) -> None:
    listed = "\n".join(CHAPTER[language].format(n) for n in range(1, entries + 1))
    text = f"{CONTENTS[language]}\n\n{listed}\n\n{prose(language, 3)}\n\n{chapters(language, 1, entries)}"
    read = plain(language, text)
    assert [c.kind for c in read.chapters] == ["front", *["chapter"] * entries]
    assert [block.text for block in read.chapters[0].blocks] == [PROSE[language].strip()] * 3
    assert [read.text[d.start : d.end].split() for d in read.dropped] == [[CONTENTS[language], *listed.split()]]
    assert any(said.startswith("the text below the contents list") for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contents_list_right_above_the_first_chapter_is_left_out_whole(language: str) -> None:
    listed = "\n".join(CHAPTER[language].format(n) for n in (1, 2, 3))
    read = plain(language, f"{CONTENTS[language]}\n\n{listed}\n\n{chapters(language, 1, 3)}")
    assert labels(read) == ["1", "2", "3"]
    assert [gap.reason for gap in read.dropped] == ["contents"]
