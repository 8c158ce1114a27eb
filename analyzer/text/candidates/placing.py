"""Where code points of a chapter's text fall: sentence handles, sentence openings, stretches of direct speech."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from analyzer.models.text import Chapter, Manuscript, Place
from analyzer.text.languages import LanguageTable
from analyzer.text.quotes import chapter_sources


@dataclass(frozen=True, slots=True)
class Sentences:
    """Starts of all sentences of a chapter in `Chapter.text`, in order, and the handle of each."""

    starts: tuple[int, ...]
    places: tuple[Place, ...]

    def place(self, offset: int) -> Place:
        """Return the handle of the sentence that holds `offset` (the nearest before; the first for offsets before it)."""
        return self.places[max(0, bisect_right(self.starts, offset) - 1)]

    def all(self, offsets: Iterable[int]) -> tuple[Place, ...]:
        """Return the handles of `offsets`, without repeats, in order of the offsets."""
        return tuple(dict.fromkeys(self.place(offset) for offset in sorted(offsets)))


def sentences_of(chapter: Chapter) -> Sentences:
    """Return the sentence table of `chapter`; a block without sentences counts as one."""
    starts: list[int] = []
    places: list[Place] = []
    for block, base in zip(chapter.blocks, chapter.block_offsets, strict=True):
        spans: Sequence[tuple[int, int]] = block.sentences or ((0, len(block.text)),)
        for number, span in enumerate(spans, 1):
            starts.append(base + span[0])
            places.append(Place(block.no, number))
    if not starts:
        return Sentences((0,), (Place(1, 1),))
    return Sentences(tuple(starts), tuple(places))


def speech_spans(chapter: Chapter, table: LanguageTable) -> tuple[tuple[int, int], ...]:
    """Return `[start, end)` in `Chapter.text` of all that is not narration (speech, thoughts, documents), in order."""
    if not chapter.blocks:
        return ()
    spans: list[tuple[int, int]] = []
    for base, stretches in zip(chapter.block_offsets, chapter_sources(chapter, table), strict=True):
        spans += [(base + stretch.start, base + stretch.end) for stretch in stretches]
    return merged(spans)


def book_speech_spans(manuscript: Manuscript, table: LanguageTable) -> tuple[tuple[int, int], ...]:
    """Return `[start, end)` in `Manuscript.text` of all that is not narration, in order."""
    spans: list[tuple[int, int]] = []
    for chapter in manuscript.chapters:
        for block, stretches in zip(
            chapter.blocks, chapter_sources(chapter, table) if chapter.blocks else (), strict=True
        ):
            spans += [(block.start + stretch.start, block.start + stretch.end) for stretch in stretches]
    return merged(spans)


def merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return `spans` in order, overlapping ones joined."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def inside(spans: Sequence[tuple[int, int]], starts: Sequence[int], offset: int) -> bool:
    """Return whether `offset` lies in one of `spans` (in order, disjoint), whose starts are `starts`."""
    at = bisect_right(starts, offset) - 1
    return at >= 0 and offset < spans[at][1]
