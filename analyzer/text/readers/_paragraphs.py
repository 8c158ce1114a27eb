"""What word processors have in common: paragraphs that become one text with its headings, notes and removed words.

DOCX, ODT and RTF readers make a `Draft`; `source_text` decides which paragraphs are headings, takes a typed table of
contents out, joins what belongs together and cleans characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.models.text import Span
from analyzer.text.readers._letters import clean_letters, invisible_in
from analyzer.text.readers._reader import BY_LOOKS, HeadingHint, Removed, SourceText

_LONGEST_HEADING = 300
"""Code points; a longer paragraph in a heading style is prose (the longest headings of novels have about 200)."""

_LONGEST_LOOK = 120
"""Code points of a bold, centred paragraph that may be a heading without a style."""

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_VERTICAL = re.compile("\r\n|[\r\v\u2028\u0085]")
_GAP = re.compile(r"[ \t]*\n\s*")
_PAGE_NUMBER = re.compile(r"(?:\t|\s*[.·…․‥_]{3,}|\s{3,})\s*(?:\d{1,4}|[ivxlc]{1,7})\s*\Z", re.IGNORECASE)
_LETTERS = re.compile(r"[\W_]+")


@dataclass(slots=True)
class Paragraph:
    """A paragraph as its format has it; line breaks inside are LF.

    `level` is the outline level, 1 outermost, 0 none; `custom` that of an author's own heading style; `title` says that
    it is the work's title, `looks` that it is bold and centred, `joins` that it goes on in the next paragraph.
    """

    text: str
    level: int = 0
    custom: int = 0
    title: bool = False
    looks: bool = False
    joins: bool = False


@dataclass(slots=True)
class Draft:
    """All that a word processor's file says, in order."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    title: str = ""
    author: str = ""
    language: str = ""
    encoding: str = "utf-8"


class Bin:
    """Collects removed words; what goes in without a gap is one piece."""

    def __init__(self) -> None:
        self._pieces: list[tuple[str, list[str]]] = []
        self._fresh = True

    def add(self, kind: str, words: str) -> None:
        """Put words of a kind in."""
        if self._fresh or not self._pieces or self._pieces[-1][0] != kind:
            self._pieces.append((kind, []))
        self._pieces[-1][1].append(words)
        self._fresh = False

    def gap(self) -> None:
        """Say that what follows is another piece: a paragraph ended, or words that stay stand between."""
        self._fresh = True

    def removed(self) -> list[Removed]:
        """Return the pieces in order."""
        return [Removed(kind, "".join(parts)) for kind, parts in self._pieces]


class _Marked(NamedTuple):
    """A paragraph with the level of its hint, 0 where it is no heading."""

    text: str
    level: int


def source_text(draft: Draft, name: str, where: str) -> SourceText:
    """Return the text of a draft; `name` is its title where nothing else is, `where` names the file in errors.

    Paragraphs are parted by a blank line, notes stand at the end. Raises InputError where no words are left.
    """
    paragraphs = _joined(draft.paragraphs)
    title = _work_title(paragraphs)
    marked, contents = _without_contents(_marked(paragraphs))
    notes = [words for note in draft.notes if (words := clean(note).strip())]
    if not marked and not notes:
        raise InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")
    text, hints = _laid_out(marked)
    spans = []
    for note in notes:
        start = len(text) + 1
        text += "\n" + note + "\n"
        spans.append(Span(start, len(text)))
    removed = [Removed(kind, words) for kind, raw in draft.removed if (words := clean(raw).strip())]
    unseen = _unseen(draft)
    removed += [Removed("invisible character", unseen)] if unseen else []
    return SourceText(
        title=title or _one_line(draft.title) or name,
        text=text,
        headings=hints,
        notes=tuple(spans),
        encoding=draft.encoding,
        language=draft.language.strip(),
        author=_one_line(draft.author),
        removed=(*removed, *contents),
    )


def table_row(cells: Sequence[Sequence[Paragraph]]) -> list[Paragraph]:
    """Return a row of short cells as one paragraph, tabs between; cells with more than a line each as they are."""
    filled = [[p for p in cell if p.text.strip()] for cell in cells]
    plain = all(len(cell) <= 1 and not any(p.level or p.title or p.custom or p.joins for p in cell) for cell in filled)
    if not plain or sum(map(len, filled)) < 2:
        return [paragraph for cell in cells for paragraph in cell]
    return [Paragraph("\t".join(cell[0].text.strip() for cell in filled if cell))]


