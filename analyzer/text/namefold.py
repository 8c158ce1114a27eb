"""Names as they are compared: folded, without titles, articles and honorifics."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from analyzer.text.languages import LanguageTable

_ARTICLES = "the a an this that le la les un une l' der die das el los las 그 저 이 那 這 这 その あの この"
ARTICLES = frozenset(_ARTICLES.split())
"""Articles and demonstratives that are no part of a name, in the languages with a table."""


@lru_cache(maxsize=65536)
def fold_name(surface: str) -> str:
    """Return a surface form as names are compared: compatibility forms and case folded, spaces single, ' for ’."""
    return " ".join(unicodedata.normalize("NFKC", surface).casefold().replace("’", "'").split())


def words_of(surface: str) -> tuple[str, ...]:
    """Return the folded words of a form; one that is written without spaces is one word."""
    return tuple(fold_name(surface).split())


@lru_cache(maxsize=32)
def title_words(table: LanguageTable) -> frozenset[str]:
    """Return the table's titles and honorifics, folded, without final dots."""
    found: list[str] = []
    for value in table.titles.values():  # strings of words, or arrays where entries hold spaces
        found += value.split() if isinstance(value, str) else [v for v in value if isinstance(v, str)]
    return frozenset(fold_name(v).rstrip(".") for v in found)


@lru_cache(maxsize=65536)
def core_words(surface: str, table: LanguageTable) -> tuple[str, ...]:
    """Return the words of a form without titles and articles; all its words where nothing else would be left."""
    titles = title_words(table)
    lowered = words_of(surface)
    kept = tuple(w for w in lowered if w not in ARTICLES and w.rstrip(".") not in titles)
    return kept or lowered


@lru_cache(maxsize=65536)
def core_name(surface: str, table: LanguageTable) -> str:
    """Return `core_words` as one string; in scripts without spaces a final title or honorific is cut off too."""
    core = " ".join(core_words(surface, table))
    if " " not in core:
        for title in sorted(title_words(table), key=len, reverse=True):
            if core.endswith(title) and len(core) > len(title) and not title.isascii():
                return core[: -len(title)].strip()
    return core
