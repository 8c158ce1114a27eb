"""Contents lists: which runs of headings are one, and headings that only such a list tells."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence

from analyzer.text.blocks import Line, ends_sentence
from analyzer.text.headings import Heading, Mark, match_heading, without_page
from analyzer.text.languages import LanguageTable
from analyzer.text.numbering import SHORT, has_prose, has_sections, is_prose

LISTED = "a title of the contents list"
"""Why a line without number or kind is a heading."""

_ENTRY = {True: 100, False: 40}
"""Code points; a longer line ends a contents list; in scripts with capitals and in denser ones."""

_MOST_ENTRIES = 5_000
"""Lines of a contents list; the longest serials have as many chapters."""


def without_contents(marks: list[Mark], lines: Sequence[Line]) -> list[Mark]:
    """Replace each contents list by one mark: a run of headings without text between that stand elsewhere again."""
    kept: list[Mark] = []
    last_at = {_said(mark): at for at, mark in enumerate(marks)}
    i = 0
    while i < len(marks):
        j = i
        while j + 1 < len(marks) and _is_empty_between(lines, marks[j].body, marks[j + 1].line):
            j += 1
        at_end = j == len(marks) - 1 and _is_empty_between(lines, marks[j].body, len(lines))
        stop = j + 1 if at_end or _is_last_entry(marks, i, j, last_at) else j
        while stop > i and marks[stop - 1].heading.style == "part" and not marks[stop - 1].heading.leads:
            stop -= 1
        if stop > i and _is_contents(marks[i:stop], marks[:i] + marks[stop:]):
            kept.append(Mark(marks[i].line, marks[stop - 1].body, Heading("contents", "front", "", None, ""), ""))
            i = stop
        else:
            kept.extend(marks[i : j + 1])
            i = j + 1
    return kept


def _is_last_entry(
    marks: list[Mark], first: int, last: int, last_at: Mapping[tuple[str, int | None, str], int]
) -> bool:
    """Say whether the last of a run, which has text below, is an entry of a list like those before it and no chapter.

    It goes on with their numbers or is a kind, and it and they stand again behind it: the text below is a preface. `last_at`
    has where each heading stands last.
    """
    if first == last or last_at[_said(marks[last])] == last:
        return False
    before = [m for m in marks[first:last] if m.heading.style not in ("contents", "part")]
    one = marks[last].heading
    if not before or sum(last_at[_said(m)] > last for m in before) * 2 <= len(before):
        return False
    above = marks[last - 1].heading
    return one.style == "kind" or (above.style == one.style and one.number == (above.number or 0) + 1)


def _said(mark: Mark) -> tuple[str, int | None, str]:
    kind = mark.heading.kind
    return (kind, mark.heading.number, "" if mark.heading.number is not None else mark.title.casefold())


def _is_empty_between(lines: Sequence[Line], first: int, last: int) -> bool:
    """Say whether lines `[first, last)` hold at most a title: three short lines that are no sentence."""
    words = [line.text for line in lines[first:last] if line.text]
    return len(words) <= 3 and all(len(w) <= 100 and w[-1] not in '.!?。！？"”’」』' for w in words)


def _is_contents(run: list[Mark], others: list[Mark]) -> bool:
    chapters = [m for m in run if m.heading.style not in ("contents", "part", "end")]
    if run[0].heading.style == "contents" and len(chapters) >= 1:
        return True
    if len(chapters) >= 2 and all(m.heading.leads for m in chapters):
        return True
    known = {(m.heading.kind, m.heading.number) for m in others if m.heading.style not in ("contents", "end")}
    again = sum(1 for m in chapters if (m.heading.kind, m.heading.number) in known)
    return len(chapters) >= 3 and again * 2 >= len(chapters)


def with_listed(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Return the marks and the titles of a contents list that stand again below it, in its order, as lines of their own."""
    top = next((m for m in marks if m.heading.style == "contents"), None)
    if top is None:
        return marks
    entries, end = _entries(lines, top.body, table)
    found = _again(entries, lines, end, table)
    if len(found) < 2 or len(found) * 3 < len(entries) * 2:
        return marks
    stops = [m.line for m in found[1:]] + [len(lines)]
    if sum(has_prose(lines[m.body : stop], table) for m, stop in zip(found, stops, strict=True)) * 3 < len(found) * 2:
        return marks
    doubt = "" if has_sections(found, lines, table) else SHORT
    below = [m for m in marks if not top.line < m.line < end]
    listed = [m._replace(doubt=doubt, why=LISTED if m.heading.style == "titled" else "") for m in found]
    return sorted({m.line: m for m in [*listed, *(m._replace(body=end) if m is top else m for m in below)]}.values())


def end_of_list(mark: Mark, lines: Sequence[Line], table: LanguageTable) -> int:
    """Return the line where prose begins below a contents list, the number of lines where none does; `lines` end at the next heading.

    Below a list whose entries are headings elsewhere all that is prose counts; below the word for contents alone its entries may be
    anything short, so that prose begins at a long line or with two that end like sentences.
    """
    first = mark.body
    while first < len(lines) and is_prose(lines[first:], table):
        words = lines[first].text
        long = len(words) > _ENTRY[bool(table.script["cased"])]
        ends = bool(words) and ends_sentence(words, table) and match_heading(words, table) is None
        if words and without_page(words) == words and (mark.body > mark.line + 1 or long or ends):
            return first
        first += 1
    return len(lines)


def _entries(lines: Sequence[Line], first: int, table: LanguageTable) -> tuple[dict[str, Heading], int]:
    """Return the entries of the list that begins at line `first` by their words, and the line it ends before."""
    longest = _ENTRY[bool(table.script["cased"])]
    found: dict[str, Heading] = {}
    for i in range(first, len(lines)):
        words = without_page(lines[i].text)
        if not words:
            continue
        said = match_heading(words, table)
        title = said.title if said and said.number is not None and said.title else words
        if _key(title) in found or _key(words) in found or len(words) > longest or len(found) >= _MOST_ENTRIES:
            return found, i
        label, number = (said.label, said.number) if said and said.title == title and title != words else ("", None)
        found[_key(title)] = Heading("titled", "chapter", label, number, title)
    return found, len(lines)


def _again(entries: dict[str, Heading], lines: Sequence[Line], first: int, table: LanguageTable) -> list[Mark]:
    """Return where the entries stand from line `first` on: alone, each below the one before it in the list."""
    places: dict[str, list[int]] = {}
    for i in range(first, len(lines)):
        if lines[i].text and not (lines[i - 1].text and i > first):
            places.setdefault(_key(lines[i].text), []).append(i)
    found: list[Mark] = []
    at = first
    for key, heading in entries.items():
        here = places.get(key, [])
        k = bisect.bisect_left(here, at)
        if k == len(here):
            continue
        at = here[k] + 1
        own = match_heading(lines[here[k]].text, table)
        heading = own if own and own.style == "kind" else heading._replace(title=lines[here[k]].text)
        found.append(Mark(here[k], here[k] + 1, heading, heading.title))
    return found


def _key(words: str) -> str:
    return " ".join(words.casefold().split()).rstrip(" .。:：")
