"""Lines alone that read like headings where a format marks others: a chapter word and number, a kind, a number, a book's name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from analyzer.text.blocks import LONGEST_ALONE, Line, ends_sentence, has_blank_lines, lines_alone
from analyzer.text.headings import Heading, Mark, kind_words, lead_of, match_heading, may_be_heading, without_ornaments
from analyzer.text.languages import LanguageTable
from analyzer.text.numbers import CHINESE, HANGUL, ROMAN_SIGNS, SIGNS
from analyzer.text.shapes import BEHIND, behind_kind, behind_words, shapes_of

UNMARKED = "not marked like the others"
"""What speaks against a heading that only its words and its number tell where the format marks others."""

_LONGEST_BELOW = {True: 160, False: 40}
"""Code points of a heading over several lines, for scripts with spaces and without."""

_MOST_LINES = 3
"""Lines of a heading."""

_OPENING = "\"'“‘«‹„‚「『（(《〈—–―-"
_PARTED = re.compile(r"(?:[:：|·、\-–—―]\s*|[\u3000\t])\Z")
"""What parts the name of a kind from a title."""


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


@lru_cache(maxsize=32)
def _first_sketch(table: LanguageTable) -> re.Pattern[str]:
    """Return a pattern of what lines begin with that name a kind or a number, casefolded."""
    kinds = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in kind_words(table))
    basic = " ".join(table.chapters["ones"] + table.chapters["tens"]).casefold().split()
    numbers = rf"\d|[ivxlcdm]+(?!\w)|[{SIGNS}{ROMAN_SIGNS}{CHINESE}]"
    words = "".join(f"|{re.escape(word)}" for word in sorted(basic, key=len, reverse=True))
    return re.compile(f"{lead_of()}(?:{kinds}|{numbers}{words})")


def loose_headings(
    lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable], marks: Sequence[Mark]
) -> list[Mark]:
    """Return the short lines alone that read like headings, each with the lines of its title right below; all are doubted.

    `marks` are those of the format: a line with words before its chapter word is like a heading only where one of them has
    the same. Cost: 60 ms a million code points.
    """
    shapes = shapes_of(marks)
    tables = (table, *others)
    apart = has_blank_lines(lines)
    found: list[Mark] = []
    for i in lines_alone(lines, LONGEST_ALONE, title=True):
        folded = lines[i].text.casefold()
        named = bool(shapes) and lines[i].text.lower().startswith(shapes)
        if not (named or any(_first_sketch(one).match(folded) or may_count(folded, one) for one in tables)):
            continue
        body = _end(i, lines, table) if apart else i + 1
        said = _read(lines[i].text, table, others, shapes) if body else None
        if said is not None:
            heading, why = said
            below = [line.text for line in lines[i + 1 : body]]
            title = heading.title
            if below:
                own = "" if title == without_ornaments(lines[i].text) else title
                title = " ".join(filter(None, (own, *below)))
            found.append(Mark(i, body, heading, title, UNMARKED, why))
    return found


def lines_of_kinds(lines: Sequence[Line], table: LanguageTable, others: Sequence[LanguageTable]) -> Iterator[int]:
    """Yield the lines alone that name a kind of chapter and nothing else, with words above and below that are no headings."""
    for i in lines_alone(lines, LONGEST_ALONE):
        folded = lines[i].text.casefold()
        if any(_first_sketch(one).match(folded) for one in (table, *others)):
            said = _read(lines[i].text, table, others, ())
            around = [*_next_words(lines, i, -1), *_next_words(lines, i, 1)]
            plain = not any(match_heading(line, table, others) for line in around)
            if said is not None and said[0].style == "kind" and plain:
                yield i


def _next_words(lines: Sequence[Line], at: int, step: int) -> list[str]:
    """Return the next line with words above or below a line, as a list of one; of none where there is none or it is long."""
    at += step
    while 0 <= at < len(lines) and not lines[at].text:
        at += step
    return [lines[at].text] if 0 <= at < len(lines) and len(lines[at].text) <= LONGEST_ALONE else []


def _read(
    words: str, table: LanguageTable, others: Sequence[LanguageTable], shapes: tuple[str, ...]
) -> tuple[Heading, str] | None:
    """Return what a line says as a heading, and what else than its own words tells it."""
    heading = match_heading(words, table, others)
    if heading is not None:
        if heading.leads or heading.style not in ("word", "number", "kind"):
            return None
        alone = heading.style != "kind" or _is_kind_alone(words, heading, table)
        return (heading, "") if alone else None
    for one in (table, *others):
        shaped = behind_words(0, words, one)
        if shaped is not None and shaped.shape in shapes:
            return shaped.heading, BEHIND
        kind = behind_kind(words, shapes, one) if shapes else None
        if kind is not None:
            return kind, BEHIND
    return None


def _is_kind_alone(words: str, heading: Heading, table: LanguageTable) -> bool:
    """Say whether a line is the name of a kind, with a number or a title that a sign parts from it, and no sentence."""
    bare = without_ornaments(words)
    if heading.kind in ("prologue", "epilogue", "interlude", "chapter"):
        bare = bare.rstrip(".")
    if ends_sentence(bare, table):
        return False
    if not heading.title or heading.title.rstrip(".") == bare.rstrip("."):
        return True
    named = heading.kind not in ("front", "back") and not heading.title[0].islower()
    return named and _PARTED.search(words[: words.rfind(heading.title)]) is not None


def _end(first: int, lines: Sequence[Line], table: LanguageTable) -> int:
    """Return the line a heading ends before that begins in line `first`; 0 where the lines right below are text."""
    last = first + 1
    while last < len(lines) and lines[last].text and last - first <= _MOST_LINES:
        last += 1
    words = [line.text for line in lines[first:last]]
    if len(words) == 1:
        return last
    long = sum(map(len, words)) > _LONGEST_BELOW[bool(table.sentences["spaced"])]
    if len(words) > _MOST_LINES or long or any(ends_sentence(one, table) or "。" in one for one in words[1:]):
        return 0
    return 0 if words[1][0] in _OPENING or not any(map(str.isalpha, words[1])) else last
