"""Pages bound into one text: paragraphs with a blank line between, headings as hints, notes at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

from analyzer.models.text import ChapterKind, Span
from analyzer.text.readers._outline import Heading
from analyzer.text.readers._page import Block, Page
from analyzer.text.readers._reader import HeadingHint, Removed

_LINKED = 0.6
"""Share of the letters inside links from which a paragraph is a line of a contents list."""

_FEWEST_LINES = 3
"""Lines a contents list has at least."""

_LONGEST_CAPTION = 60
"""Code points of the heading above a contents list."""


class Bound(NamedTuple):
    """A text with its hints, the kinds the format states for them, and the spans of the notes."""

    text: str
    hints: tuple[HeadingHint, ...]
    kinds: tuple[tuple[int, ChapterKind], ...]
    notes: tuple[Span, ...]


def without_contents(page: Page) -> Page:
    """Return a page without the contents list on it: at least three paragraphs in a row that are mostly links."""
    linked = [_is_linked(block) for block in page.blocks]
    gone: set[int] = set()
    i = 0
    while i < len(linked):
        stop = i
        while stop < len(linked) and linked[stop]:
            stop += 1
        if stop - i >= _FEWEST_LINES:
            above = i - 1 if i and len(page.blocks[i - 1].text) <= _LONGEST_CAPTION and i - 1 not in gone else i
            gone.update(range(above, stop))
        i = stop + 1
    return without_blocks(page, gone, "contents list") if gone else page


def _is_linked(block: Block) -> bool:
    return block.linked > 0 and not block.level and block.linked > _LINKED * sum(map(str.isalnum, block.text))


def without_blocks(page: Page, gone: set[int], kind: str) -> Page:
    """Return a page without these blocks, which are listed as removed; anchors inside of them are gone."""
    kept = [i for i in range(len(page.blocks)) if i not in gone]
    now = {i: n for n, i in enumerate(kept)} | {len(page.blocks): len(kept)}
    anchors = {name: now[at] for name, at in page.anchors.items() if at in now}
    return Page(
        blocks=tuple(page.blocks[i] for i in kept),
        anchors=anchors,
        gone=page.gone | (page.anchors.keys() - anchors.keys()),
        removed=(*page.removed, *(Removed(kind, page.blocks[i].text) for i in sorted(gone) if not page.blocks[i].rule)),
    )


def bind(blocks: Sequence[Block], headings: Sequence[Heading], notes: Sequence[str]) -> Bound:
    """Return the text of the blocks; the lines of a heading stand together, what it lacks is put in.

    Every paragraph ends with a blank line, rows of a table and lines of a heading with one line feed.
    """
    pieces: list[str] = []
    hints: list[HeadingHint] = []
    kinds: list[tuple[int, ChapterKind]] = []
    at = size = 0
    for heading in [*headings, Heading(len(blocks), 0, "", 0)]:
        for i in range(at, heading.at):
            last = i + 1 == len(blocks) or not blocks[i + 1].glued
            pieces.append(blocks[i].text + ("\n\n" if last else "\n"))
            size += len(pieces[-1])
        at = heading.at + heading.n
        if heading.level:
            lines = [block.text for block in blocks[heading.at : at]] or [heading.words]
            words = "\n".join(lines)
            hints.append(HeadingHint(size, size + len(words), heading.level, " ".join(heading.words.split())))
            matter = blocks[heading.at].matter if heading.at < len(blocks) else ""
            if matter:
                kinds.append((size, cast(ChapterKind, matter)))
            pieces.append(words + "\n\n")
            size += len(pieces[-1])
    spans: list[Span] = []
    for note in notes:
        spans.append(Span(size, size + len(note)))
        pieces.append(note + "\n\n")
        size += len(pieces[-1])
    return Bound("".join(pieces).rstrip("\n") + "\n", tuple(hints), tuple(kinds), tuple(spans))


def with_matter(
    blocks: Sequence[Block], headings: Sequence[Heading], level: int
) -> tuple[list[Block], list[Heading], list[Removed]]:
    """Give front and back matter below the first heading headings of its own; without one it is removed.

    Otherwise a note about the author behind the last chapter would be read as its end.
    """
    by_block = {heading.at: heading for heading in headings}
    covered = {i for heading in headings for i in range(heading.at, heading.at + heading.n)}
    found: list[Heading] = list(headings)
    gone: set[int] = set()
    current: str | None = None
    for i, block in enumerate(blocks):
        if i in by_block:
            current = block.matter
        elif current is not None and i not in covered and block.matter in ("front", "back") and block.matter != current:
            if block.level:
                found.append(Heading(i, 1, block.text, level))
                current = block.matter
            else:
                gone.add(i)
    found.sort(key=lambda heading: heading.at)
    removed = [Removed(f"{blocks[i].matter} matter", blocks[i].text) for i in sorted(gone)]
    shift, kept, moved = 0, [], {}
    for i, block in enumerate(blocks):
        moved[i] = i - shift
        if i in gone:
            shift += 1
        else:
            kept.append(block)
    return kept, [heading._replace(at=moved.get(heading.at, len(kept))) for heading in found], removed
