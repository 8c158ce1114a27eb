"""Manuscript, chapter, block, sentence, span: text with lossless offsets.

All offsets are half-open code points. `Block.start` and chapter offsets count in `Manuscript.text`; sentence and
evidence offsets count in `Block.text`. `manuscript.text[block.start : block.start + len(block.text)] == block.text`.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal, NamedTuple

from analyzer.models.base import Record

ChapterKind = Literal["chapter", "prologue", "interlude", "side_story", "epilogue", "front", "back"]


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int


class Place(NamedTuple):
    """A sentence of a chapter, both numbers 1-based; printed `12.3` (block.sentence)."""

    block: int
    sentence: int

    def __str__(self) -> str:
        return f"{self.block}.{self.sentence}"


class Block(Record):
    """A paragraph: `no` is 1-based in its chapter, `sentences` are spans into `text`, in order, never empty."""

    no: int
    start: int
    text: str
    sentences: tuple[Span, ...]

    def sentence_at(self, offset: int) -> int:
        """Return the 1-based number of the sentence that holds code point `offset` (the nearest before, if between)."""
        number = 1
        for i, span in enumerate(self.sentences, 1):
            if span.start <= offset:
                number = i
        return number


class Chapter(Record):
    """One chapter: `no` is its 1-based position, `label` the printed number, `[start, end)` all of it.

    `id` is what the book knows it by wherever it stands, 0 before a book gave it one; `origins` are the ids of other chapters
    its text once stood in (after a split or a merge). `reason` says why it is a chapter, `confidence` how sure that is (0 to 1).
    """

    no: int
    kind: ChapterKind = "chapter"
    label: str = ""
    title: str = ""
    heading: str = ""
    start: int
    body_start: int
    end: int
    language: str
    blocks: tuple[Block, ...]
    id: int = 0
    origins: tuple[int, ...] = ()
    reason: str = ""
    confidence: float = 1.0

    @property
    def identity(self) -> int:
        """What the chapter is known by in anchors and claims: its id, or its number where no book gave it one."""
        return self.id or self.no

    @cached_property
    def text(self) -> str:
        """The blocks joined by one line feed each: what names are searched in; see `block_offsets`."""
        return "\n".join(block.text for block in self.blocks)

    @cached_property
    def block_offsets(self) -> tuple[int, ...]:
        """Where each block starts in `text`, one per block."""
        offsets, at = [], 0
        for block in self.blocks:
            offsets.append(at)
            at += len(block.text) + 1
        return tuple(offsets)

    def block(self, no: int) -> Block | None:
        """Return block `no` (1-based), or None where there is none."""
        return self.blocks[no - 1] if 1 <= no <= len(self.blocks) else None

    def sentence_text(self, place: Place) -> str | None:
        """Return the words of a sentence, or None where the handle names none."""
        block = self.block(place.block)
        if block is None or not 1 <= place.sentence <= len(block.sentences):
            return None
        span = block.sentences[place.sentence - 1]
        return block.text[span.start : span.end]

    def place_of(self, offset: int) -> Place:
        """Return the sentence that holds code point `offset` of the manuscript; raises ValueError outside blocks."""
        for block in self.blocks:
            if block.start <= offset < block.start + max(1, len(block.text)):
                return Place(block.no, block.sentence_at(offset - block.start))
        raise ValueError(f"offset {offset} is in no block of chapter {self.no}")


class Dropped(Record):
    """A stretch of the manuscript that belongs to no chapter, with the reason."""

    start: int
    end: int
    reason: str


class Manuscript(Record):
    """The author's text as the reader decoded it (line ends are LF) and its chapters in order.

    `language_certainty` says from 0 to 1 how sure the language is: 1 where the author named it. `encoding` is as shown (""
    where the format states its own), its certainty from 0 to 1. `remarks` are sentences for the author about how it was
    read. `chapters_file` says that the author's own list made the chapters.
    """

    title: str
    language: str
    language_certainty: float = 1.0
    text: str
    sha256: str
    chapters: tuple[Chapter, ...]
    dropped: tuple[Dropped, ...] = ()
    encoding: str = ""
    encoding_certainty: float = 1.0
    remarks: tuple[str, ...] = ()
    chapters_file: bool = False

    def chapter(self, no: int) -> Chapter | None:
        """Return chapter `no` (1-based position), or None."""
        return self.chapters[no - 1] if 1 <= no <= len(self.chapters) else None


_FOLD = str.maketrans("＠．。，０１２３４５６７８９［］（）", "@..,0123456789[]()")
_ENTITY = re.compile(r"@?([1-9][0-9]{0,6})\Z")
_PLACE = re.compile(r"([1-9][0-9]{0,5})\.([1-9][0-9]{0,4})\Z")


def fold_handle(raw: str) -> str:
    """Return `raw` with full-width forms, surrounding brackets and spaces folded; nothing else is repaired."""
    return raw.translate(_FOLD).strip().strip("[]()【】「」").strip()


def parse_entity_handle(raw: str) -> str | None:
    """Return the exact handle `@7` that `raw` is after folding (a missing @ is added), or None."""
    found = _ENTITY.match(fold_handle(raw))
    return f"@{found.group(1)}" if found else None


def parse_place(raw: str) -> Place | None:
    """Return the sentence handle that `raw` is after folding, or None."""
    found = _PLACE.match(fold_handle(raw))
    return Place(int(found.group(1)), int(found.group(2))) if found else None
