"""New names where a script has capital letters: runs of capitalised words, the opening of a sentence kept apart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.capital_nouns import without_nouns
from analyzer.text.candidates.capital_phrases import (
    compound_forms,
    longer_forms,
    owned_form,
    possessive_forms,
    without_shorter,
)
from analyzer.text.candidates.capital_rules import CapitalRules, capital_rules, opens_sentence
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.languages import LanguageTable

_CUE_KIND = {
    "title": "character",
    "speaks": "character",
    "vocative": "character",
    "place_word": "place",
    "group_suffix": "group",
}
_CUE_WEIGHT = {"title": 2.0, "speaks": 2.0, "place_word": 1.0, "vocative": 0.5, "locative": 0.5, "extended": 0.5}
"""How much a cue adds to a score; an ordering only, set so that titles and speech stand before bare capitals."""


@dataclass(frozen=True, slots=True)
class Word:
    """A capitalised word of a run: `[start, end)` in the chapter's text, and whether a particle joins it to the one before."""

    text: str
    start: int
    end: int
    particle: bool = False

    @property
    def lower(self) -> str:
        """The word as word lists hold it."""
        return self.text.lower()


@dataclass(frozen=True, slots=True)
class Run:
    """Capitalised words in a row; `opening` says whether the first stands where any word would be capitalised."""

    words: tuple[Word, ...]
    opening: bool


Forms = dict[str, Found]


@dataclass(frozen=True, slots=True)
class _Scan:
    """One reading of a chapter: what is read and what is gathered; `owned` are starts of nouns that belong to the name before."""

    text: str
    table: LanguageTable
    rules: CapitalRules
    book: BookStats
    in_speech: Callable[[int], bool]
    forms: Forms
    parts: list[tuple[str, int, bool]]
    owned: set[int]


def capital_forms(
    text: str, table: LanguageTable, book: BookStats, in_speech: Callable[[int], bool]
) -> dict[str, Reading]:
    """Return surface -> reading of everything in `text` that may be a name.

    `in_speech` says whether an offset stands in direct speech (for vocatives). Linear in the text.
    """
    rules = capital_rules(table)
    runs = list(_runs(text, rules))
    inside: Counter[str] = Counter()
    for run in runs:
        inside.update(word.text for word in run.words[run.opening :])
    forms: Forms = {}
    scan = _Scan(text, table, rules, book, in_speech, forms, [], set())
    for run in runs:
        for words, opening in _segments(run, text, rules, inside, book):
            if words[0].start not in scan.owned:
                _emit(words, opening, scan)
    for surface, start, always in scan.parts:
        known = surface in forms and forms[surface].alone
        if known or always:
            found = forms.setdefault(surface, Found())
            found.starts.append(start)
            found.n_inside += 1
    _lower_titles(text, rules, forms)
    _groups(text, rules, forms)
    compound_forms(text, table, forms)
    kept = without_shorter(forms, table)
    if table.names.get("nouns") is True:
        kept = without_nouns(kept, table, book)
    return {
        surface: Reading(found, _score(found, book.n_inside(surface)), *_kind(found)) for surface, found in kept.items()
    }


def _kind(found: Found) -> tuple[str, str]:
    cue = max(found.cues, key=lambda c: (_CUE_WEIGHT.get(c, 0.1) * found.cues[c], c), default="")
    return _CUE_KIND.get(cue, ""), cue


def _score(found: Found, in_book: int) -> float:
    """Return the order value: inside a sentence before sentence openings, then occurrences and cues."""
    base = 2.0 if found.n_inside else 0.5 + min(1.5, in_book / 4)
    return base + math.log2(1 + len(found.starts)) + sum(_CUE_WEIGHT.get(cue, 0.1) for cue in found.cues)


def _runs(text: str, rules: CapitalRules) -> Iterator[Run]:
    for match in rules.run.finditer(text):
        base = match.start()
        words: list[Word] = []
        for part in rules.word.finditer(match.group()):
            joint = text[words[-1].end : base + part.start()] if words else ""
            words.append(Word(part.group(), base + part.start(), base + part.end(), len(joint.strip(" .\n’'s")) > 0))
        if words:
            yield Run(tuple(words), opens_sentence(text, base, rules.abbreviations))


def _segments(
    run: Run, text: str, rules: CapitalRules, inside: Counter[str], book: BookStats
) -> Iterator[tuple[list[Word], bool]]:
    """Yield the stretches of `run` that may be names: an ordinary word at a sentence's opening and stop words are cut out."""
    words = list(run.words)
    opening = run.opening
    if opening and _ordinary(words[0], len(words) > 1, rules, inside, book):
        words, opening = words[1:], False
    segment: list[Word] = []
    for at, word in enumerate(words):
        if len(segment) > 1 and _begins(words, at, rules):
            yield segment, opening
            segment, opening = [word], False
        elif not (segment and word.lower not in rules.pronouns) and _stands_apart(words, at, text, rules):
            if segment:
                yield segment, opening
            segment, opening = [], False
        else:
            segment.append(word)
    if segment:
        yield segment, opening


