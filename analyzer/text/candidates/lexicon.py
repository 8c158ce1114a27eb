"""Typed reading of the word lists of a language table: a list is a string of words parted by spaces, or an array."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from analyzer.errors import ConfigError
from analyzer.models.facts import RELATION_KINDS
from analyzer.text.languages import LanguageTable

Method = Literal["capitals", "particles", "characters"]
"""How new names show: by capital letters, by particles after a noun, or by nothing but recurring characters."""

_HANGUL = re.compile(r"[가-힣]")
_HAN_KANA = re.compile(r"[぀-ヿ㐀-䶿一-鿿]")
_RELATIONS = frozenset(RELATION_KINDS) | {rule.inverse for rule in RELATION_KINDS.values() if rule.inverse}
"""Canonical kinds and their inverses: what a noun says with the described one as subject."""
_SAMPLE = 4000
"""Characters looked at to tell a script; a chapter's first page is enough for three scripts that share no letter."""


def word_list(section: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the words under `key` in order (empty where absent); raises ConfigError where they are no list of words."""
    raw = section.get(key, ())
    if isinstance(raw, str):
        return tuple(raw.split())
    if isinstance(raw, list | tuple) and all(isinstance(word, str) for word in raw):
        return tuple(raw)
    raise ConfigError(f"language table: {key!r} must be words in a string or an array of strings, got {raw!r}")


def word_set(section: Mapping[str, Any], key: str) -> frozenset[str]:
    """Return the words under `key` as a set."""
    return frozenset(word_list(section, key))


def relation_words(section: Mapping[str, Any]) -> dict[str, str]:
    """Return word -> canonical relation of a section that lists words under each relation (inverses too), in the order of the section.

    Entries whose key is no relation kind are settings, not words; raises ConfigError as `word_list` does.
    """
    return {word: kind for kind in section if kind in _RELATIONS for word in word_list(section, kind)}


def alternation(words: Iterable[str]) -> str:
    """Return a regex that matches one of `words`, longest first; one that matches nothing where there are none."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")" if ordered else "(?!)"


def method_of(table: LanguageTable, text: str) -> Method:
    """Return how names show in `text`: as the table says, else by the script of its first page."""
    named = table.names.get("method", "")
    for method in ("capitals", "particles", "characters"):
        if named == method:
            return method
    if named:
        raise ConfigError(
            f"language table {table.tag}: names.method {named!r} is none of capitals, particles, characters"
        )
    sample = text[:_SAMPLE]
    if len(_HANGUL.findall(sample)) > len(sample) // 4:
        return "particles"
    if len(_HAN_KANA.findall(sample)) > len(sample) // 4:
        return "characters"
    return "capitals"
