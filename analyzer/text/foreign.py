"""Chapters in another language than their book: which languages a manuscript holds, and which chapter is in which."""

from __future__ import annotations

from collections.abc import Collection

from analyzer.text.chapters import ChapterPlan, PlannedChapter
from analyzer.text.detect import detect_language, primary

_WINDOW = 600
"""Code points looked at in one place: about a hundred words, or a page of Chinese."""

_STRIDE = 3_000
"""Code points from one place to the next: a chapter of 1,500 words is seen at least twice."""

_FEWEST_PLACES = 20
"""Places looked at in a short text."""

_FEWEST = 200
"""Letters of a chapter from which its language is guessed at all; a shorter one is in the book's."""

_SURE = 0.75
"""Certainty from which a chapter is an exception; from one half of the words of the next language on."""


def other_languages(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the tags of the languages a manuscript holds somewhere beside those of `known`, sorted.

    `known` are the book's own languages (primary tags). Cost: 40 ms a million code points.
    """
    found: set[str] = set()
    stride = min(_STRIDE, max(_WINDOW // 2, len(text) // _FEWEST_PLACES))
    for at in range(0, len(text), stride):
        tag = _exception(text[at : at + _WINDOW], known)
        if tag:
            found.add(primary(tag))
    return tuple(sorted(found))


def with_languages(plan: ChapterPlan, text: str, known: Collection[str]) -> ChapterPlan:
    """Return the plan with the language of every chapter that is in another one than those of `known`.

    A language already set stays. Only languages with a table are exceptions: a chapter in none of them is read like its book.
    """
    return plan._replace(chapters=tuple(_with_language(chapter, text, known) for chapter in plan.chapters))


def _with_language(chapter: PlannedChapter, text: str, known: Collection[str]) -> PlannedChapter:
    if chapter.language:
        return chapter
    size = chapter.end - chapter.body_start
    places = {chapter.body_start, chapter.body_start + size // 3, chapter.body_start + size * 2 // 3}
    sample = "\n".join(text[at : min(at + _WINDOW, chapter.end)] for at in sorted(places))
    return chapter._replace(language=_exception(sample, known))


def _exception(sample: str, known: Collection[str]) -> str:
    if sum(1 for ch in sample if ch.isalpha()) < (_FEWEST if sample.isascii() or not _dense(sample) else _FEWEST // 2):
        return ""
    tag, certainty = detect_language(sample)
    return tag if tag != "und" and certainty >= _SURE and primary(tag) not in known else ""


def _dense(sample: str) -> bool:
    """Say whether most signs are of scripts that need half as many of them for the same words."""
    return sum(1 for ch in sample if ch >= "\u1100") * 2 > len(sample)
