"""Chapters that a format does not mark: lines alone with a chapter word and a number, among headings that it does mark.

Authors forget a style, an exporter leaves chapters out of the contents list. Such a line begins a chapter where it goes on
with the numbers of the marked ones; any other is only named in a remark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from analyzer.text.blocks import LONGEST_ALONE, Line, lines_alone
from analyzer.text.headings import STORY, Heading, Mark, match_heading, may_be_heading
from analyzer.text.languages import LanguageTable
from analyzer.text.numbers import CHINESE, HANGUL, ROMAN_SIGNS, SIGNS

UNMARKED = "not marked like the others"
"""What speaks against a heading that only its words and its number tell where the format marks others."""


def lines_like_headings(
    lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable] = ()
) -> list[tuple[int, Heading]]:
    """Return the short lines alone with a chapter word and a number. Cost: 25 ms a million code points."""
    found = []
    for i in lines_alone(lines, LONGEST_ALONE):
        words = lines[i].text.casefold()
        if not any(may_count(words, one) for one in (table, *others)):
            continue
        heading = match_heading(lines[i].text, table, others)
        if heading is not None and heading.style == "word":
            found.append((i, heading))
    return found


def may_count(words: str, table: LanguageTable) -> bool:
    """Say whether a casefolded line may have a chapter word and a number; no line that has is refused."""
    sketch = _dense_sketch(table)
    return sketch.search(words) is not None if sketch else may_be_heading(words, table)


@lru_cache(maxsize=32)
def _dense_sketch(table: LanguageTable) -> re.Pattern[str] | None:
    """Return a pattern of a number beside a chapter word in a script without capitals, None in another."""
    rules = table.chapters
    if table.script["cased"]:
        return None
    words = "|".join(re.escape(word.casefold()) for word in rules["words"])
    named = "|".join(re.escape(word.split()[0]) for row in rules["ones"] for word in row.split())
    number = rf"(?:[\d{CHINESE}{HANGUL}{SIGNS}{ROMAN_SIGNS}]|[ivxlcdm]{'|' + named if named else ''})"
    heads = [form.split("{n}")[0].strip() for form in rules["forms"] if "{word}" not in form and "{n}" in form]
    alone = "".join(f"|{re.escape(head)}\\s*{number}" for head in heads if head)
    return re.compile(rf"{number}[.\s]*(?:{words}|の章)|(?:{words})[\s#№]*(?:no\.|nr\.)?\s*{number}{alone}")


def with_unmarked(
    marks: list[Mark], lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable]
) -> list[Mark]:
    """Return the marks of a format and the lines alone that continue their numbers, each of them doubted.

    A line continues them with the number after the last one; with 0 or 1 where none comes before it in its part; with the
    number before the next one where none comes before it. Marks without any numbered or named chapter are continued by none.
    """
    if not any(m.heading.style == "word" or (m.heading.style == "kind" and m.heading.kind in STORY) for m in marks):
        return marks
    taken = [(m.line, m.body) for m in marks]
    loose = [
        Mark(i, i + 1, heading, heading.title, UNMARKED)
        for i, heading in lines_like_headings(lines, table, others)
        if not heading.leads and not any(first <= i < last for first, last in taken)
    ]
    if not loose:
        return marks
    both = sorted([*marks, *loose])
    found: list[Mark] = []
    last: int | None = None
    for at, mark in enumerate(both):
        number = mark.heading.number
        if mark.doubt == UNMARKED and not _continues(last, mark, _next_number(both, at + 1)):
            continue
        found.append(mark)
        if mark.heading.style == "part":
            last = None
        elif mark.heading.style in ("word", "number") and number is not None:
            last = number
    return found


def _next_number(marks: Sequence[Mark], first: int) -> int | None:
    """Return the number of the next mark of the format in the same part, None where there is none."""
    for mark in marks[first:]:
        if mark.heading.style == "part":
            return None
        if mark.doubt != UNMARKED and mark.heading.style in ("word", "number") and mark.heading.number is not None:
            return mark.heading.number
    return None


def _continues(last: int | None, mark: Mark, following: int | None) -> bool:
    number = mark.heading.number or 0
    if following is not None and following <= number:
        return False
    if last is None:
        return number in (0, 1) or (following is not None and number == following - 1)
    return number == last + 1
