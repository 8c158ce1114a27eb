"""Headings of a manuscript: which of the lines that could be one are, judged by their neighbours."""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from analyzer.text.blocks import Layout, Line, ends_sentence, has_blank_lines, layout_of
from analyzer.text.contents import with_listed, without_contents
from analyzer.text.headings import FEW, STORY, Heading, Mark, Style, match_heading
from analyzer.text.languages import LanguageTable
from analyzer.text.numbering import WIDEST_GAP, numbered_alike
from analyzer.text.readers._pages import parts_sentence
from analyzer.text.readers._reader import BY_LOOKS, UNLISTED, HeadingHint
from analyzer.text.shapes import BEHIND, Said, chapters_alike, read_behind
from analyzer.text.unmarked import with_unmarked
from analyzer.text.volumes import with_volumes

_LONGEST_CLOSE = 80
"""Code points of a heading right below text, without a blank line between."""

_LONGEST_BELOW = {True: 160, False: 40}
"""Code points of a title over several lines, for scripts with spaces and without."""

NOT_LISTED = "the contents list does not name it"
"""What speaks against a heading of a file that is in no contents list."""

_WRAPPED = 12
"""Code points of a line in a dense script; no shorter one is wrapped."""

_CLOSED = "」』”’\"'）)】》〉"
"""What ends a line of speech or a title, which may have no full stop."""

_OPENING = "\"'“‘«‹„‚「『（(《〈—–―-"


def find_marks(
    lines: Sequence[Line],
    hints: Sequence[HeadingHint],
    table: LanguageTable,
    others: Sequence[LanguageTable] = (),
    level: int = 0,
) -> list[Mark]:
    """Return the headings in order, a contents list as one mark of style "contents"; empty where there are none.

    `others` are the tables of further languages in which headings may be (`match_heading`). `level` is the level of the
    chapters among the hints where the format states it: then its hints are the headings and nothing else is one.
    """
    marks = _hinted(lines, [hint for hint in hints if hint.level < BY_LOOKS], table, others, level)
    if marks:
        marks = _with_unlisted(marks, lines, hints, table, others) if level else marks
        marks = with_volumes(marks, lines, table, others)
        marks = with_unmarked(marks, lines, table, others, stated=bool(level))
    if marks and level:
        return _with_titles(marks, lines, table)
    if not marks:
        marks = numbered_alike(_plain(lines, table, others), lines, table)
        marks = with_volumes(chapters_alike(marks, lines, table), lines, table, others)
        if not any(m.heading.style in ("word", "number") for m in marks):
            marks = with_listed(marks, lines, table)
    if not any(m.heading.style in ("word", "number") for m in marks):
        looks = _hinted(lines, [hint for hint in hints if hint.level == BY_LOOKS], table, others, 0)
        marks = sorted({m.line: m for m in [*looks, *marks]}.values())
    marks = without_contents(_without_doubles(_with_parts(marks, lines), lines), lines)
    marks = _without_strays(marks, lines, table)
    return _with_titles(_only_last_end(marks, lines), lines, table)


def _plain(lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable]) -> list[Mark]:
    """Return every line that could be a heading and stands apart from the text above it, or plainly is one."""
    apart = has_blank_lines(lines)
    layout = layout_of(lines, table) if apart else "lines"
    small = _begin_small(lines)
    found: list[Mark] = []
    for i, line in enumerate(lines):
        if not line.text:
            continue
        close = bool(apart and i and lines[i - 1].text and not (found and found[-1].line == i - 1))
        if close and len(line.text) > _LONGEST_CLOSE:
            continue
        heading = match_heading(line.text, table, others)
        if heading is None or (close and not _stands_close(heading, i, lines, layout, table)):
            continue
        if not (heading.title in ("", line.text) and _goes_on(i, lines, small, layout, table)):
            found.append(Mark(i, i + 1, heading, heading.title))
    return found


def _begin_small(lines: Sequence[Line]) -> bool:
    """Say whether the author writes without capitals: most paragraphs begin with a small letter."""
    first = [b.text[0] for a, b in pairwise(lines) if b.text and not a.text]
    return sum(map(str.islower, first)) * 2 > len(first)


