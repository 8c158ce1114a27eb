"""Words of a text without spaces, found by how often its characters recur together: no dictionary, no model."""

from __future__ import annotations

import math
import re
from functools import cached_property, lru_cache
from typing import NamedTuple

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.character_rules import HAN, CharacterRules, character_rules
from analyzer.text.languages import LanguageTable

_RUN = re.compile(f"[{HAN}]+")
_LONGEST = 5
_COHESION = 6.0
"""How many times more often than by chance the weakest cut of a word must meet; 6 keeps rare words of 2 characters."""
_BOUND = 0.2
"""Least share that a word of 3 or more characters has of one of its two halves, at every cut: "to X" is a small part of
both "to" and X, a family name with a given name is a large part of one of them.
"""
_VARIETY = 2
"""Different neighbours a word needs on its poorer side; a piece of a longer word has one."""
_GIVEN = 0.2
"""Least share of a word's places in the book where a surname stands before it, to count as a given name."""
_UNKNOWN = 2.0
"""Extra cost, in nats, of a character read as a word of its own: prefers known words where both readings fit."""


class Segment(NamedTuple):
    """A word as read: `[start, end)` in the text; `known` says that the book bears it out."""

    text: str
    start: int
    end: int
    known: bool


class Lexicon:
    """Which runs of characters the book bears out as words, judged when first asked for.

    `costs` are the judgements; `cues` is for readers, to keep what the book says of a word from chapter to chapter.
    """

    def __init__(self, book: BookStats, rules: CharacterRules) -> None:
        self.grams = book.grams
        self._variety = book.variety
        self._rules = rules
        self._total = book.n_characters
        self._log_total = math.log(self._total)
        self.costs: dict[str, float] = {}
        self.cues: dict[str, str] = {}

    @cached_property
    def givens(self) -> frozenset[str]:
        """Words of two characters that stand behind a surname in a good share of their places."""
        grams, surnames = self.grams, self._rules.surnames
        return frozenset(
            g[-2:]
            for g, n in grams.items()
            if len(g) > 2 and g[:-2] in surnames and n >= _GIVEN * grams.get(g[-2:], n) and math.isfinite(self.cost(g))
        )

    def n(self, surface: str) -> int:
        """Return how often `surface` stands in the book; 0 where it is rare or longer than the book counts."""
        return self.grams.get(surface, 0)

    def cost(self, surface: str) -> float:
        """Return what reading `surface` as one word costs in nats; infinite where it is no word."""
        cost = self.costs.get(surface)
        if cost is None:
            cost = self._judge(surface)
            self.costs[surface] = cost
        return cost

    def _judge(self, surface: str) -> float:
        n = self.grams.get(surface, 0)
        if len(surface) == 1:
            return self._log_total - math.log(n or 1) + _UNKNOWN
        if n < 2 or self._variety.get(surface, 0) < _VARIETY or not self._holds(surface, n):
            return math.inf
        if not self._rules.never.isdisjoint(surface) and surface not in self._rules.stop:
            return math.inf
        return self._log_total - math.log(n)

    def _holds(self, surface: str, n: int) -> bool:
        grams = self.grams
        least = min(_COHESION, self._total / (4 * n))  # in a page of text chance cannot be beaten six times
        for cut in range(1, len(surface)):
            head, tail = grams.get(surface[:cut], 1), grams.get(surface[cut:], 1)
            if n * self._total < least * head * tail or (len(surface) > 2 and n < _BOUND * min(head, tail)):
                return False
        return True

    def cohesion(self, surface: str) -> float:
        """Return how many times more often than by chance the weakest cut of `surface` meets."""
        grams = self.grams
        n = grams.get(surface, 1) * self._total
        return min(n / (grams.get(surface[:i], 1) * grams.get(surface[i:], 1)) for i in range(1, len(surface)))


@lru_cache(maxsize=4)
def lexicon_of(book: BookStats, table: LanguageTable) -> Lexicon:
    """Return the one lexicon of `book`: what a chapter has judged the next need not."""
    return Lexicon(book, character_rules(table))


def segments(text: str, lexicon: Lexicon) -> list[list[Segment]]:
    """Return the words of each run of characters in `text`, the cheapest reading of every run."""
    return [_segment(run.group(), run.start(), lexicon) for run in _RUN.finditer(text)]


def _segment(run: str, start: int, lexicon: Lexicon) -> list[Segment]:
    """Return the cheapest words of a run; a word that the book counts twice has only parts that it counts twice."""
    size = len(run)
    best = [0.0] + [math.inf] * size
    back = [0] * (size + 1)
    known, grams = lexicon.costs, lexicon.grams
    for begin in range(size):
        base = best[begin]
        for end in range(begin + 1, min(size, begin + _LONGEST) + 1):
            word = run[begin:end]
            cost = known.get(word)
            if cost is None:
                if word not in grams and end > begin + 1:
                    break
                cost = lexicon.cost(word)
            cost += base
            if cost < best[end]:
                best[end], back[end] = cost, begin
    words: list[Segment] = []
    end = size
    while end:
        begin = back[end]
        words.append(Segment(run[begin:end], start + begin, start + end, end - begin > 1))
        end = begin
    return words[::-1]
