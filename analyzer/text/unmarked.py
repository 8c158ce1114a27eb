"""Chapters that a format does not mark: lines alone that read like headings, among headings that it does mark.

Authors forget a style, an exporter leaves chapters out of the contents list. Such a line begins a chapter where its number goes
on with or is missing among those of the marked ones, or where it names a kind that stands in such a place; any other is only
named in a remark.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from analyzer.models.text import ChapterKind
from analyzer.text.blocks import Line
from analyzer.text.headings import Mark, numeral_type
from analyzer.text.languages import LanguageTable
from analyzer.text.loose import UNMARKED, loose_headings
from analyzer.text.numbering import has_prose, has_sections

_LIST_ITEM = 40
"""Code points; a number this close to the one before or after it is an item of a list."""

_PARTED = re.compile(r"^\W*\w+\s*[.:：．、)）\]】\-–—]")
"""A sign between a number and its title: a score of three to one has none."""

_CHAPTERS = ("word", "number", "titled")
_ONCE = ("prologue", "epilogue")
"""Kinds of which a part has one."""


class _Place(NamedTuple):
    """What is known where a line stands.

    `last` is the number before it in its part and `following` the one the format marks behind it, None where there is none;
    `begun` says whether the part has a chapter before it, `ahead` whether one comes behind it; the same for the whole book in
    `book_begun` and `book_ahead`.
    """

    last: int | None
    following: int | None
    begun: bool
    ahead: bool
    book_begun: bool
    book_ahead: bool


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
    loose = outside(loose_headings(lines, table, others, marks), marks)
    if not loose:
        return marks
    both = sorted([*marks, *loose])
    judge = _Judge(both, lines, table, stated)
    found: list[Mark] = []
    last, begun, book_begun = None, False, False
    for at, mark in enumerate(both):
        if mark.doubt == UNMARKED and not judge.is_chapter(at, judge.place(at, last, begun, book_begun)):
            continue
        found.append(mark)
        style, number = mark.heading.style, mark.heading.number
        last = None if style == "part" else number if style in ("word", "number") and number is not None else last
        begun = style in _CHAPTERS or (begun and style != "part")
        book_begun = book_begun or begun
    return found


class _Judge:
    """Decides of the loose ones among all marks; what stands behind or around each of them is looked up, not searched for."""

    def __init__(self, both: list[Mark], lines: Sequence[Line], table: LanguageTable, stated: bool) -> None:
        self.both = both
        self.lines = lines
        self.table = table
        self.stated = stated
        marked = [m.doubt != UNMARKED for m in both]
        self.numbered = any(
            m.heading.style in ("word", "number", "kind") for m, own in zip(both, marked, strict=True) if own
        )
        stops = [m.line for m in both[1:]] + [len(lines)]
        self.prose = [has_prose(lines[m.body : stop], table) for m, stop in zip(both, stops, strict=True)]
        self.words = Counter(
            _folded(m.title) for m, prose in zip(both, self.prose, strict=True) if prose and _is_loose_kind(m)
        )
        self.part = list(accumulate(m.heading.style == "part" for m in both))
        self.segment = list(accumulate(marked))
        self.named: set[tuple[int, ChapterKind]] = set()
        self.alike: set[tuple[int, str, bool]] = set()
        self.numbers: Counter[tuple[int, int | None]] = Counter()
        self.loose_last: dict[tuple[int, int | None], int] = {}
        self.last_chapter = -1
        for at, (mark, own) in enumerate(zip(both, marked, strict=True)):
            self._note(at, mark, own)
        self.next_number = self._next(marked, ("word", "number"))
        self.next_chapter = self._next(marked, _CHAPTERS)

    def _note(self, at: int, mark: Mark, own: bool) -> None:
        """Keep what is asked of a mark later."""
        heading, part = mark.heading, self.part[at]
        if own and heading.style == "kind":
            self.named.add((part, heading.kind))
        elif own and heading.style == "number":
            self.alike.add((part, numeral_type(heading.label), bool(mark.title)))
        elif not own and heading.style in ("word", "number"):
            self.numbers[self.segment[at], heading.number] += 1
            if heading.style == "word":
                self.loose_last[part, heading.number] = at
        if own and heading.style in _CHAPTERS:
            self.last_chapter = at

    def _next(self, marked: Sequence[bool], styles: Sequence[str]) -> list[Mark | None]:
        """Return for each mark the next one of the format behind it in its part that has one of these styles, and a number if all do."""
        found: list[Mark | None] = []
        following: Mark | None = None
        for mark, own in zip(reversed(self.both), reversed(marked), strict=True):
            found.append(following)
            if mark.heading.style == "part":
                following = None
            elif own and mark.heading.style in styles and ("titled" in styles or mark.heading.number is not None):
                following = mark
        return found[::-1]

    def place(self, at: int, last: int | None, begun: bool, book_begun: bool) -> _Place:
        """Return what is known where a mark stands; the arguments are what stands before it."""
        numbered, chapter = self.next_number[at], self.next_chapter[at]
        again = chapter is not None and chapter.heading.number in (0, 1) and (last or 0) > 1
        loose = self.loose_last.get((self.part[at], 1 if last is None else last + 1), -1) > at
        ahead = loose or (chapter is not None and not again)
        following = numbered.heading.number if numbered else None
        return _Place(last, following, begun, ahead, book_begun, ahead or self.last_chapter > at)

    def is_chapter(self, at: int, place: _Place) -> bool:
        """Say whether a loose line begins a chapter."""
        mark = self.both[at]
        if mark.heading.style == "kind":
            return self._is_kind(at, mark, place)
        if not self.numbered or not _continues(mark, place):
            return False
        return mark.heading.style == "word" or self._is_number(at, mark, place)

    def _is_kind(self, at: int, mark: Mark, place: _Place) -> bool:
        """Say whether the name of a kind stands where one of that kind does, with text below, and in no list."""
        kind = mark.heading.kind
        if not self.prose[at] or (at and not self.prose[at - 1] and self._touches(at)):
            return False
        if kind in _ONCE and (self.part[at], kind) in self.named:
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
        number = mark.heading.number or 0
        parted = not mark.title or _PARTED.search(self.lines[mark.line].text) is not None
        missing = parted and place.last == number - 1 and place.following == number + 1
        like = (self.part[at], numeral_type(mark.heading.label), bool(mark.title)) in self.alike
        if not missing and (self.stated or not like):
            return False
        rivals = self.numbers[self.segment[at], mark.heading.number] > 1
        if rivals or self._is_item(at) or not self.prose[at] or (at and not self.prose[at - 1]):
            return False
        inside = place.last is not None and place.following is not None
        stop = self.both[at + 1].line if at + 1 < len(self.both) else len(self.lines)
        return inside or has_sections([mark], self.lines[:stop], self.table)

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


def outside(loose: Sequence[Mark], marks: Sequence[Mark]) -> list[Mark]:
    """Return those of the loose lines that no mark holds; both are in order."""
    starts = [m.line for m in marks]
    found = []
    for mark in loose:
        k = bisect.bisect_left(starts, mark.body)
        if not (k and mark.line < marks[k - 1].body):
            found.append(mark)
    return found


def _is_loose_kind(mark: Mark) -> bool:
    return mark.doubt == UNMARKED and mark.heading.style == "kind"


def _folded(words: str) -> str:
    return " ".join(words.casefold().split())


def _continues(mark: Mark, place: _Place) -> bool:
    """Say whether a number goes on from the last one, or is the one before the next; these may begin again there."""
    number, last, following = mark.heading.number or 0, place.last, place.following
    if following is not None and following <= number:
        return False
    before = following is not None and number == following - 1
    if last is None:
        return number in (0, 1) or before
    again = following is not None and following <= last and number <= 1
    return number == last + 1 or (before and (number > last or again))