def _goes_on(at: int, lines: Sequence[Line], small: bool, layout: Layout, table: LanguageTable) -> bool:
    """Say whether a line is a piece of a hard-wrapped sentence that goes on in the line right below it.

    A small letter there shows it, or in scripts without capitals a long line right above that ends in mid-sentence.
    """
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    if not below:
        return False
    if below[0].islower():
        return not small
    above = lines[at - 1].text if at else ""
    dense = layout != "lines" and not table.script["cased"]
    return dense and len(above) >= _WRAPPED and above[-1] not in _CLOSED and not ends_sentence(above, table)


def _stands_close(heading: Heading, at: int, lines: Sequence[Line], layout: Layout, table: LanguageTable) -> bool:
    """Say whether a line right below text is a heading: it names one, and is no end of a wrapped paragraph.

    A blank line stands below it; a chapter word and number alone, where no line is wrapped, needs none.
    """
    before, line = lines[at - 1].text, lines[at].text
    blank_below = at + 1 >= len(lines) or not lines[at + 1].text
    ended = ends_sentence(before, table)
    if heading.leads:
        return False
    if heading.style == "word" and not heading.title:
        return layout == "lines" or (blank_below and ended)
    if heading.style == "word":
        return blank_below and ended and not ends_sentence(line, table)
    return heading.style == "kind" and heading.kind in STORY and blank_below and ended and heading.title == line


def _without_doubles(marks: list[Mark], lines: Sequence[Line]) -> list[Mark]:
    """Return the marks, one for each number that is printed twice with nothing between: alone, then with the title."""
    found: list[Mark] = []
    for mark in marks:
        if found and _is_double(found[-1], mark) and not any(x.text for x in lines[found[-1].body : mark.line]):
            found[-1] = found[-1]._replace(body=mark.body, title=mark.title or found[-1].title)
        else:
            found.append(mark)
    return found


def _is_double(first: Mark, second: Mark) -> bool:
    one, two = first.heading, second.heading
    numbered = one.style == two.style and one.style in ("word", "number") and _same_number(one, two)
    return numbered and not (one.leads or two.leads) and (not first.title or second.title in ("", first.title))


