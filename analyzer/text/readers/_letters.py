"""Letters as marked-up formats hold them: invisible characters go, letters with loose accents are composed."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""Soft hyphen, zero width space, word joiner, byte order mark: layout and no letters."""

_LOOSE = re.compile(
    "[A-Za-z\u00c0-\u024f\u0370-\u052f\u1e00-\u1fff\u3041-\u30ff][\u0300-\u036f\u3099\u309a]+|[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7fb]{2,}"
)
"""Latin, Greek, Cyrillic and kana letters with loose marks, and runs of Hangul's single letters; nothing else composes."""


def clean_letters(text: str) -> str:
    """Return `text` without invisible characters, loose accents and Hangul letters composed (NFC of these alone)."""
    if text.isascii():
        return text
    return _LOOSE.sub(lambda found: unicodedata.normalize("NFC", found[0]), _INVISIBLE.sub("", text))


def fold_letters(text: str) -> str:
    """Return letters and digits alone, without case and width: by these a printed heading is compared with a label."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
