"""Encodings: the guess gives the text back, says how sure it is, can be overruled, and never leaves a byte out."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import InputError
from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._decode import as_utf8, codec_of, decoded, shown
from analyzer.text.readers._guess import guess
from tests.text.prose import ENCODED, PROSE


@pytest.mark.parametrize(("language", "encoding"), ENCODED)
def test_the_guess_gives_the_text_back(language: str, encoding: str) -> None:
    text = PROSE[language]
    found = decoded(text.encode(encoding), "book.txt")
    assert found.text == text
    assert found.certainty > 0.7


@pytest.mark.parametrize("language", sorted(PROSE))
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_unicode_is_read_with_and_without_its_mark(language: str, encoding: str) -> None:
    text = PROSE[language]
    mark = "\ufeff".encode(encoding)
    for data in (text.encode(encoding), mark + text.encode(encoding)):
        found = decoded(data, "book.txt")
        assert (found.text, found.certainty) == (text, 1.0)
        assert codec_of(found.encoding) == encoding


def test_a_long_paragraph_without_a_line_end_is_guessed_too() -> None:
    for language, encoding in (("ja", "euc_jp"), ("zh-Hant", "cp950"), ("ru", "koi8-r"), ("de", "mac_roman")):
        text = PROSE[language].replace("\n", "") * 400
        assert decoded(text.encode(encoding), "book.txt").text == text


def test_a_letter_that_stands_once_in_a_long_text_is_looked_at() -> None:
    text = "The rope sang over their heads, and she said: “no”.\n" * 3000 + "It cost 20 €, they say, in Łódź.\n"
    assert decoded(text.encode("cp1250"), "book.txt").text == text


def test_ascii_and_utf8_are_certain() -> None:
    assert decoded(b"She rowed on.\n", "a.txt")[1:] == ("UTF-8", 1.0)
    assert decoded(PROSE["ko"].encode(), "a.txt")[1:] == ("UTF-8", 1.0)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (PROSE["fr"].encode() * 3 + b"\xe9" + PROSE["fr"].encode(), "not UTF-8"),
        (PROSE["ko"].encode()[:-3], "not UTF-8"),
        (PROSE["zh-Hans"].encode("gb18030") + b"\xff", "not GB18030 (guessed, 100% sure): byte 0xff at offset "),
        (PROSE["ja"].encode("cp932")[:-2], "not Shift_JIS"),
        (codecs.BOM_UTF8 + b"Caf\xe9", "byte 0xe9 at offset 6"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8a\x00", "not UTF-16LE"),
        (codecs.BOM_UTF32_LE + b"\xff\xff\xff\xff", "not UTF-32LE"),
    ],
)
def test_bytes_that_cannot_be_decoded_are_refused_with_their_offset(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as refused:
        decoded(data, "book.txt")
    assert words in str(refused.value)
    assert "offset" in str(refused.value)
    assert "--encoding" in refused.value.hint


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 9,
        b"RIFF" + b"\x00\x10" * 4000,
        b"\x7fELF\x02\x01\x01" + bytes(900),
        bytes(range(1, 256)) * 20,
        codecs.BOM_UTF16_LE + "a\0b".encode("utf-16-le"),
    ],
)
def test_a_binary_is_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        decoded(data, "book.txt")


@settings(max_examples=150, deadline=None)
@given(st.binary(min_size=1, max_size=300))
def test_whatever_is_read_is_the_whole_of_the_bytes(data: bytes) -> None:
    try:
        found = decoded(data, "any.txt")
    except InputError as refused:
        assert str(refused).startswith("any.txt is ")
        return
    whole = codecs.decode(data, codec_of(found.encoding)).removeprefix("\ufeff")
    assert found.text == whole.replace("\r\n", "\n").replace("\r", "\n")


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ENCODED), st.integers(0, 200), st.integers(0, 200))
def test_an_excerpt_is_guessed_right_or_not_claimed_to_be_sure(case: tuple[str, str], start: int, size: int) -> None:
    language, encoding = case
    text = PROSE[language][start : start + size]
    try:
        found = decoded(text.encode(encoding), "book.txt")
    except InputError:
        return
    assert found.text == text or found.certainty < 0.99


def test_any_usual_name_of_an_encoding_is_known() -> None:
    for name in (
        "windows-1252",
        "CP1252",
        "Shift_JIS",
        "sjis",
        "euc-jp",
        "Big5",
        "GBK",
        "latin1",
        "Mac-Roman",
        "koi8_u",
    ):
        assert codec_of(shown(codec_of(name))) == codec_of(name)
    for name in ("", "rot13", "hex", "klingon", "base64", "idna\0", "punycode", "unicode_escape"):
        with pytest.raises(InputError, match="no encoding is called"):
            codec_of(name)


def test_a_named_encoding_wins_over_the_guess(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes("Chapter 1\n\nВода.\n".encode("koi8-r"))
    read = read_manuscript(path, language="ru", encoding="koi8-r")
    assert "Вода." in read.text
    assert (read.encoding, read.encoding_certainty) == ("KOI8-R", 1.0)
    assert any("KOI8-R, as named" in remark for remark in read.remarks)
    wrong = read_manuscript(path, language="ru", encoding="cp1251")
    assert len(wrong.text) == len(read.text)
    assert wrong.text != read.text


def test_a_named_encoding_that_cannot_be_right_is_refused_with_the_offset() -> None:
    with pytest.raises(InputError, match=r"not Big5 \(as named\): byte 0xff at offset 4 cannot be decoded"):
        as_utf8(b"abcd\xff\xfe", "big5", "book.txt")
    with pytest.raises(InputError, match="lone surrogate"):
        as_utf8("a\ud800".encode("utf-7", "surrogatepass"), "utf-7", "book.txt")


def test_an_uncertain_guess_is_told(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(b"Chapter 1\n\nThe na\xefve man.\n")
    read = read_manuscript(path)
    assert read.encoding_certainty < 0.95
    assert any("look at the letters" in remark and "--encoding" in remark for remark in read.remarks)


def test_a_guess_of_nothing_is_no_guess() -> None:
    assert guess(b"") is not None
    assert guess(b"\0\1\2") is None


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"He came.\0She went.", "1 NUL character, which no text has, at offset 8 (line 1)"),
        (b"Chapter 1\n\nAnna met Bob\0.\n", "at offset 23 (line 3)"),
        (b"Anna\0" * 30, "30 NUL characters, which no text has, the first at offset 4"),
        (b"Anna went.\n" * 10 + bytes(4096), "4,096 NUL characters"),
        ("né le\0 mars à Paris, été".encode("cp1252"), "at offset 5"),
        ("né le\0 mars à Paris, été".encode(), "at offset 6"),
        (PROSE["ru"].encode("cp1251")[:101] + b"\0" + PROSE["ru"].encode("cp1251")[101:400], "at offset 101"),
        (PROSE["zh-Hans"].encode("gb18030")[:200] + b"\0" + PROSE["zh-Hans"].encode("gb18030")[200:399], "1 NUL"),
        (codecs.BOM_UTF8 + b"a\nb\0c", "at character 4 (line 2)"),
    ],
)
def test_a_stray_nul_in_text_is_refused_with_its_place_and_never_read_as_utf16(data: bytes, place: str) -> None:
    with pytest.raises(InputError) as refused:
        decoded(data, "book.txt")
    assert place in str(refused.value) and refused.value.exit_code == 2
    assert "take them out" in refused.value.hint and "UTF-16LE" in refused.value.hint


@pytest.mark.parametrize("language", sorted(PROSE))
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_short_pieces_of_utf16_without_a_mark_are_still_read(language: str, encoding: str) -> None:
    text = PROSE[language]
    for size in (20, 60, 300):
        for start in range(0, len(text) - size, 211):
            piece = text[start : start + size]
            data = piece.encode(encoding)
            if b"\0" in data:
                assert decoded(data, "book.txt").text == piece


@pytest.mark.parametrize("data", [b"RIFF" + b"\x00\x10" * 4000, bytes(range(1, 256)) * 20])
def test_a_binary_with_a_name_of_text_is_told_what_a_manuscript_is(data: bytes) -> None:
    with pytest.raises(InputError) as refused:
        decoded(data, "book.txt")
    assert "whatever its name says" in str(refused.value)
    assert "EPUB" in refused.value.hint and ".txt" not in refused.value.hint


@pytest.mark.parametrize(("name", "said"), [(".txt", "before the ending: text.txt"), ("story", "pass one file")])
def test_a_name_without_an_ending_is_told_so(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / name).write_text("Anna met Bob.", "utf-8")
    with pytest.raises(InputError, match="has no ending that names its format") as refused:
        read_manuscript(tmp_path / name)
    assert said in refused.value.hint and "''" not in str(refused.value)