def _without_strays(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Drop running heads, and lines that break a sequence which goes on without them where they read like a sentence."""
    counted = [m for m in marks if m.heading.style == "word"]
    repeats = [m for a, m in pairwise(counted) if _is_repeat(a, m)]
    cuts = sum(
        1
        for m in repeats
        if parts_sentence([line.text for line in lines[max(0, m.line - 6) : m.line + 6]], min(6, m.line))
    )
    strays = {m.line for m in repeats} if cuts * 3 >= len(repeats) else set()
    for one, mark, two in zip(counted, counted[1:], counted[2:], strict=False):
        before, number, after = (m.heading.number or 0 for m in (one, mark, two))
        goes_on = before < after <= before + WIDEST_GAP and not before <= number <= after
        if goes_on and mark.title and ends_sentence(mark.title, table):
            strays.add(mark.line)
    return [m for m in marks if m.line not in strays]


def _is_repeat(first: Mark, second: Mark) -> bool:
    """Say whether a heading says the same as the one before it, as a running head does."""
    one, two = first.heading, second.heading
    return one.label == two.label and _same_number(one, two) and second.title in ("", first.title)


def _same_number(one: Heading, two: Heading) -> bool:
    return (one.number, one.volume_number) == (two.number, two.volume_number)


def _with_parts(marks: list[Mark], lines: Sequence[Line]) -> list[Mark]:
    """Return the marks with those as parts whose chapter word stands directly above headings with another one (第１章 over 第１話).

    The word of the parts has fewer headings than that of the chapters.
    """
    counts = Counter(m.heading.word for m in marks if m.heading.style == "word")
    if len(counts) < 2:
        return marks
    found = list(marks)
    for i, (mark, below) in enumerate(pairwise(marks)):
        one, two = mark.heading, below.heading
        nested = (
            one.style == two.style == "word" and bool(one.word and two.word) and counts[one.word] < counts[two.word]
        )
        if nested and not any(line.text for line in lines[mark.body : below.line]):
            found[i] = mark._replace(heading=one._replace(style="part"))
    return found


def _with_unlisted(
    marks: list[Mark],
    lines: Sequence[Line],
    hints: Sequence[HeadingHint],
    table: LanguageTable,
    others: Sequence[LanguageTable],
) -> list[Mark]:
    """Return the marks and the headings at the top of a file that the contents list does not name and are a chapter's."""
    unlisted = [hint for hint in hints if hint.level == UNLISTED]
    if not unlisted:
        return marks
    starts = [line.start for line in lines]
    found = list(marks)
    for hint in unlisted:
        heading = match_heading(hint.text.strip(), table, others)
        line = max(0, bisect.bisect_right(starts, hint.start) - 1)
        k = bisect.bisect(found, line, key=lambda mark: mark.line)
        before = found[k - 1].heading.number if k else None
        if heading is not None and _is_chapter(heading, before):
            body = max(line + 1, bisect.bisect_left(starts, hint.end))
            found.insert(k, Mark(line, body, heading, heading.title, NOT_LISTED))
    return found


def _is_chapter(heading: Heading, before: int | None) -> bool:
    """Say whether a heading has the shape of a chapter's; a number alone has where it follows on the one before."""
    if heading.style == "number":
        return before is not None and heading.number == before + 1
    return heading.style == "word" or (heading.style == "kind" and heading.kind in STORY)


def _only_last_end(marks: list[Mark], lines: Sequence[Line]) -> list[Mark]:
    last = max((i for i, line in enumerate(lines) if line.text), default=-1)
    return [m for m in marks if m.heading.style != "end" or m.line == last]


def _with_titles(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Give headings without a title the lines below them where these are one.

    Directly below: where the lines are no sentence. Below a blank line: only if two in three such headings have a
    line there that reads like a title, because a first paragraph may be short.
    """
    apart = has_blank_lines(lines)
    borders = {m.line for m in marks}
    bare = [m for m in marks if not m.title and m.heading.style in ("word", "number")]
    strict = [m for m in bare if _title_below(m, lines, borders, table, strict=True) is not None]
    usual = apart and len(bare) >= 2 and len(strict) * 3 >= len(bare) * 2
    wrapped = _wrapped_titles(marks, lines, borders, table) if apart else {}
    found = []
    for mark in marks:
        if mark.line in wrapped:
            words = " ".join([mark.title, *(line.text for line in lines[mark.body : wrapped[mark.line]])])
            mark = mark._replace(body=wrapped[mark.line], title=words)
        elif not mark.title and mark.heading.style in ("word", "number", "kind", "part"):
            adjacent = mark.body < len(lines) and bool(lines[mark.body].text)
            if (adjacent and apart) or (usual and mark.heading.style in ("word", "number")):
                below = _title_below(mark, lines, borders, table, strict=not usual or adjacent)
                if below is not None:
                    words = " ".join(line.text for line in lines[below[0] : below[1]])
                    mark = mark._replace(body=below[1], title=_without_number(words, mark, table))
        found.append(mark)
    return found


def _wrapped_titles(
    marks: list[Mark], lines: Sequence[Line], borders: set[int], table: LanguageTable
) -> dict[int, int]:
    """Return the lines of headings whose titles go on right below them, with the line each title ends before.

    It goes on in the case it began in or with a small letter; or most headings with a title have such a line below.
    """
    titled = [m for m in marks if m.title and m.heading.style in ("word", "number", "kind", "part")]
    ends = {m.line: end for m in titled if (end := _title_end(m, lines, borders, table))}
    usual = len(ends) >= 2 and len(ends) * 3 >= len(titled) * 2
    found = {}
    for mark in titled:
        below = lines[mark.body].text if mark.line in ends else ""
        if below and (usual or below[0].islower() or (below.isupper() and mark.title.isupper())):
            found[mark.line] = ends[mark.line]
    return found


def _title_end(mark: Mark, lines: Sequence[Line], borders: set[int], table: LanguageTable) -> int | None:
    """Return the line before which a title may end that goes on right below its heading: one or two lines, no sentence."""
    last = mark.body
    while last < len(lines) and lines[last].text and last - mark.body < 3:
        last += 1
    words = [mark.title, *(line.text for line in lines[mark.body : last])]
    size = len(" ".join(words))
    if not 1 < len(words) <= 3 or size > _LONGEST_BELOW[bool(table.sentences["spaced"])]:
        return None
    if borders & set(range(mark.body, last)) or any(ends_sentence(one, table) or "。" in one for one in words):
        return None
    return None if words[1][0] in _OPENING or not any(map(str.isalpha, words[1])) else last


def _without_number(words: str, mark: Mark, table: LanguageTable) -> str:
    """Return the title in the line below a heading, which may say the number of the heading again."""
    again = match_heading(words, table)
    if again is None or again.number is None or again.number != mark.heading.number:
        return words
    return again.title


def _title_below(
    mark: Mark, lines: Sequence[Line], borders: set[int], table: LanguageTable, *, strict: bool
) -> tuple[int, int] | None:
    """Return the lines `[first, last)` of the paragraph below a heading if it reads like a title."""
    first = mark.body
    while first < len(lines) and not lines[first].text:
        first += 1
    last = first
    while last < len(lines) and lines[last].text and last - first < 4:
        last += 1
    words = " ".join(line.text for line in lines[first:last])
    spaced = bool(table.sentences["spaced"])
    if not words or last - first > 3 or len(words) > _LONGEST_BELOW[spaced] or borders & set(range(first, last)):
        return None
    if words[0] in _OPENING or words[0].islower() or words[-1] in ",;:，；：、" or not any(map(str.isalpha, words)):
        return None
    if strict and (words[-1] in ".!?。！？…" or any(ch in "。，" for ch in words)):
        return None
    return first, last


def _hinted(
    lines: Sequence[Line],
    hints: Sequence[HeadingHint],
    table: LanguageTable,
    others: Sequence[LanguageTable],
    stated: int,
) -> list[Mark]:
    """Return the marks of a format that marks headings; empty where its marks are only a title and scenes."""
    read = [(hint, match_heading(hint.text.strip(), table, others)) for hint in hints if hint.text.strip()]
    read = [(hint, None if _is_lone(i, read) else heading) for i, (hint, heading) in enumerate(read)]
    unsaid = [hint.text.strip() for hint, heading in read if heading is None]
    behind = read_behind(unsaid, lines, (table, *others))
    read = [(hint, heading or _heading_in(behind, hint)) for hint, heading in read]
    level = stated or _chapter_level(read)
    starts = [line.start for line in lines]
    marks: list[Mark] = []
    n_of_level = Counter(hint.level for hint, _ in read)
    for i, (hint, heading) in enumerate(read):
        alone = n_of_level[hint.level] == 1
        if hint.level > level or (hint.level < level and i == 0 and alone and heading is None):
            continue
        if heading is None or heading.style == "end":
            style: Style = "titled" if hint.level == level else "part"
            heading = Heading(style, "chapter", "", None, " ".join(hint.text.split()))
        elif stated and (heading.style == "part") != (hint.level < level):
            heading = heading._replace(style="part" if hint.level < level else "word")
        line = max(0, bisect.bisect_right(starts, hint.start) - 1)
        body = max(line + 1, bisect.bisect_left(starts, hint.end))
        if heading.style == "titled" and marks and _lacks_title(marks[-1], lines, line):
            marks[-1] = marks[-1]._replace(body=body, title=heading.title)
            continue
        said = behind.get(hint.text.strip())
        why, shape = (BEHIND, said.shape) if said and heading.style == "word" else ("", "")
        marks.append(Mark(line, body, heading, heading.title, why=why, shape=shape))
    return marks


def _heading_in(behind: Mapping[str, Said], hint: HeadingHint) -> Heading | None:
    said = behind.get(hint.text.strip())
    return said.heading if said else None


def _is_lone(at: int, read: Sequence[tuple[HeadingHint, Heading | None]]) -> bool:
    """Say whether a heading begins with a number so high that it is one only beside others, and stands beside none."""
    heading = read[at][1]
    if heading is None or heading.style != "number" or (heading.number or 0) < FEW:
        return False
    beside = [one for _, one in (*read[max(0, at - 1) : at], *read[at + 1 : at + 2]) if one is not None]
    return not any(0 < abs((one.number or 0) - (heading.number or 0)) <= WIDEST_GAP for one in beside)


def _lacks_title(mark: Mark, lines: Sequence[Line], line: int) -> bool:
    """Say whether a mark is a number alone, with nothing between it and the heading in `line`: that is its title."""
    return (
        mark.heading.style in ("word", "number", "kind")
        and bool(mark.heading.label)
        and not mark.title
        and not any(between.text for between in lines[mark.body : line])
    )


def _chapter_level(read: list[tuple[HeadingHint, Heading | None]]) -> int:
    """Return the level of the chapters: where most headings are numbered or named, else the outermost of several."""
    numbered = Counter(hint.level for hint, heading in read if heading and heading.style in ("word", "number", "kind"))
    if numbered:
        return max(numbered, key=lambda level: (numbered[level], -level))
    counts = Counter(hint.level for hint, _ in read)
    return min((level for level, n in counts.items() if n >= 2), default=0)
