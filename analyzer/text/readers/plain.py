"""Plain text: decoded, nothing else."""

from __future__ import annotations

from analyzer.text.readers._decode import decode
from analyzer.text.readers._reader import SourceText

SUFFIXES = (".txt", ".text")


def read(data: bytes, title: str) -> SourceText:
    """Return the text of `data`; raises InputError where it is no text."""
    return SourceText(title, decode(data, title))
