"""The word lists and patterns of one language whose nouns carry particles, built once from its table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from analyzer.text.candidates.lexicon import alternation, relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable


@dataclass(frozen=True)
class ParticleRules:
    """What may follow a stem, what makes a stem a name, and what makes it an ordinary word."""

    case: frozenset[str]
    particles: frozenset[str]
    surnames: frozenset[str]
    given: frozenset[str]
    before_noun: frozenset[str]
    verbal: tuple[str, ...]
    plural: tuple[str, ...]
    stop: frozenset[str]
    stop_end: re.Pattern[str]
    verb_end: re.Pattern[str]
    surname_titles: frozenset[str]
    title: re.Pattern[str]
    attached: re.Pattern[str]
    place: re.Pattern[str]
    weak_place: re.Pattern[str]
    institution: re.Pattern[str]
    institution_end: re.Pattern[str]
    year: re.Pattern[str]
    event: re.Pattern[str]
    naming: frozenset[str]
    naming_nouns: tuple[str, ...]
    vocative: frozenset[str]

    def is_given(self, surface: str) -> bool:
        """Whether `surface` is built like a given name: two syllables that names are made of."""
        return len(surface) == 2 and surface[0] in self.given and surface[1] in self.given

    def is_full_name(self, surface: str) -> bool:
        """Whether `surface` is a known surname and a given name."""
        cut = len(surface) - 2
        return cut in (1, 2) and surface[:cut] in self.surnames and self.is_given(surface[cut:])

    def is_place(self, surface: str, cased: bool) -> bool:
        """Whether `surface` ends like a place name; endings that are also particles count only before a case particle."""
        if self.place.match(surface):
            return True
        return cased and bool(self.weak_place.match(surface))


@lru_cache(maxsize=8)
def particle_rules(table: LanguageTable) -> ParticleRules:
    """Return the rules of `table`; missing lists stand for nothing."""
    names, titles, places = table.names, table.titles, table.places
    case = word_set(names, "case_particles")
    particles = case | word_set(names, "soft_particles") | {""}
    stop = word_set(names, "stopwords") | word_set(names, "before_noun") | set(relation_words(table.kin))
    stop |= {w for key in ("people", "groups") for w in word_list(table.roles, key)}
    stop |= {w for key in ("heads", "objects", "texts", "events") for w in word_list(places, key)}
    weak = word_set(places, "weak_suffixes")
    tail = f"({alternation(particles)})"
    institutions = alternation(word_list(places, "institutions"))
    surname_titles = word_list(titles, "surname_titles")
    attached = alternation([*surname_titles, *word_list(titles, "attached_titles")])
    return ParticleRules(
        case=case,
        particles=particles,
        surnames=word_set(names, "surnames"),
        given=word_set(names, "given_syllables"),
        before_noun=word_set(names, "before_noun"),
        verbal=word_list(names, "verbal"),
        plural=word_list(names, "plural"),
        stop=frozenset(stop),
        stop_end=re.compile(f".+{alternation(w for w in stop if len(w) > 1)}$"),
        verb_end=re.compile(f"{alternation(word_list(names, 'verb_stems'))}$"),
        surname_titles=frozenset(surname_titles),
        title=re.compile(f"({alternation(word_list(titles, 'after'))}){tail}$"),
        attached=re.compile(f"(.{{1,3}}?)({attached}){tail}$"),
        place=re.compile(f".+{alternation(w for w in word_list(places, 'suffixes') if w not in weak)}$"),
        weak_place=re.compile(f"..+{alternation(weak)}$"),
        institution=re.compile(f"(.*?{institutions}){tail}$"),
        institution_end=re.compile(f".{institutions}$"),
        year=re.compile(f"(?:{places.get('year_names') or '(?!)'})$"),
        event=re.compile(f"({alternation(word_list(places, 'events'))}){tail}$"),
        naming=word_set(table.cues, "naming"),
        naming_nouns=word_list(table.cues, "naming_nouns"),
        vocative=word_set(table.cues, "vocative"),
    )
