"""Numbers that Word counts by itself: a heading may hold only its title, or nothing, and show "Chapter 3" on the page.

Only headings get their numbers; those of lists are left out. Numbers in words are written in figures, because the words
depend on a language the definition does not state.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._counted import Form, written
from analyzer.text.readers._docx_names import attribute, child, name_of, switch, value, whole_number

if TYPE_CHECKING:
    from lxml import etree

_LEVELS = 9
_MOST = 32_767
"""Word's own bound of a start value."""

_PLACE = re.compile(r"%([1-9])")
_LONGEST_LABEL = 80
_FORMS: dict[str, Form] = {
    "decimalZero": "padded",
    "upperRoman": "upper roman",
    "lowerRoman": "lower roman",
    "upperLetter": "upper letter",
    "lowerLetter": "lower letter",
}
_EAST_ASIAN = ("chinese", "japanese", "taiwanese", "ideograph")


class _Level(NamedTuple):
    start: int
    form: Form
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
            form="ideographs" if form.startswith(_EAST_ASIAN) else _FORMS.get(form, "figures"),
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
    return written(number, "figures" if levels[at].figures else levels[level].form)
