"""Chapters that a format does not mark: lines alone that read like headings, among headings that it does mark.

Authors forget a style, an exporter leaves chapters out of the contents list. Such a line begins a chapter where its number goes
on with or is missing among those of the marked ones, or where it names a kind that stands in such a place; any other is only
named in a remark.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analyzer.models.text import ChapterKind
from analyzer.text.blocks import Line
from analyzer.text.headings import Mark, numeral_type
from analyzer.text.languages import LanguageTable
from analyzer.text.loose import UNMARKED, loose_headings
from analyzer.text.numbering import has_prose, has_sections

_LIST_ITEM = 40
"""Code points; a number this close to the one before or after it is an item of a list."""

_CHAPTERS = ("word", "number", "titled")
_ONCE = ("prologue", "epilogue")
"""Kinds of which a part has one."""


class _Place(NamedTuple):
    """What is known where a line stands.

    `last` is the number before it in its part and `following` the one the format marks behind it, None where there is none;
    `begun` says whether the part has a chapter before it, `ahead` whether one comes behind it; the same for the whole book in
    `book_begun` and `book_ahead`. `named` are the kinds marked in the part.
    """

    last: int | None
    following: int | None
    begun: bool
    ahead: bool
    book_begun: bool
    book_ahead: bool
    named: frozenset[ChapterKind]


def with_unmarked(
    marks: list[Mark],
    lines: Sequence[Line],
    table: LanguageTable,
    others: Sequence[LanguageTable],
    *,
    stated: bool = False,
) -> list[Mark]:
    """Return the marks of a format and the lines alone that are chapters too, each of them doubted.

    A line with a number is one where that goes on from the last one, or is the one before the next; where none comes before it in
    its part, with 0 or 1 too. A number without a chapter word has to look like those around it. The name of a kind alone is one
    where such a thing stands: a prologue before the chapters, an epilogue behind them, and so on, with text below. `stated` says
    that a list or the files say what the chapters are: then bare numbers are scenes but where just that number is missing.
    """
    if not any(m.heading.style in (*_CHAPTERS, "kind") for m in marks):
        return marks
    taken = [(m.line, m.body) for m in marks]
    loose = [
        mark
        for mark in loose_headings(lines, table, others, marks)
        if not any(first < mark.body and mark.line < last for first, last in taken)
    ]
    if not loose:
        return marks
    both = sorted([*marks, *loose])
    judge = _Judge(both, lines, table, stated)
    found: list[Mark] = []
    for at, place in judge.places(found):
        mark = both[at]
        if mark.doubt != UNMARKED or judge.is_chapter(at, place):
            found.append(mark)
    return found


class _Judge:
    """Decides of the loose ones among all marks, in their order."""

    def __init__(self, both: list[Mark], lines: Sequence[Line], table: LanguageTable, stated: bool) -> None:
        self.both = both
        self.lines = lines
        self.table = table
        self.stated = stated
        self.numbered = any(m.heading.style in ("word", "number", "kind") for m in both if m.doubt != UNMARKED)
        stops = [m.line for m in both[1:]] + [len(lines)]
        self.prose = [has_prose(lines[m.body : stop], table) for m, stop in zip(both, stops, strict=True)]
        self.words = Counter(
            _folded(m.title) for m, prose in zip(both, self.prose, strict=True) if prose and _is_loose_kind(m)
        )

    def places(self, found: list[Mark]) -> Iterator[tuple[int, _Place]]:
        """Yield each mark's index with what is known there; `found` grows meanwhile by those that are headings."""
        n_seen, last, begun, book_begun = 0, None, False, False
        for at in range(len(self.both)):
            for mark in found[n_seen:]:
                style, number = mark.heading.style, mark.heading.number
                last = (
                    None if style == "part" else number if style in ("word", "number") and number is not None else last
                )
                begun = style in _CHAPTERS or (begun and style != "part")
                book_begun = book_begun or begun
            n_seen = len(found)
            part = self._part(at)
            ahead = [m for m in part if self._is_ahead(m, last)]
            following = next(
                (m.heading.number for m in part if m.doubt != UNMARKED and m.heading.style in ("word", "number")), None
            )
            named = frozenset(m.heading.kind for m in self._around(at) if m.heading.style == "kind")
            book_ahead = any(m.heading.style in _CHAPTERS for m in self.both[at + 1 :] if m.doubt != UNMARKED)
            yield at, _Place(last, following, begun, bool(ahead), book_begun, book_ahead or bool(ahead), named)

    def _part(self, at: int) -> list[Mark]:
        """Return the marks behind one in the same part."""
        found: list[Mark] = []
        for mark in self.both[at + 1 :]:
            if mark.heading.style == "part":
                break
            found.append(mark)
        return found

    def _around(self, at: int) -> list[Mark]:
        """Return the marks of the format in the same part."""
        first = next((i + 1 for i in range(at - 1, -1, -1) if self.both[i].heading.style == "part"), 0)
        return [m for m in (*self.both[first:at], *self._part(at)) if m.doubt != UNMARKED]

    @staticmethod
    def _is_ahead(mark: Mark, last: int | None) -> bool:
        """Say whether a mark behind a line is one more chapter: one of the format, or a line that may go on with the numbers."""
        number = mark.heading.number
        if mark.doubt == UNMARKED:
            return mark.heading.style == "word" and number == (1 if last is None else last + 1)
        again = number is not None and number <= 1 and last is not None and last > 1
        return mark.heading.style in _CHAPTERS and not again

    def is_chapter(self, at: int, place: _Place) -> bool:
        """Say whether a loose line begins a chapter."""
        mark = self.both[at]
        if mark.heading.style == "kind":
            return self._is_kind(at, mark, place)
        if not self.numbered:
            return False
        if mark.heading.style == "word":
            return _continues(mark, place)
        return _continues(mark, place) and self._is_number(at, mark, place)

    def _is_kind(self, at: int, mark: Mark, place: _Place) -> bool:
        """Say whether the name of a kind stands where one of that kind does, with text below, and in no list."""
        kind = mark.heading.kind
        if not self.prose[at] or (at and not self.prose[at - 1] and self._touches(at)):
            return False
        if kind in _ONCE and kind in place.named:
            return False
        if kind == "prologue":
            return not place.begun and place.ahead
        if kind in ("epilogue", "chapter"):
            return place.begun and not place.ahead
        if kind in ("front", "back"):
            edge = not place.book_begun if place.book_ahead else place.book_begun
            return edge or self.words[_folded(mark.title)] > 1
        return place.begun

    def _touches(self, at: int) -> bool:
        """Say whether nothing stands between a mark and the one before it, or that is one more line of a list."""
        before = self.both[at - 1]
        between = any(line.text for line in self.lines[before.body : self.both[at].line])
        return before.heading.style != "part" and (before.doubt == UNMARKED or not between)

    def _is_number(self, at: int, mark: Mark, place: _Place) -> bool:
        """Say whether a number without a chapter word is a heading: the one missing, or like those the format marks."""
        alike = [
            m
            for m in self._around(at)
            if m.heading.style == "number" and numeral_type(m.heading.label) == numeral_type(mark.heading.label)
        ]
        number = mark.heading.number or 0
        missing = place.last == number - 1 and place.following == number + 1
        if not missing and (self.stated or not any(bool(m.title) == bool(mark.title) for m in alike)):
            return False
        rivals = [m for m in self._between(at) if m is not mark and m.heading.number == number]
        if rivals or self._is_item(at) or not self.prose[at] or (at and not self.prose[at - 1]):
            return False
        inside = place.last is not None and place.following is not None
        stop = self.both[at + 1].line if at + 1 < len(self.both) else len(self.lines)
        return inside or has_sections([mark], self.lines[:stop], self.table)

    def _between(self, at: int) -> list[Mark]:
        """Return the loose numbers between the two marks of the format around one."""
        first = next((i + 1 for i in range(at - 1, -1, -1) if self.both[i].doubt != UNMARKED), 0)
        stop = next((i for i in range(at + 1, len(self.both)) if self.both[i].doubt != UNMARKED), len(self.both))
        return [m for m in self.both[first:stop] if m.heading.style in ("word", "number")]

    def _is_item(self, at: int) -> bool:
        """Say whether the number before or after it stands as close as in a list."""
        mark = self.both[at]
        for other, gap in (
            (self.both[at - 1] if at else None, 1),
            (self.both[at + 1] if at + 1 < len(self.both) else None, -1),
        ):
            if other is None or other.heading.number != (mark.heading.number or 0) - gap:
                continue
            upper, lower = sorted((mark, other))
            if self.lines[lower.line].start - self.lines[upper.body - 1].end < _LIST_ITEM:
                return True
        return False


def _is_loose_kind(mark: Mark) -> bool:
    return mark.doubt == UNMARKED and mark.heading.style == "kind"


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


def _continues(mark: Mark, place: _Place) -> bool:
    """Say whether a number goes on from the last one, or is the one before the next."""
    number, last, following = mark.heading.number or 0, place.last, place.following
    if following is not None and following <= number:
        return False
    before = following is not None and number == following - 1
    if last is None:
        return number in (0, 1) or before
    return number == last + 1 or (before and number > last)
