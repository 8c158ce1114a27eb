"""Who is where in a chapter: mentions of the cast, references for questions, evidence from sentence handles."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from analyzer.bible import Bible, CastEntry
from analyzer.models.facts import Evidence
from analyzer.models.question import Answer, Ref
from analyzer.models.text import Place
from analyzer.prefix import CALLED, described, shown
from analyzer.steps._step import Unit
from analyzer.text.languages import LanguageTable
from analyzer.text.names import Mention, NameMatcher
from analyzer.text.possible import possible_in
from analyzer.text.quotes import source_of

NEAR_CHARS = 600
"""How far, in code points, a description and the person it may mean stand apart. Source: candidate ceilings by language
(distance in characters, not blocks, because Korean blocks are short)."""


class Spot(NamedTuple):
    """One mention: offset into `Chapter.text`, its sentence, and where it ends (0: a description, whose end is not kept)."""

    offset: int
    place: Place
    end: int = 0


@dataclass(frozen=True)
class Mentions:
    """Where each handle stands, in order; `ambiguous` are surfaces borne by several, never guessed."""

    spots: dict[str, tuple[Spot, ...]]
    ambiguous: dict[str, tuple[str, ...]]

    @cached_property
    def _offsets(self) -> dict[str, list[int]]:
        return {handle: [spot.offset for spot in spots] for handle, spots in self.spots.items()}

    def places(self, handle: str, limit: int = 3) -> tuple[Place, ...]:
        """Return the first places of a handle, each sentence once."""
        return tuple(dict.fromkeys(spot.place for spot in self.spots.get(handle, ())))[:limit]

    def n(self, handle: str) -> int:
        """Return how often a handle is mentioned."""
        return len(self.spots.get(handle, ()))

    def near(
        self, offsets: Iterable[int], handles: Iterable[str], limit: int, reach: int = NEAR_CHARS
    ) -> tuple[str, ...]:
        """Return up to `limit` handles that stand nearest to any of the offsets, nearest first, of equals the one given first."""
        targets = tuple(offsets)
        ranked: list[tuple[int, int, str]] = []
        for at, handle in enumerate(handles):
            spots = self.spots.get(handle, ())
            if not spots or not targets:
                continue
            distance = _distance(self._offsets[handle], targets)
            if distance <= reach:
                ranked.append((distance, at, handle))
        return tuple(handle for _, _, handle in sorted(ranked)[:limit])


def _distance(offsets: Sequence[int], targets: Iterable[int]) -> int:
    """Return the shortest way from any of the targets to one of the offsets, which are in order and not empty."""
    shortest = abs(offsets[0] - next(iter(targets)))
    for target in targets:
        at = bisect_left(offsets, target)
        if at < len(offsets):
            shortest = min(shortest, offsets[at] - target)
        if at:
            shortest = min(shortest, target - offsets[at - 1])
    return shortest


def offset_of(unit: Unit, place: Place) -> int:
    """Return where a sentence starts in `Chapter.text`."""
    block = unit.chapter.blocks[place.block - 1]
    return unit.chapter.block_offsets[place.block - 1] + block.sentences[place.sentence - 1].start


def place_at(unit: Unit, offset: int) -> Place:
    """Return the sentence at an offset into `Chapter.text`."""
    offsets = unit.chapter.block_offsets
    low, high = 0, len(offsets)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if offsets[middle] <= offset else (low, middle)
    block = unit.chapter.blocks[low]
    return Place(block.no, block.sentence_at(offset - offsets[low]))


@lru_cache(maxsize=64)
def _found(bearers: tuple[tuple[str, tuple[str, ...]], ...], table: LanguageTable, text: str) -> tuple[Mention, ...]:
    """Return the mentions of these names; remembered, because the steps of a chapter see the same names again and again."""
    names = dict(bearers)
    possible = {surface: names[surface] for surface in possible_in(text, names)}
    return tuple(NameMatcher.build(possible, table, text=text).find(text)) if possible else ()


class _Asked:
    """A chapter and a cast as such, not by what is in them: the tasks of a chapter share both."""

    def __init__(self, unit: Unit, cast: dict[str, CastEntry]) -> None:
        self.unit, self.cast = unit, cast

    def __hash__(self) -> int:
        return hash((id(self.unit.chapter), id(self.cast)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self.unit.chapter is other.unit.chapter and self.cast is other.cast


def cast_mentions(unit: Unit, bible: Bible) -> Mentions:
    """Return the mentions of the whole cast by name, and of unnamed entities where a description was tied to a sentence."""
    return _mentions(_Asked(unit, bible.cast))


@lru_cache(maxsize=16)
def _mentions(asked: _Asked) -> Mentions:
    unit = asked.unit
    bearers: dict[str, list[str]] = {}
    spots: dict[str, list[Spot]] = {}
    for handle, entry in asked.cast.items():
        for name in entry.names:
            if name.place is not None:
                if name.chapter == unit.chapter.no and unit.chapter.sentence_text(name.place) is not None:
                    spots.setdefault(handle, []).append(Spot(offset_of(unit, name.place), name.place))
            elif name.name_kind != "descriptor":
                owners = bearers.setdefault(name.surface, [])
                if handle not in owners:
                    owners.append(handle)
    ambiguous: dict[str, tuple[str, ...]] = {}
    known = tuple((surface, tuple(owners)) for surface, owners in bearers.items())
    for mention in _found(known, unit.table, unit.chapter.text):
        if len(mention.handles) > 1:
            ambiguous[mention.surface] = mention.handles
        else:
            spot = Spot(mention.start, place_at(unit, mention.start), mention.end)
            spots.setdefault(mention.handles[0], []).append(spot)
    return Mentions({handle: tuple(sorted(found)) for handle, found in spots.items()}, ambiguous)


def ref_of(entry: CastEntry, bible: Bible, places: Sequence[Place] = ()) -> Ref:
    """Return the reference a question carries about a cast entry."""
    return entry.ref.model_copy(update={"places": tuple(places)}) if places else entry.ref


def brief(entry: CastEntry, bible: Bible) -> str:
    """Return handle and shortest telling description, for a question's line: `@3 Edmond Dantès`, `@4 “the jailer”`."""
    if entry.called:
        return f"{entry.handle} {shown(entry.called[0])}"
    words = described(entry, bible)
    return f"{entry.handle} {words[len(CALLED) :]}" if words.startswith(CALLED) else f"{entry.handle} ({words})"


