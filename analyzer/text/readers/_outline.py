"""From the entries of a contents list to headings in the text: which are parts, chapters and sections, and their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.text.readers._contents import Entry
from analyzer.text.readers._letters import fold_letters
from analyzer.text.readers._page import Block
from analyzer.text.readers._reader import UNLISTED

_PART_LETTERS = 300
"""Code points below an entry from which it is more than the title of a part, where its children share its page."""

_LONGEST_HEADING = 200
"""Code points of a paragraph that may be a heading."""

_NUMBER_LINE = 30
"""Code points of a heading's first line that holds its number ("Twenty-seventh chapter")."""

_MOST_LINES = 4
"""Paragraphs a heading has at most: part, number, title, subtitle."""

_SENTENCE_ENDS = ".!?。！？…”’」』\"'"
"""What a paragraph ends with and a heading without a mark of its own does not."""

_TITLE_PAGE = 200
"""Code points of a title page at most."""


class Heading(NamedTuple):
    """A heading to be: blocks `[at, at + n)` hold its lines (`n` 0: the text has none, `words` are to be put in)."""

    at: int
    n: int
    words: str
    level: int


class Outline(NamedTuple):
    """Headings in order and the level of the chapters; no headings where the contents list is of no use."""

    headings: tuple[Heading, ...]
    chapter_level: int


class _Place(NamedTuple):
    at: int
    level: int
    part: bool
    linked: bool
    label: str


def outline_of(
    entries: Sequence[Entry], positions: Sequence[int | None], blocks: Sequence[Block], names: frozenset[str]
) -> Outline:
    """Return the headings a contents list states.

    `positions` has the block of each entry, None where it leads nowhere or to what is no part of the text; `names` are
    title and author, folded: what leads to a title page is no chapter.
    """
    places, level = _places(entries, positions, blocks)
    places = _without_title_page(places, blocks, names)
    if sum(1 for place in places if place.level == level) < 2 or _is_coarse(places, level, blocks):
        return Outline((), 0)
    found: list[Heading] = []
    taken = 0
    ends = _following(places, len(blocks))
    for place, end in zip(places, ends, strict=True):
        heading = _heading(place, max(taken, place.at), end, taken, blocks)
        if heading.words:
            taken = heading.at + heading.n
            found.append(heading)
    return Outline(tuple(found), level)


def outline_of_headings(blocks: Sequence[Block]) -> tuple[Heading, ...]:
    """Return the heading elements as headings: what a page without a contents list marks."""
    return tuple(
        Heading(i, 1, one_line(block.text), block.level)
        for i, block in enumerate(blocks)
        if block.level and len(block.text) <= _LONGEST_HEADING
    )


def unlisted(headings: Sequence[Heading], blocks: Sequence[Block], tops: Sequence[int]) -> tuple[Heading, ...]:
    """Return the outer heading elements at the top of pages (blocks `tops`) that none of the headings holds; no matter."""
    covered = {i for heading in headings for i in range(heading.at, heading.at + max(heading.n, 1))}
    found = []
    for top in tops:
        at = next((i for i in range(top, len(blocks)) if not blocks[i].rule), len(blocks))
        if at < len(blocks) and at not in covered and not blocks[at].matter and 1 <= blocks[at].level <= 2:
            found.append(Heading(at, 1, one_line(blocks[at].text), UNLISTED))
    return tuple({heading.at: heading for heading in found}.values())


def _following(places: Sequence[_Place], end: int) -> list[int]:
    """Return for each place the block of the next one that stands further on."""
    ends = [end] * len(places)
    for i in range(len(places) - 2, -1, -1):
        ends[i] = places[i + 1].at if places[i + 1].at > places[i].at else ends[i + 1]
    return ends


def one_line(words: str) -> str:
    """Return the lines of a heading on one; a short first line (a number, a chapter word) gets a full stop."""
    lines = [" ".join(line.split()) for line in words.split("\n") if line.strip()]
    if len(lines) > 1 and len(lines[0]) <= _NUMBER_LINE and lines[0][-1].isalnum():
        lines[0] += "."
    return " ".join(lines)


