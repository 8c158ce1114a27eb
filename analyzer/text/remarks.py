"""What the author should be told about how a manuscript was read, in sentences."""

from __future__ import annotations

import bisect
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from analyzer.models.text import Dropped
from analyzer.text.blocks import Line, lines_alone, lines_of
from analyzer.text.chapters import ChapterPlan, PlannedChapter
from analyzer.text.chapters_file import BEFORE, CHAPTERS_FILE, quoted
from analyzer.text.headings import match_heading, number_of
from analyzer.text.languages import LanguageTable
from analyzer.text.loose import lines_like_headings, lines_of_kinds
from analyzer.text.readers._reader import UNLISTED, SourceText
from analyzer.text.reasons import BELOW_LIST, DOUBTED, EMPTY
from analyzer.text.shapes import lines_alike
from analyzer.wording import counted, typed

SURE = 0.95
"""Certainty from which a guessed encoding is not doubted. Source: of 2,355 guesses above it on excerpts of eleven novels in all
encodings that hold them, one was wrong; see docs/encodings.md."""

SHOW = "analyzer chapters BOOK"
WRITE = f"{SHOW} --write"
_SEE = f"; see them: {SHOW}"
"""How remarks name what to type; `of_book` puts the book's path in."""

_COUNTED_BY_SIGN = ("invisible character", "hyphen at a line end")
_HEADING = 0.85
"""Confidence from which a heading that chapters.toml does not know is worth a remark."""

_INSERTED = re.compile(r"(?<=\d)(?:[-.–]\d{1,2}(?!\d)|[a-zа-я](?![a-zа-я\d]))", re.IGNORECASE)
"""What authors put to the number of a chapter that comes between two others."""


def remarks_of(
    source: SourceText,
    found: ChapterPlan,
    stated: ChapterPlan | None,
    tables: Sequence[LanguageTable],
    *,
    named: bool,
    lines: Sequence[Line] = (),
) -> tuple[str, ...]:
    """Return the remarks on a manuscript: its encoding, what was taken out, its headings; empty where all is plain.

    `found` are the chapters as detected, `stated` those of the author's own list; `named` says the author named the encoding.
    `tables` are those headings are known by, the book's own first; `lines` are those of the text where they are known already.
    """
    said = [
        _on_encoding(source, named),
        _on_removed(source),
        *(
            _on_list(source, found, stated, tables, lines or lines_of(source.text))
            if stated
            else (
                _on_none(source.text, found, tables),
                _on_front(found),
                _on_sequence(found),
                _on_doubts(found),
                _on_empty(found),
                _on_passed_over(source, found, tables, lines),
            )
        ),
    ]
    return tuple(one for one in said if one)


def of_book(remarks: Sequence[str], book: Path | str, *, made: bool = True, shown: bool = False) -> tuple[str, ...]:
    """Return the remarks with the path of the book they are on in what can be typed.

    `made` says that there is a book to write in, `shown` that the chapters are being shown.
    """
    show = typed("chapters", book)
    write = f"{show} --write" if made else f"{typed('init', book)} and then {show} --write"
    return tuple((one.replace(_SEE, "") if shown else one).replace(WRITE, write).replace(SHOW, show) for one in remarks)


def _on_encoding(source: SourceText, named: bool) -> str:
    if not source.encoding or (source.encoding == "UTF-8" and source.encoding_certainty >= SURE):
        return ""
    if named:
        return f"read as {source.encoding}, as named"
    sure = f"read as {source.encoding}, {min(source.encoding_certainty, 0.999):.1%} sure"
    if source.encoding_certainty == 1.0:
        sure = f"read as {source.encoding}"
    doubt = "look at the letters: " if source.encoding_certainty < SURE else ""
    return f"{sure}; {doubt}another one can be named with --encoding"


def _on_removed(source: SourceText) -> str:
    counts: Counter[str] = Counter()
    for one in source.removed:
        counts[one.kind] += len(one.text) if one.kind in _COUNTED_BY_SIGN else 1
    if not counts:
        return ""
    return "taken out of the text: " + ", ".join(f"{kind} ({n:,})" for kind, n in counts.most_common())


def _on_none(text: str, found: ChapterPlan, tables: Sequence[LanguageTable]) -> str:
    if any(chapter.heading for chapter in found.chapters):
        return ""
    lines = lines_of(text)
    like = _counted_lines(lines, tables[0]) or [lines[i].text for i in lines_alike(lines, tables[0])]
    seen = f"; {_named(like)} look like headings but are not taken for any" if like else ""
    return (
        f"no chapter headings were found: the whole text is one chapter{seen}; where it has some, list them: {WRITE} makes "
        f"{CHAPTERS_FILE}"
    )


