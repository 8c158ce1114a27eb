"""The nouns by which people, groups, places and things without a name are described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from analyzer.text.candidates.lexicon import relation_words, word_list, word_set
from analyzer.text.languages import LanguageTable


class Head(NamedTuple):
    """A noun: the entity kind it means, the relation it says of its possessor or "", whether it is a kin word."""

    word: str
    kind: str
    relation: str
    kin: bool


@dataclass(frozen=True)
class HeadRules:
    """Nouns by spelling, and the words that tell to whom somebody belongs."""

    heads: Mapping[str, Head]
    possessors: Mapping[str, str]
    determiners: frozenset[str]
    endings: Mapping[str, Head]
    no_compounds: frozenset[str]

    def of(self, word: str) -> Head | None:
        """Return what `word` means, listed or by the people's noun it ends in ("lamplighter-man", "pan-wives"); None for others."""
        head = self.heads.get(word)
        if head or word in self.no_compounds:
            return head
        front, hyphen, last = word.rpartition("-")
        if hyphen and len(front) > 1:
            found = self.heads.get(last) or self.endings.get(last)
            if found and found.kind in ("character", "group") and not found.kin:
                return found._replace(word=word)
        for size in range(min(len(word) - _FRONT, _LONGEST_ENDING), 1, -1):
            ending = self.endings.get(word[-size:])
            if ending:
                return ending._replace(word=word)
        return None


_FRONT = 3
"""Letters that stand before the ending of a compound at least ("boatman" has four)."""
_LONGEST_ENDING = 9
_LISTS = (
    ("events", "event"),
    ("texts", "text"),
    ("letters", "text"),
    ("objects", "object"),
    ("things", "object"),
    ("lights", "object"),
    ("heads", "place"),
)
"""Lists of [places] and the entity kind each stands for; a word in several takes the last."""


@lru_cache(maxsize=32)
def head_rules(table: LanguageTable) -> HeadRules:
    """Return the rules of `table`; missing lists stand for nothing."""
    relations = relation_words(table.roles.get("relations", {}))
    kin = relation_words(table.kin)
    suffixed = table.names.get("method") == "characters"
    heads: dict[str, Head] = {}
    for key, kind in _LISTS:
        if suffixed and key in ("objects", "texts"):
            continue  # there these lists are endings of names, not words
        heads |= {word: Head(word, kind, "", False) for word in word_list(table.places, key)}
    for key, kind in (("people", "character"), ("groups", "group")):
        heads |= {word: Head(word, kind, relations.get(word, ""), False) for word in word_list(table.roles, key)}
    for word, relation in kin.items():
        heads[word] = Head(word, "group" if relation == "has_member" else "character", relation, True)
    if word_set(table.roles, "plurals"):
        heads |= _plurals(heads, table)
    heads = _inflected(heads, table) | heads
    ends = {word: Head(word, "character", "", False) for word in word_list(table.roles, "endings")}
    if ends:
        ends |= _plurals(ends, table) if word_set(table.roles, "plurals") else {}
        ends = _inflected(ends, table) | ends
    return HeadRules(
        heads=heads,
        possessors={w: k for k in ("speaker", "addressee", "third") for w in word_list(table.roles, k)},
        determiners=word_set(table.roles, "determiners"),
        endings=ends,
        no_compounds=word_set(table.roles, "no_compounds"),
    )


def _plurals(heads: Mapping[str, Head], table: LanguageTable) -> dict[str, Head]:
    """Return the plural of every head: `ending>replacement` rules of the table, the first that fits."""
    rules = [rule.partition(">")[::2] for rule in word_list(table.roles, "plurals")]
    found: dict[str, Head] = {}
    for word, head in heads.items():
        ending, plural = next(((e, p) for e, p in rules if word.endswith(e)), ("", "s"))
        many = word[: len(word) - len(ending)] + plural if ending else word + plural
        if many not in heads:
            found[many] = Head(many, "group" if head.kind == "character" else head.kind, head.relation, head.kin)
    return found


def _inflected(heads: Mapping[str, Head], table: LanguageTable) -> dict[str, Head]:
    """Return the case forms of every head: `ending>form,form` rules of the table, the first that fits."""
    found: dict[str, Head] = {}
    for word, head in heads.items():
        for form in inflected_words(word, table):
            found.setdefault(form, head)
    return found


def inflected_words(word: str, table: LanguageTable) -> tuple[str, ...]:
    """Return the case forms of a common noun, without itself."""
    for ending, forms in _inflections(table):
        if word.endswith(ending):
            return tuple(word[: len(word) - len(ending)] + form for form in forms)
    return ()


@lru_cache(maxsize=32)
def _inflections(table: LanguageTable) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rules = (rule.partition(">")[::2] for rule in word_list(table.roles, "inflections"))
    return tuple((ending, tuple(forms.split(","))) for ending, forms in rules if forms)
