"""Plain text: decoded; a text laid out in pages loses its running heads and page numbers."""

from __future__ import annotations

from pathlib import Path

from analyzer.text.readers._decode import decode
from analyzer.text.readers._pages import without_furniture
from analyzer.text.readers._reader import SourceText

SUFFIXES = (".txt", ".text")


def read(data: bytes, path: Path) -> SourceText:
    """Return the text of `data`; raises InputError where it is no text."""
    text = decode(data, str(path))
    return SourceText(path.stem, without_furniture(text) if "\f" in text else text)