def _counted_lines(lines: Sequence[Line], table: LanguageTable) -> list[str]:
    """Return the lines of their own that begin with numbers one after the other, two at least; else none."""
    numbers: list[int] = []
    words: list[str] = []
    for i in lines_alone(lines):
        heading = match_heading(lines[i].text, table)
        if heading is None or heading.style not in ("number", "word") or heading.number is None:
            continue
        if numbers and heading.number != numbers[-1] + 1 and len(numbers) > 1:
            break
        if numbers and heading.number != numbers[-1] + 1:
            numbers, words = [], []
        numbers.append(heading.number)
        words.append(lines[i].text)
    return words if len(words) > 1 else []


def _named(words: Sequence[str]) -> str:
    """Return the first two of these lines in quotes and how many more there are."""
    shown = ", ".join(repr(_one_line(one)) for one in words[:2])
    return f"{shown} and {len(words) - 2} more" if len(words) > 2 else shown


def _on_front(found: ChapterPlan) -> str:
    unheaded = [c for c in found.chapters if not c.heading and c.kind in ("front", "back")]
    said = [
        f"the text {'below the contents list' if c.reason.startswith(BELOW_LIST) else 'before the first heading'} "
        f"({counted(c.end - c.start, 'character')}) is kept as {c.kind} matter"
        for c in unheaded
    ]
    return "; ".join(said)


def _on_sequence(found: ChapterPlan) -> str:
    """Say which numbers are left out between two chapters, and which do not follow on the one before; all are chapters."""
    counted = [c for c in found.chapters if c.label and c.confidence <= DOUBTED and not c.doubt]
    gaps = [c for c in counted if _is_gap(c, found)]
    odd = [c for c in counted if c not in gaps]
    said = [_gap(gaps[0], found)] if gaps else []
    said += [f"{_one_line(odd[0].heading)!r} ({odd[0].reason})"] if odd else []
    if not said:
        return ""
    n_more = len(counted) - len(said)
    more = f", and {n_more} more" if n_more else ""
    return f"chapter numbers are not in sequence: {', '.join(said)}{more}{_SEE}"


def _is_gap(chapter: PlannedChapter, found: ChapterPlan) -> bool:
    """Say whether numbers are left out before a chapter, none of which stands anywhere else in its part."""
    if chapter.missing is None:
        return False
    first, last = chapter.missing
    alike = (c for c in found.chapters if c.kind == chapter.kind and c.part == chapter.part and c.number is not None)
    return not any(first <= (c.number or 0) <= last for c in alike)


def _gap(chapter: PlannedChapter, found: ChapterPlan) -> str:
    """Return which numbers are left out between a chapter and the one of its kind before it."""
    first, last = chapter.missing or (0, 0)
    before = [c for c in found.chapters if c.start < chapter.start and c.kind == chapter.kind and c.label]
    between = f"between {_one_line(before[-1].heading)!r} and {_one_line(chapter.heading)!r}" if before else ""
    return f"{first} is missing {between}" if first == last else f"{first} to {last} are missing {between}"


def _on_doubts(found: ChapterPlan) -> str:
    """Say which headings are taken for some in spite of what speaks against them."""
    doubted = [c for c in found.chapters if c.doubt and c.doubt != EMPTY]
    if not doubted:
        return ""
    return (
        f"taken for chapters, though it is not sure that they are some ({doubted[0].doubt}): "
        f"{_named([c.heading for c in doubted])}; where they are none, list the chapters: {WRITE} makes {CHAPTERS_FILE}"
    )


def _on_empty(found: ChapterPlan) -> str:
    empty = [c for c in found.chapters if c.doubt == EMPTY]
    if not empty:
        return ""
    what = "a chapter has" if len(empty) == 1 else f"{len(empty)} chapters have"
    return f"{what} no text below the heading: {_named([c.heading for c in empty])}"


def _on_passed_over(
    source: SourceText, found: ChapterPlan, tables: Sequence[LanguageTable], known: Sequence[Line]
) -> str:
    """Say which lines of their own with a chapter word and another number than their chapter's begin no chapter."""
    if not any(chapter.heading for chapter in found.chapters):
        return ""
    starts = [chapter.start for chapter in found.chapters]
    headings = {line for chapter in found.chapters for line in chapter.heading.split("\n")}
    over: list[str] = []
    place = ""
    lines = known or lines_of(source.text)
    like = [(i, heading.number) for i, heading in lines_like_headings(lines, tables[0], tables[1:])]
    unlisted = {hint.start for hint in source.headings if hint.level == UNLISTED}
    like += [(i, None) for i in lines_alike(lines, tables[0])]
    like += [(i, None) for i in range(len(lines) if unlisted else 0) if lines[i].text and lines[i].start in unlisted]
    like += [(i, None) for i in (lines_of_kinds(lines, tables[0], tables[1:]) if source.headings else ())]
    for i, number in sorted(dict(reversed(like)).items()):
        at = bisect.bisect(starts, lines[i].start) - 1
        owner = found.chapters[at]
        inside = at >= 0 and owner.body_start <= lines[i].start < owner.end
        if inside and (number is None or number != number_of(owner.label, tables)) and lines[i].text not in headings:
            over.append(lines[i].text)
            place = place or f"line {_line(source.text, lines[i].start)}, in {_one_line(owner.heading)!r}"
    if not over:
        return ""
    if len(over) == 1:
        said = f"{_named(over)} looks like a heading but begins no chapter ({place}); where it does"
    else:
        said = f"{_named(over)} look like headings but begin no chapter, the first one at {place}; where they do"
    return f"{said}, list them: {WRITE} makes {CHAPTERS_FILE}"


