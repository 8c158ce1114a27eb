"""File names for anything a book may call somebody: safe on every system, and different from each other on all of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

LONGEST = 80
"""Characters of a name, the ending apart; with 3 bytes a character it stays under the 255 bytes that file systems allow."""
LONGEST_BYTES = 200
_REFUSED = frozenset('\\/:*?"<>|#^[]%`$&;{}~')
"""What Windows refuses in names, what ends or changes an Obsidian link, what shells and templates read."""
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?")
"""Names of devices on Windows, whatever the ending. Source: Microsoft's rules for naming files."""


def file_names(called: Iterable[tuple[str, str]]) -> list[str]:
    """Return a name for each (what it is called, what it is called where nothing of that is left), without ending.

    Names differ from each other also where letters' case, width and composition are no difference; of those alike the later have a
    number.
    """
    taken: set[str] = set()
    found = []
    for words, otherwise in called:
        name = own = safe_name(words) or otherwise
        number = 1
        while _folded(name) in taken:
            number += 1
            name = f"{own} ({number})"
        taken.add(_folded(name))
        found.append(name)
    return found


def safe_name(words: str) -> str:
    """Return words as a file name without its ending, "" where nothing is left."""
    plain = unicodedata.normalize("NFC", words)
    shown = "".join(" " if ch in _REFUSED or ch.isspace() else ch for ch in plain if ch.isspace() or _is_shown(ch))
    name = _cut(re.sub(r" {2,}", " ", shown).strip(" ."))
    return f"_{name}" if _DEVICES.fullmatch(name) else name


def _cut(name: str) -> str:
    short = name[:LONGEST].encode()[:LONGEST_BYTES].decode(errors="ignore")
    while short and len(short) < len(name) and unicodedata.combining(name[len(short)]):
        short = short[:-1]
    return short.strip(" .")


def _is_shown(ch: str) -> bool:
    return unicodedata.category(ch) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
