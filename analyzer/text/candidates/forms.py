"""New surface forms of a chapter that may be names: one door for all scripts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from analyzer.models.text import Chapter
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.candidate import FormCandidate, may_be_form
from analyzer.text.candidates.capitals import capital_forms
from analyzer.text.candidates.characters import character_forms
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.candidates.lexicon import method_of, word_list
from analyzer.text.candidates.mixed import mixed_forms
from analyzer.text.candidates.particles import particle_forms
from analyzer.text.candidates.placing import inside, sentences_of, speech_spans
from analyzer.text.candidates.tagger import sharpened, tagged
from analyzer.text.cases import case_forms, declines, nominative
from analyzer.text.languages import LanguageTable

_KANA = re.compile(r"[ぁ-ん]{3}")
__all__ = ["FormCandidate", "new_forms", "readings"]


def new_forms(
    chapter: Chapter, table: LanguageTable, known: Collection[str] = (), book: BookStats | None = None
) -> tuple[FormCandidate, ...]:
    """Return what may be a new name in `chapter`, best first, each with all its sentences; may be empty.

    `known` are surfaces already in the cast: they are left out, whatever article stands before them. `book` sharpens the
    choice; without it only the chapter is counted. What is too long for a name is none. An installed tagger (extras `ko`,
    `zh`) raises and adds names.
    """
    text = chapter.text
    stats = book or BookStats.of_text(text, table)
    speech = speech_spans(chapter, table) if method_of(table, text) == "capitals" else ()
    seen = sharpened(readings(text, table, stats, speech), tagged(text, table), n_characters=len(text))
    found = _in_nominative(seen, table, stats)
    articles = tuple(f"{article} " for article in word_list(table.names, "articles"))
    skip = {_bare(name, articles) for surface in known for name in (surface, *case_forms(surface, table))}
    sentences = sentences_of(chapter)
    candidates = [
        FormCandidate(surface, sentences.all(own.starts), len(set(own.starts)), score, kind, cue)
        for surface, (own, score, kind, cue) in found.items()
        if may_be_form(surface) and _bare(surface, articles) not in skip
    ]
    return tuple(sorted(candidates, key=lambda c: (-c.score, c.places[0], c.surface)))


def readings(
    text: str, table: LanguageTable, book: BookStats, speech: Sequence[tuple[int, int]] = ()
) -> Mapping[str, Reading]:
    """Return surface -> reading of everything in `text` (a chapter or a whole book) that may be a name.

    `speech` are the stretches of `text` that are no narration, in order. Cost: 0.7 s a million characters of spaced script,
    13 s of Chinese; remembered, because an estimate and the run after it read the same chapters.
    """
    return _readings(text, table, book, tuple(speech))


@lru_cache(maxsize=256)
def _readings(
    text: str, table: LanguageTable, book: BookStats, speech: tuple[tuple[int, int], ...]
) -> Mapping[str, Reading]:
    method = method_of(table, text)
    if method == "particles":
        return particle_forms(text, table, book)
    if method == "characters":
        mixed = table.names.get("scripts") == "mixed" or _KANA.search(text) is not None
        return mixed_forms(text, table, book) if mixed else character_forms(text, table, book)
    starts = [start for start, _ in speech]
    return capital_forms(text, table, book, lambda at: inside(speech, starts, at))


def _in_nominative(found: Mapping[str, Reading], table: LanguageTable, book: BookStats) -> Mapping[str, Reading]:
    """Return the readings with the case forms of one name put together under its nominative, where that stands in the book."""
    if not declines(table):
        return found
    forms = {surface: found.keys() & set(case_forms(surface, table)) for surface in found}
    derived = {form for surface in found for form in forms[surface] if surface not in forms[form]}
    declined = {form: surface for surface in found if surface not in derived for form in forms[surface]}
    merged: dict[str, Reading] = {}
    for surface, reading in found.items():
        name = nominative(surface, table, lambda word: max(book.n_inside(word), word in found))
        if name == surface:
            name = declined.get(surface, surface) if " " in surface else surface
        other = merged.get(name)
        merged[name] = _together(other, reading) if other else reading
    return merged


def _together(one: Reading, other: Reading) -> Reading:
    best = max(one, other, key=lambda reading: (bool(reading.kind), reading.score))
    found = Found(
        sorted({*one.found.starts, *other.found.starts}),
        one.found.n_inside + other.found.n_inside,
        one.found.cues + other.found.cues,
        one.found.alone or other.found.alone,
    )
    return Reading(found, max(one.score, other.score), best.kind, best.cue)


def _bare(surface: str, articles: tuple[str, ...]) -> str:
    lower = surface.casefold()
    for article in articles:
        if lower.startswith(article):
            return lower[len(article) :]
    return lower
