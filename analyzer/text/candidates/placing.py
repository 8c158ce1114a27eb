"""Where code points of a chapter's text fall: sentence handles, sentence openings, stretches of direct speech."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from analyzer.models.text import Chapter, Place
from analyzer.text.candidates.lexicon import word_list
from analyzer.text.languages import LanguageTable

_QUOTE_PAIRS = ("“”", '""', "«»", "「」", "『』", "„“", "‹›")
_DASHES = ("—", "–", "--", "― ")


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


@lru_cache(maxsize=32)
def _quote_pattern(table: LanguageTable) -> re.Pattern[str]:
    pairs = [pair for pair in word_list(table.cues, "quote_pairs") if len(pair) == 2] or list(_QUOTE_PAIRS)
    parts = []
    for pair in pairs:
        opening, closing = pair[0], pair[1]
        if opening == "‘":  # its closing mark is also the apostrophe
            parts.append(r"(?<!\w)‘(?:[^’\n]|’(?=\w))*’?")
        else:
            parts.append(f"{re.escape(opening)}[^{re.escape(closing)}\\n]*{re.escape(closing)}?")
    return re.compile("|".join(parts))


def speech_spans(text: str, table: LanguageTable) -> tuple[tuple[int, int], ...]:
    """Return `[start, end)` of direct speech in order, marks included; a speech left open ends with its block.

    Where the table says so (`cues.dash_speech`) a block that opens with a dash is speech from end to end.
    """
    spans = [m.span() for m in _quote_pattern(table).finditer(text)]
    if table.cues.get("dash_speech", False):
        at = 0
        for line in text.split("\n"):
            if line.startswith(_DASHES):
                spans.append((at, at + len(line)))
            at += len(line) + 1
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
