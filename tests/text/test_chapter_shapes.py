"""Chapters that a format does not mark or that only their likeness tells; volumes, ordinals, and what the remarks send to."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.models.text import Manuscript
from analyzer.text.manuscript import manuscript_from_text, preview, read_manuscript, read_source
from analyzer.text.readers._reader import named_suffixes
from tests.text.test_chapters import PROSE

CHAPTER = {"en": "Chapter {}", "ko": "{}화", "zh": "第{}章", "ja": "第{}話", "fr": "Chapitre {}", "ru": "Глава {}"}
PROLOGUE = {"en": "Prologue", "ko": "프롤로그", "zh": "序章", "ja": "プロローグ", "fr": "Prologue", "ru": "Пролог"}
LANGUAGES = sorted(CHAPTER)


def written(language: str, heads: list[str]) -> str:
    return "\n\n".join(f"{head}\n\n{PROSE[language].strip()}" for head in heads) + "\n"


def plain(language: str, *heads: str) -> Manuscript:
    return manuscript_from_text(written(language, list(heads)), title="x", language=language)


def in_file(folder: Path, name: str, text: str, language: str) -> Manuscript:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_manuscript(path, language=language)


def sure(read: Manuscript) -> list[tuple[str, float]]:
    return [(row.label, row.confidence) for row in preview(read)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["{}", "**{}**"])
def test_lines_that_go_on_with_marked_chapters_begin_some_with_doubt(tmp_path: Path, language: str, form: str) -> None:
    heads = [CHAPTER[language].format(n) for n in (1, 2, 3, 4)]
    marked = [f"# {heads[0]}", form.format(heads[1]), f"# {heads[2]}", form.format(heads[3])]
    read = in_file(tmp_path, "x.md", written(language, marked), language)
    assert sure(read) == [("1", 0.98), ("2", 0.6), ("3", 0.98), ("4", 0.6)]
    assert any(repr(heads[1]) in said and "not marked like the others" in said for said in read.remarks)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_chapters_below_a_marked_prologue_begin_at_one(tmp_path: Path, language: str) -> None:
    heads = [f"# {PROLOGUE[language]}", *(CHAPTER[language].format(n) for n in (1, 2))]
    read = in_file(tmp_path, "x.md", written(language, heads), language)
    assert [row.kind for row in preview(read)] == ["prologue", "chapter", "chapter"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_line_that_does_not_go_on_is_named_and_begins_nothing(tmp_path: Path, language: str) -> None:
    odd = CHAPTER[language].format(9)
    read = in_file(
        tmp_path,
        "x.md",
        written(language, [f"# {CHAPTER[language].format(1)}", odd, f"# {CHAPTER[language].format(2)}"]),
        language,
    )
    assert [label for label, _ in sure(read)] == ["1", "2"]
    assert any(said.startswith(f"{odd!r} looks like a heading but begins no chapter") for said in read.remarks)


def test_a_page_heading_that_the_contents_list_leaves_out_begins_a_chapter(tmp_path: Path) -> None:
    path = tmp_path / "x.epub"
    pages = {f"{n}.xhtml": f"<h1>Chapter {n}</h1><p>{PROSE['en']}</p>" for n in (1, 2, 3, 5)}
    pages["6.xhtml"] = f"<h2>The Lost One</h2><p>{PROSE['en']}</p>"
    nav = "".join(f'<li><a href="{n}.xhtml">Chapter {n}</a></li>' for n in (1, 2))
    items = "".join(f'<item id="i{n[0]}" href="{n}" media-type="application/xhtml+xml"/>' for n in pages)
    spine = "".join(f'<itemref idref="i{n[0]}"/>' for n in pages)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="o.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        archive.writestr(
            "o.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest>'
            '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
            f"{items}</manifest><spine>{spine}</spine></package>",
        )
        html = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body>{}</body></html>'
        archive.writestr("nav.xhtml", html.format(f'<nav epub:type="toc"><ol>{nav}</ol></nav>'))
        for name, words in pages.items():
            archive.writestr(name, html.format(words))
    read = read_manuscript(path)
    assert sure(read) == [("1", 0.98), ("2", 0.98), ("3", 0.6), ("5", 0.6)]
    assert any("'The Lost One' looks like a heading" in said for said in read.remarks)


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ["1st Chapter", "2nd Chapter", "3RD CHAPTER"]),
        ("fr", ["1er chapitre", "2e chapitre", "3ème chapitre"]),
        ("fr", ["Ier chapitre", "IIe chapitre", "IIIe chapitre"]),
        ("es", ["1.er capítulo", "2.º capítulo", "3º capítulo"]),
        ("ru", ["1-я глава", "2-я глава", "Глава 3-я"]),
        ("de", ["1. Kapitel", "2. Kapitel", "3. Kapitel"]),
        ("ja", ["一の章", "二の章", "三の章"]),
    ],
)
def test_ordinals_in_figures_are_numbers(language: str, heads: list[str]) -> None:
    read = plain(language, *heads)
    assert [(c.title, row.confidence) for c, row in zip(read.chapters, preview(read), strict=True)] == [("", 0.98)] * 3


@pytest.mark.parametrize(
    ("language", "form"),
    [
        ("ko", "소금길 {}화"),
        ("ko", "소금길 제{}화"),
        ("ko", "소금길 - {}화"),
        ("en", "The Salt Road - Chapter {}"),
        ("zh", "鹽路 第{}章"),
        ("zh", "0{}渡口"),
        ("ja", "塩の道　第{}話"),
        ("fr", "La route du sel – Chapitre {}"),
    ],
)
def test_three_lines_of_one_shape_that_count_up_are_chapters_and_two_are_named(language: str, form: str) -> None:
    heads = [form.format(n) for n in (1, 2, 3)]
    read = plain(language, *heads)
    assert [c.heading for c in read.chapters] == heads
    assert {row.confidence for row in preview(read)} == {0.85}
    two = plain(language, *heads[:2])
    assert len(two.chapters) == 1
    assert any(repr(" ".join(heads[1].split())) in said for said in two.remarks)


def test_words_of_a_shape_before_a_kind_are_a_heading_of_that_kind() -> None:
    read = plain("ko", "소금길 1화", "소금길 2화", "소금길 외전", "소금길 3화")
    assert [c.kind for c in read.chapters] == ["chapter", "chapter", "side_story", "chapter"]


def test_letters_for_numbers_are_chapters_all_or_none() -> None:
    assert [c.label for c in plain("en", "Chapter A", "Chapter B", "Chapter C").chapters] == ["A", "B", "C"]
    assert [c.label for c in plain("en", "Chapter I", "Chapter V", "Chapter X").chapters] == ["I", "V", "X"]


@pytest.mark.parametrize(
    ("language", "heads"),
    [
        ("en", ["Vol. 1 Ch. 1", "Vol. 1 Ch. 2", "Vol. 2 Ch. 1"]),
        ("zh", ["第一卷 江湖 第一章", "第一卷 江湖 第二章", "第二卷 朝堂 第一章"]),
        ("ko", ["1부 1화", "1부 2화", "2부 1화"]),
        ("fr", ["Tome 1, chapitre 1", "Tome 1, chapitre 2", "Tome 2, chapitre 1"]),
    ],
)
def test_a_new_volume_on_the_line_of_a_chapter_counts_anew_without_alarm(language: str, heads: list[str]) -> None:
    read = plain(language, *heads)
    assert [row.confidence for row in preview(read)] == [0.98] * 3
    assert read.remarks == ()


@pytest.mark.parametrize(
    ("language", "part", "chapter"),
    [("ja", "第{}章", "第{}話"), ("zh", "第{}章", "第{}節"), ("en", "Chapter {}", "Episode {}")],
)
def test_a_chapter_word_over_another_is_a_part(language: str, part: str, chapter: str) -> None:
    heads = [f"{part.format(1)}\n\n{chapter.format(1)}", chapter.format(2), f"{part.format(2)}\n\n{chapter.format(3)}"]
    read = plain(language, *heads)
    assert [c.label for c in read.chapters] == ["1", "2", "3"]
    assert [gap.reason for gap in read.dropped] == ["part heading"] * 2


def test_attributes_and_quotes_of_markdown_headings_are_no_titles(tmp_path: Path) -> None:
    words = written(
        "en",
        ["# Chapter 1 {#ch1}", "> # Chapter 7\n> he read", '# Chapter 2 {.unnumbered lang="en"}', "# Chapter 3: {so}"],
    )
    read = in_file(tmp_path, "x.md", words, "en")
    assert [(c.label, c.title) for c in read.chapters] == [("1", ""), ("2", ""), ("3", "{so}")]
    gone = [one.text for one in read_source(tmp_path / "x.md").removed]
    assert gone == ["{#ch1}", '{.unnumbered lang="en"}']


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
        (b"\xff\xd8\xff\xe0", "a picture (JPEG)"),
        (b"%PDF-1.4", "PDF"),
        (b"PK\x03\x04" + bytes(40), "a ZIP archive"),
    ],
)
def test_a_file_named_txt_is_named_as_what_it_is(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"though it ends in \.txt") as caught:
        read_manuscript(path)
    assert f"is {words}," in str(caught.value)


def test_old_word_documents_are_not_among_what_is_read_and_refused_plainly(tmp_path: Path) -> None:
    path = tmp_path / "x.doc"
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(InputError, match="is an old Word document") as caught:
        read_manuscript(path)
    assert "though it ends" not in str(caught.value)
    assert ".doc" not in named_suffixes() and ".docx" in named_suffixes()
