"""Files that are not what they seem: two encodings in one, another format than the ending, names that are no text."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path

import pytest

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from tests.text.test_chapters import PROSE

TWO = [("en", "cp1252"), ("fr", "cp1252"), ("ko", "cp949"), ("zh", "gb18030"), ("ja", "euc_jp"), ("ru", "cp1251")]


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(("language", "encoding"), TWO)
def test_the_first_place_that_is_not_utf8_is_named_where_most_of_a_file_is(
    tmp_path: Path, language: str, encoding: str
) -> None:
    marked = "“Né là-bas, déjà,” said Zoë — “à l’été…” "
    prose = (marked if language == "en" else "") + PROSE[language].replace("\ufeff", "")
    sound = (prose * 3).encode()
    path = written(tmp_path, "s.txt", sound + b"\n" + prose.encode(encoding, "ignore"))
    with pytest.raises(InputError, match=r"is not UTF-8( throughout.*)?: byte") as caught:
        read_manuscript(path)
    offset = int(str(caught.value).split("at offset ")[1].split(" ")[0].replace(",", ""))
    assert len(sound) < offset < len(sound) + 200
    line = path.read_bytes().count(b"\n", 0, offset) + 1
    assert f"(line {line})" in str(caught.value) or "is not UTF-8: byte" in str(caught.value)


@pytest.mark.parametrize(("language", "encoding"), [("ko", "cp949"), ("zh", "gb18030"), ("ru", "cp1251")])
def test_a_file_with_a_smaller_part_in_utf8_is_read_but_doubted(tmp_path: Path, language: str, encoding: str) -> None:
    path = written(tmp_path, "s.txt", (PROSE[language] * 9).encode(encoding, "ignore") + PROSE[language].encode())
    try:
        read = read_manuscript(path)
    except InputError:
        return
    assert read.encoding_certainty <= 0.5
    assert any("look at the letters" in remark for remark in read.remarks)


@pytest.mark.parametrize(("language", "encoding"), TWO[1:])
def test_a_whole_file_in_another_encoding_is_read_as_before(tmp_path: Path, language: str, encoding: str) -> None:
    prose = PROSE[language].encode(encoding, "ignore").decode(encoding)
    assert read_manuscript(written(tmp_path, "s.txt", (prose * 5).encode(encoding))).encoding_certainty > 0.9


@pytest.mark.parametrize(
    ("name", "data", "what", "hint"),
    [
        ("s.txt", b"{\\rtf1\\ansi Anna.\\par}", "is RTF, though it ends in .txt", "rename it to .rtf"),
        ("s.md", b"\xef\xbb\xbf\n{\\rtf1 Anna.}", "is RTF", ".rtf"),
        ("s.txt", b"<html><body>Anna</body></html>", "is HTML", ".html"),
        ("s.txt", "<!DOCTYPE html><p>Анна</p>".encode("utf-16"), "is HTML", ".html"),
        ("s.md", b"<?xml version='1.0'?>\n<!-- x -->\n<html/>", "is HTML", ".html"),
        ("s.rtf", b"<!doctype HTML><p>Anna</p>", "is HTML", ".html"),
        ("s.html", b"%PDF-1.7\nAnna", "is PDF", "save it as"),
        ("s.txt", b"%PDF-1.4\nAnna", "is PDF", "save it as"),
        ("s.txt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "is an old Word document", "save it as"),
        ("s.docx", b"{\\rtf1 Anna.}", "is RTF, though it ends in .docx", ".rtf"),
        ("s.txt", b"PK\x03\x04" + b"\0" * 26 + b"mimetypeapplication/epub+zip", "is EPUB", ".epub"),
    ],
)
def test_a_file_of_another_format_than_its_ending_is_refused_by_its_name(
    tmp_path: Path, name: str, data: bytes, what: str, hint: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_manuscript(written(tmp_path, name, data))
    assert what in str(caught.value) and hint in caught.value.hint


OPEN_DOCUMENT = "application/vnd.oasis.opendocument."


@pytest.mark.parametrize(
    ("member", "content", "what", "hint"),
    [
        ("word/document.xml", "<w/>", "is a Word document (.docx)", "rename it to .docx"),
        ("META-INF/container.xml", "<c/>", "is EPUB", "rename it to .epub"),
        ("mimetype", f"{OPEN_DOCUMENT}text", "is an OpenDocument text", "rename it to .odt"),
        ("mimetype", f"{OPEN_DOCUMENT}spreadsheet", "is an OpenDocument table or presentation", "save it as"),
        ("xl/workbook.xml", "<x/>", "is an Excel table (.xlsx)", "save it as"),
        ("ppt/presentation.xml", "<p/>", "is a PowerPoint presentation (.pptx)", "save it as"),
        ("Index/Document.iwa", "x", "is a Pages document", "save it as"),
    ],
)
@pytest.mark.parametrize("ending", ["epub", "docx", "odt", "txt"])
def test_an_archive_is_named_as_what_it_holds(
    tmp_path: Path, member: str, content: str, what: str, hint: str, ending: str
) -> None:
    if f".{ending}" in hint:
        return
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(member, content)
    with pytest.raises(InputError) as caught:
        read_manuscript(written(tmp_path, f"x.{ending}", out.getvalue()))
    assert f"{what}, though it ends in .{ending}" in str(caught.value) and hint in caught.value.hint


def test_a_fiction_book_is_no_text(tmp_path: Path) -> None:
    data = b"<?xml version='1.0'?>\n<FictionBook><body><p>Anna</p></body></FictionBook>"
    with pytest.raises(InputError, match=r"is a FictionBook \(\.fb2\), though it ends in \.txt"):
        read_manuscript(written(tmp_path, "x.txt", data))


@pytest.mark.parametrize("words", ["<b>Anna</b> ging.", "Он писал: <html> — это тег.", "%안나는 갔다.", "{她走了}"])
def test_text_that_only_holds_such_signs_is_read(tmp_path: Path, words: str) -> None:
    assert words in read_manuscript(written(tmp_path, "s.txt", words.encode())).text


@pytest.mark.parametrize("encoding", ["", "  "])
def test_an_encoding_without_a_name_is_none(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "s.txt", "Глава 1\n\nВера вышла.\n".encode("koi8-r"))
    with pytest.raises(InputError, match="no encoding is called"):
        read_manuscript(path, encoding=encoding)
    with pytest.raises(InputError, match="no encoding is called"):
        read_manuscript(tmp_path, encoding=encoding)


def test_a_name_that_is_no_text_is_refused_for_a_file_and_inside_a_folder(tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xff.txt")
    path = written(tmp_path, name, b"Chapter 1\n\nAnna.\n")
    for one in (path, tmp_path):
        with pytest.raises(InputError, match="is not UTF-8") as caught:
            read_manuscript(one)
        assert "rename" in caught.value.hint
