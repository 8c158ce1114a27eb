"""Volumes that only their place and their likeness tell: `Salt Road: Book Two` above a chapter 1, or one the format leaves unmarked."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.text.blocks import LONGEST_ALONE, Line, ends_sentence, lines_alone
from analyzer.text.headings import Mark, match_heading
from analyzer.text.languages import LanguageTable
from analyzer.text.loose import loose_headings
from analyzer.text.shapes import BEHIND, behind_part
from analyzer.text.unmarked import outside

_CHAPTERS = ("word", "number")


class _Volume(NamedTuple):
    """A line that may be the heading of a volume: `shape` are the words before its part word, `replaces` the mark it has now.

    `direct` says that a chapter's heading stands right below, `anew` that the numbers of the chapters begin again there, `first`
    that no chapter stands before it.
    """

    mark: Mark
    shape: str
    replaces: bool
    direct: bool
    anew: bool
    first: bool


def with_volumes(
    marks: list[Mark], lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable] = ()
) -> list[Mark]:
    """Return the marks and the lines alone that are headings of volumes, as parts.

    Such a line has a part word and number, alone or behind the book's name. It is one right above the heading of a chapter where the
    numbers begin again, or where another volume has the same words before its number; above prose where both hold.
    """
    if not any(m.heading.style in _CHAPTERS for m in marks):
        return marks
    volumes = _volumes(marks, lines, (table, *others))
    if not volumes:
        return marks
    labels: dict[str, set[str]] = {}
    for one in volumes:
        labels.setdefault(one.shape, set()).add(one.mark.heading.label)
    found = [one for one in volumes if _is_volume(one, len(labels[one.shape]) > 1)]
    gone = {one.mark.line for one in found if one.replaces}
    return sorted([*(m for m in marks if m.line not in gone), *(one.mark for one in found)])


def _is_volume(one: _Volume, alike: bool) -> bool:
    if one.first:
        return one.direct and (alike or not one.shape)
    return (one.direct and (one.anew or alike)) or (one.anew and alike)


def _volumes(marks: Sequence[Mark], lines: Sequence[Line], tables: Sequence[LanguageTable]) -> list[_Volume]:
    """Return the lines alone that may be headings of volumes, with where they stand among the chapters."""
    at_line = {m.line: m for m in marks}
    named = _lines_of_parts(lines, tables, at_line)
    if not named:
        return []
    heads = sorted([*outside(loose_headings(lines, tables[0], tables[1:], marks), marks), *marks])
    heads = [m for m in heads if m.heading.style != "part"]
    counted = [m for m in heads if m.heading.style in _CHAPTERS]
    starts, numbered = [m.line for m in heads], [m.line for m in counted]
    free = {mark.line for mark in outside([mark for mark, _ in named], marks)}
    found = []
    for mark, shape in named:
        old = at_line.get(mark.line)
        if old is None and mark.line not in free:
            continue
        k, n = bisect.bisect(starts, mark.line), bisect.bisect(numbered, mark.line)
        n_before = bisect.bisect_left(numbered, mark.line)
        below = heads[k] if k < len(heads) else None
        following = counted[n] if n < len(counted) else None
        before = counted[n_before - 1] if n_before else None
        direct = below is not None and not any(line.text for line in lines[mark.body : below.line])
        last = before.heading.number or 0 if before else 0
        anew = following is not None and (following.heading.number or 0) <= 1 and last >= 1
        body = old.body if old else mark.body
        found.append(_Volume(mark._replace(body=body), shape, old is not None, direct, anew, before is None))
    return found


def _lines_of_parts(
    lines: Sequence[Line], tables: Sequence[LanguageTable], at_line: dict[int, Mark]
) -> list[tuple[Mark, str]]:
    """Return the lines alone with a part word and number, with the words before it; those that are marks of another kind are none."""
    words = [
        word.casefold() for table in tables for key in ("part_words", "part_signs") for word in table.chapters[key]
    ]
    found = []
    for i in lines_alone(lines, LONGEST_ALONE):
        folded = lines[i].text.casefold()
        old = at_line.get(i)
        if (old and old.heading.style != "titled") or not any(word in folded for word in words):
            continue
        if ends_sentence(lines[i].text, tables[0]) and folded[-1] not in ")）]］】〉》":
            continue
        heading = match_heading(lines[i].text, tables[0])
        if heading is not None and heading.style == "part" and not heading.leads:
            found.append((Mark(i, i + 1, heading, heading.title), ""))
        elif heading is None:
            shaped = next((one for table in tables if (one := behind_part(i, lines[i].text, table))), None)
            if shaped is not None and not shaped.heading.leads:
                found.append((Mark(i, i + 1, shaped.heading, shaped.heading.title, why=BEHIND), shaped.shape))
    return found
