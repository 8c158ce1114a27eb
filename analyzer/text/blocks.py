"""Blocks: paragraphs of a manuscript as spans of its text, whatever the layout.

Some files hold one paragraph a line, others hard-wrap paragraphs to a width and part them by a blank line, by an indent
or by nothing but a short last line. The layout is decided once for the whole manuscript.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from analyzer.models.text import Span
from analyzer.text.languages import LanguageTable

Layout = Literal["lines", "wrapped", "indented", "ragged"]
"""How paragraphs are parted: each line, blank lines, indents, or a short last line."""

_WIDEST_WRAP = 110
"""Columns; typewriter, e-mail and transcription habits wrap at 55 to 100."""

_SCENE_BREAK = re.compile(
    r"\s*(?:[*＊#＃⁂†‡§=~～•·◆◇◈○◎●☆★※□■△▲▽▼♦♢♠♣♥❖✦✧✱＿♪\s]+|[-–—_―─━－ー=~+*\s]{3,}|<[-–—]+>|\[[-–—]+\])\s*\Z"
)
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\U00020000-\U0003fffd]"
)
"""Glyphs of two columns: East Asian Wide and Fullwidth, by their blocks (Unicode Standard Annex 11)."""

_CLOSERS = "\"'”’»«›‹)]」』）】》〉›“*_"


LONGEST_ALONE = 60
"""Code points of a line alone that is like a heading by its words or its shape, where nothing marks it as one."""

LONGEST_LINE = 200
"""Code points of a line that may be a heading; the longest met in novels (in which …) have about 150."""

_BLANK_RUN = 40
"""Blank lines in a row; more say nothing and would cost as much as words."""


class Line(NamedTuple):
    """A line without its surrounding white space; `text` is "" where it is blank. `indent` counts columns before it."""

    start: int
    end: int
    text: str
    indent: int


def lines_of(text: str) -> tuple[Line, ...]:
    """Return the lines of `text` in order, one per line feed and the rest; of a run of blank ones the first few."""
    found: list[Line] = []
    at = blank = 0
    for raw in text.split("\n"):
        words = raw.strip() if raw else raw
        if words:
            blank = 0
            start = at + len(raw) - len(raw.lstrip())
            indent = 0 if start == at else _columns(raw[: start - at])
            found.append(Line(start, start + len(words), words, indent))
        else:
            blank += 1
            if blank <= _BLANK_RUN:
                found.append(Line(at, at, "", 0))
        at += len(raw) + 1
    return tuple(found)


def has_blank_lines(lines: Sequence[Line]) -> bool:
    """Say whether blank lines part paragraphs, so that a heading must have one above it."""
    n_words = sum(1 for line in lines if line.text)
    return (len(lines) - n_words) * 5 >= n_words


def lines_alone(lines: Sequence[Line], longest: int = LONGEST_LINE, *, title: bool = False) -> list[int]:
    """Return the lines of at most so many code points that may be headings by where they stand: nothing directly above or below.

    With `title` there may be words directly below.
    """
    apart = has_blank_lines(lines)
    blank = [not line.text for line in lines]
    return [
        i
        for i, line in enumerate(lines)
        if 0 < len(line.text) <= longest
        and not (apart and ((i and not blank[i - 1]) or (not title and i + 1 < len(lines) and not blank[i + 1])))
    ]


def is_scene_break(words: str, table: LanguageTable) -> bool:
    """Say whether a line only parts two scenes (ornaments, rules, marks of layout) and is no block."""
    if len(words) > 80 or words[:1].isalnum():
        return False
    if _SCENE_BREAK.match(words):
        return True
    notes = _layout_notes(table)
    return notes is not None and notes.fullmatch(words) is not None


@lru_cache(maxsize=32)
def _layout_notes(table: LanguageTable) -> re.Pattern[str] | None:
    patterns = table.chapters.get("breaks", ())
    return re.compile("|".join(patterns)) if patterns else None


def _columns(text: str) -> int:
    return len(text) + len(_WIDE.findall(text))


def layout_of(lines: Sequence[Line], table: LanguageTable) -> Layout:
    """Return how paragraphs are parted in a manuscript of these lines.

    Hard-wrapped means: lines follow each other without a blank one, are narrow, and mostly end in mid-sentence (under
    40 % end like a sentence; in texts of one paragraph a line nearly all do).
    """
    pairs = [(a, b) for a, b in pairwise(lines) if a.text and b.text]
    n_lines = sum(1 for line in lines if line.text)
    if len(pairs) * 10 < n_lines or not pairs:
        return "lines"
    widths = sorted(_width(a.text) for a, _ in pairs)
    width = widths[len(widths) * 95 // 100]
    n_ended = sum(1 for a, _ in pairs if ends_sentence(a.text, table))
    if width > _WIDEST_WRAP or n_ended * 10 >= len(pairs) * 4:
        return "lines"
    indents = [a for a, b in pairs if b.indent > a.indent and b.indent >= 1]
    n_runs = n_lines - len(pairs)
    if len(indents) > n_runs and sum(1 for a in indents if ends_sentence(a.text, table)) * 2 > len(indents):
        return "indented"
    n_short = sum(1 for a, b in pairs if _is_last(a, b, width, table))
    return "ragged" if n_short > n_runs else "wrapped"


def _is_last(line: Line, following: Line, width: int, table: LanguageTable) -> bool:
    """Say whether a hard-wrapped line ends a paragraph: a sentence ends, and the next word would still have fitted."""
    first = following.text.split(None, 1)[0] if table.sentences["spaced"] else following.text[:2]
    return _width(line.text) + 1 + _width(first) < width - 4 and ends_sentence(line.text, table)


def _width(words: str) -> int:
    return len(words) if words.isascii() else _columns(words)


def ends_sentence(words: str, table: LanguageTable) -> bool:
    """Say whether a line ends like a sentence, closing quotes and brackets apart."""
    ends = str(table.sentences.get("ends", ".!?…"))
    bare = words.rstrip(_CLOSERS)
    return not bare or bare[-1] in ends or bare[-1] in ":：—–"


def measure_of(lines: Sequence[Line], layout: Layout) -> int:
    """Return the columns a layout is judged by, 0 where it needs none.

    Ragged: what lines are wrapped to (the 90th percentile of their widths). Indented: the commonest indent, which is
    that of the lines inside a paragraph.
    """
    if layout == "ragged":
        widths = sorted(_width(line.text) for line in lines if line.text)
        return widths[len(widths) * 9 // 10] if widths else 0
    if layout == "indented":
        return Counter(line.indent for line in lines if line.text).most_common(1)[0][0]
    return 0


def block_spans(lines: Sequence[Line], layout: Layout, measure: int, table: LanguageTable) -> tuple[Span, ...]:
    """Return one span of the manuscript per paragraph of these lines, in order; scene breaks are none.

    `measure` is `measure_of` the whole manuscript.
    """
    spans: list[Span] = []
    start = end = -1
    before: Line | None = None
    for line in lines:
        gone = not line.text or is_scene_break(line.text, table)
        if start >= 0 and (gone or before is None or _starts_block(before, line, layout, measure, table)):
            spans.append(Span(start, end))
            start = -1
        if gone:
            before = None
            continue
        start = line.start if start < 0 else start
        end, before = line.end, line
    if start >= 0:
        spans.append(Span(start, end))
    return tuple(spans)


def _starts_block(before: Line, line: Line, layout: Layout, measure: int, table: LanguageTable) -> bool:
    if layout == "lines":
        return True
    if layout == "indented":
        return line.indent > measure
    if layout == "ragged":
        return _is_last(before, line, measure, table)
    return False
