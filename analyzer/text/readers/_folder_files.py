"""The files of a folder of chapters: which are read, in which order, and why the others are left out."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.text.readers._reader import Removed

LARGEST_FOLDER = 64 * 1024 * 1024
"""Bytes of all files together; the longest serials known have about 30 MB of text."""

MOST_FILES = 20_000
"""The longest serials known have some thousand chapters."""

_DEEPEST = 4
"""Folders inside each other: series, book, part, chapter."""

_SYSTEM = frozenset(("thumbs.db", "desktop.ini", "icon\r", "__macosx"))

_NOTES = re.compile(
    r"(?:\d+[\W_]*)?(?:(?:author|story|plot|my)?[\W_]*notes?|notizen?|notas?|заметки|todo|to-?do|read[\W_]?me|license|changelog|"
    r"outline|synopsis|characters?|timeline|worldbuilding|ideas?|figuren|personnages|персонажи|план|"
    r"メモ|覚書|プロット|設定|人物表|大纲|大綱|设定|設定|人设|笔记|筆記|메모|설정|시놉시스|등장인물)(?:[\W_]*\d+)?\Z",
    re.IGNORECASE,
)
"""Names of what lies beside chapters and is none, in the languages with tables."""


class FolderFile(NamedTuple):
    """A file that may be a chapter: its path inside the folder, with slashes, and its bytes."""

    name: str
    data: bytes

    @property
    def stem(self) -> str:
        """The file's name without its ending."""
        return PurePosixPath(self.name).stem

    @property
    def folder(self) -> str:
        """The path of the folder it lies in, "" for the outermost."""
        parent = str(PurePosixPath(self.name).parent)
        return "" if parent == "." else parent


class Folder(NamedTuple):
    """The files in natural order of their paths, and what was left out."""

    files: tuple[FolderFile, ...]
    removed: tuple[Removed, ...]


def read_folder_files(folder: Path, suffixes: frozenset[str]) -> Folder:
    """Return the files of a folder and its folders that a reader knows (`suffixes`), bytes read.

    Left out with the reason: hidden and system files, empty ones, notes by their name, endings no reader knows, links to
    folders. Raises InputError where nothing is left, for over 20,000 files or 64 MB, and where one cannot be read.
    """
    where = str(folder)
    files: list[FolderFile] = []
    removed: list[Removed] = []
    size = 0
    for n, (path, reason) in enumerate(_walk(folder, "", 0)):
        name = path
        if n >= MOST_FILES:
            raise _too_large(where, f"more than {MOST_FILES:,} files")
        suffix = PurePosixPath(name).suffix.lower()
        reason = reason or ("" if suffix in suffixes else f"no reader for {suffix or 'a name without an ending'!r}")
        if reason:
            removed.append(Removed(reason, name))
            continue
        if not is_text(name):
            raise InputError(f"the name of {folder / name} is not UTF-8", where=where, hint="rename it")
        data = _bytes(folder / name, LARGEST_FOLDER - size, where)
        size += len(data)
        if data.strip(b"\xef\xbb\xbf \t\r\n\0"):
            files.append(FolderFile(name, data))
        else:
            removed.append(Removed("empty file", name))
    if not files:
        known = ", ".join(sorted(suffixes))
        raise InputError(
            f"{where} is a folder with nothing to read: no file in it ends in {known}",
            where=where,
            hint="pass a manuscript, or a folder with one file for each chapter",
        )
    files.sort(key=lambda file: natural_key(file.name))
    return Folder(tuple(files), tuple(removed))


def is_text(name: str) -> bool:
    """Say whether a name of the file system is text: bytes that are no UTF-8 are lone surrogates in it."""
    return name.encode("utf-8", "ignore").decode() == name


def natural_key(name: str) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """Return what paths are sorted by: folder by folder, figures by their value (2 before 10), case and width aside."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return tuple(
        tuple(
            (0, int(piece[:18]), piece) if piece.isdecimal() else (1, 0, piece)
            for piece in re.split(r"(\d+)", PurePosixPath(part).stem if part == PurePosixPath(folded).name else part)
            if piece
        )
        for part in PurePosixPath(folded).parts
    )


def is_notes_name(stem: str) -> bool:
    """Say whether a file's name is one of notes, outlines and the like."""
    return _NOTES.match(unicodedata.normalize("NFC", stem).strip()) is not None


def _walk(folder: Path, inside: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the path of each file and why it is left out at once ("" where it may be read)."""
    try:
        entries = sorted(os.scandir(folder / inside), key=lambda entry: entry.name)
    except OSError as error:
        raise InputError(
            f"{folder / inside} cannot be read: {error.strerror}", where=str(folder), hint="check its permissions"
        ) from error
    for entry in entries:
        name = f"{inside}/{entry.name}" if inside else entry.name
        hidden = entry.name.startswith((".", "~$")) or entry.name.lower() in _SYSTEM
        is_book = entry.name.endswith(".book")
        if entry.is_dir(follow_symlinks=False) and not hidden and not is_book:
            if depth + 1 < _DEEPEST:
                yield from _walk(folder, name, depth + 1)
            else:
                yield name, f"over {_DEEPEST} folders deep"
        elif entry.is_dir():
            yield name, "hidden folder" if hidden else "folder of a book" if is_book else "link to a folder"
        elif not entry.is_file():
            yield name, "no file"
        else:
            yield name, "hidden file" if hidden else ""


def _bytes(path: Path, left: int, where: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(left + 1)
    except OSError as error:
        raise InputError(
            f"{path} cannot be read: {error.strerror}", where=where, hint="check its permissions"
        ) from error
    if len(data) > left:
        raise _too_large(where, f"more than {LARGEST_FOLDER:,} bytes")
    return data


def _too_large(where: str, what: str) -> InputError:
    return InputError(f"{where} has {what}, the most that is read", where=where, hint="split the manuscript")
