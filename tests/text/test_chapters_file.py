"""chapters.toml: what is written says what was found, what the author writes wins, faults name their line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.models.text import Manuscript
from analyzer.text.chapters_file import STATED
from analyzer.text.manuscript import chapters_list, preview, preview_dropped, read_manuscript

ENGLISH = """THE SALT ROAD

by A. Weaver

PART ONE

Chapter 1. The Ferry

Ilse counted the coins twice. “Not enough,” she said.

Chapter 2

    By noon the river had risen.

PART TWO

Chapter 1. The Weir

Nobody asked her name.

THE END
"""

BOOKS = {
    "en": ENGLISH,
    "ko": "제 1 장 나루\n\n뱃사공은 동전을 두 번 세었다.\n\n제 2 장\n\n아무도 오지 않았다.\n\n외전. 버드나무\n\n강물은 잿빛이었다.\n",
    "zh": "　　第一回　　擺渡的女人\n　　她把銅錢數了兩遍。\n\n　　第二回　　鐘聲\n　　再也沒有人來。\n\n　　後記\n　　寫完了。\n",
    "ja": "　　　　　一\n\n　女は銭を二度数えた。\n\n　　　　　二\n\n　誰も来なかった。鐘が鳴った。\n"
    + "　舟は柳につながれていた。\n" * 30,
    "ru": "Глава первая\n\nПеревозчица пересчитала монеты.\n\nГлава вторая\n\n— Никого, — сказала она.\n",
    "fr": "Elle compta les pièces deux fois, et le fleuve était gris.\n\nPersonne ne venait.\n",
}


def book(folder: Path, text: str = ENGLISH, listed: str | None = None) -> Manuscript:
    path = folder / "book.txt"
    path.write_text(text, encoding="utf-8")
    file = folder / "chapters.toml"
    if listed is not None:
        file.write_text(listed, encoding="utf-8")
    return read_manuscript(path, chapters_file=file)


def shape(read: Manuscript) -> list[tuple[object, ...]]:
    chapters = [(c.kind, c.label, c.title, c.heading, c.start, c.body_start, c.end) for c in read.chapters]
    return [*chapters, *((d.start, d.end, d.reason) for d in read.dropped)]


def assert_tiled(read: Manuscript) -> None:
    stretches = sorted([(c.start, c.end) for c in read.chapters] + [(d.start, d.end) for d in read.dropped])
    assert [start for start, _ in stretches] == [0, *(end for _, end in stretches[:-1])]
    assert stretches[-1][1] == len(read.text)


@pytest.mark.parametrize("language", sorted(BOOKS))
def test_what_is_written_says_what_was_found(tmp_path: Path, language: str) -> None:
    found = book(tmp_path, BOOKS[language])
    listed = chapters_list(found)
    stated = book(tmp_path, BOOKS[language], listed)
    assert shape(stated) == shape(found)
    assert stated.chapters_file
    assert not found.chapters_file
    assert {row.reason for row in preview(stated)} == {STATED}
    assert chapters_list(stated).count("[[chapter]]") == len(found.chapters)


def test_reasons_confidence_and_first_words_stand_in_comments(tmp_path: Path) -> None:
    written = chapters_list(book(tmp_path))
    assert "# chapter word and number, in sequence (0.98); begins: Ilse counted the coins twice." in written
    assert 'at = "Chapter 1. The Weir"' in written
    assert 'reason = "part heading"' in written


def test_the_author_splits_joins_renames_and_drops(tmp_path: Path) -> None:
    read = book(
        tmp_path,
        listed="""
