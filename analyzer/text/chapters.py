"""Chapters: what of the text belongs to which chapter, and why.

Every code point belongs to a chapter or to a `Dropped` stretch with its reason. The headings come from `marks`; here
they become chapters: a part is a heading above headings, text before the first heading is kept if it is prose.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.models.text import ChapterKind, Dropped
from analyzer.text.blocks import Line, ends_sentence, lines_of
from analyzer.text.contents import end_of_list
from analyzer.text.headings import STORY, Mark, number_of
from analyzer.text.languages import LanguageTable
from analyzer.text.marks import find_marks
from analyzer.text.numbering import is_prose
from analyzer.text.readers._reader import SourceText
from analyzer.text.reasons import BELOW_LIST, EMPTY, Found, explain

_NOTICE = re.compile(r"\*{3} ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG\b")
"""Lines that part a transcription from its licence (Project Gutenberg's files since about 2004)."""

_PART_TEXT = {True: 300, False: 100}
"""Code points below a part's heading from which they are a chapter of their own and not a motto; scripts as above."""


class PlannedChapter(NamedTuple):
    """A chapter to be: `[start, end)` all of it, from `body_start` on its text; `part` is the heading it stands under.

    `label` is the number as printed ("" where none), `heading` all heading lines, `confidence` from 0 to 1, `language` the
    tag of a chapter in another language than the book, else "". `doubt` says what speaks against it beside its number;
    `includes` are headings that the author says are part of its text; `number` is the value of its label, `missing` are
    the first and last of the numbers left out before its own.
    """

    kind: ChapterKind
    label: str
    title: str
    heading: str
    start: int
    body_start: int
    end: int
    reason: str
    confidence: float
    part: str = ""
    language: str = ""
    doubt: str = ""
    includes: tuple[str, ...] = ()
    number: int | None = None
    missing: tuple[int, int] | None = None


class ChapterPlan(NamedTuple):
    """Chapters and dropped stretches, each in order; together they tile the text."""

    chapters: tuple[PlannedChapter, ...]
    dropped: tuple[Dropped, ...]


def split_chapters(
    source: SourceText, table: LanguageTable, others: Sequence[LanguageTable] = (), all_lines: Sequence[Line] = ()
) -> ChapterPlan:
    """Return the chapters of a manuscript; without any heading the whole text is one.

    `others` are the tables of further languages in which some chapters are, and perhaps their headings; `all_lines` are the
    lines of the text where they are known already.
    """
    lines, begin, stop = _story(source, all_lines or lines_of(source.text))
    hinted = find_marks(lines, source.headings, table, others, source.chapter_level)
    marks = _of_stated_kinds(_of_kinds_by_place(hinted), lines, source.kinds)
    if not any(m.heading.style in ("word", "number", "kind", "titled") for m in marks):
        marks = [
            m._replace(heading=m.heading._replace(style="word")) if m.heading.style == "part" else m for m in marks
        ]
    if all(m.heading.style in ("contents", "end") for m in marks):
        marks = [m for m in marks if m.heading.style == "end"]  # a list of chapters that are not there is text
    walk = _Walk(source.text, lines, (table, *others), begin, stop)
    walk.filed = source.filed
    walk.front(marks)
    for i in range(len(marks)):
        walk.step(marks, i)
    if stop < len(source.text):
        walk.drop(stop, len(source.text), "notes" if source.notes else "distributor's notice")
    return ChapterPlan(tuple(walk.chapters), tuple(walk.dropped))


def _story(source: SourceText, lines: Sequence[Line]) -> tuple[Sequence[Line], int, int]:
    """Return the lines between a distributor's notices and before the notes, and where they start and stop."""
    if source.headings or "GUTENBERG" not in source.text:
        stop = source.notes[0].start if source.notes else len(source.text)
        return lines[: bisect.bisect_left(lines, stop, key=lambda line: line.start)], 0, stop
    found = [(i, match[1]) for i, line in enumerate(lines) if (match := _NOTICE.match(line.text))]
    first = max((i + 1 for i, which in found if which == "START"), default=0)
    last = min((i for i, which in found if which == "END" and i >= first), default=len(lines))
    begin = lines[first].start if 0 < first < len(lines) else 0
    return lines[first:last], begin, lines[last].start if last < len(lines) else len(source.text)


def _of_kinds_by_place(marks: list[Mark]) -> list[Mark]:
    """Return the marks with front and back matter told by where it stands: before the first or behind the last of the story."""
    story = [
        i
        for i, m in enumerate(marks)
        if m.heading.style in ("word", "number", "titled") or (m.heading.style == "kind" and m.heading.kind in STORY)
    ]
    found = []
    for i, mark in enumerate(marks):
        if story and mark.heading.style == "kind" and mark.heading.kind in ("front", "back"):
            kind: ChapterKind = "front" if i < story[0] else "back" if i > story[-1] else mark.heading.kind
            mark = mark._replace(heading=mark.heading._replace(kind=kind))
        found.append(mark)
    return found


def _of_stated_kinds(marks: list[Mark], lines: Sequence[Line], kinds: Sequence[tuple[int, ChapterKind]]) -> list[Mark]:
    """Return the marks with the kinds the format states for their headings."""
    stated = dict(kinds)
    found = []
    for mark in marks:
        kind = stated.get(lines[mark.line].start)
        found.append(
            mark._replace(heading=mark.heading._replace(style="kind", kind=kind)) if kind is not None else mark
        )
    return found


class _Walk:
    """Goes through the marks once, keeping the part it is in."""

    def __init__(
        self, text: str, lines: Sequence[Line], tables: tuple[LanguageTable, ...], begin: int, stop: int
    ) -> None:
        self.text = text
        self.lines = lines
        self.tables = tables
        self.begin = begin
        self.stop = stop
        self.chapters: list[PlannedChapter] = []
        self.dropped: list[Dropped] = []
        self.part = ""
        self.part_kind: ChapterKind = "chapter"
        self.inside = 0
        self.previous: dict[ChapterKind, int] = {}
        self.cased = bool(tables[0].script["cased"])
        self.filed = False
        self.volume: int | None = None

    def front(self, marks: Sequence[Mark]) -> None:
        """Place what stands before the first mark."""
        first = marks[0].line if marks else len(self.lines)
        end = self.lines[first].start if marks else self.stop
        chapters = any(m.heading.style not in ("contents", "end") for m in marks)
        prose = chapters and is_prose(self.lines[:first], self.tables[0])
        if self.begin:
            self.drop(0, self.begin, "distributor's notice")
        if prose or not chapters:
            self._add("front" if chapters else "chapter", "", "", "", self.begin, self._body(0, first, end), end)
        elif end > self.begin:
            self.drop(self.begin, end, "title page" if self.text[self.begin : end].strip() else "white space")

    def step(self, marks: Sequence[Mark], i: int) -> None:
        """Place one mark and what stands below it."""
        mark, following = marks[i], marks[i + 1] if i + 1 < len(marks) else None
        last = following.line if following else len(self.lines)
        start = self.lines[mark.line].start
        end = self.lines[last].start if following else self.stop
        style, kind = mark.heading.style, mark.heading.kind
        self._enter_volume(mark)
        if style == "contents":
            self._leave_contents(mark, last, start, end)
            return
        if style == "end":
            self.drop(start, end, "end mark")
            return
        size = sum(len(line.text) for line in self.lines[mark.body : last])
        leads = following is not None and following.heading.style in ("word", "number", "part", "kind", "titled")
        if style == "part" and leads and size < _PART_TEXT[self.cased]:
            self._enter_part(mark, start, end)
            return
        if style == "kind" and leads and not size and not self._says_more(mark):
            self._enter_kind(marks, i, start, end)
            return
        if style == "part":
            kind = (
                "prologue" if following is not None and following.heading.style in ("word", "number") else "interlude"
            )
            self.part, self.inside = _words(self.lines, mark), 0
            self.previous.clear()
        elif style != "kind" and kind == "chapter" and i < self.inside:
            kind = self.part_kind
        heading = "\n".join(line.text for line in self.lines[mark.line : mark.body])
        body = self._body(mark.body, last, end)
        self._add(kind, mark.heading.label, mark.title, heading, start, body, end, mark)

    def drop(self, start: int, end: int, reason: str) -> None:
        """Leave a stretch out of all chapters."""
        self.dropped.append(Dropped(start=start, end=end, reason=reason))

    def _leave_contents(self, mark: Mark, last: int, start: int, end: int) -> None:
        """Leave out a contents list; prose between it and the next heading is kept as front or back matter."""
        first = end_of_list(mark, self.lines[:last], self.tables[0])
        if first == last:
            self.drop(start, end, "contents")
            return
        body = self._body(first, last, end)
        self.drop(start, body, "contents")
        behind = any(chapter.kind in STORY for chapter in self.chapters)
        self._add("back" if behind else "front", "", "", "", body, body, end, why=BELOW_LIST)

    def _enter_part(self, mark: Mark, start: int, end: int) -> None:
        self.drop(start, end, "part heading")
        self.part = _words(self.lines, mark)
        self.inside = 0
        self.previous.clear()

    def _enter_volume(self, mark: Mark) -> None:
        """Count anew where the line of a chapter itself names another part of the work than the one before."""
        volume = mark.heading.volume_number
        if volume is not None and volume != self.volume:
            self.part, self.volume = mark.heading.volume, volume
            self.previous.clear()

    def _enter_kind(self, marks: Sequence[Mark], i: int, start: int, end: int) -> None:
        """Leave out the heading of a named kind without text; chapters that are counted anew below it are of that kind."""
        self.drop(start, end, "part heading")
        below = _counted_below(marks, i + 1)
        after = marks[below].heading if below < len(marks) else None
        bare = marks[i + 1].heading.style == "number"
        again = after is not None and after.style in ("word", "number", "part")
        if marks[i].heading.kind != "front" and (self.previous.get("chapter", 0) > 1 or (bare and again)):
            self.part, self.part_kind, self.inside = _words(self.lines, marks[i]), marks[i].heading.kind, below

    def _says_more(self, mark: Mark) -> bool:
        """Say whether a heading is a note to the reader in one line."""
        return mark.heading.kind in ("front", "back") and ends_sentence(self.lines[mark.line].text, self.tables[0])

    def _add(
        self,
        kind: ChapterKind,
        label: str,
        title: str,
        heading: str,
        start: int,
        body_start: int,
        end: int,
        mark: Mark | None = None,
        why: str = "",
    ) -> None:
        empty = not self.text[body_start:end].strip()
        said = mark.heading if mark and mark.why else None
        found = Found(kind, heading, self.filed, empty, mark.doubt if mark else "", mark.why if mark else why, said)
        reason, confidence = explain(found, self.previous.get(kind), self.tables)
        number = number_of(label, self.tables)
        missing = self._missing(kind, number)
        if number is not None:
            self.previous[kind] = number
        self.chapters.append(
            PlannedChapter(
                kind,
                label,
                title,
                heading,
                start,
                body_start,
                end,
                reason,
                confidence,
                self.part,
                doubt=EMPTY if empty else found.doubt,
                number=number,
                missing=missing,
            )
        )

    def _missing(self, kind: ChapterKind, number: int | None) -> tuple[int, int] | None:
        """Return the first and last number that is left out before a chapter, None where none is."""
        before = self.previous.get(kind)
        return None if number is None or before is None or number <= before + 1 else (before + 1, number - 1)

    def _body(self, first: int, last: int, end: int) -> int:
        """Return where the first line with words of lines `[first, last)` begins, its indent included."""
        for line in self.lines[first:last]:
            if line.text:
                return self.text.rfind("\n", 0, line.start) + 1
        return end


def _words(lines: Sequence[Line], mark: Mark) -> str:
    return " ".join(line.text for line in lines[mark.line : mark.body])


def _counted_below(marks: Sequence[Mark], first: int) -> int:
    """Return where the run of marks from `first` on ends that are numbered in one style and count up from 0 or 1."""
    at, last = first, -1
    while (
        at < len(marks)
        and marks[at].heading.style == marks[first].heading.style
        and marks[at].heading.number is not None
    ):
        number = marks[at].heading.number or 0
        if not (last < number <= last + 1 or (at == first and number == 1)):
            break
        last = number
        at += 1
    return at
