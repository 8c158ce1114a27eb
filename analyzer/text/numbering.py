"""Numbered headings of one style: those with a chapter word, or numbers alone where they count up with text between them."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from analyzer.text.blocks import Line, ends_sentence
from analyzer.text.headings import Mark, numeral_type
from analyzer.text.languages import LanguageTable

_LIST_ITEM = 40
"""Code points: numbered lines closer than this to the next are a list."""

_SECTION = {True: 200, False: 80}
"""Code points of text, the median between bare numbers that are chapters, in scripts with capitals and in denser ones."""

WIDEST_GAP = 3
"""A number may be at most this far above the one before (chapters get lost, renumbered, published elsewhere)."""

_YEARS = range(1500, 2100)
"""Numbers alone that count up among these are years."""

_PROSE = {True: 200, False: 80}
"""Code points of one line from which text without a heading of its own is prose, in scripts with capitals and in denser ones."""

_SENTENCES = {True: 200, False: 80}
"""Code points of paragraphs that end like a sentence from which text before the first heading is prose; scripts as above."""

_PARAGRAPH = {True: 20, False: 8}
"""Code points; a shorter paragraph is no sentence of prose."""

_SENTENCE = {True: 8, False: 3}
"""Code points of the shortest line of prose that is all of a chapter, as in a sketch of one; scripts as above."""

SHORT = "very little text below such headings"
"""Why bare numbers, and titles of a contents list, with a few lines each are doubted."""

BEGINS = "the numbers begin at {}"
"""Why bare numbers that do not begin at 0 or 1 are doubted."""


def numbered_alike(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Keep the numbered headings of one style: with a chapter word, or numbers alone where they form a sequence.

    A single heading of the other style stays where its number is the one that is missing there.
    """
    words = [m for m in marks if m.heading.style == "word"]
    chain = _number_chain(marks, lines, table)
    if words and (len(words) > 1 or len(chain) < 3):
        kept = _filling(marks)
        return [m for m in marks if m.heading.style != "number" or m.line in kept]
    doubts = {m.line: m.doubt for m in chain}
    return [
        m._replace(doubt=doubts.get(m.line, ""))
        for m in marks
        if m.line in doubts or m.heading.style not in ("word", "number") or (m.heading.style == "word" and not m.title)
    ]


def _filling(marks: list[Mark]) -> set[int]:
    """Return the lines of numbers alone that are just the one missing between two headings with a chapter word."""
    numbered = [m for m in marks if m.heading.style in ("word", "number") and not m.heading.leads]
    return {
        m.line
        for a, m, b in zip(numbered, numbered[1:], numbered[2:], strict=False)
        if m.heading.style == "number" and not m.title and a.heading.style == b.heading.style == "word"
        if (a.heading.number or 0) + 1 == m.heading.number == (b.heading.number or 0) - 1
    }