def closed(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs of a cell or box; the last cannot go on behind it."""
    if paragraphs:
        paragraphs[-1].joins = False
    return paragraphs


def with_label(label: str, words: str) -> str:
    """Return `words` behind the number the format counts for them; the number alone where there are none."""
    if not label:
        return words
    return f"{label}  {words}" if words.strip() else label


def with_boxes(paragraph: Paragraph, boxes: Sequence[Paragraph]) -> list[Paragraph]:
    """Return a paragraph and the boxes anchored in it: before it where one of them is a heading, else behind."""
    before = any(box.level or box.title or box.custom for box in boxes)
    return [*boxes, paragraph] if before else [paragraph, *boxes]


def end_cell(sinks: list[list[Paragraph]], rows: list[list[list[Paragraph]]]) -> None:
    """Take the cell that ends off `sinks` into its row, or into what is around it where there is none."""
    cell = closed(sinks.pop())
    if rows:
        rows[-1].append(cell)
    else:
        sinks[-1].extend(cell)


def clean(words: str) -> str:
    """Return `words` without control and invisible characters, loose accents composed, line ends LF."""
    if words.isascii() and words.isprintable():
        return words
    words = _VERTICAL.sub("\n", words).replace("\f", "\n\n")
    return clean_letters(_CONTROLS.sub("", words))


def _unseen(draft: Draft) -> str:
    """Return what `clean` takes out of a draft."""
    raw = "".join([*(p.text for p in draft.paragraphs), *draft.notes, *(one.text for one in draft.removed)])
    return "".join(_CONTROLS.findall(raw)) + invisible_in(raw)


def _joined(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Return the paragraphs with words: cleaned, each that goes on put before the one it goes on in."""
    found: list[Paragraph] = []
    carried = ""
    for paragraph in paragraphs:
        words = carried + paragraph.text
        if paragraph.joins:
            carried = words
            continue
        carried = ""
        words = clean(words).strip("\n").rstrip()
        if words.strip():
            found.append(Paragraph(words, paragraph.level, paragraph.custom, paragraph.title, paragraph.looks))
    if carried.strip():
        found.append(Paragraph(clean(carried).strip("\n").rstrip()))
    return found


def _work_title(paragraphs: Sequence[Paragraph]) -> str:
    """Return the paragraphs in title style at the top, where this style is not that of the chapters."""
    titles = [i for i, paragraph in enumerate(paragraphs) if paragraph.title]
    if not titles or titles[0] > 5 or titles[-1] - titles[0] >= len(titles):
        return ""
    return " ".join(_one_line(paragraphs[i].text) for i in titles)[:_LONGEST_HEADING]


def _marked(paragraphs: Sequence[Paragraph]) -> list[_Marked]:
    """Return the paragraphs with their hints: by outline, else by the author's own styles, else by looks."""
    repeated = not _work_title(paragraphs)
    shift = int(repeated and any(p.title for p in paragraphs))
    if any(p.level or (p.title and repeated) for p in paragraphs):
        levels = [p.level + shift if p.level else int(p.title and repeated) for p in paragraphs]
    elif any(p.custom for p in paragraphs):
        levels = [p.custom for p in paragraphs]
    else:
        levels = _by_looks(paragraphs)
    return [_heading(p.text, level) for p, level in zip(paragraphs, levels, strict=True)]


def _by_looks(paragraphs: Sequence[Paragraph]) -> list[int]:
    """Return the levels of bold, centred lines: of several in a row the first, at the top of the work the last."""
    looks = [p.looks and _looks_like_heading(p.text) for p in paragraphs] + [False]
    top = looks.index(False)
    return [
        BY_LOOKS if here and (i == top - 1 if i < top else not looks[i - 1]) else 0 for i, here in enumerate(looks[:-1])
    ]


def _looks_like_heading(words: str) -> bool:
    return len(words) <= _LONGEST_LOOK and words.count("\n") <= 3 and any(ch.isalnum() for ch in words)


def _heading(words: str, level: int) -> _Marked:
    """Return a heading on one line: two spaces stand where its lines were parted."""
    if not level or len(words) > _LONGEST_HEADING or not any(ch.isalnum() for ch in words):
        return _Marked(words, 0)
    if level >= BY_LOOKS:
        return _Marked(words, level)
    return _Marked(_GAP.sub("  ", words.strip()).replace("\t", "  "), level)


def _without_contents(marked: list[_Marked]) -> tuple[list[_Marked], list[Removed]]:
    """Take out a typed table of contents: lines with page numbers of which at least half repeat a heading."""
    known = {_key(words) for words, level in marked if level and not _page_number(words)}
    kept: list[_Marked] = []
    removed: list[Removed] = []
    i = 0
    while i < len(marked):
        j = i
        while j < len(marked) and not marked[j].level and _page_number(marked[j].text):
            j += 1
        again = sum(1 for words, _ in marked[i:j] if _key(_PAGE_NUMBER.sub("", words)) in known)
        if j - i >= 2 and again * 2 >= j - i:
            removed.extend(Removed("contents list", words) for words, _ in marked[i:j])
        else:
            j = max(j, i + 1)
            kept.extend(marked[i:j])
        i = j
    return kept, removed


def _page_number(words: str) -> bool:
    return len(words) <= _LONGEST_HEADING and _PAGE_NUMBER.search(words) is not None


def _key(words: str) -> str:
    return _LETTERS.sub(" ", words).strip().casefold()


def _laid_out(marked: Sequence[_Marked]) -> tuple[str, tuple[HeadingHint, ...]]:
    hints = []
    at = 0
    for words, level in marked:
        if level:
            first = words.split("\n", 1)[0].strip() if level >= BY_LOOKS else words
            start = at + words.index(first)
            hints.append(HeadingHint(start, start + len(first), level, first))
        at += len(words) + 2
    return "\n\n".join(words for words, _ in marked) + "\n", tuple(hints)


def _one_line(words: str) -> str:
    return " ".join(clean(words).split())
