"""Language detection by script and by the commonest function words of the languages with a table."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from analyzer.text.languages import LanguageTable, language_table, languages

_SAMPLE = 60_000
"""Code points looked at, from three places: enough that the shares stand still (they move under 1 % beyond 20,000)."""

_SCRIPTS = {
    "Latin": re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]"),
    "Cyrillic": re.compile(r"[Ѐ-ԯ]"),
    "Hangul": re.compile(r"[가-힣ᄀ-ᇿㄱ-ㆎ]"),
    "Kana": re.compile(r"[ぁ-ゖァ-ヺー]"),
    "Han": re.compile(r"[㐀-䶿一-鿿豈-﫿𠀀-𲎯]"),
}
_LEAST_SHARE = 0.12
"""Share of function words from which a language is named; running prose of a language of the tables has 0.2 to 0.4."""

_LEAST_KANA = 0.1
"""Kana of kana and Han from which the text is Japanese; Japanese prose has 0.5 to 0.8, Chinese none."""


def detect_language(text: str) -> tuple[str, float]:
    """Return the tag of the table that fits `text` and a confidence from 0 to 1; ("und", …) where none does."""
    sample = _sample(text)
    counts = {name: len(pattern.findall(sample)) for name, pattern in _SCRIPTS.items()}
    n_letters = sum(1 for ch in sample if ch.isalpha())
    if not n_letters:
        return "und", 0.0
    east = {"ko": counts["Hangul"], "cjk": counts["Kana"] + counts["Han"]}
    weights = {"Latin": counts["Latin"], "Cyrillic": counts["Cyrillic"], **{k: v * 3 for k, v in east.items()}}
    script = max(weights, key=lambda name: weights[name])
    known = counts["Latin"] + counts["Cyrillic"] + sum(east.values())
    if known * 2 < n_letters or not weights[script]:
        return "und", round(1 - known / n_letters, 2)
    if script == "ko":
        return "ko", round(counts["Hangul"] / known, 2)
    if script == "cjk":
        share = counts["Kana"] / east["cjk"]
        return ("ja", round(min(1.0, 0.5 + share), 2)) if share >= _LEAST_KANA else ("zh", round(1 - share, 2))
    return _by_words(sample, script)


def _sample(text: str) -> str:
    if len(text) <= _SAMPLE:
        return text
    size = _SAMPLE // 3
    middle = len(text) // 2
    return text[size : 2 * size] + text[middle : middle + size] + text[-2 * size : -size]


@lru_cache(maxsize=32)
def _common(tag: str) -> tuple[frozenset[str], frozenset[str]]:
    table: LanguageTable = language_table(tag)
    return frozenset(table.script["names"]), frozenset(table.script["common"])


def _by_words(sample: str, script: str) -> tuple[str, float]:
    words = Counter(word.casefold() for word in re.findall(r"[^\W\d_]+", sample))
    n_words = sum(words.values())
    shares = {
        tag: sum(words[word] for word in common) / n_words
        for tag in languages()
        for scripts, common in [_common(tag)]
        if script in scripts and common
    }
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    if not ranked or ranked[0][1] < _LEAST_SHARE:
        return "und", round(1 - (ranked[0][1] if ranked else 0.0), 2)
    second = ranked[1][1] if len(ranked) > 1 else 0.0
    return ranked[0][0], round(ranked[0][1] / (ranked[0][1] + second), 2)
