"""Styles of a DOCX file: what a style says after all it is based on.

A style counts as a heading by its outline level first, then by its name, then by the style it is based on.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._docx_names import attribute, child, name_of, switch, value, whole_number
from analyzer.text.readers._stylenames import custom_level, heading_level, is_contents, is_title

if TYPE_CHECKING:
    from lxml import etree

_BODY_TEXT = 9
"""The outline level that says: no heading."""

_LONGEST_CHAIN = 50
"""Styles based on each other; Word's own chains have at most four."""


class Style(NamedTuple):
    """What a style says of its paragraphs and runs; None where it says nothing.

    `level` is 1 to 9, 0 for none; `numbering` is the list (number and level of a numbering definition) it belongs to.
    """

    level: int = 0
    custom: int = 0
    title: bool = False
    contents: bool = False
    bold: bool | None = None
    centred: bool | None = None
    hidden: bool | None = None
    numbering: tuple[str, int] | None = None


class Styles:
    """The styles of a file, each resolved once."""

    def __init__(self, root: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._known: dict[str, Style] = {}
        self._default = ""
        for element in root if root is not None else ():
            identifier = attribute(element, "styleId") if name_of(element) == "w:style" else None
            if identifier is None:
                continue
            self._elements.setdefault(identifier, element)
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in ("1", "true", "on"):
                self._default = self._default or identifier

    def of(self, identifier: str | None) -> Style:
        """Return the style of an identifier; the default paragraph style for None; an unknown one goes by its name."""
        key = self._default if identifier is None else identifier
        found = self._known.get(key)
        if found is None:
            found = self._resolved(key)
            if len(self._known) < 10_000:
                self._known[key] = found
        return found

    def run(self, identifier: str | None) -> Style:
        """Return the character style of an identifier; an empty style where there is none."""
        return self.of(identifier) if identifier is not None and identifier in self._elements else Style()

    def _resolved(self, identifier: str) -> Style:
        chain: list[etree._Element] = []
        names: list[str] = []
        following: str | None = identifier
        while following is not None and len(chain) < _LONGEST_CHAIN:
            element = self._elements.get(following)
            if element is None:
                names.append(following)
                break
            if element in chain:
                break
            chain.append(element)
            names.append(value(element, "w:name") or following)
            following = value(element, "w:basedOn")
        return _style(chain, names)


def outline_level(properties: etree._Element | None) -> int | None:
    """Return the level 1 to 9 that paragraph properties state, 0 for body text, None where they say nothing."""
    number = whole_number(value(properties, "w:outlineLvl"), 0, _BODY_TEXT)
    return None if number is None else (number + 1) % (_BODY_TEXT + 1)


def centred(properties: etree._Element | None) -> bool | None:
    """Say whether paragraph properties centre the paragraph; None where they say nothing."""
    side = value(properties, "w:jc")
    return None if side is None else side == "center"


def numbering(properties: etree._Element | None) -> tuple[str, int] | None:
    """Return the list that paragraph properties put the paragraph in, as number and level, or None."""
    listed = child(properties, "w:numPr")
    if listed is None:
        return None
    return value(listed, "w:numId") or "", whole_number(value(listed, "w:ilvl"), 0, 8) or 0


def _style(chain: list[etree._Element], names: list[str]) -> Style:
    paragraphs = [child(element, "w:pPr") for element in chain]
    runs = [child(element, "w:rPr") for element in chain]
    level = next((n for n in map(_level, _padded(paragraphs, names), names) if n is not None), 0)
    own = next((p for p in map(numbering, paragraphs) if p is not None), None)
    return Style(
        level=level,
        custom=next((n for n in map(custom_level, names) if n), 0),
        title=any(map(is_title, names)),
        contents=any(map(is_contents, names)),
        bold=_first(switch(run, "w:b") for run in runs),
        centred=_first(centred(properties) for properties in paragraphs),
        hidden=_first(switch(run, "w:vanish") for run in runs),
        numbering=own,
    )


def _padded(paragraphs: list[etree._Element | None], names: list[str]) -> list[etree._Element | None]:
    """Return the properties of each name; a name without a style has none."""
    return paragraphs + [None] * (len(names) - len(paragraphs))


def _level(properties: etree._Element | None, name: str) -> int | None:
    stated = outline_level(properties)
    return stated if stated is not None else heading_level(name) or None


def _first(values: Iterable[bool | None]) -> bool | None:
    return next((found for found in values if found is not None), None)
