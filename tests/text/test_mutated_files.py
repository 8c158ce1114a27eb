"""Valid files of every format, damaged: each is read, with every character in its place, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.text.manuscript import read_manuscript
from analyzer.text.readers._reader import readers
from tests.text.valid_books import part_of, valid_books, with_part
from tests.text.whole import faults_in

BOOKS = valid_books()
PIECES = [
    b"", b"<", b">", b"&", b"&#0;", b"&#xD800;", b"\xff", b"\x00", b"]]>", b"<!--", b"{", b"}", b"\\", b'"', b"#", b"\xef\xbb\xbf",
    b"</p>", b"<p>", b"<w:p>", b"</w:p>", b"<text:p>", b"<nav>", b"\\'e", b"\\u-1?", b"\\bin9 ", b"\n", b"\r", b"\x0c",
]  # fmt: skip
CHANGES = st.lists(
    st.tuples(st.integers(0, 1 << 16), st.integers(0, 9), st.sampled_from(PIECES) | st.binary(min_size=1, max_size=2)),
    min_size=1,
    max_size=6,
)
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def damaged(data: bytes, changes: list[tuple[int, int, bytes]], cut: int) -> bytes:
    raw = bytearray(data)
    for at, gone, piece in changes:
        place = at % (len(raw) + 1)
        raw[place : place + gone] = piece
    return bytes(raw[: max(0, len(raw) - cut)])


def test_there_is_a_valid_book_for_every_reader() -> None:
    read = readers()
    assert {read[book.suffix] for book in BOOKS.values()} == set(read.values())


@pytest.mark.parametrize("name", BOOKS)
def test_the_valid_books_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"book{BOOKS[name].suffix}"
    path.write_bytes(BOOKS[name].data)
    assert read_manuscript(path).chapters[0].blocks


@pytest.mark.parametrize("name", BOOKS)
@QUICK
@given(CHANGES, st.sampled_from([0, 0, 0, 1, 7, 90]))
def test_a_damaged_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, changes: list[tuple[int, int, bytes]], cut: int
) -> None:
    path = tmp_path_factory.mktemp("any") / f"book{BOOKS[name].suffix}"
    path.write_bytes(damaged(BOOKS[name].data, changes, cut))
    assert faults_in(path) == []


@pytest.mark.parametrize(("name", "part"), [(name, part) for name, book in BOOKS.items() for part in book.parts])
@settings(QUICK, max_examples=25)
@given(CHANGES, st.sampled_from([0, 0, 0, 1, 7, 90]))
def test_an_archive_with_one_damaged_member_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, part: str, changes: list[tuple[int, int, bytes]], cut: int
) -> None:
    book = BOOKS[name]
    path = tmp_path_factory.mktemp("any") / f"book{book.suffix}"
    path.write_bytes(with_part(book.data, part, damaged(part_of(book.data, part), changes, cut)))
    assert faults_in(path) == []


@pytest.mark.parametrize(("name", "part"), [(name, part) for name, book in BOOKS.items() for part in book.parts])
def test_an_archive_without_one_of_its_members_or_with_an_empty_one_is_read_or_refused(
    tmp_path: Path, name: str, part: str
) -> None:
    book = BOOKS[name]
    path = tmp_path / f"book{book.suffix}"
    for data in (with_part(book.data, part, b""), with_part(book.data, part, None)):
        path.write_bytes(data)
        assert faults_in(path) == []


NAMES = st.sampled_from(
    [
        "1.txt",
        "2 제이장.txt",
        "Chapter 3.md",
        "第四回.html",
        "part/05.rtf",
        "part/06.odt",
        "x.epub",
        "notes.jpg",
        ".hid",
    ]
)


@settings(QUICK, max_examples=40)
@given(st.dictionaries(NAMES, st.tuples(st.sampled_from(list(BOOKS)), st.none() | CHANGES), min_size=1, max_size=4))
def test_a_folder_with_damaged_files_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, tuple[str, list[tuple[int, int, bytes]] | None]]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    for name, (book, changes) in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        same = BOOKS[book].data
        fitting = next((b.data for b in BOOKS.values() if b.suffix == path.suffix), same)
        path.write_bytes(fitting if changes is None else damaged(same, changes, 0))
    assert faults_in(folder) == []