def _stands_apart(words: list[Word], at: int, text: str, rules: CapitalRules) -> bool:
    """Whether a word belongs to no name: a bare title, or a stop word that neither a particle nor an article binds."""
    word = words[at]
    bare = word.lower.rstrip(".")
    follows = at + 1 < len(words) and not rules.is_stop(words[at + 1].lower)
    if bare in rules.titles and follows:
        return False
    if word.text in rules.abbreviations:
        return True
    if not rules.is_stop(word.lower) or word.particle or (word.lower in rules.adjectives and follows):
        return False
    return not (at + 1 < len(words) and rules.article_before.search(text[max(0, word.start - 8) : word.start]))


def _begins(words: list[Word], at: int, rules: CapitalRules) -> bool:
    """Whether a new name begins inside a run: a title before a name, after a word that is no title ("Sloe Lane Aunt Meg")."""
    word, before = words[at], words[at - 1]
    bare = word.lower.rstrip(".")
    if bare not in rules.titles or bare in rules.neutral or bare in rules.place_before or word.particle:
        return False
    led = before.lower.rstrip(".") in rules.titles or before.text in rules.abbreviations
    return at + 1 < len(words) and not words[at + 1].particle and not led


def _ordinary(word: Word, followed: bool, rules: CapitalRules, inside: Counter[str], book: BookStats) -> bool:
    """Whether a word at a sentence's opening is capitalised for that reason only."""
    lower = word.lower
    if followed and (
        lower.rstrip(".") in rules.titles or lower in rules.place_before or word.text in rules.abbreviations
    ):
        return False
    if rules.is_stop(lower):
        return True
    n_lower = book.n_word(lower)
    n_inside = max(inside[word.text], book.n_inside(word.text))
    return (n_lower > 0 and n_lower >= n_inside) or (n_inside == 0 and rules.verb.match(lower) is not None)


def _emit(words: list[Word], opening: bool, scan: _Scan) -> None:
    text, rules, forms = scan.text, scan.rules, scan.forms
    start, end = words[0].start, words[-1].end
    first = words[0].lower.rstrip(".")
    titled = first in rules.titles and len(words) > 1 and first not in rules.neutral
    if len(words) == 1 and first in rules.titles and opening:
        return
    surface = text[start:end].replace("\n", " ")
    found = forms.setdefault(surface, Found())
    found.add(start, inside=not opening)
    if titled:
        found.cues["title"] += 1
    elif first in rules.place_before and len(words) > 1:
        found.cues["place_word"] += 1
    else:
        found.alone = True
    _surroundings(start, end, text, rules, found, scan.in_speech)
    longer_forms(start, end, surface, text, scan.table, forms)
    possessive_forms(start, end, first, text, scan.table, forms)
    scan.owned.add(owned_form(start, end, text, scan.table, scan.book, forms))
    _parts(words, text, rules, scan.parts)


def _surroundings(
    start: int, end: int, text: str, rules: CapitalRules, found: Found, in_speech: Callable[[int], bool]
) -> None:
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    if rules.speech_before.search(before) or rules.speech_after.match(after):
        found.cues["speaks"] += 1
    elif rules.locative.search(before):
        found.cues["locative"] += 1
    elif after[:1] in (",", "!", "?") and before[-2:] in (", ", "“", '"', "«") and in_speech(start):
        found.cues["vocative"] += 1


def _parts(words: list[Word], text: str, rules: CapitalRules, parts: list[tuple[str, int, bool]]) -> None:
    """Collect shorter forms inside a run: without its titles, before and after a particle, each single word.

    The third value says that the part is worth a question though it never stands alone ("Elba" of "Island of Elba").
    """
    end = words[-1].end
    at = 0
    while at + 1 < len(words) and words[at].lower.rstrip(".") in rules.titles:
        at += 1
    if at:
        parts.append((text[words[at].start : end], words[at].start, False))
    for i in range(max(1, at), len(words)):
        if words[i].particle and words[i].text not in rules.firm:
            head_generic = all(w.lower in rules.place_before or w.lower.rstrip(".") in rules.titles for w in words[:i])
            parts.append((text[words[i].start : end], words[i].start, not at))
            if not head_generic:
                parts.append((text[words[at].start : words[i - 1].end], words[at].start, True))
    if len(words) - at > 1:
        for word in words[at:]:
            if word.lower not in rules.place_before and word.text not in rules.firm:
                parts.append((word.text, word.start, False))


def _lower_titles(text: str, rules: CapitalRules, forms: Forms) -> None:
    for match in rules.lower_title.finditer(text):
        found = forms.setdefault(f"{match.group(1).lower()} {match.group(2)}", Found())
        found.add(match.start(), inside=True, cue="title")


def _groups(text: str, rules: CapitalRules, forms: Forms) -> None:
    for match in rules.group.finditer(text):
        forms.setdefault(match.group(), Found()).add(match.start(), inside=True, cue="group_suffix")
