"""What a table of an export is: columns with a type and a meaning, rows of plain values; and the book such tables are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeVar

from analyzer.export.naming import THE_READER, Who
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.models.rows import ChapterRow
from analyzer.models.story import READER

Value = str | int | bool | None
Row = tuple[Value, ...]
Kind = Literal["string", "integer", "boolean"]
Owner = tuple[Value, ...]
"""The key of the row that people belong to."""
_Made = TypeVar("_Made")
MAY_TELL_AHEAD = "may-tell-ahead"
SOMEBODY = "somebody"
"""How an export calls whom its plane does not know: never by a handle, whose number would tell that there is somebody."""
CHAPTERS, CAST = "chapters.chapter", "cast.entity"


class Column(NamedTuple):
    """A column: `of` is the column another table has it from (`cast.entity`), `optional` says that a cell may be empty."""

    name: str
    kind: Kind
    meaning: str
    of: str = ""
    optional: bool = False


def word(name: str, meaning: str, *, of: str = "", optional: bool = False) -> Column:
    """Return a column of text: words of the book, a note, or a word of a closed list."""
    return Column(name, "string", meaning, of, optional)


def number(name: str, meaning: str, *, of: str = "", optional: bool = False) -> Column:
    """Return a column of whole numbers."""
    return Column(name, "integer", meaning, of, optional)


def flag(name: str, meaning: str) -> Column:
    """Return a column of true and false."""
    return Column(name, "boolean", meaning)


def somebody(name: str, meaning: str, *, optional: bool = False) -> tuple[Column, Column]:
    """Return the two columns for one of the cast: the handle, and the name as of then."""
    called = word(f"{name}_name", f"how `{name}` is called as of then", optional=optional)
    return word(name, meaning, of=CAST, optional=optional), called


@dataclass(frozen=True)
class Table:
    """A table with its rows: `key` are the columns that tell its rows apart, each row has one value a column."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()

    def records(self) -> tuple[dict[str, Value], ...]:
        """Return the rows by the names of their columns."""
        names = [column.name for column in self.columns]
        return tuple(dict(zip(names, row, strict=True)) for row in self.rows)


@dataclass(frozen=True)
class BookView:
    """A book on one plane as of a chapter, as exports take it: `chapters` are those up to there, `unread` were not read."""

    title: str
    language: str
    seen: Seen
    chapters: tuple[ChapterRow, ...]
    unread: frozenset[int] = frozenset()
    tells_ahead: bool = False

    @property
    def plane(self) -> str:
        """`author`, `reader`, `character:@7`, or `reader:may-tell-ahead` where the author let it tell of later chapters."""
        kind, handle = self.seen.plane
        if self.tells_ahead:
            return f"{kind}:{MAY_TELL_AHEAD}"
        return f"{kind}:{handle}" if handle else kind

    def once(self, make: Callable[[Seen], tuple[_Made, ...]]) -> tuple[_Made, ...]:
        """Return the rows that `make` gives of the view; several tables have the same, and they are made once."""
        if make not in self._rows:
            self._rows[make] = make(self.seen)
        rows: tuple[_Made, ...] = self._rows[make]
        return rows

    @cached_property
    def _rows(self) -> dict[Callable[[Seen], tuple[Any, ...]], tuple[Any, ...]]:
        return {}

    def known(self, handle: str) -> str | None:
        """Return the handle of one of the cast as of then, None for the reader and whoever the plane does not know."""
        root = self.seen.bible.root(handle)
        return root if root in self.seen.bible.cast else None


def book_view(
    seen: Seen,
    chapters: Iterable[ChapterRow],
    *,
    title: str,
    language: str,
    unread: Iterable[int] = (),
    tells_ahead: bool = False,
) -> BookView:
    """Return a book as exports take it: nothing of a chapter after the view's, and no handle of anybody it does not know."""
    until = tuple(row for row in chapters if row.no <= seen.through)
    missing = frozenset(no for no in unread if no <= seen.through)
    return BookView(title, language, replace(seen, unknown=SOMEBODY), until, missing, tells_ahead)


class Spec(NamedTuple):
    """How a table is made: all of it but the rows, and what gives these."""

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: Callable[[BookView], Iterable[Row]]

    def of(self, book: BookView) -> Table:
        """Return the table of a book."""
        return Table(self.name, self.meaning, self.key, self.columns, tuple(self.rows(book)))


def words_spec(
    name: str, owner: Column, meaning: str, given: Callable[[BookView], Iterable[tuple[Value, Sequence[QuoteRow]]]]
) -> Spec:
    """Return the table of the author's words that show the rows of another, several a row, each once."""

    def rows(book: BookView) -> Iterable[Row]:
        for key, quotes in given(book):
            for no, quote in enumerate(dict.fromkeys(quotes), 1):
                yield key, no, quote.chapter, quote.place, quote.text, quote.source

    columns = (
        owner,
        number("no", "which of these words, from 1"),
        number("chapter", "where they stand", of=CHAPTERS),
        word("place", "paragraph and sentence of the chapter, both from 1: `12.3`"),
        word("text", "the words, as the author wrote them"),
        word("source", "`narration`, `speech`, `document` or `thought`"),
    )
    return Spec(name, meaning, (owner.name, "no"), columns, rows)


def people_spec(
    name: str,
    owners: tuple[Column, ...],
    meaning: str,
    given: Callable[[BookView], Iterable[tuple[Owner, str, Sequence[Who]]]],
    roles: str,
) -> Spec:
    """Return the table of those who belong to rows of another; the reader and whoever is not known have no handle."""

    def rows(book: BookView) -> Iterable[Row]:
        for key, role, people in given(book):
            for no, one in enumerate(people, 1):
                is_reader = one.handle == READER
                yield *key, role, no, book.known(one.handle), one.name, is_reader

    columns = (
        *owners,
        word("role", roles),
        number("no", "which of these, from 1"),
        *somebody("entity", "who; empty for the reader, and for somebody not known as of then", optional=True),
        flag("is_reader", f"whether it is {THE_READER}"),
    )
    return Spec(name, meaning, (*(owner.name for owner in owners), "role", "no"), columns, rows)
