"""Numbers that Word counts by itself: a heading may hold only its title, or nothing, and show "Chapter 3" on the page.

Only headings get their numbers; those of lists are left out. Numbers in words are written in figures, because the words
depend on a language the definition does not state.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._docx_names import attribute, child, name_of, switch, value, whole_number

if TYPE_CHECKING:
    from lxml import etree

_LEVELS = 9
_MOST = 32_767
"""Word's own bound of a start value."""

_PLACE = re.compile(r"%([1-9])")
_ROMAN = tuple(
    zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split(), strict=True)
)
_IDEOGRAPHS = "〇一二三四五六七八九"
_EAST_ASIAN = ("chinese", "japanese", "taiwanese", "ideograph")
_LONGEST_LABEL = 80


class _Level(NamedTuple):
    start: int
    form: str
    text: str
    style: str
    restarts: bool
    figures: bool


class Numbering:
    """The counters of a document's numbered headings; they go on from heading to heading, so walk in order."""

    def __init__(self, root: etree._Element | None) -> None:
        self._root = root
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[str, list[int | None]] = {}
        for element in root if root is not None else ():
            name = name_of(element)
            if name == "w:abstractNum":
                self._levels[attribute(element, "abstractNumId") or ""] = _levels(element)
            elif name == "w:num":
                self._lists[attribute(element, "numId") or ""] = value(element, "w:abstractNumId") or ""

    def anew(self) -> Numbering:
        """Return the same definitions with all counters at their start."""
        return Numbering(self._root)

    def label(self, place: tuple[str, int] | None, style: str | None) -> str:
        """Count one heading and return the number it shows, "" where it shows none."""
        definition = self._lists.get(place[0], "") if place else ""
        levels = self._levels.get(definition)
        if place is None or not levels:
            return ""
        at = next((i for i, level in levels.items() if style and level.style == style), place[1])
        if at not in levels:
            return ""
        counts = self._counts.setdefault(definition, [None] * _LEVELS)
        before = counts[at]
        counts[at] = levels[at].start if before is None else before + 1
        for deeper in range(at + 1, _LEVELS):
            if deeper in levels and levels[deeper].restarts:
                counts[deeper] = None
        return _PLACE.sub(lambda found: _shown(levels, counts, int(found[1]) - 1, at), levels[at].text).strip()


def _levels(definition: etree._Element) -> dict[int, _Level]:
    found = {}
    for element in definition:
        at = whole_number(attribute(element, "ilvl"), 0, _LEVELS - 1) if name_of(element) == "w:lvl" else None
        if at is None:
            continue
        start = whole_number(value(element, "w:start"), 0, _MOST)
        form = value(element, "w:numFmt") or "decimal"
        found[at] = _Level(
            start=1 if start is None else start,
            form=form,
            text="" if form in ("bullet", "none") else (value(element, "w:lvlText") or "")[:_LONGEST_LABEL],
            style=value(element, "w:pStyle") or "",
            restarts=value(element, "w:lvlRestart") != "0",
            figures=child(element, "w:isLgl") is not None and switch(element, "w:isLgl") is not False,
        )
    return found


def _shown(levels: dict[int, _Level], counts: list[int | None], level: int, at: int) -> str:
    count = counts[level]
    if level not in levels:
        return ""
    number = levels[level].start if count is None else count
    return _written(number, "decimal" if levels[at].figures else levels[level].form)


def _written(number: int, form: str) -> str:
    """Return a number in one of Word's forms; figures for those with words."""
    if form in ("upperRoman", "lowerRoman") and 0 < number < 4000:
        roman = _roman(number)
        return roman if form == "upperRoman" else roman.lower()
    if form in ("upperLetter", "lowerLetter") and number > 0:
        letter = chr(ord("A") + (number - 1) % 26) * min((number - 1) // 26 + 1, 10)
        return letter if form == "upperLetter" else letter.lower()
    if form == "decimalZero":
        return f"{number:02}"
    if form.startswith(_EAST_ASIAN) and 0 <= number < 10_000:
        return _ideographs(number)
    return str(number)


def _roman(number: int) -> str:
    found = ""
    for worth, letters in _ROMAN:
        found += letters * (number // worth)
        number %= worth
    return found


def _ideographs(number: int) -> str:
    """Return 0 to 9,999 in Chinese figures with their tens."""
    if number < 10:
        return _IDEOGRAPHS[number]
    found, skipped = "", False
    for worth, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // worth % 10
        if digit:
            found += ("〇" if skipped and found else "") + _IDEOGRAPHS[digit] + sign
        skipped = digit == 0
    return found[1:] if 10 <= number < 20 else found