def evidence_at(unit: Unit, place: Place) -> Evidence | None:
    """Return a whole sentence as evidence, or None where the handle names none."""
    block = unit.chapter.block(place.block)
    if block is None or not 1 <= place.sentence <= len(block.sentences):
        return None
    span = block.sentences[place.sentence - 1]
    return Evidence(
        chapter=unit.chapter.no,
        block=place.block,
        sentence=place.sentence,
        start=span.start,
        end=span.end,
        text=block.text[span.start : span.end],
        source=source_of(unit.chapter, place.block, span, unit.table),
    )


def evidence_of(unit: Unit, answer: Answer, pick: str = "") -> tuple[Evidence, ...]:
    """Return the sentences an answer cites (for one of its picks, where given), as evidence."""
    found = (evidence_at(unit, place) for place in (answer.sentences_of(pick) if pick else answer.sentences))
    return tuple(e for e in found if e is not None)


def together(unit: Unit, mentions: Mentions, first: str, second: str, limit: int = 3) -> tuple[Place, ...]:
    """Return the sentences where the two stand nearest to each other: hints for evidence, best first."""
    pairs: list[tuple[int, int, Place]] = []
    others = mentions.spots.get(second, ())
    for spot in mentions.spots.get(first, ()):
        for other in others:
            distance = abs(spot.offset - other.offset)
            if distance <= NEAR_CHARS:
                late = max(spot, other)
                pairs.append((distance, late.offset, late.place))
    return tuple(dict.fromkeys(place for _, _, place in sorted(pairs)))[:limit]
