"""The seam of the readers: what a format becomes, and how the reader of a suffix is found.

A reader is a module of this package with `SUFFIXES`, lower case with the dot, and `read(data, path) -> SourceText`
(`path` names the file in errors and gives the title where the format states none).
Adding a format is adding one file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from analyzer.models.text import ChapterKind, Span
from analyzer.text.readers._decode import as_utf8, codec_of, shown
from analyzer.text.readers._signatures import refuse_other_format

Read = Callable[[bytes, Path], "SourceText"]


BY_LOOKS = 10
"""The level of hints of lower standing: lines that only look like headings, used where the words name no chapters."""


UNLISTED = 11
"""The level of hints of the lowest standing: headings that a contents list should name and does not; only their words can tell."""


class HeadingHint(NamedTuple):
    """A heading the format itself marks: code points `[start, end)` of the text, `level` 1 outermost, its words.

    Formats state levels 1 to 9; `BY_LOOKS` is a guess by the looks of the line, `UNLISTED` is in no contents list.
    """

    start: int
    end: int
    level: int
    text: str


class Removed(NamedTuple):
    """Words of the source that are not in the text: `kind` says what they are (contents list, ruby reading, …)."""

    kind: str
    text: str


class SourceText(NamedTuple):
    """A decoded manuscript: line ends are LF, markup is gone; from here on no character changes.

    `headings` are in order of `start`; empty where the format marks none. `notes` are stretches that are no part of the
    story (footnotes), in order, put at the end of the text. `title` is the work's title where the format states one,
    otherwise the title given.
    `encoding` is the one decoded, as guessed or stated, `encoding_certainty` from 0 to 1; `language` (a tag) and
    `author` where the format states them. `removed` accounts for every character of the source that is not in `text`.
    `chapter_level` is the level of the chapters among `headings` where a contents list states it, otherwise 0; `kinds`
    are the kinds the format states for headings, each with the heading's `start`. `filed` says that the chapters are files.
    """

    title: str
    text: str
    headings: tuple[HeadingHint, ...] = ()
    notes: tuple[Span, ...] = ()
    encoding: str = ""
    encoding_certainty: float = 1.0
    language: str = ""
    author: str = ""
    removed: tuple[Removed, ...] = ()
    chapter_level: int = 0
    filed: bool = False
    kinds: tuple[tuple[int, ChapterKind], ...] = ()


@lru_cache(maxsize=1)
def readers() -> dict[str, Read]:
    """Return the reader of each suffix (lower case, with the dot), suffixes sorted."""
    package = importlib.import_module("analyzer.text.readers")
    found: dict[str, Read] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if not info.name.startswith("_"):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            found.update(dict.fromkeys(module.SUFFIXES, module.read))
    return dict(sorted(found.items()))


def named_suffixes() -> tuple[str, ...]:
    """Return the suffixes of what can be read, as authors are told them; a reader keeps some back with `UNNAMED`."""
    kept = {suffix for read in readers().values() for suffix in _unnamed(read)}
    return tuple(suffix for suffix in readers() if suffix not in kept)


def _unnamed(read: Read) -> tuple[str, ...]:
    return tuple(getattr(importlib.import_module(read.__module__), "UNNAMED", ()))


def text_of(data: bytes, path: Path, encoding: str | None = None) -> SourceText:
    """Return the text of a file by the reader of its suffix; raises InputError where it is another format by its first bytes.

    `encoding` is the one the author named for bare text (InputError where it is unknown or does not fit); a format that states
    its own takes none, and its `encoding` is "".
    """
    suffix = path.suffix.lower()
    named = encoding if takes_encoding(suffix) else None
    if named is not None:
        data = as_utf8(data, named, str(path))
    refuse_other_format(data, path)
    source = readers()[suffix](data, path)
    if named is not None:
        return source._replace(encoding=shown(codec_of(named)), encoding_certainty=1.0)
    return source if takes_encoding(suffix) else source._replace(encoding="", encoding_certainty=1.0)


def takes_encoding(suffix: str) -> bool:
    """Say whether files of this suffix are bare text, so that an encoding can be named for them.

    Their reader says so with `TAKES_ENCODING = True`; a byte order mark must win over all else it finds.
    """
    module = importlib.import_module(readers()[suffix].__module__)
    return bool(getattr(module, "TAKES_ENCODING", False))
