"""What is exported as of N is, byte for byte, what a book that ends with N gives."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.export.planes import Plane
from analyzer.export.tables import tables_of
from analyzer.models.facts import StoredFact
from tests.export.formats.making import FORMATS, READERS, TEXTS, chapters, files_of, tale, viewed
from tests.export.story_tale import LANGUAGES, LAST, stored, story
from tests.export.test_spoilers import books, planes, reveal_ids

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)


def check(book: tuple[StoredFact, ...], through: int, plane: Plane, confirmed: frozenset[str] = frozenset()) -> None:
    until = tuple(s for s in book if s.chapter <= through)
    whole = viewed(book, through, plane, confirmed=confirmed)
    ended = viewed(until, through, plane, confirmed=confirmed, rows=chapters(last=through))
    tables, of_ended = tables_of(whole), tables_of(ended)
    later = [f"⟦{no}⟧".encode() for no in range(through + 1, LAST + 1)]
    for name in TEXTS:
        found = files_of(whole, name, tables)
        assert found == files_of(ended, name, of_ended), name
        assert not [mark for mark in later for data in found.values() if mark in data], name


@settings(max_examples=25, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST), st.booleans())
def test_readers_of_n_chapters_get_the_bytes_of_a_book_that_ends_there(
    book: tuple[StoredFact, ...], through: int, is_confirmed: bool
) -> None:
    check(book, through, READERS, reveal_ids(book) if is_confirmed else frozenset())


@settings(max_examples=10, deadline=None, suppress_health_check=SLOW)
@given(books(), st.integers(0, LAST))
def test_so_do_the_author_and_everybody_in_the_book(book: tuple[StoredFact, ...], through: int) -> None:
    author, _, *people = planes(book, through)
    for plane in (author, *people[:1]):
        check(book, through, plane)


@pytest.mark.parametrize("name", FORMATS)
def test_the_tale_in_every_format_has_no_word_of_a_later_chapter(name: str) -> None:
    for language in LANGUAGES if name in TEXTS else ["en"]:
        words = LANGUAGES[language]
        for through in (0, 2, 4):
            found = b"".join(files_of(tale(through, READERS, language), name).values()).decode("utf-8", "ignore")
            assert words.hesk_named not in found or through >= 3
            assert words.wound not in found or through >= 4
            assert words.will.removeprefix("@3") not in found or through >= 4
            assert not [no for no in range(through + 1, LAST + 1) if words.sentence.format(no) in found]


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_book_gives_the_same_bytes(name: str) -> None:
    book = stored(story(LANGUAGES["ko"]))
    assert files_of(viewed(book), name) == files_of(viewed(book), name)
