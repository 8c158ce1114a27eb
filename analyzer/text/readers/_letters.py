"""Letters as the author sees them: invisible characters go, letters in pieces are composed; ligatures stay."""

from __future__ import annotations

import re
import unicodedata

from analyzer.text.readers._reader import Removed

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Soft hyphen, zero width space, word joiner, zero width no-break space: they only tell where a line may break."""

_PIECES = re.compile(
    "[^\\W\\d_][\u0300-\u036f]{1,30}|[\u3046-\u30fd][\u3099\u309a]|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?"
)
"""A letter with loose accents, kana with a loose voice mark, Hangul in letters: what NFC may compose without changing
any sign of another script (it would swap Han compatibility characters and reorder Hebrew points)."""

_LOOSE = re.compile("[\u0300-\u036f\u3099\u309a\u1161-\u1175]")
"""What every match of it holds."""

_ODD = re.compile(f"{_INVISIBLE.pattern}|{_LOOSE.pattern}".replace("]|[", ""))
"""Either; looked for in one pass, since most paragraphs have neither."""


def tidied(text: str) -> tuple[str, tuple[Removed, ...]]:
    """Return `text` without invisible characters and with its letters composed, and what was taken out."""
    removed: tuple[Removed, ...] = ()
    if text.isascii() or not _ODD.search(text):
        return text, removed
    invisible = "".join(_INVISIBLE.findall(text))
    if invisible:
        text = _INVISIBLE.sub("", text)
        removed = (Removed("invisible character", invisible),)
    if _LOOSE.search(text):
        text = _PIECES.sub(lambda found: unicodedata.normalize("NFC", found[0]), text)
    return text, removed


def invisible_in(text: str) -> str:
    """Return the invisible characters that `clean_letters` takes out of a text."""
    return "" if text.isascii() else "".join(_INVISIBLE.findall(text))


def clean_letters(text: str) -> str:
    """Return `text` without invisible characters and with its letters composed; see `tidied`."""
    return text if text.isascii() else tidied(text)[0]


def fold_letters(text: str) -> str:
    """Return letters and digits alone, without case and width: by these a printed heading is compared with a label."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
