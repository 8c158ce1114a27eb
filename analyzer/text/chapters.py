"""Chapters: what of the text belongs to which chapter, and why.

Every code point belongs to a chapter or to a `Dropped` stretch with its reason. The headings come from `marks`; here
they become chapters: a part is a heading above headings, text before the first heading is kept if it is prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from analyzer.models.text import ChapterKind, Dropped
from analyzer.text.blocks import Line, ends_sentence, lines_of
from analyzer.text.headings import match_heading, number_of
from analyzer.text.languages import LanguageTable
from analyzer.text.marks import Mark, find_marks
from analyzer.text.readers._reader import SourceText

_NOTICE = re.compile(r"\*{3} ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG\b")
"""Lines that part a transcription from its licence (Project Gutenberg's files since about 2004)."""

_PROSE = {True: 200, False: 80}
"""Code points of one line from which text without a heading of its own is prose, in scripts with capitals and in denser ones."""

_SENTENCES = {True: 200, False: 80}
"""Code points of paragraphs that end like a sentence from which text before the first heading is prose; scripts as above."""

_PARAGRAPH = {True: 20, False: 8}
"""Code points; a shorter paragraph is no sentence of prose."""

_PART_TEXT = {True: 300, False: 100}
"""Code points below a part's heading from which they are a chapter of their own and not a motto; scripts as above."""


_PIECE = re.compile(r"[(（\[［【][^()（）\[\]【】]{1,10}[)）\]］】]\Z")
_SUB_NUMBER = re.compile(r"\d(?:[.\-]\d+|[a-d])\Z", re.IGNORECASE)
"""What a title or label ends in where one number is printed for several pieces: (2), （下）, 12.5, 12b."""

DOUBTED = 0.6
"""Confidence in a heading whose number does not follow on the one before."""


class PlannedChapter(NamedTuple):
    """A chapter to be: `[start, end)` all of it, from `body_start` on its text; `part` is the heading it stands under.

    `label` is the number as printed ("" where none), `heading` all heading lines, `confidence` from 0 to 1, `language` the
    tag of a chapter in another language than the book, else "".
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
    marks = _of_stated_kinds(hinted, lines, source.kinds)
    if not any(m.heading.style in ("word", "number", "kind", "titled") for m in marks):
        marks = [
            m._replace(heading=m.heading._replace(style="word")) if m.heading.style == "part" else m for m in marks
        ]
    walk = _Walk(source.text, lines, (table, *others), begin, stop)
    walk.front(marks)
    for i in range(len(marks)):
        walk.step(marks, i)
    if stop < len(source.text):
        walk.drop(stop, len(source.text), "notes" if source.notes else "distributor's notice")
    return ChapterPlan(tuple(walk.chapters), tuple(walk.dropped))


def _story(source: SourceText, lines: Sequence[Line]) -> tuple[Sequence[Line], int, int]:
    """Return the lines between a distributor's notices and before the notes, and where they start and stop."""
    if source.headings or "GUTENBERG" not in source.text:
        return lines, 0, source.notes[0].start if source.notes else len(source.text)
    found = [(i, match[1]) for i, line in enumerate(lines) if (match := _NOTICE.match(line.text))]
    first = max((i + 1 for i, which in found if which == "START"), default=0)
    last = min((i for i, which in found if which == "END" and i >= first), default=len(lines))
    begin = lines[first].start if 0 < first < len(lines) else 0
    return lines[first:last], begin, lines[last].start if last < len(lines) else len(source.text)


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

    def front(self, marks: Sequence[Mark]) -> None:
        """Place what stands before the first mark."""
        first = marks[0].line if marks else len(self.lines)
        end = self.lines[first].start if marks else self.stop
        chapters = any(m.heading.style not in ("contents", "end") for m in marks)
        prose = chapters and _is_prose(self.lines[:first], self.tables[0])
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
        if style in ("contents", "end"):
            self.drop(start, end, "contents" if style == "contents" else "end mark")
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
            self.part, self.inside, kind = _words(self.lines, mark), 0, "interlude"
        elif style != "kind" and kind == "chapter" and i < self.inside:
            kind = self.part_kind
        heading = "\n".join(line.text for line in self.lines[mark.line : mark.body])
        body = self._body(mark.body, last, end)
        self._add(kind, mark.heading.label, mark.title, heading, start, body, end)

    def drop(self, start: int, end: int, reason: str) -> None:
        """Leave a stretch out of all chapters."""
        self.dropped.append(Dropped(start=start, end=end, reason=reason))

    def _enter_part(self, mark: Mark, start: int, end: int) -> None:
        self.drop(start, end, "part heading")
        self.part = _words(self.lines, mark)
        self.inside = 0
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
        self, kind: ChapterKind, label: str, title: str, heading: str, start: int, body_start: int, end: int
    ) -> None:
        reason, confidence = explain(kind, heading, self.previous.get(kind), *self.tables)
        number = number_of(label, self.tables)
        if number is not None:
            self.previous[kind] = number
        self.chapters.append(
            PlannedChapter(kind, label, title, heading, start, body_start, end, reason, confidence, self.part)
        )

    def _body(self, first: int, last: int, end: int) -> int:
        """Return where the first line with words of lines `[first, last)` begins, its indent included."""
        for line in self.lines[first:last]:
            if line.text:
                return self.text.rfind("\n", 0, line.start) + 1
        return end


def _words(lines: Sequence[Line], mark: Mark) -> str:
    return " ".join(line.text for line in lines[mark.line : mark.body])


def _is_prose(lines: Sequence[Line], table: LanguageTable) -> bool:
    """Say whether text without a heading is prose: one long line, or paragraphs that end like sentences; else a title page."""
    cased = bool(table.script["cased"])
    if any(len(line.text) >= _PROSE[cased] for line in lines):
        return True
    size = above = 0
    for line, below in zip_longest(lines, lines[1:]):
        above += len(line.text)
        if below is not None and below.text and line.text:
            continue
        if above >= _PARAGRAPH[cased] and ends_sentence(line.text, table):
            size += above
        above = 0
    return size >= _SENTENCES[cased]


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


def explain(
    kind: ChapterKind, heading: str, previous: int | None, table: LanguageTable, *others: LanguageTable
) -> tuple[str, float]:
    """Return why a chapter with this heading is one, and how sure that is (0 to 1; a ranking, not a frequency).

    `previous` is the number of the chapter of this kind before it in this part, None where there is none; `others` as in
    `match_heading`.
    """
    if not heading:
        if kind == "front":
            return "text before the first heading", 0.6
        return "no heading found: the whole text is one chapter", 0.5
    found = match_heading(heading.split("\n", 1)[0], table, others)
    if found is None:
        return "heading marked by the format", 0.9
    if found.style == "kind":
        return "heading names its kind", 0.95
    what = {"word": "chapter word and number", "number": "number alone", "part": "part word and number"}
    name = what.get(found.style, "heading marked by the format")
    number = found.number
    goes_on = number == previous and (_PIECE.search(found.title) or _SUB_NUMBER.search(found.label))
    if number is None or previous is None or number == previous + 1 or goes_on:
        return f"{name}, in sequence", {"word": 0.98, "number": 0.9}.get(found.style, 0.85)
    return f"{name}, {number} after {previous}", DOUBTED
