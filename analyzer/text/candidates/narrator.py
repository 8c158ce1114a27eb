"""Whether a chapter is told by somebody who says "I", outside quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from analyzer.models.text import Chapter, Place
from analyzer.text.candidates.lexicon import alternation, method_of, word_list
from analyzer.text.candidates.placing import inside, sentences_of, speech_spans
from analyzer.text.languages import LanguageTable

_STRETCHES = 10
"""Parts a chapter's narration is cut into to see whether "I" runs through it or stands in one letter or thought."""


_FEWEST = 3
"""Tenths in which a narrator says "I" at least; a letter of a page takes one or two."""


@dataclass(frozen=True, slots=True)
class NarratorCandidate:
    """First-person narration: the commonest `surface`, the sentences outside quotations where it stands, how many times.

    `spread` is the share of tenths of the chapter in which it stands: near 1 for a narrator, low for a letter or a thought.
    `in_speech` says that the whole chapter is one long speech and its teller is meant.
    """

    surface: str
    places: tuple[Place, ...]
    n: int
    spread: float
    in_speech: bool = False


_ALL_SPEECH = 0.95
"""Share of quotations from which a chapter is one speech; in five books such chapters had 0.98 and more, others 0.90 at most."""


@lru_cache(maxsize=32)
def _pattern(table: LanguageTable, spaced: bool) -> re.Pattern[str]:
    listed = word_list(table.cues, "first_person")
    words = alternation((*listed, *(word.capitalize() for word in listed)))
    if spaced:
        return re.compile(rf"(?<![\w’'])(?:{words})(?!\w)")
    return re.compile(rf"(?:{alternation(word_list(table.cues, 'not_first'))})|({words})")


def narrator(chapter: Chapter, table: LanguageTable) -> NarratorCandidate | None:
    """Return the first-person narrator of `chapter`, or None where "I" stands in quotations only or in one stretch of text.

    At least in 3 tenths of the chapter. Where nothing but quotations is left the chapter is one long speech, and "I" in it
    counts: a story told by one of its people.
    """
    text = chapter.text
    spans = speech_spans(chapter, table)
    starts = [start for start, _ in spans]
    in_speech = sum(end - start for start, end in spans) > _ALL_SPEECH * len(text)
    spaced = method_of(table, text) != "characters"
    found = [
        match
        for match in _pattern(table, spaced).finditer(text)
        if (spaced or match.group(1)) and (in_speech or not inside(spans, starts, match.start()))
    ]
    tenths = {match.start() * _STRETCHES // max(1, len(text)) for match in found}
    if len(tenths) < _FEWEST:
        return None
    words = [match.group() for match in found]
    return NarratorCandidate(
        surface=max(sorted(set(words)), key=words.count),
        places=sentences_of(chapter).all(match.start() for match in found),
        n=len(found),
        spread=len(tenths) / _STRETCHES,
        in_speech=in_speech,
    )