def _places(
    entries: Sequence[Entry], positions: Sequence[int | None], blocks: Sequence[Block]
) -> tuple[list[_Place], int]:
    """Return where entries stand, with levels: parts from 1, chapters one below the deepest part, sections below these."""
    ends = _ends(entries)
    parts = [_is_part(i, ends[i], entries, positions, blocks) for i in range(len(entries))]
    above: list[int] = []
    levels: list[tuple[int, int]] = []
    for i, entry in enumerate(entries):
        while above and entries[above[-1]].depth >= entry.depth:
            above.pop()
        levels.append((sum(parts[j] for j in above), sum(not parts[j] for j in above)))
        above.append(i)
    deepest = max((levels[i][0] + 1 for i in range(len(entries)) if parts[i]), default=0)
    found: list[_Place] = []
    for i, entry in enumerate(entries):
        first = next((at for at in positions[i + 1 : ends[i]] if at is not None), None) if parts[i] else None
        at = positions[i] if positions[i] is not None else first
        if at is not None:
            level = levels[i][0] + 1 if parts[i] else deepest + 1 + levels[i][1]
            found.append(_Place(at, level, parts[i], positions[i] is not None, entry.label))
    found.sort(key=lambda place: (place.at, place.level))
    return _without_doubles(found), deepest + 1


def _ends(entries: Sequence[Entry]) -> list[int]:
    """Return for each entry the index behind its last child."""
    ends = [len(entries)] * len(entries)
    above: list[int] = []
    for i, entry in enumerate(entries):
        while above and entries[above[-1]].depth >= entry.depth:
            ends[above.pop()] = i
        above.append(i)
    return ends


def _is_part(
    i: int, end: int, entries: Sequence[Entry], positions: Sequence[int | None], blocks: Sequence[Block]
) -> bool:
    """Say whether an entry is a heading above chapters and no chapter with sections."""
    first = next((at for at in positions[i + 1 : end] if at is not None), None)
    at = positions[i]
    if first is None:
        return False
    if at is None or not at < first:
        return True
    if any(entry.name != entries[i].name for entry in entries[i + 1 : end]):
        return True
    return sum(len(block.text) for block in blocks[at:first]) < _PART_LETTERS


def _without_doubles(places: Sequence[_Place]) -> list[_Place]:
    """Return the places with all parts, but of several entries at one block only the first."""
    found: list[_Place] = []
    for place in places:
        if place.part or not found or found[-1].part or found[-1].at != place.at:
            found.append(place)
    return found


def _without_title_page(places: list[_Place], blocks: Sequence[Block], names: frozenset[str]) -> list[_Place]:
    while len(places) > 1 and not places[0].part:
        words = "".join(block.text for block in blocks[places[0].at : places[1].at])
        folded = fold_letters(words)
        if len(words) > _TITLE_PAGE or not any(name in folded or folded in name for name in names):
            break
        places = places[1:]
    return places


def _is_coarse(places: Sequence[_Place], level: int, blocks: Sequence[Block]) -> bool:
    """Say whether a short contents list leaves out most headings the pages mark."""
    n_chapters = sum(1 for place in places if place.level == level)
    counts = [sum(1 for block in blocks if block.level == n) for n in range(1, 7)]
    return n_chapters <= 3 and max(counts) >= 4 * n_chapters


def _heading(place: _Place, at: int, end: int, taken: int, blocks: Sequence[Block]) -> Heading:
    """Return the heading at a place: the paragraphs that say what the label says, or that are marked as headings."""
    label = fold_letters(place.label)
    if not place.linked and at - 1 >= taken and label and fold_letters(blocks[at - 1].text) == label:
        at -= 1
    while at + 1 < end and blocks[at].rule:
        at += 1
    n = _n_lines(label, at, end, blocks, structural=not place.part)
    joined = one_line("\n".join(block.text for block in blocks[at : at + n]))
    folded = fold_letters(joined)
    words = joined
    if not n or folded in label:
        words = place.label
    elif label not in folded and not place.part and any(map(str.isdigit, label)):
        words = f"{place.label}: {joined}"
    return Heading(at, n, words or place.label, place.level)


def _n_lines(label: str, at: int, end: int, blocks: Sequence[Block], *, structural: bool) -> int:
    """Return how many blocks from `at` on are the heading: until they say the label, or as long as they are marked."""
    n, read = 0, ""
    for k, block in enumerate(blocks[at : min(at + _MOST_LINES, end)], 1):
        words = fold_letters(block.text) if len(block.text) <= _LONGEST_HEADING else ""
        read += words
        if not words or read == label:
            return k if words else n
        marked = structural and (block.level > 0 or block.titled)
        like_title = block.text[-1] not in _SENTENCE_ENDS
        if label and label in read and (marked or like_title):
            return k
        if (marked and n == k - 1) or label.startswith(read):
            n = k
        elif not like_title:
            break
    return n
