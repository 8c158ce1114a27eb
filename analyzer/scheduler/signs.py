"""What code sees in a chapter before anything is asked: the signs from which the estimate tells how much there is to ask."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.llm.usage import count_tokens
from analyzer.models.text import Chapter, Manuscript
from analyzer.steps.cast_unnamed import most_described
from analyzer.text.candidates.book import BookStats
from analyzer.text.candidates.candidate import FormCandidate
from analyzer.text.candidates.descriptors import descriptors
from analyzer.text.candidates.forms import new_forms
from analyzer.text.candidates.placing import sentences_of
from analyzer.text.languages import LanguageTable, language_table

SAMPLED = {"en": 48}
"""Chapters that are looked at by language; the rest of a longer book follows by length."""
SAMPLED_OTHERS = 16
"""The same where words are not told by spaces and capitals. Source: 117 chapters are promised in 5 s; a chapter takes 25 ms
in English, 45 ms in Chinese."""
COUNTED = 12
"""Chapters whose tokens are counted; the rest of a longer book follows by length. Source: the same promise."""
LATER_NEW = 0.35
"""Share of a chapter's names that are new once the book has begun. Source: the bundled serial after its first chapter."""
NEAR_CHARS = 200
"""How far, in code points, the sentences of two names stand apart to be a pair. Source: of 60, 200 and 600, and of same and
neighbouring blocks, the one whose pairs tell the number of relations best in gold chapters that were left out."""


PAST = 8
"""From so many chapters on a longer past asks no more: steps bound how much of it they look at. Source: in the own serials what is
asked about open threads, open secrets and relations of before has levelled off by the fifth chapter."""


class Signs(NamedTuple):
    """Counts of a chapter: names found in it, those no earlier chapter had, descriptions to ask about, near pairs of names.

    `sentences` are those of the chapter, `past` the chapters read before it, at most `PAST`.
    """

    names: int
    new_names: int
    described: int
    pairs: int
    sentences: int = 0
    past: int = 0


def chapter_tokens(chapter: Chapter) -> int:
    """Return the tokens of a chapter's part of the prefix: its text and about four for every sentence mark."""
    return count_tokens(chapter.text) + 4 * sum(len(b.sentences) for b in chapter.blocks)


def tokens_by_chapter(manuscript: Manuscript, chapters: Sequence[int]) -> dict[int, int]:
    """Return the tokens of each chapter's part of the prefix; counted in a sample of a long book."""
    sample = chapters[:: max(1, math.ceil(len(chapters) / COUNTED))]
    found = {number: chapter_tokens(manuscript.chapters[number - 1]) for number in sample}
    ratio = sum(found.values()) / (sum(len(manuscript.chapters[n - 1].text) for n in sample) or 1)
    return {n: found.get(n) or round(ratio * len(manuscript.chapters[n - 1].text)) for n in chapters}


def signs_by_chapter(manuscript: Manuscript, chapters: Sequence[int]) -> dict[int, Signs]:
    """Return the signs of each chapter; counted in a sample of a long book. Names count as new in the order of `chapters`."""
    most = SAMPLED.get(manuscript.language.split("-")[0].lower(), SAMPLED_OTHERS)
    book = BookStats.of(manuscript, language_table(manuscript.language))
    seen: set[str] = set()
    found: dict[int, Signs] = {}
    for number in chapters[:: max(1, math.ceil(len(chapters) / most))]:
        chapter = manuscript.chapters[number - 1]
        found[number] = _signs(chapter, language_table(chapter.language), book, seen)
    lengths = [len(manuscript.chapters[n - 1].text) for n in found]
    sums = Signs(*(sum(column) for column in zip(*found.values(), strict=True))) if found else Signs(0, 0, 0, 0)
    for number in chapters:
        if number not in found:
            share = len(manuscript.chapters[number - 1].text) / (sum(lengths) or 1)
            names = round(sums.names * share)
            n_sentences = sum(len(block.sentences) for block in manuscript.chapters[number - 1].blocks)
            found[number] = Signs(
                names, round(names * LATER_NEW), round(sums.described * share), round(sums.pairs * share), n_sentences
            )
    return {number: found[number]._replace(past=min(at, PAST)) for at, number in enumerate(chapters)}


def _signs(chapter: Chapter, table: LanguageTable, book: BookStats, seen: set[str]) -> Signs:
    """Return the signs of one chapter; its names are added to `seen`."""
    forms = new_forms(chapter, table, (), book)
    surfaces = {form.surface for form in forms}
    n_new = len(surfaces - seen)
    seen |= surfaces
    n_described = min(len(descriptors(chapter, table)), most_described(chapter, table))
    n_sentences = sum(len(block.sentences) for block in chapter.blocks)
    return Signs(len(surfaces), n_new, n_described, near_pairs(chapter, forms), n_sentences)


def near_pairs(chapter: Chapter, forms: Sequence[FormCandidate], reach: int = NEAR_CHARS) -> int:
    """Return how many pairs of names stand, somewhere in the chapter, in sentences that begin within `reach` code points."""
    table = sentences_of(chapter)
    offset = dict(zip(table.places, table.starts, strict=True))
    spots = sorted((offset[place], n) for n, form in enumerate(forms) for place in form.places)
    starts = [start for start, _ in spots]
    pairs: set[tuple[int, int]] = set()
    for at, (start, first) in enumerate(spots):
        for _, second in spots[at + 1 : bisect_right(starts, start + reach)]:
            if first != second:
                pairs.add((min(first, second), max(first, second)))
    return len(pairs)
