"""What stands on a shelf: the books of a folder, and its manuscripts that have none yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from analyzer.errors import AnalyzerError, InputError
from analyzer.settings import SETTINGS_FILE, book_folder, load_settings
from analyzer.text.readers._folder_files import is_notes_name
from analyzer.text.readers._reader import readers
from analyzer.wording import in_utf8


@dataclass(frozen=True)
class Shelved:
    """One book: `name` is unique on its shelf, `path` the book's folder, or the manuscript where no book is made yet.

    The name is that of the folder, made or to be made, so that it stays; the manuscript's where another has that folder.
    """

    name: str
    path: Path


def books_on(shelf: Path) -> tuple[Shelved, ...]:
    """Return the books of a shelf in the order of their names; nothing in them is opened but their settings.

    Books are folders called NAME.book and others with an analyzer.toml, manuscripts are files of a known ending that no
    book is of. What begins with a dot, notes (README and the like) and other folders are left alone; of several names of one book
    or manuscript (links) the first counts, its own before a link. Raises InputError where the folder cannot be read.
    """
    try:
        entries = sorted(shelf.iterdir())
    except OSError as error:
        raise InputError(
            f"the shelf {shelf} cannot be read: {error.strerror}",
            where=str(shelf),
            hint="name a folder with manuscripts and books in it",
        ) from error
    seen = _once(entry for entry in entries if not entry.name.startswith("."))
    folders = [entry for entry in seen if entry.is_dir() and (entry.suffix == ".book" or _has_settings(entry))]
    taken = {source for folder in folders for source in _source(folder)}
    files = [entry for entry in seen if entry.suffix.lower() in readers() and entry.is_file()]
    found = {name: Shelved(name, folder) for folder in folders for name in (in_utf8(folder.name),)}
    for file in files:
        if file.resolve() in taken or is_notes_name(file.stem):
            continue
        name = in_utf8(book_folder(file).name)
        name = in_utf8(file.name) if name in found else name
        found[name] = Shelved(name, file)
    return tuple(found[name] for name in sorted(found))


def _once(entries: Iterable[Path]) -> list[Path]:
    """Return entries without those that lead where another one does: each under its own name rather than a link's, in order."""
    by_place: dict[Path, Path] = {}
    for entry in sorted(entries, key=lambda entry: (entry.is_symlink(), entry)):
        by_place.setdefault(entry.resolve(), entry)
    return sorted(by_place.values())


def _has_settings(folder: Path) -> bool:
    return (folder / SETTINGS_FILE).is_file()


def _source(folder: Path) -> tuple[Path, ...]:
    """Return the manuscript a book is of; () where its settings do not say: its run says why."""
    try:
        return ((folder / load_settings(folder).manuscript).resolve(),)
    except AnalyzerError:
        return ()
