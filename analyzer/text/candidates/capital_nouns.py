"""Names where every noun has a capital (German): nouns stand after articles, names stand bare, with titles, or speak."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.capital_rules import UPPER
from analyzer.text.candidates.found import Found
from analyzer.text.candidates.heads import head_rules
from analyzer.text.candidates.lexicon import alternation, word_list, word_set
from analyzer.text.languages import LanguageTable

_MOST_LED = 0.25
"""Share of a word's places after an article or an adjective from which it is a noun; names of a novel have 0.1 on average."""
_MOST_LED_CALLED = 0.6
"""The same for a word that is called, speaks or has a title: the south says "der Toni"."""
_SURE = frozenset({"title", "speaks", "place_word"})
_FEWEST = 3
"""Places in the book that a word without a cue needs, for its share to say something."""


@dataclass(frozen=True)
class NounRules:
    """What stands before nouns, and which endings and words are nouns."""

    noun_end: re.Pattern[str]
    nouns: frozenset[str]
    titles: frozenset[str]


@lru_cache(maxsize=8)
def noun_rules(table: LanguageTable) -> NounRules:
    """Return the rules of `table`."""
    return NounRules(
        noun_end=re.compile(rf".{{2,}}{alternation(word_list(table.names, 'noun_ends'))}\Z"),
        nouns=word_set(table.names, "stopwords") | frozenset(head_rules(table).heads),
        titles=word_set(table.titles, "before"),
    )


def without_nouns(forms: Mapping[str, Found], table: LanguageTable, book: BookStats) -> dict[str, Found]:
    """Return those of `forms` that are no mere nouns, by what stands before them in the book."""
    rules = noun_rules(table)
    kept = {surface: found for surface, found in forms.items() if _is_name(surface, found, rules, book)}
    genitives = {s for s in kept if s.endswith("s") and s[:-1] in kept and not _SURE & set(kept[s].cues)}
    return {surface: found for surface, found in kept.items() if surface not in genitives}


def _is_name(surface: str, found: Found, rules: NounRules, book: BookStats) -> bool:
    words = surface.replace("-", " ").split()
    own = [word for word in words if word.lower().rstrip(".") not in rules.titles] or words
    if found.cues["title"] and len(words) > 1:
        return not all(word.lower() in rules.nouns for word in own)
    return all(_bare(word, len(own) > 1, found, rules, book) for word in own if word[:1] in UPPER)


def _bare(word: str, joined: bool, found: Found, rules: NounRules, book: BookStats) -> bool:
    lower = word.lower()
    if lower in rules.nouns or rules.noun_end.match(lower) or book.n_word(lower):
        return False
    n, led = max(book.n_inside(word), len(found.starts)), book.led.get(word, 0)
    called = bool(set(found.cues) & (_SURE | {"vocative"}))
    if led > (_MOST_LED_CALLED if called else _MOST_LED) * n:
        return False
    return joined or called or n >= _FEWEST or found.cues["locative"] > 0
