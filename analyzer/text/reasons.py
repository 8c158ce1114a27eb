"""Why a chapter is one, in words, and how sure that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.models.text import ChapterKind
from analyzer.text.headings import Heading, match_heading
from analyzer.text.languages import LanguageTable
from analyzer.text.numbers import LARGEST

_PIECE = re.compile(r"[(（\[［【][^()（）\[\]【】]{1,10}[)）\]］】]\Z")
_SUB_NUMBER = re.compile(r"\d(?:[.\-]\d+|[a-d])\Z", re.IGNORECASE)
"""What a title or label ends in where one number is printed for several pieces: (2), （下）, 12.5, 12b."""

DOUBTED = 0.6
"""Confidence in a heading whose number does not follow on the one before, or that something else speaks against."""

BELOW_LIST = "text below the contents list"
"""Why text without a heading is front or back matter."""

EMPTY = "no text below it"
"""What speaks against a heading that another one follows at once."""


class Found(NamedTuple):
    """A heading as it was found: `filed` is one of a file of its own, `empty` one without text, `why` what else tells one.

    `said` is what the words that tell it say, where its first line alone does not.
    """

    kind: ChapterKind
    heading: str
    filed: bool = False
    empty: bool = False
    doubt: str = ""
    why: str = ""
    said: Heading | None = None


def explain(found: Found, previous: int | None, tables: Sequence[LanguageTable]) -> tuple[str, float]:
    """Return why a chapter with this heading is one, and how sure that is (0 to 1; a ranking, not a frequency).

    `previous` is the number of the chapter of this kind before it in this part, None where there is none; `tables` are those
    of the languages headings are in, the book's own first.
    """
    if not found.heading:
        if found.why:
            return found.why, DOUBTED
        if found.kind == "front":
            return "text before the first heading", 0.6
        return "no heading found: the whole text is one chapter", 0.5
    reason, confidence = _by_words(found, previous, tables)
    doubts = [doubt for doubt in (found.doubt, EMPTY if found.empty else "") if doubt]
    return "; ".join([reason, *doubts]), min(confidence, DOUBTED) if doubts else confidence


def _by_words(found: Found, previous: int | None, tables: Sequence[LanguageTable]) -> tuple[str, float]:
    """Return what the words of the heading and its number say for it."""
    said = found.said if found.why else match_heading(found.heading.split("\n", 1)[0], tables[0], tables[1:])
    if said is None:
        return (found.why, 0.85) if found.why else ("heading marked by the format", 0.9)
    if said.style == "kind" and not found.why:
        return "heading names its kind", 0.95
    what = {"word": "chapter word and number", "number": "number alone", "part": "part word and number"}
    name = found.why or what.get(said.style, "heading marked by the format")
    number = said.number
    goes_on = number == previous and (_PIECE.search(said.title) or _SUB_NUMBER.search(said.label))
    if number is None or previous is None or number == previous + 1 or goes_on:
        if found.why:
            return name, 0.85
        return f"{name}, in sequence", {"word": 0.98, "number": 0.9}.get(said.style, 0.85)
    order = f"{_shown(number)} after {_shown(previous)}"
    if found.filed and number > previous:
        return f"{name} of a file of its own, {order}", 0.85
    return f"{name}, {order}", DOUBTED


def _shown(number: int) -> str:
    return str(number) if abs(number) < LARGEST else "a number of ten figures or more"
