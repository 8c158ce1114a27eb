"""Headings that only their likeness tells: the same words before a number in line after line, figures written onto a title.

Korean web novels print the name of the book before every number (`소금길 1화`), Chinese ones write it onto the title (`01渡口`).
One such line says nothing; three that stand alone and count up do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import NamedTuple

from analyzer.text.blocks import LONGEST_ALONE, Line, ends_sentence, lines_alone
from analyzer.text.headings import STORY, Heading, Mark, match_heading
from analyzer.text.languages import LanguageTable
from analyzer.text.numbering import WIDEST_GAP, has_prose
from analyzer.text.numbers import FOLD, value_of

ALIKE = "lines of one shape that count up"
"""Why a line is a heading whose own words do not tell it."""

BEHIND = "heading behind the same words as others"
"""Why a line is a heading that a format marks, or leaves out among those it marks, with the book's name before the number."""

_FEWEST = 3
"""Lines of one shape from which they are chapters."""

_LONGEST_TITLE = 20
"""Code points of a title that figures are written onto."""

_FIGURES = "{n}"
"""The shape of figures on a title."""

_GAP = re.compile(r"[\s\-–—―─:：·|｜,，_/~]+")
_PART_GAP = re.compile(r"[\s\-–—―─:：·|｜,，_/~]*[（(\[［【〈《]\s*|[\s\-–—―─:：·|｜,，_/~]+")
_SIGN_GAP = re.compile(r"\s*[\-–—―─:：·|｜,，_/~\u3000]")
_WRITTEN_ON = re.compile(r"(?P<n>\d{1,5})(?P<title>[^\W\d_].*)\Z")


class Shaped(NamedTuple):
    """A line that may be a heading of a shape: `shape` is what it has in common with others, as small letters."""

    line: int
    shape: str
    heading: Heading


