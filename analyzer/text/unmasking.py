"""Where words of a chapter speak of a mask that falls: cue words, and a name that somebody says of himself or another.

Both come from the language tables (`[cues]` unmasked, confessed, confessed_after), are empty where a table has none, and only
help to choose between pairs that stand close together anyway.
"""

from __future__ import annotations

import re
from functools import lru_cache

from analyzer.text.candidates.lexicon import alternation, word_list
from analyzer.text.languages import LanguageTable

LEAD_CHARS = 40
"""Code points before a name in which its lead is looked for; the longest leads have 20."""


@lru_cache(maxsize=16)
def _unmasked(table: LanguageTable) -> re.Pattern[str]:
    words = alternation(word_list(table.cues, "unmasked"))
    return re.compile(rf"(?<!\w){words}(?!\w)" if table.script.get("cased") else words, re.IGNORECASE)


@lru_cache(maxsize=16)
def _leads(table: LanguageTable) -> re.Pattern[str]:
    words = alternation(word_list(table.cues, "confessed"))
    return re.compile(
        rf"(?<![^\W_]){words}\W{{0,2}}\Z" if table.script.get("cased") else rf"{words}\W{{0,2}}\Z", re.IGNORECASE
    )


@lru_cache(maxsize=16)
def _trails(table: LanguageTable) -> re.Pattern[str]:
    return re.compile(alternation(word_list(table.cues, "confessed_after")), re.IGNORECASE)


@lru_cache(maxsize=16)
def unmasking_spots(text: str, table: LanguageTable) -> tuple[int, ...]:
    """Return where cue words of disguise and recognition start in `text`, in order."""
    return tuple(found.start() for found in _unmasked(table).finditer(text))


def is_declared(text: str, start: int, end: int, table: LanguageTable) -> bool:
    """Say whether the name at `text[start:end]` is said of somebody: "I am NAME", "저는 NAME", "NAME と申します"."""
    if _leads(table).search(text[max(0, start - LEAD_CHARS) : start]):
        return True
    return end > start and _trails(table).match(text, end) is not None
