"""A folder of files: order, headings from files and names, what is left out and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import pipeline
from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript, read_source
from analyzer.text.readers import _folder_files
from analyzer.text.readers._folder_files import natural_key
from tests.epubs import book, item, nav, page

EN = "The ferry went out before dawn, and Ilse counted the lanterns on the other bank until the fog had them.\n\n" * 3
KO = "나룻배는 동이 트기 전에 떠났고, 일세는 안개가 등불을 모두 삼킬 때까지 강둑의 등불을 세었다.\n\n" * 4
ZH = "天還沒亮渡船就開了，伊爾莎數著對岸的燈籠，直到霧把它們全都吞沒，再也看不見。\n\n" * 5
RU = "Паром ушёл до рассвета, и Ильза считала фонари на другом берегу, пока их не скрыл туман.\n\n" * 4


def folder(where: Path, files: dict[str, str | bytes]) -> Path:
    made = where / "serial"
    for name, data in files.items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return made


def test_files_are_read_in_natural_order_whatever_their_format(tmp_path: Path) -> None:
    made = folder(
        tmp_path,
        {
            "10.txt": EN,
            "1.txt": b"\xef\xbb\xbf" + EN.encode(),
            "2.md": f"# Chapter 2\n\n{EN}",
            "11.html": f"<h1>Chapter 11: Home</h1><p>{EN}</p>",
            "9.txt": f"Chapter 9\n\n{EN}",
        },
    )
    found = read_manuscript(made)
    assert [(chapter.label, chapter.title) for chapter in found.chapters] == [
        ("1", ""),
        ("2", ""),
        ("9", ""),
        ("10", ""),
        ("11", "Home"),
    ]
    assert found.title == "serial"
    assert all(chapter.blocks[0].text.startswith("The ferry") for chapter in found.chapters)


@pytest.mark.parametrize(
    ("text", "names", "labels"),
    [
        (EN, ["Chapter Three", "Chapter One", "Chapter Two", "Chapter Eleven"], ["One", "Two", "Three", "Eleven"]),
        (KO, ["제2화", "제10화", "제1화"], ["1", "2", "10"]),
        (ZH, ["第七章", "第十章", "第三章", "第二十一章"], ["三", "七", "十", "二十一"]),
        (RU, ["Глава 10", "Глава 9"], ["9", "10"]),
        (EN, ["chapter_02_the_well", "chapter_01_the_gate"], ["01", "02"]),
        (ZH, ["１０", "２", "１"], ["１", "２", "１０"]),
    ],
)
def test_names_give_number_and_title_where_the_file_has_no_heading(
    tmp_path: Path, text: str, names: list[str], labels: list[str]
) -> None:
    found = read_manuscript(folder(tmp_path, {f"{name}.txt": text for name in names}))
    assert [chapter.label for chapter in found.chapters] == labels
    assert [len(chapter.blocks) for chapter in found.chapters] == [text.count("\n\n")] * len(names)


def test_prologue_and_epilogue_stand_where_they_belong(tmp_path: Path) -> None:
    made = folder(
        tmp_path, {"1.txt": EN, "2.txt": EN, "3.txt": EN, "Epilogue.txt": EN, "Prologue.txt": EN, "Preface.txt": EN}
    )
    kinds = [chapter.kind for chapter in read_manuscript(made).chapters]
    assert kinds == ["front", "prologue", "chapter", "chapter", "chapter", "epilogue"]


def test_what_is_no_chapter_is_listed_with_its_reason(tmp_path: Path) -> None:
    made = folder(
        tmp_path,
        {
            "1.txt": EN,
            "2.txt": EN,
            "3.txt": EN,
            "notes.txt": "ASKWORD about the ending " * 200,
            "设定.txt": "SETWORD",
            "ending ideas maybe.txt": "IDEAWORD",
            "3a empty.txt": " \n",
            ".DS_Store": "x",
            ".hidden/4.txt": EN,
            "cover.jpg": "x",
            "~$1.docx": "x",
            "serial.book/book.toml": "x",
        },
    )
    source = read_source(made)
    assert "WORD" not in source.text
    assert dict(source.removed) == {
        "hidden file": "~$1.docx",
        "hidden folder": ".hidden",
        "no reader for '.jpg'": "cover.jpg",
        "folder of a book": "serial.book",
        "empty file": "3a empty.txt",
        "notes file notes.txt": "ASKWORD about the ending " * 200,
        "notes file 设定.txt": "SETWORD",
        "short file without a number ending ideas maybe.txt": "IDEAWORD",
    }
    assert [chapter.label for chapter in read_manuscript(made).chapters] == ["1", "2", "3"]


def test_a_file_with_several_headings_is_several_chapters_and_bare_numbers_are_scenes(tmp_path: Path) -> None:
    made = folder(
        tmp_path,
        {
            "book one.txt": f"Chapter 1\n\n{EN}Chapter 2\n\n{EN}",
            "book two.md": f"## Chapter 3\n\n{EN}\n## Chapter 4\n\n{EN}",
            "book zed.txt": f"1\n\n{EN}\n2\n\n{EN}\n3\n\n{EN}",
        },
    )
    found = read_manuscript(made)
    assert [chapter.heading for chapter in found.chapters] == ["Chapter 1", "Chapter 2", "Chapter 3", "Chapter 4", "1"]


def test_first_lines_are_titles_where_most_files_begin_with_one(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"{n}.txt": f"{name}\n\n{EN}" for n, name in enumerate(("The Gate", "The Well", "The Sea"), 1)
    }
    found = read_manuscript(folder(tmp_path, files))
    assert [(c.label, c.title) for c in found.chapters] == [("1", "The Gate"), ("2", "The Well"), ("3", "The Sea")]
    assert [c.heading for c in found.chapters] == ["The Gate", "The Well", "The Sea"]


def test_folders_inside_are_parts(tmp_path: Path) -> None:
    made = folder(tmp_path, {f"Part {p}/{n}.txt": EN for p in (1, 2, 10) for n in (1, 2)})
    found = read_manuscript(made)
    assert [chapter.label for chapter in found.chapters] == ["1", "2"] * 3
    assert [found.text[gap.start : gap.end].strip() for gap in found.dropped] == ["Part 1", "Part 2", "Part 10"]


def test_notes_and_headings_of_other_formats_survive_in_a_folder(tmp_path: Path) -> None:
    two = book(
        {"a.xhtml": page(f"<h2>Chapter 2</h2><p>{EN}</p>"), "b.xhtml": page(f"<h2>Chapter 3</h2><p>{EN}</p>")},
        contents=nav(item("Chapter 2", "a.xhtml") + item("Chapter 3", "b.xhtml")),
    )
    made = folder(tmp_path, {"1.md": f"# Chapter 1\n\nSalt[^1].\n\n{EN}\n\n[^1]: NOTEWORD.\n", "2.epub": two})
    source = read_source(made)
    found = read_manuscript(made)
    assert [chapter.label for chapter in found.chapters] == ["1", "2", "3"]
    assert [source.text[a:b] for a, b in source.notes] == ["NOTEWORD."]
    assert not any("NOTEWORD" in chapter.text for chapter in found.chapters)


def test_the_folder_is_read_again_when_a_file_changes(tmp_path: Path) -> None:
    made = folder(tmp_path, {"1.txt": EN, "2.txt": EN})
    first = read_manuscript(made)
    assert read_manuscript(made) is first
    (made / "2.txt").write_text(EN.replace("fog", "rain"))
    assert read_manuscript(made).sha256 != first.sha256


def test_a_book_is_made_beside_the_folder_and_every_verb_takes_either(tmp_path: Path) -> None:
    made = folder(tmp_path, {"1.txt": EN, "2.txt": EN})
    assert len(pipeline.chapters(made)) == 2
    kept = pipeline.init(made)
    assert kept == (tmp_path / "serial.book")
    assert len(pipeline.chapters(made)) == len(pipeline.chapters(kept)) == 2
    assert not (made / "book.toml").exists()


@pytest.mark.parametrize("files", [{}, {"a.jpg": "x"}, {"a.txt": " "}, {".a.txt": EN}])
def test_a_folder_with_nothing_to_read_is_refused(tmp_path: Path, files: dict[str, str | bytes]) -> None:
    (tmp_path / "serial").mkdir(exist_ok=True)
    with pytest.raises(InputError, match="folder with nothing to read"):
        read_manuscript(folder(tmp_path, files))


def test_a_broken_file_among_good_ones_is_an_error_and_not_left_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"2\.txt"):
        read_manuscript(folder(tmp_path, {"1.txt": EN, "2.txt": b"\x00\x01\x02", "3.epub": b"PK"}))


def test_size_and_number_of_files_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = folder(tmp_path, {"1.txt": EN, "2.txt": EN, "3.txt": EN})
    monkeypatch.setattr(_folder_files, "MOST_FILES", 2)
    with pytest.raises(InputError, match="more than 2 files"):
        read_manuscript(made)
    monkeypatch.undo()
    monkeypatch.setattr(_folder_files, "LARGEST_FOLDER", 400)
    with pytest.raises(InputError, match="more than 400 bytes"):
        read_manuscript(made)


def test_a_link_to_a_folder_above_is_not_followed(tmp_path: Path) -> None:
    made = folder(tmp_path, {"1.txt": EN, "2.txt": EN})
    (made / "up").symlink_to(tmp_path, target_is_directory=True)
    assert ("link to a folder", "up") in read_source(made).removed


def test_figures_count_by_value_in_any_width_and_folders_come_by_theirs() -> None:
    names = ["b/2.txt", "a/10.txt", "a/9.txt", "１.txt", "2.txt", "A 3.txt", "a 12.txt"]
    ordered = ["１.txt", "2.txt", "a/9.txt", "a/10.txt", "A 3.txt", "a 12.txt", "b/2.txt"]
    assert sorted(names, key=natural_key) == ordered


def test_a_named_encoding_is_that_of_every_file_of_bare_text(tmp_path: Path) -> None:
    words = "Паромщица дважды пересчитала монеты и подняла фонарь."
    made = folder(tmp_path, {"1.txt": words.encode("koi8-r"), "2.html": f"<p>{words}</p>".encode("koi8-r")})
    read = read_manuscript(made, encoding="koi8-r")
    assert read.text.count(words) == 2
    assert (read.encoding, read.encoding_certainty) == ("KOI8-R", 1.0)
    with pytest.raises(InputError, match="cannot be decoded"):
        read_manuscript(made, encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (EN, ["00 prologue", "01 the ferry", "02 the fog", "zz epilogue"]),
        (EN, ["prologue", "chapter 1", "chapter 2", "zz_epilogue"]),
        (KO, ["00 프롤로그", "01", "02", "99 에필로그"]),
        (ZH, ["00 楔子", "01", "02", "99_尾聲"]),
        (
            RU + "Она не знала, что он уже вернулся и ждал её у окна, но она это чувствовала.\n\n",
            ["00 пролог", "01", "02", "zz эпилог"],
        ),
    ],
)
def test_what_sorts_a_files_name_does_not_hide_its_kind(tmp_path: Path, text: str, names: list[str]) -> None:
    found = read_manuscript(folder(tmp_path, {f"{name}.txt": text for name in names}))
    assert [chapter.kind for chapter in found.chapters] == ["prologue", "chapter", "chapter", "epilogue"]
