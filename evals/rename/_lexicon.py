"""What in a name is no name: titles, kin, articles, generic words of places, and words that the text also prints as words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from analyzer.text.candidates.lexicon import relation_words
from analyzer.text.languages import LanguageTable
from evals.rename._pool import pool

LETTERS = re.compile(r"(?:[^\W\d_][\u0300-\u036f]*)+")
ROMAN = re.compile(r"[IVXLC]{2,}")
NAMING = frozenset(["d", "de", "du", "des", "von", "van", "di", "da", "della"])
"""What stands before a name and before no word of English, so that what follows is a name even where it is also a word."""
_APOSTROPHE = "['’ʼ]"
_ARTICLES = frozenset(
    ["the", "le", "la", "les", "l", "der", "die", "das", "den", "dem", "el", "los", "las", "il", "lo", "i", "gli"]
)  # articles that make an epithet


def _words(values: Iterable[Any]) -> frozenset[str]:
    found: list[str] = []
    for value in values:
        for entry in [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []:
            found += re.findall(r"[^\s'’.-]+", str(entry))
    return frozenset(unicodedata.normalize("NFC", word).casefold() for word in found)


@dataclass(frozen=True)
class Lexicon:
    """The words of one language as one text uses them; all composed and without case."""

    table: LanguageTable
    text: str

    @cached_property
    def cased(self) -> bool:
        """Whether names begin with a capital in this language."""
        return bool(self.table.script.get("cased", False))

    @cached_property
    def tag(self) -> str:
        """The language's key in the pool."""
        return self.table.tag if self.table.tag in pool() else "en"

    @cached_property
    def composed(self) -> str:
        """The text in composed letters."""
        return unicodedata.normalize("NFC", self.text)

    @cached_property
    def titles(self) -> frozenset[str]:
        """Titles, kin words, articles and particles: never part of a person's own name."""
        names = self.table.names
        own = _words(names.get(key, "") for key in ("particles", "articles", "elisions", "modifiers"))
        kin = _words([list(relation_words(self.table.kin)), *self.table.kin.values()])
        return _words(self.table.titles.values()) | own | kin | _ARTICLES

    @cached_property
    def generic(self) -> frozenset[str]:
        """What a place or a thing is called beside its name: street, great, west, numbers, weekdays."""
        names = self.table.names
        listed = _words(
            names.get(key, "") for key in ("adjectives", "stopwords", "calendar", "group_words", "firm_tails")
        )
        roles = _words(self.table.roles.get(key, "") for key in ("people", "groups", "broad", "adjectives", "traits"))
        own = frozenset(pool()[self.tag].get("left", ()))
        return (
            own
            | self.titles
            | listed
            | roles
            | _words(self.table.places.values())
            | _words(self.table.chapters.values())
        )

    @cached_property
    def roles(self) -> frozenset[str]:
        """Nouns and adjectives for people."""
        return _words(self.table.roles.get(key, "") for key in ("people", "groups", "broad", "adjectives"))

    @cached_property
    def lower(self) -> frozenset[str]:
        """Words that the text prints in small letters."""
        return frozenset(word for word in LETTERS.findall(self.composed) if word == word.lower())

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Words that the text prints with a capital."""
        return frozenset(word for word in LETTERS.findall(self.composed) if word[0] != word[0].lower())

    def is_word(self, name: str) -> bool:
        """Tell whether the text, or the language's table, has a name as an ordinary word too (Will, 가을)."""
        if name.casefold() in self._stopwords:
            return True
        return self.cased and name.lower() in self.lower

    @cached_property
    def _stopwords(self) -> frozenset[str]:
        return _words([self.table.names.get("stopwords", "")])

    def by_article(self, name: str, *, least: int = 1) -> bool:
        """Tell whether the text has an article before a name in half of its places or more, and the name `least` times."""
        articles = sorted(_ARTICLES & _words([self.table.names.get("articles", ""), "the le la les der die das"]))
        spelled = re.escape(name)
        n = len(re.findall(rf"(?<!\w){spelled}(?!\w)", self.composed))
        led = re.findall(rf"(?<!\w)(?:{'|'.join(articles)})\s+{spelled}(?!\w)", self.composed, re.I)
        return n >= least and 2 * len(led) >= n

    def elided(self, word: str) -> bool:
        """Tell whether the text treats a name as one that begins with a vowel (d’Hautville, an Umbrian)."""
        return word.casefold() in self._elided

    @cached_property
    def _elided(self) -> frozenset[str]:
        elisions = "|".join(sorted(_words([self.table.names.get("elisions", "")]) | {"d", "l"}))
        led = rf"(?<!\w)(?:(?:{elisions}){_APOSTROPHE}|{'an ' if self.tag == 'en' else '(?!)'})({LETTERS.pattern})"
        return frozenset(word.casefold() for word in re.findall(led, self.composed, re.I))
