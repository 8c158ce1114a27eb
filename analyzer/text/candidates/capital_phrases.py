"""Names of several words of which not all have a capital, and names that end in a possessive: "the Gull light", "at Saint Wen’s"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.capital_rules import UPPER, capital_rules
from analyzer.text.candidates.found import Found
from analyzer.text.candidates.lexicon import alternation, word_list, word_set
from analyzer.text.languages import LanguageTable

_BEFORE = 32
"""Code points looked at before a name: the longest "village of the " of a table has fewer."""
_FEWEST = 2
"""Times a hyphenated common noun stands in a chapter with an article, to be taken for the name of a thing."""


@dataclass(frozen=True)
class PhraseRules:
    """Patterns of what stands before and after a name: a thing's noun, a place's noun, whose it is."""

    article: re.Pattern[str]
    thing: re.Pattern[str]
    place_of: re.Pattern[str]
    compound: re.Pattern[str]
    owned: re.Pattern[str]
    at: re.Pattern[str]
    ended: re.Pattern[str]
    saints: frozenset[str]
    spots: frozenset[str]


@lru_cache(maxsize=32)
def phrase_rules(table: LanguageTable) -> PhraseRules:
    """Return the rules of `table`; missing lists stand for nothing."""
    names, places, cues = table.names, table.places, table.cues
    endings = alternation(ending for ending in word_list(names, "possessives") if len(ending) > 1)
    rooms = word_list(places, "heads")
    nouns = [w for w in (*rooms, *word_list(places, "objects"), *word_list(places, "texts")) if "-" not in w]
    ordinary = alternation(word for word in word_list(names, "stopwords") if word.isalpha())
    spots = {word.lower() for key in ("before", "after", "heads") for word in word_list(places, key)}
    definite = alternation(word_set(names, "articles") & word_set(table.roles, "definite"))
    of = alternation(word_list(places, "of_joint"))
    return PhraseRules(
        article=re.compile(rf"(?i:\b{definite})[ \n]\Z"),
        thing=re.compile(
            rf"[ \n]{alternation([*word_list(places, 'objects'), *word_list(places, 'lights')])}\b(?![’'-]\w)"
        ),
        place_of=re.compile(rf"\b({alternation([*rooms, *word_list(places, 'after')])}[ \n]{of})[ \n]\Z"),
        compound=re.compile(
            rf"(?i:\b{definite})[ \n](?!{alternation(rooms)}\b)([^\W\d_{UPPER}]+-{alternation(nouns)})\b(?![’'-]\w)"
        ),
        owned=re.compile(rf"({endings}[ \n])([{UPPER}][^\W\d_]+)(?![’'-]?\w)"),
        at=re.compile(rf"\b{alternation(word_list(cues, 'possessive_places'))}[ \n]\Z"),
        ended=re.compile(rf"({endings})(?=\Z|[^\w \n’'-]|[ \n]+(?:\Z|{ordinary}\b|[“\"—–]))"),
        saints=word_set(places, "saints"),
        spots=frozenset(spots),
    )


def longer_forms(start: int, end: int, surface: str, text: str, table: LanguageTable, forms: dict[str, Found]) -> None:
    """Add what a common noun, before or after, makes of the name at `[start, end)`: "old Brand", "Brand club", "Brand lamp"."""
    rules, phrases = capital_rules(table), phrase_rules(table)
    before = text[max(0, start - _BEFORE) : start]
    left = rules.left.search(before)
    if left:
        longer = forms.setdefault(f"{left.group(1)} {surface}", Found())
        longer.add(start - len(left.group()), inside=True)
        if left.group(1) not in rules.modifiers:
            longer.cues["title"] += 1
            forms[surface].cues["title"] += 1
        else:
            longer.cues["extended"] += 1
    right = rules.right.match(text, end) or (phrases.article.search(before) and phrases.thing.match(text, end))
    if right:
        longer = forms.setdefault(surface + right.group().replace("\n", " "), Found())
        longer.add(start, inside=True, cue="extended")
    place = phrases.place_of.search(before)
    if place:
        longer = forms.setdefault(f"{place.group(1)} {surface}".replace("\n", " "), Found())
        longer.add(start - len(place.group()), inside=True, cue="place_word")


def possessive_forms(
    start: int, end: int, first: str, text: str, table: LanguageTable, forms: dict[str, Found]
) -> None:
    """Add the name at `[start, end)` with its possessive ending where nothing is owned: "Saint Wen’s", "at Moll’s".

    `first` is its first word in small letters, without a dot.
    """
    phrases = phrase_rules(table)
    ending = phrases.ended.match(text, end)
    saintly = first in phrases.saints
    if not ending or not (saintly or phrases.at.search(text[max(0, start - _BEFORE) : start])):
        return
    surface = (text[start:end] + ending.group(1)).replace("\n", " ")
    forms.setdefault(surface, Found()).add(start, inside=True, cue="place_word" if saintly else "locative")


def owned_form(start: int, end: int, text: str, table: LanguageTable, book: BookStats, forms: dict[str, Found]) -> int:
    """Add "Brand’s Yard" where a common noun with a capital follows the possessive of the name at `[start, end)`.

    Returns where that noun starts, which then is no name of its own, or -1.
    """
    phrases, rules = phrase_rules(table), capital_rules(table)
    owned = phrases.owned.match(text, end)
    if not owned:
        return -1
    lower = owned.group(2).lower()
    if lower in rules.stop or lower in rules.titles or not (lower in phrases.spots or book.n_word(lower)):
        return -1
    surface = (text[start:end] + owned.group()).replace("\n", " ")
    forms.setdefault(surface, Found()).add(start, inside=True, cue="extended")
    return owned.start(2)


def compound_forms(text: str, table: LanguageTable, forms: dict[str, Found]) -> None:
    """Add hyphenated common nouns for a thing or a writing that the chapter comes back to with an article: "the tide-book"."""
    found: dict[str, Found] = {}
    for match in phrase_rules(table).compound.finditer(text):
        found.setdefault(match.group(1), Found()).add(match.start(1), inside=True, cue="compound")
    forms.update((surface, seen) for surface, seen in found.items() if len(seen.starts) >= _FEWEST)


def without_shorter(forms: Mapping[str, Found], table: LanguageTable) -> dict[str, Found]:
    """Return `forms` without those that stand only as the front of a form with a possessive ending: "Saint Wen" of "Saint Wen’s"."""
    endings = [ending for ending in word_list(table.names, "possessives") if len(ending) > 1]
    gone: set[str] = set()
    for surface, found in forms.items():
        shorter = {surface.removesuffix(ending) for ending in endings} - {surface}
        gone |= {name for name in shorter if name in forms and set(forms[name].starts) <= set(found.starts)}
    return {surface: found for surface, found in forms.items() if surface not in gone}