def _number_chain(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Return the numbers that stand alone as headings: one kind of numeral, counting up, with text between them.

    One heading with a chapter word may be among them.
    """
    words = [m for m in marks if m.heading.style == "word"]
    numbers = [m for m in marks if m.heading.style == "number" and not m.heading.leads]
    apart = [a for a, b in zip_longest(numbers, numbers[1:]) if not _is_list(a, b, lines)]
    borders = [m.line for m in marks if m.heading.style in ("part", "kind")]
    best: list[Mark] = []
    for numerals in dict.fromkeys(numeral_type(m.heading.label) for m in apart):
        alike = [m for m in apart if numeral_type(m.heading.label) == numerals]
        alike = sorted([*alike, *words]) if len(words) == 1 else alike
        sections = _between_sections(alike, lines, table)
        chain = _counting(alike, borders, sections) or _counting_on(alike, borders, sections)
        if len(chain) > len(best) and has_sections(chain, lines, table):
            best = chain
    return best or ([] if words else _short_chain(marks, numbers, lines, table))


def _is_list(mark: Mark, following: Mark | None, lines: Sequence[Line]) -> bool:
    """Say whether the next number comes right after this one, as in a list and in a table of contents."""
    if following is None or following.heading.number != (mark.heading.number or 0) + 1:
        return False
    return lines[following.line].start - lines[mark.line].end < _LIST_ITEM


def _between_sections(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> set[int]:
    """Return the lines of those marks that have as much text above and below, to the next, as a chapter has."""
    least = _SECTION[bool(table.script["cased"])]
    edges = [-least, *(lines[m.line].start for m in marks), lines[-1].end if lines else 0]
    return {
        m.line for m, a, at, b in zip(marks, edges, edges[1:], edges[2:], strict=False) if min(at - a, b - at) >= least
    }


def _counting(marks: list[Mark], borders: list[int], sections: set[int], first: int = 1) -> list[Mark]:
    """Return the marks that count up from `first` or less, starting again at 1 below a part or after at least two.

    A number at most as high as the one before counts where it stands in the lines `sections` and looks like that.
    """
    chain: list[Mark] = []
    last, since = 0, 0
    for mark in marks:
        number = mark.heading.number or 0
        crossed = bool(chain) and bisect.bisect(borders, mark.line) > bisect.bisect(borders, chain[-1].line)
        again = bool(chain) and 0 < number <= last and bool(mark.title) == bool(chain[-1].title)
        if (number <= first and not chain) or (number <= 1 and (crossed or since >= 2)):
            since = 1
        elif chain and (last < number <= last + WIDEST_GAP or (again and mark.line in sections)):
            since += 1
        else:
            continue
        chain.append(mark)
        last = number if since == 1 else max(last, number)
    return chain if len(chain) >= 2 else []


def _counting_on(marks: list[Mark], borders: list[int], sections: set[int]) -> list[Mark]:
    """Return the marks that count up from where an excerpt begins: three in a row, and no years; each is doubted."""
    for i, (one, two, three) in enumerate(zip(marks, marks[1:], marks[2:], strict=False)):
        number = one.heading.number or 0
        in_a_row = (two.heading.number, three.heading.number) == (number + 1, number + 2)
        if in_a_row and number > 1 and number not in _YEARS:
            chain = _counting(marks[i:], borders, sections, number)
            return [m._replace(doubt=BEGINS.format(one.heading.label)) for m in chain]
    return []


def has_sections(chain: Sequence[Mark], lines: Sequence[Line], table: LanguageTable) -> bool:
    """Say whether the median of the text below these headings is as long as a chapter's may be."""
    ends = [m.line for m in chain[1:]] + [len(lines)]
    sizes = sorted(lines[end - 1].end - lines[m.line].end for m, end in zip(chain, ends, strict=True))
    return bool(sizes) and sizes[(len(sizes) - 1) // 2] >= _SECTION[bool(table.script["cased"])]


def _short_chain(marks: list[Mark], numbers: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Return the numbers alone of a text of very short chapters: one by one, from its top to its end, prose below each.

    They begin at 0 or 1, or are three at least and no years.
    """
    first = min((m.line for m in marks), default=0)
    if is_prose(lines[:first], table):
        return []
    borders = [m.line for m in marks if m.heading.style in ("part", "kind")]
    for numerals in dict.fromkeys(numeral_type(m.heading.label) for m in numbers):
        alike = [m for m in numbers if numeral_type(m.heading.label) == numerals]
        ends = [m.line for m in alike[1:]] + [len(lines)]
        headed = [m for m, end in zip(alike, ends, strict=True) if has_prose(lines[m.body : end], table)]
        begins = headed[0].heading.number or 0 if headed else 0
        doubt = SHORT if begins <= 1 else f"{SHORT}, {BEGINS.format(begins)}"
        if begins > 1 and (len(headed) < 3 or begins in _YEARS):
            continue
        chain = _counting(headed, borders, set(), max(begins, 1))
        steps = [(b.heading.number or 0) - (a.heading.number or 0) for a, b in pairwise(chain)]
        if chain == headed and all(step == 1 or step <= 0 for step in steps):
            return [m._replace(doubt=doubt) for m in chain]
    return []


def has_prose(lines: Sequence[Line], table: LanguageTable) -> bool:
    """Say whether one of the lines reads like the end of a sentence."""
    least = _SENTENCE[bool(table.script["cased"])]
    return any(len(line.text) >= least and ends_sentence(line.text, table) for line in lines)


def is_prose(lines: Sequence[Line], table: LanguageTable) -> bool:
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
