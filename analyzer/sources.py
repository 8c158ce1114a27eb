"""Where a manuscript is read from: the folder of a book, or a file that has none yet, and what the author says of either."""

from __future__ import annotations

from pathlib import Path

from analyzer.errors import ConfigError, InputError
from analyzer.files import write_whole
from analyzer.models.text import Manuscript
from analyzer.running import manuscript_of, read_file
from analyzer.settings import (
    SETTINGS_FILE,
    Settings,
    book_folder,
    is_manuscript,
    load_settings,
    save_encoding,
    save_settings,
)
from analyzer.wording import typed


def usual_name(encoding: str | None) -> str | None:
    """Return the encoding's usual name; raises InputError where there is none called so."""
    from analyzer.text.readers._decode import codec_of, shown

    return None if encoding is None else shown(codec_of(encoding))


def keep_encoding(folder: Path, encoding: str | None) -> None:
    """Write an encoding the author names into the book's settings, if the manuscript can be read in it."""
    name = usual_name(encoding)
    if name is None:
        return
    settings = load_settings(folder)
    read_file(folder / settings.manuscript, settings.language, name)
    try:
        save_encoding(folder, name)
    except OSError as error:
        raise ConfigError(
            f"{SETTINGS_FILE} cannot be written: {error.strerror}", where=str(folder), hint="check its permissions"
        ) from error


def make_folder(folder: Path, manuscript: Path, settings: Settings) -> None:
    """Make a book's folder with its settings; raises InputError where it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_settings(folder, settings)
    except OSError as error:
        raise InputError(
            f"cannot write the book folder {folder}: {error.strerror}",
            where=str(folder),
            hint=f"keep it elsewhere: {typed('init', manuscript, '--book')} DIR; then name that folder",
        ) from error
    except ValueError as error:
        raise InputError(
            f"the manuscript's path {settings.manuscript!r} cannot be written down: it is not UTF-8",
            hint="rename the file",
        ) from error


def folder_of(book: Path | str) -> Path:
    """Return the folder of a book given by its folder or its manuscript.

    Raises InputError where a manuscript's folder is another manuscript's book (`s.md` beside `s.txt`), or nothing is there.
    """
    folder = book_folder(book)
    path = Path(book)
    if is_manuscript(path) and (folder / SETTINGS_FILE).is_file():
        known = load_settings(folder).manuscript
        if (folder / known).resolve() != path.resolve():
            raise InputError(
                f"{path} has no book: {folder} is the book of {known}",
                where=str(folder),
                hint=f"make one with: {typed('init', path, '--book')} DIR; then name that folder",
            )
    elif not path.exists() and not folder.exists():
        raise InputError(
            f"{path} is no book and no manuscript: nothing is there",
            where=str(path),
            hint="check the path; a book is made with: analyzer init MANUSCRIPT",
        )
    return folder


def source_of(book: Path | str, encoding: str | None = None) -> tuple[Manuscript, Path | None]:
    """Return the manuscript of a book, or of a file, with the book's folder where there is one."""
    path, folder = Path(book), folder_of(book)
    if is_manuscript(path) and not (folder / SETTINGS_FILE).is_file():
        return read_file(path, None, encoding), None
    keep_encoding(folder, encoding)
    return manuscript_of(folder), folder


def write_list(read: Manuscript, folder: Path | None, book: Path | str) -> Path:
    """Write what the chapters of `read` are into the book's chapters.toml and return the file.

    Raises InputError where there is no book yet (`folder` is None; `book` is what was named), or the file is there already.
    """
    from analyzer.text.chapters_file import CHAPTERS_FILE
    from analyzer.text.manuscript import chapters_list

    if folder is None:
        raise InputError(
            f"{book} has no book to keep {CHAPTERS_FILE} in",
            where=str(book),
            hint=f"make one: {typed('init', Path(book))}",
        )
    file = folder / CHAPTERS_FILE
    try:
        write_whole(file, chapters_list(read), new=True)
    except FileExistsError as error:
        raise InputError(
            f"{file} is there already and says what the chapters are",
            where=str(file),
            hint="edit it, or delete it to have the chapters found anew",
        ) from error
    except OSError as error:
        raise InputError(
            f"{file} cannot be written: {error.strerror}", where=str(file), hint="check the folder's permissions"
        ) from error
    return file