def _on_list(
    source: SourceText,
    found: ChapterPlan,
    stated: ChapterPlan,
    tables: Sequence[LanguageTable],
    lines: Sequence[Line],
) -> tuple[str, ...]:
    """Say what the author's list leaves out: text before its first entry, and headings inside of its chapters."""
    text = source.text
    headings = dict(_like_headings(lines, tables))
    if source.headings:
        like = [i for i, _ in lines_like_headings(lines, tables[0], tables[1:])]
        like += lines_of_kinds(lines, tables[0], tables[1:])
        headings |= {lines[i].start: lines[i].text for i in like}
    sure = (c for c in found.chapters if c.kind == "chapter" or c.confidence >= _HEADING)
    headings |= {c.start: c.heading for c in sure if c.heading}
    before = [gap for gap in stated.dropped if gap.start == 0 and gap.reason == BEFORE]
    said = [_before(text, gap, headings) for gap in before]
    unlisted = sorted((at, words) for at, words in headings.items() if _is_inside(text, at, words, stated))
    if unlisted:
        at, words = unlisted[0]
        more = f" and {len(unlisted) - 1} more" if len(unlisted) > 1 else ""
        no = sum(1 for chapter in stated.chapters if chapter.start <= at)
        owner = "its last chapter" if no == len(stated.chapters) else f"its entry of chapter {no}"
        said.append(
            f"{CHAPTERS_FILE} does not list the heading {_one_line(words)!r}{more} (line {_line(text, at)}): "
            f"that text belongs to {owner} now; where it is meant to, name the heading there: includes = "
            f"{_toml(words)}"
        )
    return tuple(said)


def _before(text: str, gap: Dropped, headings: Mapping[int, str]) -> str:
    inside = sorted((at, words) for at, words in headings.items() if gap.start <= at < gap.end)
    words = inside[0][1] if inside else text[gap.start : gap.end].strip()
    return (
        f"{CHAPTERS_FILE} has no entry for the text before its first one (line {_line(text, gap.end)}), with "
        f"{_one_line(words)!r}: it belongs to no chapter now"
    )


def _is_inside(text: str, at: int, words: str, stated: ChapterPlan) -> bool:
    """Say whether a heading stands in the text of a chapter that is listed, and not directly above the next entry."""
    starts = sorted([*(chapter.start for chapter in stated.chapters), *(gap.start for gap in stated.dropped)])
    owner = next((c for c in reversed(stated.chapters) if c.start <= at < c.end), None)
    if owner is None or at < owner.body_start or at == owner.start or _included(words, owner):
        return False
    following = next((start for start in starts if start > at), len(text))
    return bool(text[at + len(words) : following].strip()) or following == len(text)


def _included(words: str, owner: PlannedChapter) -> bool:
    """Say whether the author's entry names a heading as one that belongs to its text."""
    line = words.partition("\n")[0].strip()
    return any(line == one or (one.endswith("…") and line.startswith(one[:-1])) for one in owner.includes)


def _toml(words: str) -> str:
    """Return the first line of a heading as a list of one string in a chapters.toml."""
    return json.dumps([quoted(words.partition("\n")[0])], ensure_ascii=False)


def _like_headings(lines: Sequence[Line], tables: Sequence[LanguageTable]) -> list[tuple[int, str]]:
    """Return the lines that stand alone and are headings, or would be without what was put to their numbers (1b, 1-2)."""
    found = []
    for i in lines_alone(lines):
        plain = _INSERTED.sub("", lines[i].text)
        heading = match_heading(plain, tables[0], tables[1:]) if plain != lines[i].text else None
        if heading is not None and heading.style == "word":
            found.append((lines[i].start, lines[i].text))
    return found


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _one_line(words: str) -> str:
    line = " ".join(words[:200].split())
    return line if len(line) <= 60 else line[:59].rstrip() + "…"
