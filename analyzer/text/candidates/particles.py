"""New names where nouns carry particles and no letter case shows a name (Korean): what stands before which particles."""

from __future__ import annotations

import itertools
import math
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.candidates.particle_rules import ParticleRules, particle_rules
from analyzer.text.languages import LanguageTable

_WORD = re.compile(r"[가-힣]+")
_FOREIGN = re.compile(r"(?<![A-Za-z])[A-Z][A-Za-z]*(?:[ .·-][A-Z][A-Za-z]*)*")
_LONGEST = 8
"""Syllables of a stem at most; longer words are compounds or verb chains."""
_KIND = {"title": "character", "surname": "character", "vocative": "character", "naming": "character"}
_KIND |= {"place_suffix": "place", "institution": "group"}
_WEIGHT = {"title": 3.0, "surname": 2.5, "vocative": 2.0, "naming": 2.0, "place_suffix": 1.5, "institution": 2.0}
_WEIGHT |= {"foreign": 2.0, "given": 1.0, "phrase": 1.0, "repeated": 0.5}
"""How much a cue adds to a score; an ordering only."""


class _Word(NamedTuple):
    text: str
    start: int


@dataclass(slots=True)
class _Stem:
    """What stands before particles: its starts, the particles seen, how often a determiner before, a naming after."""

    starts: list[int] = field(default_factory=list)
    particles: set[str] = field(default_factory=set)
    n_determined: int = 0
    n_named: int = 0


def particle_forms(text: str, table: LanguageTable, book: BookStats) -> dict[str, Reading]:
    """Return surface -> reading of every stem in `text` that may be a name.

    A word is read as stem and particle in the one way that the other words of the chapter bear out best.
    """
    rules = particle_rules(table)
    words = [_Word(m.group(), m.start()) for m in _WORD.finditer(text)]
    stems = _stems(words, rules)
    forms: dict[str, Found] = {}
    borne = {s[-2:] for s, stem in stems.items() if _is_full(s, stem, rules)}
    for surface, stem in stems.items():
        cues = _cues(surface, stem, rules)
        sure = surface in borne or _is_full(surface, stem, rules)
        if cues and _nounlike(surface, stem, cues, rules, book, sure):
            forms[surface] = Found(stem.starts, len(stem.starts), Counter(cues))
    _titled(words, text, rules, forms)
    _phrases(words, text, rules, forms)
    for match in _FOREIGN.finditer(text):
        forms.setdefault(match.group(), Found()).add(match.start(), inside=True, cue="foreign")
    return {surface: _reading(found) for surface, found in forms.items()}


def _reading(found: Found) -> Reading:
    best = found.strongest(_WEIGHT)
    score = math.log2(1 + len(set(found.starts))) + sum(_WEIGHT.get(cue, 0.0) for cue in found.cues)
    return Reading(found, score, _KIND.get(best, ""), best)


def _stems(words: Sequence[_Word], rules: ParticleRules) -> dict[str, _Stem]:
    types = Counter(word.text for word in words)
    splits = {
        word: [
            (word[:cut], word[cut:]) for cut in range(2, min(_LONGEST, len(word)) + 1) if word[cut:] in rules.particles
        ]
        for word in types
    }
    support: defaultdict[str, set[str]] = defaultdict(set)
    for cuts in splits.values():
        for stem, particle in cuts:
            support[stem].add(particle)
    chosen = {word: max(cuts, key=lambda cut: _fit(cut, support)) for word, cuts in splits.items() if cuts}
    stems: defaultdict[str, _Stem] = defaultdict(_Stem)
    before = ""
    for at, word in enumerate(words):
        if word.text in chosen:
            surface, particle = chosen[word.text]
            found = stems[surface]
            found.starts.append(word.start)
            found.particles.add(particle)
            found.n_determined += before in rules.before_noun
            if particle in rules.naming and at + 1 < len(words):
                found.n_named += words[at + 1].text.startswith(rules.naming_nouns)
        before = word.text
    return stems


def _fit(cut: tuple[str, str], support: dict[str, set[str]]) -> tuple[int, int]:
    """Order readings of a word: the stem met before most different particles, then the longer particle."""
    stem, particle = cut
    return len(support[stem]), len(particle)


