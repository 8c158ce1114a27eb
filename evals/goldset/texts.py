"""The text of a public edition on this machine: found by its hash, refused in plain words where it is another."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.text.readers._decode import decode
from evals.goldset.manifest import LARGEST_TEXT, Manifest, gold_of

CACHE_VARIABLE = "ANALYZER_TEXTS"
"""Environment variable that names the folder of fetched texts."""
MOST_FILES = 5000
"""Files looked at in a folder a user names; one with more is not a folder of texts."""
SUFFIX = ".txt"


def cache_folder(wanted: Path | None = None) -> Path:
    """Return where fetched texts are kept: as wanted, else `$ANALYZER_TEXTS`, else the user's cache (`~/.cache/analyzer/texts`)."""
    if wanted is not None:
        return wanted
    named = os.environ.get(CACHE_VARIABLE, "")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "analyzer" / "texts"


def cached_file(manifest: Manifest, cache: Path) -> Path:
    """Return where a goldset's text lies in a cache folder, whether or not it is there."""
    return cache / f"{manifest.name}{SUFFIX}"


def find_text(manifest: Manifest, folder: Path) -> Path | None:
    """Return the file of a folder (or the file itself) that is this edition, None where there is none.

    First a file with the edition's hash; else one with the same words in every chapter that has gold, whatever stands between
    or after them. Cost: reads files of the edition's size, then, only where none is it, every `.txt`.
    """
    files = list(_files(folder))
    for file, size in files:
        if size == manifest.text.n_bytes and sha256_of(file) == manifest.text.sha256:
            return file
    for file, _ in files:
        if not wrong_bodies(file.read_bytes(), manifest):
            return file
    return None


def _files(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield the readable texts of a folder with their sizes, in order of their paths; raises InputError for far too many."""
    if folder.is_file():
        yield folder, folder.stat().st_size
        return
    seen = 0
    for home, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            seen += 1
            if seen > MOST_FILES:
                raise InputError(
                    f"{folder} holds more than {MOST_FILES} files", hint="name the folder of the texts itself"
                )
            file = Path(home, name)
            if name.lower().endswith(SUFFIX) and file.is_file() and 0 < file.stat().st_size <= LARGEST_TEXT:
                yield file, file.stat().st_size


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def wrong_bodies(data: bytes, manifest: Manifest) -> tuple[int, ...]:
    """Return the chapters with gold whose body is not that of the gold; all of them where the bytes are no text."""
    golds = gold_of(manifest)
    try:
        text = decode(data, manifest.name)
    except InputError:
        return tuple(golds)
    bodies = {number: text[gold.body_start : gold.body_end].encode() for number, gold in golds.items()}
    return tuple(number for number, gold in golds.items() if bytes_sha256(bodies[number]) != gold.body_sha256)


def fault_of(data: bytes, manifest: Manifest) -> str:
    """Return why these bytes are not the edition's, in one plain sentence; "" where they are, chapters included."""
    edition = manifest.text
    wrong = wrong_bodies(data, manifest)
    if bytes_sha256(data) == edition.sha256:
        if wrong:
            return f"the file is the edition, but chapter {wrong[0]} is not the text of its gold: the goldset is faulty"
        return ""
    if bytes_sha256(data.removeprefix(codecs.BOM_UTF8).replace(b"\r\n", b"\n")) == edition.sha256:
        return "it is the edition with other line ends or a byte order mark: save it as UTF-8 with LF line ends, without a mark"
    size = f"{len(data):,} bytes, the edition has {edition.n_bytes:,}"
    if not data.strip():
        return f"it is empty: {size}"
    if data.lstrip(codecs.BOM_UTF8 + b" \t\r\n")[:1] == b"<" and b"<html" in data[:4000].lower():
        return f"it is a web page, not the text: {size}"
    if not wrong:
        return f"the chapters with gold are the same, but the rest is another text: {size}"
    if len(data) < edition.n_bytes:
        return f"it is cut short, or another edition: {size}"
    if len(data) > edition.n_bytes:
        return f"it is another edition: more than {edition.n_bytes:,} bytes"
    return f"it is another edition of the same size ({edition.n_bytes:,} bytes): the SHA-256 differs"
