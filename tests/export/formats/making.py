"""Books of facts as exports take them, and what each format makes of them."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from analyzer.export.columns import BookView, Table, book_view
from analyzer.export.formats._format import format_of, names
from analyzer.export.planes import AUTHOR, Plane, seen
from analyzer.export.tables import tables_of
from analyzer.models.facts import StoredFact
from analyzer.models.rows import ChapterRow
from tests.export.story_tale import LANGUAGES, LAST, Words, stored, story

FORMATS = names()
READERS = Plane("reader")
PLANES = (AUTHOR, READERS, Plane("character", "@1"))
TEXTS = tuple(name for name in FORMATS if name != "parquet")
"""Those that take no time."""


def chapters(words: Words = LANGUAGES["en"], last: int = LAST) -> tuple[ChapterRow, ...]:
    return tuple(
        ChapterRow(no=no, kind="chapter", label=str(no), title=f"T⟦{no}⟧ {words.mill}", text_sha256="x", n_blocks=3)
        for no in range(1, last + 1)
    )


def viewed(
    book: Sequence[StoredFact],
    through: int = LAST,
    plane: Plane = AUTHOR,
    *,
    rows: Sequence[ChapterRow] | None = None,
    confirmed: frozenset[str] = frozenset(),
    title: str = "Tale",
    language: str = "en",
) -> BookView:
    view = seen(book, through=through, plane=plane, confirmed=confirmed)
    return book_view(view, chapters() if rows is None else rows, title=title, language=language)


def tale(through: int = LAST, plane: Plane = AUTHOR, language: str = "en") -> BookView:
    words = LANGUAGES[language]
    return viewed(stored(story(words)), through, plane, rows=chapters(words), language=language)


def files_of(book: BookView, name: str, tables: Mapping[str, Table] | None = None) -> dict[str, bytes]:
    """Return what a format writes, by file name; a format of one file has "" for its name."""
    wanted = format_of(name)
    tables = tables_of(book) if tables is None else tables
    with tempfile.TemporaryDirectory() as folder:
        if not wanted.is_folder:
            wanted.write(book, tables, Path(folder) / "out")
            return {"": (Path(folder) / "out").read_bytes()}
        written = wanted.write(book, tables, Path(folder))
        found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}
        assert sorted(found) == sorted(written)
        return found
