"""ZIP archives and XML of books: what is refused, and that nothing unpacks without bounds."""

from __future__ import annotations

import io
import random
import struct
import zipfile

import pytest

from analyzer.errors import InputError
from analyzer.text.readers import _archive
from analyzer.text.readers._archive import open_archive
from analyzer.text.readers._xml import parse_xml
from tests.epubs import archive


def test_members_are_read_by_name_and_folders_are_none() -> None:
    opened = open_archive(archive({"a/": "", "a/b.txt": "salt", "c": "sea"}), "x.epub")
    assert opened.names == ("a/b.txt", "c")
    assert opened.read("a/b.txt") == b"salt" and "c" in opened and "d" not in opened
    assert opened.spelled("A/B.TXT") == "a/b.txt"
    with pytest.raises(InputError, match="incomplete: it has no 'd'"):
        opened.read("d")


@pytest.mark.parametrize("name", ["../x", "a/../../x", "/x", "C:/x", "..\\x", "a\\..\\..\\x"])
def test_a_name_that_leads_out_of_the_archive_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="outside the archive"):
        open_archive(archive({name: "x"}), "x.epub")


def test_an_encrypted_member_is_a_password() -> None:
    data = bytearray(archive({"a": "salt"}))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    with pytest.raises(InputError, match="protected by a password"):
        open_archive(bytes(data), "x.epub")


def test_an_office_file_with_a_password_says_so() -> None:
    with pytest.raises(InputError, match="password"):
        open_archive(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "x.docx")


def test_a_member_that_unpacks_too_far_is_refused_before_it_is_unpacked() -> None:
    opened = open_archive(archive({"a": b"\0" * 4_000_000, "b": b"\0" * 900_000}), "x.epub")
    with pytest.raises(InputError, match="more than 200 times"):
        opened.read("a")
    assert len(opened.read("b")) == 900_000


def test_all_members_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_archive, "LARGEST_TOTAL", 1000)
    opened = open_archive(archive({"a": "x" * 600, "b": "y" * 600}), "x.epub")
    opened.read("a")
    opened.read("a")
    with pytest.raises(InputError, match="unpacks to more than 1,000 bytes"):
        opened.read("b")


def test_a_member_that_lies_about_its_size_never_unpacks_beyond_it() -> None:
    data = bytearray(archive({"a": b"\0" * 4_000_000}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 1000)
    with pytest.raises(InputError, match="damaged"):
        open_archive(bytes(data), "x.epub").read("a")


def test_other_methods_and_too_many_members_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as made:
        made.writestr("a", "salt")
    with pytest.raises(InputError, match="method 14"):
        open_archive(out.getvalue(), "x.epub").read("a")
    monkeypatch.setattr(_archive, "MOST_MEMBERS", 2)
    with pytest.raises(InputError, match="more than 2 parts"):
        open_archive(archive({"a": "", "b": "", "c": ""}), "x.epub")


def test_every_cut_and_many_changed_bytes_end_in_one_sentence_or_the_right_bytes() -> None:
    whole = archive({"a.txt": "salt " * 40, "b.txt": bytes(range(256))})
    chance = random.Random(7)
    damaged = [whole[:n] for n in range(0, len(whole), 5)]
    for _ in range(600):
        changed = bytearray(whole)
        for _ in range(chance.randint(1, 5)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        damaged.append(bytes(changed))
    n_refused = 0
    for data in damaged:
        try:
            opened = open_archive(data, "x.epub")
            for name in opened.names:
                opened.read(name)
        except InputError as error:
            assert "\n" not in str(error)
            n_refused += 1
    assert n_refused > len(damaged) // 3


def test_named_characters_of_xhtml_stand_as_characters_and_markup_stays_escaped() -> None:
    root = parse_xml(b"<a>&mdash;&nbsp;&amp;mdash;&lt;b&gt;&LT;<![CDATA[&copy;]]></a>", "x")
    assert root.text == "—\u00a0&mdash;<b><&copy;"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "gb18030", "cp1252"])
def test_a_declared_encoding_is_used(encoding: str) -> None:
    words = "é" if encoding == "cp1252" else "é鹽"
    data = f'<?xml version="1.0" encoding="{encoding}"?><a>{words}</a>'.encode(encoding)
    assert parse_xml(data, "x").text == words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', "entities of its own"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>', "entities of its own"),
        (b'<!DOCTYPE a [' + b" " * 5000 + b'<!ENTITY x "y">]><a>&x;</a>', "entities of its own"),
        (b'<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]><a/>', "entities of its own"),
        (b"<a>" * 300 + b"</a>" * 300, "depth"),
        (b"<a>&salt;</a>", "no well-formed XML"),
        (b"<a><b></a>", "no well-formed XML"),
        (b"", "no well-formed XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "is not KLINGON"),
        (b"<a>\xff</a>", "is not UTF-8"),
    ],
)  # fmt: skip
def test_xml_that_is_broken_or_dangerous_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_xml(data, "x")
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_an_external_dtd_is_never_read() -> None:
    root = parse_xml(b'<!DOCTYPE a SYSTEM "file:///etc/hostname"><a>&eacute;</a>', "x")
    assert root.text == "é"