def chapters_alike(marks: list[Mark], lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Return the marks, or where lines of one shape are more than those with numbers, the chapters these lines begin.

    Lines with the same words before the name of a prologue, an epilogue or the like are headings of that kind then.
    """
    counted = sum(1 for m in marks if m.heading.style == "word")
    bare = sum(1 for m in marks if m.heading.style == "number")
    shaped = lines_of_shapes(lines, table)
    for shape in dict.fromkeys(one.shape for one in shaped):
        alike = [one for one in shaped if one.shape == shape]
        if len(alike) > counted and len(alike) >= max(bare, _FEWEST) and _counts_up(alike, lines, table):
            headed = [Mark(s.line, s.line + 1, s.heading, s.heading.title, why=ALIKE) for s in alike]
            rest = [m for m in marks if m.heading.style != "number"]
            named = _named(shape, lines, table)
            return sorted({m.line: m for m in [*rest, *named, *headed]}.values())
    return marks


def lines_alike(lines: Sequence[Line], table: LanguageTable) -> list[int]:
    """Return the lines of one shape that count up, two at least: chapters or not."""
    shaped = lines_of_shapes(lines, table)
    found: list[int] = []
    for shape in dict.fromkeys(one.shape for one in shaped):
        alike = [one for one in shaped if one.shape == shape]
        steps = [(b.heading.number or 0) - (a.heading.number or 0) for a, b in pairwise(alike)]
        least = 1 if shape == _FIGURES else -WIDEST_GAP
        if steps and all(least <= step <= WIDEST_GAP and step for step in steps):
            found += [one.line for one in alike]
    return sorted(found)


def lines_of_shapes(lines: Sequence[Line], table: LanguageTable) -> list[Shaped]:
    """Return the short lines alone with words before a chapter word and number, figures on a title, or a letter for the number."""
    found = []
    for i in lines_alone(lines, LONGEST_ALONE, title=True):
        words = lines[i].text
        if ends_sentence(words, table) and words[-1:] not in ")）」』】":
            continue
        one = _written_on(i, words, table) or behind_words(i, words, table) or _lettered(i, words, table)
        if one is not None:
            found.append(one)
    return found


def _written_on(line: int, words: str, table: LanguageTable) -> Shaped | None:
    """Return figures with a title written right onto them (01渡口), in scripts without capitals."""
    match = None if table.script["cased"] else _WRITTEN_ON.match(words.translate(FOLD))
    if match is None or len(match["title"]) > _LONGEST_TITLE or match_heading(words, table) is not None:
        return None
    if any(ch in "，、,。！？" for ch in match["title"]) or match["title"][0].isascii():
        return None
    label, title = words[: match.end("n")], words[match.end("n") :]
    return Shaped(line, _FIGURES, Heading("word", "chapter", label, value_of(label, table), title))


def behind_words(line: int, words: str, table: LanguageTable) -> Shaped | None:
    """Return a chapter word and number behind other words and a gap (소금길 - 제1화)."""
    folded = words.casefold()
    if words[0] in "\"'“‘«「『" or not any(word in folded for word in table.chapters["words"]):
        return None
    for gap in list(_GAP.finditer(words))[:8]:
        before, inner = words[: gap.start()], words[gap.end() :]
        if not before or not inner or not any(map(str.isalpha, before)):
            continue
        heading = match_heading(inner, table)
        if heading is not None and heading.style == "word" and match_heading(words, table) is None:
            return Shaped(line, before.lower(), heading)
    return None


def _lettered(line: int, words: str, table: LanguageTable) -> Shaped | None:
    """Return a chapter word with a capital letter of the alphabet for its number (Chapter A)."""
    head, _, rest = words.partition(" ")
    known = {word.casefold() for word in table.chapters["words"]}
    letter = re.match(r"([A-Z])(?:\s*[.:：\-–—]\s*(.*))?\Z", rest)
    if head.casefold() not in known or letter is None:
        return None
    heading = Heading(
        "word", "chapter", letter[1], ord(letter[1]) - ord("A") + 1, letter[2] or "", word=head.casefold()
    )
    return Shaped(line, f"{head.casefold()} {{a}}", heading)


def _counts_up(alike: Sequence[Shaped], lines: Sequence[Line], table: LanguageTable) -> bool:
    """Say whether the numbers rise, line by line, in small steps, figures on titles from 0 or 1, with prose below most."""
    numbers = [one.heading.number or 0 for one in alike]
    strict = alike[0].shape.endswith(("{n}", "{a}"))
    if strict and (numbers[0] > 1 or any(b - a != 1 for a, b in pairwise(numbers))):
        return False
    for one, two in pairwise(alike):
        step = (two.heading.number or 0) - (one.heading.number or 0)
        anew = two.heading.number in (0, 1) and one.heading.volume_number != two.heading.volume_number
        if not 0 < step <= WIDEST_GAP and not anew:
            return False
    ends = [one.line for one in alike[1:]] + [len(lines)]
    below = sum(has_prose(lines[one.line + 1 : end], table) for one, end in zip(alike, ends, strict=True))
    return below * 3 >= len(alike) * 2


def _named(shape: str, lines: Sequence[Line], table: LanguageTable) -> list[Mark]:
    """Return the lines alone with the words of a shape before the name of a kind of the story (소금길 외전)."""
    found = []
    for i in lines_alone(lines, LONGEST_ALONE, title=True):
        heading = behind_kind(lines[i].text, (shape,), table)
        if heading is not None:
            found.append(Mark(i, i + 1, heading, heading.title, why=ALIKE))
    return found


def behind_kind(words: str, shapes: Collection[str], table: LanguageTable) -> Heading | None:
    """Return the kind of the story that a line names behind the words of one of these shapes, or None."""
    for gap in list(_GAP.finditer(words))[:8]:
        if words[: gap.start()].lower() not in shapes:
            continue
        heading = match_heading(words[gap.end() :], table)
        if heading is not None and heading.style == "kind" and heading.kind in STORY:
            return heading
    return None


def shapes_of(marks: Sequence[Mark]) -> tuple[str, ...]:
    """Return the words that marks have before their chapter words, as small letters."""
    return tuple(dict.fromkeys(mark.shape for mark in marks if mark.shape))


class Said(NamedTuple):
    """What the words of a marked heading say: `shape` are the words before its chapter word, "" where it has none."""

    heading: Heading
    shape: str = ""


def read_behind(headings: Sequence[str], lines: Sequence[Line], tables: Sequence[LanguageTable]) -> dict[str, Said]:
    """Return what those of a format's headings say that have other words before chapter word and number (Salt Road - Chapter 1).

    Two at least have the same words there, or a sign parts them from the rest; then kinds and volumes behind the same words are
    read too. `headings` are those that say nothing by themselves.
    """
    found: dict[str, Said] = {}
    shaped = {words: one for words in headings if (one := _first_of(behind_words, words, tables)) is not None}
    counts = Counter(one.shape for one in shaped.values())
    twice = _standing_twice(lines, tables) if 1 in counts.values() else frozenset()
    for words, one in shaped.items():
        parted = _SIGN_GAP.match(words, len(one.shape)) is not None
        if parted or counts[one.shape] > 1 or one.shape in twice:
            found[words] = Said(one.heading, one.shape)
    shapes = {said.shape for said in found.values()}
    for words in headings if shapes else ():
        kind = next((k for table in tables if (k := behind_kind(words, shapes, table)) is not None), None)
        if words not in found and kind is not None:
            found[words] = Said(kind)
    volumes = {words: one for words in headings if (one := _first_of(behind_part, words, tables)) is not None}
    counts = Counter(one.shape for one in volumes.values())
    for words, one in volumes.items():
        if words not in found and counts[one.shape] > 1:
            found[words] = Said(one.heading)
    return found


def _first_of(
    read: Callable[[int, str, LanguageTable], Shaped | None], words: str, tables: Sequence[LanguageTable]
) -> Shaped | None:
    return next((one for table in tables if (one := read(0, words, table)) is not None), None)


def _standing_twice(lines: Sequence[Line], tables: Sequence[LanguageTable]) -> frozenset[str]:
    """Return the words that two lines alone have before a chapter word and number."""
    counts = Counter(one.shape for table in tables for one in lines_of_shapes(lines, table))
    return frozenset(shape for shape, n in counts.items() if n > 1)


def behind_part(line: int, words: str, table: LanguageTable) -> Shaped | None:
    """Return a part of the work behind other words and a gap (Salt Road: Book Two, 소금길 2권, 塩の道　下)."""
    if not words or words[0] in "\"'“‘«「『":
        return None
    for gap in list(_PART_GAP.finditer(words))[:8]:
        before, inner = words[: gap.start()], words[gap.end() :].rstrip(" ）)]］】〉》")
        if not inner or not any(map(str.isalpha, before)):
            continue
        heading = match_heading(inner, table)
        if heading is not None and heading.style == "part" and match_heading(words, table) is None:
            return Shaped(line, before.lower(), heading)
    return None


def title_before_part(words: str, table: LanguageTable) -> str:
    """Return the name of the book in the heading of a volume, "" where it has none."""
    shaped = behind_part(0, words, table)
    return words[: len(shaped.shape)].strip() if shaped else ""
