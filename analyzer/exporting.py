"""The library's verb that writes the bible in somebody else's format: `pipeline.export`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analyzer.coverage import WRITERS, coverage_of, refuse_ahead, tell_coverage
from analyzer.export.columns import BookView, Table, book_view
from analyzer.export.formats._format import Format, format_of
from analyzer.export.formats._format import names as format_names
from analyzer.export.site.settings import load_wiki_settings
from analyzer.export.tables import n_rows, tables_of
from analyzer.folders import write_file, write_folder
from analyzer.models.base import Record
from analyzer.outdated import Tell, out_of_date, unheard
from analyzer.running import open_store
from analyzer.settings import path_of
from analyzer.sources import folder_of
from analyzer.viewing import seen_in

__all__ = ["ExportResult", "export", "format_names"]


class ExportResult(Record):
    """What was written: `files` as paths, in order, with their sizes in `sizes`; `rows` says how many rows each table has.

    A format that is one file has one; the list that a folder keeps of its own files is not among them. `may_tell_ahead` says
    that a reader's export rests on rules, which weigh the whole book.
    """

    format: str
    out: str
    as_of: int
    plane: str
    files: tuple[str, ...]
    sizes: tuple[int, ...]
    rows: dict[str, int]
    may_tell_ahead: bool = False

    @property
    def n_bytes(self) -> int:
        """The sizes of all files together."""
        return sum(self.sizes)


@dataclass(frozen=True)
class _Made:
    book: BookView
    tables: dict[str, Table]


def export(
    book: Path | str,
    *,
    format: str,
    out: Path | str,
    as_of: int | None = None,
    plane: str = "author",
    may_tell_ahead: bool = False,
    tell: Tell = unheard,
) -> ExportResult:
    """Write a book as of a chapter (None: the last one read) on a plane in a format, and return what was written.

    `out` is a folder or a file, as the format has it; it is written whole or not at all, and an earlier export in a folder is
    replaced whole. `tell` hears what makes the bible out of date and what of it was not read or left out, a sentence each.
    Names that rules read, as readers of a chapter before the last would see them, rest on the whole book: they are refused unless
    `may_tell_ahead` (or the key of that name in `wiki.toml`) asks for them, and the plane is then called `reader:may-tell-ahead`.
    Raises ConfigError for a format, chapter or plane that is not there, InputError where `out` is taken, TellsAheadError.
    """
    wanted = format_of(format)
    place = path_of(out)
    made = _made(book, as_of, plane, may_tell_ahead, tell)
    told = {"format": format, "as_of": made.book.seen.through, "plane": made.book.plane}
    files = _written(wanted, made, place, told)
    return ExportResult(
        format=format,
        out=str(place),
        as_of=made.book.seen.through,
        plane=made.book.plane,
        files=tuple(files),
        sizes=tuple(files.values()),
        rows=n_rows(made.tables),
        may_tell_ahead=made.book.tells_ahead,
    )


def _written(wanted: Format, made: _Made, place: Path, told: Mapping[str, object]) -> dict[str, int]:
    def write(out: Path) -> tuple[str, ...]:
        return wanted.write(made.book, made.tables, out)

    if not wanted.is_folder:
        return {str(place): write_file(place, write)}
    return {str(place / name): size for name, size in write_folder(place, write, told).items()}


def _made(book: Path | str, as_of: int | None, plane: str, may_tell_ahead: bool, tell: Tell) -> _Made:
    """Return the view of a book with its tables."""
    folder = folder_of(book)
    with open_store(folder) as store:
        covered = coverage_of(store)
        view = seen_in(store, covered, as_of, plane, book)
        row, chapters = store.book(), store.chapters()
        out_of_date(folder, store, tell)
        tell_coverage(covered, store, tuple(WRITERS), as_of, folder, tell)
        readers = view.plane.kind == "reader"
        ahead = readers and refuse_ahead(
            store,
            folder,
            first=view.through,
            through=view.through,
            allowed=lambda: may_tell_ahead or load_wiki_settings(folder).may_tell_ahead,
            tell=tell,
        )
    made = book_view(
        view,
        chapters,
        title=row.title if row else "",
        language=row.language if row else "",
        unread=set(covered.chapters) - set(covered.read),
        tells_ahead=ahead,
    )
    return _Made(made, tables_of(made))
