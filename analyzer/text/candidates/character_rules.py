"""The character and word lists of one language written without spaces, built once from its table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from analyzer.text.candidates.lexicon import alternation, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable

HAN = "㐀-䶿一-鿿\U00020000-\U0003ffff々〇"
"""Ranges of Han characters, for use inside a regex class."""


@dataclass(frozen=True)
class CharacterRules:
    """What characters no name holds, and what makes a run of characters a name."""

    surnames: frozenset[str]
    never: frozenset[str]
    never_first: frozenset[str]
    never_last: frozenset[str]
    stop: frozenset[str]
    after_name: frozenset[str]
    before_name: frozenset[str]
    title_end: re.Pattern[str]
    place_end: re.Pattern[str]
    weak_places: frozenset[str]
    localizers: frozenset[str]
    ranked: re.Pattern[str]
    house_end: re.Pattern[str]
    thing_end: re.Pattern[str]
    last: frozenset[str]  # characters that one of the endings before ends in
    diminutive: str
    speech_book: tuple[str, ...]
    place_book: tuple[str, ...]
    name_first: frozenset[str]
    self_name: re.Pattern[str]
    naming: re.Pattern[str]
    quoted: re.Pattern[str]
    speaks: re.Pattern[str]


def _characters(section: dict[str, Any], key: str) -> frozenset[str]:
    return frozenset("".join(word_list(section, key)))


@lru_cache(maxsize=8)
def character_rules(table: LanguageTable) -> CharacterRules:
    """Return the rules of `table`; missing lists stand for nothing."""
    names, titles, places, cues = table.names, table.titles, table.places, table.cues
    stop = word_set(names, "stopwords") | set(relation_words(table.kin))
    stop |= {w for key in ("people", "groups") for w in word_list(table.roles, key)}
    stop |= {w for key in ("heads", "events") for w in word_list(places, key)}
    surnames = _characters(names, "surnames") | word_set(names, "double_surnames")
    things = [*word_list(places, "objects"), *word_list(places, "texts")]
    ends = alternation(word_list(cues, "speech_end"))
    endings = [*word_list(titles, "after"), *things]
    endings += [word for key in ("suffixes", "institutions") for word in word_list(places, key)]
    return CharacterRules(
        surnames=surnames,
        never=_characters(names, "never"),
        never_first=_characters(names, "never_first"),
        never_last=_characters(names, "never_last"),
        stop=frozenset(stop),
        after_name=_characters(cues, "after_name"),
        before_name=_characters(cues, "before_name"),
        title_end=re.compile(f"{alternation(word_list(titles, 'after'))}$"),
        place_end=re.compile(f"{alternation(word_list(places, 'suffixes'))}$"),
        weak_places=word_set(places, "weak_suffixes"),
        localizers=_characters(places, "localizers"),
        ranked=re.compile(f"{alternation(surnames)}{alternation(word_list(places, 'ranked'))}"),
        house_end=re.compile(f"{alternation(word_list(places, 'institutions'))}$"),
        thing_end=re.compile(f"{alternation(things)}$"),
        last=frozenset(word[-1] for word in endings),
        diminutive=str(names.get("diminutive", "")),
        speech_book=word_list(cues, "speech_book"),
        place_book=word_list(cues, "place_book"),
        name_first=frozenset(w[0] for w in surnames) | frozenset(w[0] for w in word_list(titles, "before")),
        self_name=re.compile(f"{alternation(word_list(titles, 'before'))}{alternation(surnames)}$"),
        naming=re.compile(f'{alternation(word_list(cues, "naming"))}[「『“‘"]?(?=[{HAN}])'),
        quoted=re.compile(rf"(?<![：:，,])[「『“‘《〈]([{HAN}]{{2,6}})[」』”’》〉]"),
        speaks=re.compile(rf"(?:^|(?<=[^{HAN}]))([{HAN}]{{2,10}}?){ends}[：:，,「“]", re.MULTILINE),
    )