def _cues(surface: str, stem: _Stem, rules: ParticleRules) -> list[str]:
    """Return the cues that say `surface` may be a name; none for ordinary words."""
    if surface in rules.stop:
        return []
    cues = []
    given = rules.is_given(surface)
    case = sum(1 for particle in stem.particles if particle in rules.case)
    if rules.is_full_name(surface) and any(stem.particles):
        cues.append("surname")
    if rules.institution_end.search(surface):
        cues.append("institution")
    elif rules.is_place(surface, case > 0):
        cues.append("place_suffix")
    if not rules.vocative.isdisjoint(stem.particles):
        cues.append("vocative" if given else "given")
    if stem.n_named:
        cues.append("naming")
    if len(stem.starts) >= 3 and case >= 2:
        cues.append("repeated")
    if given and (cues or (case and len(stem.starts) >= 2)) and "given" not in cues:
        cues.append("given")
    return [] if cues == ["given"] and not given else cues


def _is_full(surface: str, stem: _Stem, rules: ParticleRules) -> bool:
    """Whether `surface` is a full name that stands before a case particle, as no verb does."""
    return rules.is_full_name(surface) and not rules.case.isdisjoint(stem.particles)


def _nounlike(
    surface: str, stem: _Stem, cues: Sequence[str], rules: ParticleRules, book: BookStats, full: bool
) -> bool:
    """Whether nothing speaks for a verb, an ordinary noun (plural, determiner) or a compound that ends in one.

    A full name (`full`), and the given name in it, may end as a verb does.
    """
    n = len(stem.starts)
    sure = "surname" in cues or "naming" in cues or "vocative" in cues
    if stem.n_determined * 4 > n and not (sure and (n < 3 or "vocative" in cues)):
        return False
    if (rules.verb_end.search(surface) and not full) or ("institution" not in cues and rules.stop_end.match(surface)):
        return False
    total = verbal = plural = 0
    for rest, count in _after(surface, book):
        total += count
        if rest not in rules.particles:
            verbal += count if rest.startswith(rules.verbal) else 0
            plural += count if rest.startswith(rules.plural) else 0
    return verbal * 5 <= total and plural * 20 <= total


def _after(stem: str, book: BookStats) -> Iterator[tuple[str, int]]:
    """Yield what follows `stem` within a word and how often, over the book."""
    words = book.in_order
    at = bisect_left(words, stem)
    while at < len(words) and words[at].startswith(stem):
        yield words[at][len(stem) :], book.words[words[at]]
        at += 1


def _titled(words: Sequence[_Word], text: str, rules: ParticleRules, forms: dict[str, Found]) -> None:
    """Add names with a title: "일복 씨" gives the name before it, "유 군" and "유군" are kept whole with the surname."""
    previous = _Word("", 0)
    for word in words:
        title = rules.title.match(word.text)
        if title and previous.text and text[previous.start + len(previous.text) : word.start] == " ":
            _before_title(previous, title.group(1), rules, forms)
        attached = rules.attached.match(word.text)
        if attached:
            name = attached.group(1)
            fits = name in rules.surnames if len(name) == 1 else rules.is_given(name) or rules.is_full_name(name)
            if fits and attached.group(1) + attached.group(2) not in rules.stop:
                forms.setdefault(name + attached.group(2), Found()).add(word.start, inside=True, cue="title")
        previous = word


def _before_title(name: _Word, title: str, rules: ParticleRules, forms: dict[str, Found]) -> None:
    if name.text in rules.surnames and title in rules.surname_titles:
        forms.setdefault(f"{name.text} {title}", Found()).add(name.start, inside=True, cue="title")
    elif name.text not in rules.stop and (rules.is_given(name.text) or rules.is_full_name(name.text)):
        forms.setdefault(name.text, Found()).add(name.start, inside=True, cue="title")


def _phrases(words: Sequence[_Word], text: str, rules: ParticleRules, forms: dict[str, Found]) -> None:
    """Add names of two words: a name before an institution ("X동 예배당", "X은행 Y지점"), a year's name before what befell in it."""
    for first, second in itertools.pairwise(words):
        event = rules.year.match(first.text) and rules.event.match(second.text)
        if event and text[first.start + len(first.text) : second.start] == " ":
            forms.setdefault(f"{first.text} {event.group(1)}", Found()).add(first.start, inside=True, cue="phrase")
        if first.text in forms and text[first.start + len(first.text) : second.start] == " ":
            house = rules.institution.match(second.text)
            if house:
                surface = f"{first.text} {house.group(1)}"
                forms.setdefault(surface, Found()).add(first.start, inside=True, cue="phrase")
