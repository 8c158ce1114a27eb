"""The seam of the formats: what a format is, and how the format of a name is found.

A format is a module of this package with `IS_FOLDER`, whether it is a folder of files or one file, and `write(book, tables,
out)`, which writes to `out` (an empty folder, or the place of a file that is not there yet) and returns the names of the files
written, relative to the folder. It is a pure rendering: the same tables give the same bytes. Adding a format is adding one file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import ConfigError

if TYPE_CHECKING:
    from analyzer.export.columns import BookView, Table

Write = Callable[["BookView", Mapping[str, "Table"], Path], tuple[str, ...]]


class Format(NamedTuple):
    """A format: its name, whether it is a folder of files, and what writes it."""

    name: str
    is_folder: bool
    write: Write


def names() -> tuple[str, ...]:
    """Return the names of all formats, sorted; imports none of them."""
    package = importlib.import_module("analyzer.export.formats")
    found = (info.name for info in pkgutil.iter_modules(package.__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


def format_of(name: str) -> Format:
    """Return a format by its name; raises ConfigError where there is none."""
    if name not in names():
        raise ConfigError(f"{name!r} is no format", hint=f"--format takes {', '.join(names())}")
    module = importlib.import_module(f"analyzer.export.formats.{name}")
    return Format(name, module.IS_FOLDER, module.write)
