"""A chapter stretch by stretch, and what two looks at it have in common: sentences in order, neighbours, one notice a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from analyzer.bible import Bible, CastEntry
from analyzer.models.question import Option, Ref
from analyzer.models.text import Place
from analyzer.steps._step import Unit
from analyzer.steps._story import people_there, story_id

STRETCH_CHARS = {True: 2_000, False: 700}
"""Code points of a stretch, with capitals and without: a page or so, on which three to five people learn something. Source: a choice;
the gold chapters then have four to twelve stretches."""


class Stretch(NamedTuple):
    """Sentences from `first` to `last` of a chapter, both in it, whole blocks."""

    first: Place
    last: Place

    @property
    def words(self) -> str:
        """As a question's line says it."""
        return f"{self.first} to {self.last}"

    @property
    def ref(self) -> Ref:
        """What a question about the stretch is about."""
        return Ref(places=(self.first, self.last))


def stretches(unit: Unit) -> tuple[Stretch, ...]:
    """Return the chapter's blocks in stretches of about a page, in order; each block with a sentence is in exactly one."""
    size = STRETCH_CHARS[bool(unit.table.script.get("cased", False))]
    found: list[Stretch] = []
    first: Place | None = None
    n_chars = 0
    last = Place(1, 1)
    for block in unit.chapter.blocks:
        if not block.sentences:
            continue
        first = first or Place(block.no, 1)
        last = Place(block.no, len(block.sentences))
        n_chars += len(block.text)
        if n_chars >= size:
            found.append(Stretch(first, last))
            first, n_chars = None, 0
    if first is not None:
        found.append(Stretch(first, last))
    return tuple(found)


def ranks(unit: Unit) -> dict[Place, int]:
    """Return the place of every sentence among all of the chapter, from 0. Cost: one pass over the sentences."""
    places = (Place(b.no, n) for b in unit.chapter.blocks for n in range(1, len(b.sentences) + 1))
    return {place: rank for rank, place in enumerate(places)}


SHORT_WORDS = 60
"""Code points below which a sentence may stand in a book twice; an id then has the words before it too. Source: a choice."""


def sentence_id(unit: Unit, letter: str, place: Place) -> str:
    """Return an id over a sentence's words, and of a short one (“He nodded.”) over the sentence before as well."""
    words = unit.chapter.sentence_text(place) or ""
    if len(words) >= SHORT_WORDS:
        return story_id(letter, words)
    before = Place(place.block, place.sentence - 1)
    if place.sentence == 1:
        above = next((b for b in reversed(unit.chapter.blocks[: place.block - 1]) if b.sentences), None)
        before = Place(above.no, len(above.sentences)) if above else place
    return story_id(letter, unit.chapter.sentence_text(before) or "", words)


def anchors(unit: Unit, first: Iterable[Place], second: Iterable[Place]) -> Mapping[Place, Place]:
    """Return for each sentence of a second look the one of the first look that it stands for, or itself.

    Two looks seldom name the very same sentence. The next one before or after is taken for the same thing, unless the
    second look names that as well: then it means two things.
    """
    before, after = set(first), set(second)
    order = ranks(unit)
    by_rank = {order[place]: place for place in before - after}
    found: dict[Place, Place] = {}
    for place in after:
        rank = order[place]
        beside = next((by_rank[r] for r in (rank - 1, rank + 1) if r in by_rank), place)
        found[place] = place if place in before else beside
    return found


def handle_options(entries: Iterable[CastEntry], bible: Bible) -> tuple[Option, ...]:
    """Return people as options whose handles the prefix shows already."""
    return tuple(entry.option for entry in entries)


def beings_here(unit: Unit, bible: Bible) -> tuple[CastEntry, ...]:
    """Return the people and groups on the page or spoken of in this chapter."""
    return people_there(unit, bible, mentioned=True)