[[dropped]]
at = "THE SALT ROAD"
[[chapter]]
at = "Chapter 1. The Ferry"
title = "The Crossing"
label = "I"
[[chapter]]
kind = "interlude"
at = "By noon the …"
heading_lines = 0
[[chapter]]
kind = "epilogue"
at = "Chapter 1. The Weir"
heading_lines = 1
""",
    )
    assert [(c.kind, c.label, c.title) for c in read.chapters] == [
        ("chapter", "I", "The Crossing"),
        ("interlude", "", ""),
        ("epilogue", "", ""),
    ]
    assert [block.text for block in read.chapters[0].blocks][-1] == "Chapter 2"
    assert read.chapters[1].blocks[0].text == "By noon the river had risen."
    assert [(row.line, row.reason) for row in preview_dropped(read)] == [(1, "left out by chapters.toml")]
    assert_tiled(read)


def test_lines_that_read_alike_are_told_apart_by_their_number(tmp_path: Path) -> None:
    text = "".join(f"* * *\n\nThe rope sang, {word}.\n\n" for word in ("once", "twice", "thrice"))
    read = book(tmp_path, text, "".join(f'[[chapter]]\nat = "* * *"\nnth = {i}\n' for i in (1, 3)))
    assert [len(chapter.blocks) for chapter in read.chapters] == [2, 1]
    assert_tiled(read)


def test_text_before_the_first_entry_is_listed_as_dropped(tmp_path: Path) -> None:
    read = book(tmp_path, listed='[[chapter]]\nat = "Chapter 2"\n')
    assert read.dropped[0].reason == "before the first entry of chapters.toml"
    assert preview_dropped(read)[0].first_words.startswith("THE SALT ROAD by A. Weaver PART ONE")
    assert_tiled(read)


def test_a_chapter_added_behind_the_list_is_told(tmp_path: Path) -> None:
    listed = chapters_list(book(tmp_path, "Chapter 1\n\nIlse rowed.\n\nChapter 2\n\nIlse slept.\n"))
    read = book(tmp_path, "Chapter 1\n\nIlse rowed.\n\nChapter 2\n\nIlse slept.\n\nChapter 3\n\nIlse woke.\n", listed)
    assert len(read.chapters) == 2
    assert any("does not list the heading 'Chapter 3'" in remark for remark in read.remarks)


def test_no_heading_at_all_is_told_with_what_to_do(tmp_path: Path) -> None:
    read = book(tmp_path, BOOKS["fr"])
    assert any("no chapter headings were found" in said and "chapters.toml" in said for said in read.remarks)
    assert not any("no chapter headings" in said for said in book(tmp_path, ENGLISH).remarks)


GOOD = '[[chapter]]\nat = "Chapter 1. The Ferry"\n'


@pytest.mark.parametrize(
    ("listed", "words", "hint"),
    [
        ("", "names no chapter", "at least one [[chapter]]"),
        ("[[chapter]\n", "at line 1", "mend"),
        ('[[dropped]]\nat = "Chapter 2"\n', "names no chapter", "[[chapter]]"),
        (GOOD + "[[chaptr]]\nat = 1\n", "line 3: 'chaptr' is not known", "[[chapter]] and [[dropped]]"),
        (GOOD + "\n[[chapter]]\nkind = 'side'\nat = 'Chapter 2'\n", "line 5: kind 'side' is not known", "side_story"),
        ("[[chapter]]\ntitle = 'x'\n", "line 1: this [[chapter]] has no 'at'", "the line it begins with"),
        ("[[chapter]]\nat = 'Chaptr 2'\n", "line 2: no line of the text reads 'Chaptr 2'", "nearest is 'Chapter 2'"),
        ("[[chapter]]\nat = 'Chapter 2'\nnth = 2\n", "line 2: nth is 2, but 1 of", "expected 1, or leave nth out"),
        ("[[chapter]]\nat = 'Chapter 2'\nnth = 0\n", "line 3: nth is 0", "1 or more"),
        ("[[chapter]]\nat = 'Chapter 2'\nnth = '2'\n", "line 3: nth is '2'", "a whole number"),
        ("[[chapter]]\nat = 'Chapter 2'\nnth = true\n", "line 3: nth is True", "a whole number"),
        ("[[chapter]]\nat = 'Chapter 2'\nlabel = 2\n", "line 3: label is 2", "text in quotes"),
        (
            "[[chapter]]\nat = 'Chapter 2'\nlanguage = 'klingon'\n",
            "line 3: no language table for 'klingon'",
            "leave it out",
        ),
        ("[[chapter]]\nat = 'Chapter 2'\npart = 'x'\n", "line 3: 'part' is no key", "heading_lines"),
        ("[[chapter]]\nat = 'Chapter 2'\n" + GOOD, "line 4: 'Chapter 1. The Ferry' stands in the text before", "order"),
        (GOOD + GOOD, "line 4: 'Chapter 1. The Ferry' begins at the same line", "order"),
        (GOOD + "[[dropped]]\nat = 'Chapter 1. The Ferry'\n", "begins two entries", "leave one"),
        (GOOD.replace("\n[", "[") + "heading_lines = 99\n", "fewer lines with words", "expected at most"),
        ("chapter = 3\n", "chapter is no list of tables", "[[chapter]]"),
        ("[chapter]\nat = 'Chapter 2'\n", "chapter is no list of tables", "[[chapter]]"),
        ("a = " + "[" * 5000, "chapters.toml", ""),
    ],
)
def test_a_fault_names_its_line_and_what_was_expected(tmp_path: Path, listed: str, words: str, hint: str) -> None:
    with pytest.raises(InputError) as refused:
        book(tmp_path, listed=listed)
    assert words in str(refused.value)
    assert hint in refused.value.hint
    assert "chapters.toml" in str(refused.value)


def test_a_list_that_is_no_text_or_no_file_is_refused(tmp_path: Path) -> None:
    book(tmp_path)
    file = tmp_path / "chapters.toml"
    file.write_bytes(b"[[chapter]]\nat = '\xff'\n")
    with pytest.raises(InputError, match="line 2: it is not UTF-8"):
        read_manuscript(tmp_path / "book.txt", chapters_file=file)
    file.unlink()
    file.mkdir()
    with pytest.raises(InputError, match="is no file"):
        read_manuscript(tmp_path / "book.txt", chapters_file=file)


LINES = st.sampled_from(
    ["Chapter 1", "Chapter 2. \"The\tWeir\"", "  Chapter 3", "", "Ilse rowed.", "  Ilse slept.", "* * *", "\\u0041 'x' # y",
     "PART ONE", "Contents", "A very long line, " * 12, "A very long line, " * 12 + "ended", "…", "제 1 장", "\x7f\x01"]
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=25))
def test_any_text_is_tiled_and_its_list_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    text = "\n".join(lines)
    if not text.strip():
        return
    folder = tmp_path_factory.mktemp("book")
    try:
        found = book(folder, text)
    except InputError:
        return
    assert_tiled(found)
    if any(not text[chapter.start : chapter.end].strip() for chapter in found.chapters):
        return  # a contents list and nothing else
    stated = book(folder, text, chapters_list(found))
    assert_tiled(stated)
    assert [(c.kind, c.label, c.title, c.body_start, c.end) for c in stated.chapters] == [
        (c.kind, c.label, c.title, c.body_start, c.end) for c in found.chapters
    ]


@pytest.mark.parametrize("language", ["ko", "zh-Hans", "fr", "ru"])
def test_the_author_says_which_language_a_chapter_is_in(tmp_path: Path, language: str) -> None:
    listed = chapters_list(book(tmp_path))
    assert "language = " not in listed
    second = listed.index('at = "Chapter 2"')
    read = book(tmp_path, listed=f'{listed[:second]}language = "{language}"\n{listed[second:]}')
    assert [chapter.language for chapter in read.chapters] == ["en", language, "en"]
    assert f'language = "{language}"' in chapters_list(read)
    assert [row.language for row in preview(read)] == ["en", language, "en"]


HEADINGS = {
    "en": ("Chapter {}", "Ilse counted the coins twice and said nothing to him."),
    "ko": ("제{}화", "뱃사공은 동전을 두 번 세었고 아무 말도 하지 않았다."),
    "zh": ("第{}章", "她把銅錢數了兩遍，一句話也沒有說，河水是灰的。"),
    "ru": ("Глава {}", "Перевозчица дважды пересчитала монеты и ничего не сказала."),
}


def serial(language: str, *numbers: object) -> str:
    heading, words = HEADINGS[language]
    return "".join(f"{heading.format(n)}\n\n{words}\n\n{words}\n\n" for n in numbers)


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_a_chapter_put_in_anywhere_is_told_while_the_list_does_not_know_it(tmp_path: Path, language: str) -> None:
    listed = chapters_list(book(tmp_path, serial(language, 1, 2, 3)))
    assert not book(tmp_path, serial(language, 1, 2, 3), listed).remarks
    heading = HEADINGS[language][0]
    above = book(tmp_path, serial(language, 0, 1, 2, 3), listed).remarks
    assert (
        len(above) == 1 and "no entry for the text before its first one" in above[0] and heading.format(0) in above[0]
    )
    for between in ("1b", "1-2"):
        told = book(tmp_path, serial(language, 1, between, 2, 3), listed).remarks
        assert len(told) == 1 and f"does not list the heading {heading.format(between)!r}" in told[0]
        assert "(line 7)" in told[0] and "its entry of chapter 1" in told[0]


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_a_line_put_in_above_that_reads_alike_is_named_as_the_cause(tmp_path: Path, language: str) -> None:
    text = serial(language, 1, 2, 1, 2)
    listed = chapters_list(book(tmp_path, text))
    with pytest.raises(InputError, match="3 lines of the text read so") as caught:
        book(tmp_path, serial(language, 1) + text, listed)
    assert "expected nth = 3" in caught.value.hint


def test_a_fault_of_the_whole_list_reads_as_a_sentence(tmp_path: Path) -> None:
    for listed, words in (("x = [", "chapters.toml: it is not valid TOML"), ("", "chapters.toml: it names no chapter")):
        with pytest.raises(InputError, match=words):
            book(tmp_path, listed=listed)


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_a_heading_included_that_stands_elsewhere_or_nowhere_is_refused_with_its_line(
    tmp_path: Path, language: str
) -> None:
    one, two, nine = (HEADINGS[language][0].format(n) for n in (1, 2, 9))
    listed = f'[[chapter]]\nat = "{one}"\nincludes = ["{{}}"]\n\n[[chapter]]\nat = "{two}"\n'
    for words, hint in ((nine, "nearest line"), (two, "such a line stands at line 7")):
        with pytest.raises(InputError, match=r"chapters.toml line 3: includes has ") as caught:
            book(tmp_path, serial(language, 1, 2), listed.format(words))
        assert repr(words) in str(caught.value) and repr(one) in str(caught.value)
        assert "expected lines as they stand in that chapter" in caught.value.hint and hint in caught.value.hint
    assert not book(tmp_path, serial(language, 1, 2, 9), f'{listed.format(one)}includes = ["{nine}"]\n').remarks


@pytest.mark.parametrize("language", sorted(HEADINGS))
def test_an_unmarked_line_like_a_heading_that_the_list_leaves_out_is_told(tmp_path: Path, language: str) -> None:
    one, two, three = (HEADINGS[language][0].format(n) for n in (1, 2, 3))
    words = HEADINGS[language][1]
    text = f"# {one}\n\n{words}\n\n{two}\n\n{words}\n\n# {two}\n\n{words}\n\n# {three}\n\n{words}\n"
    path, file = tmp_path / "x.md", tmp_path / "chapters.toml"
    path.write_text(text, encoding="utf-8")
    entries = f'[[chapter]]\nat = "{one}"\n{{}}[[chapter]]\nat = "{two}"\nnth = 2\n[[chapter]]\nat = "{three}"\n'
    file.write_text(entries.format(""), encoding="utf-8")
    told = read_manuscript(path, language=language, chapters_file=file).remarks
    assert len(told) == 1 and f"does not list the heading {two!r} (line 6)" in told[0]
    file.write_text(entries.format(f'includes = ["{two}"]\n'), encoding="utf-8")
    assert not read_manuscript(path, language=language, chapters_file=file).remarks
