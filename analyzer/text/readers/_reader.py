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

from analyzer.models.text import Span

Read = Callable[[bytes, Path], "SourceText"]


class HeadingHint(NamedTuple):
    """A heading the format itself marks: code points `[start, end)` of the text, `level` 1 outermost, its words."""

    start: int
    end: int
    level: int
    text: str


class SourceText(NamedTuple):
    """A decoded manuscript: line ends are LF, markup is gone; from here on no character changes.

    `headings` are in order of `start`; empty where the format marks none. `notes` are stretches that are no part of the
    story (footnotes), in order. `title` is the work's title where the format states one, otherwise the title given.
    """

    title: str
    text: str
    headings: tuple[HeadingHint, ...] = ()
    notes: tuple[Span, ...] = ()


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
