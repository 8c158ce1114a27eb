"""Styles of an ODT file, its names, and the numbers its headings count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._counted import Form, written
from analyzer.text.readers._stylenames import custom_level, heading_level, is_contents, is_title

if TYPE_CHECKING:
    from lxml import etree

_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_SHORT = {
    "http://purl.org/dc/elements/1.1/": "dc",
    f"{_ODF}xsl-fo-compatible:1.0": "fo",
    f"{_ODF}svg-compatible:1.0": "svg",
}
_CODED = re.compile(r"_([0-9a-f]{1,4})_")
_LONGEST_CHAIN = 50
_LEVELS = 10
_HEAVY = 600
"""The weight from which a font is bold (CSS)."""

_FORMS: dict[str, Form] = {"I": "upper roman", "i": "lower roman", "A": "upper letter", "a": "lower letter"}


@lru_cache(maxsize=4096)
def odf_name(tag: str) -> str:
    """Return `text:p` for the tag of a paragraph; the bare local name in namespaces not of ODF."""
    space, _, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    short = _SHORT.get(space) or (space[len(_ODF) :].split(":", 1)[0] if space.startswith(_ODF) else "")
    return f"{short}:{local}" if short else local


def odf_attribute(element: etree._Element, name: str) -> str | None:
    """Return an attribute by its short name ("text:style-name"), or None."""
    short, _, local = name.partition(":")
    space = f"{_ODF}xsl-fo-compatible:1.0" if short == "fo" else f"{_ODF}{short}:1.0"
    return element.get(f"{{{space}}}{local}")


class Style(NamedTuple):
    """What a style says of its paragraphs and runs; `level` is 1 to 9, 0 for none, None says nothing."""

    level: int = 0
    custom: int = 0
    title: bool = False
    contents: bool = False
    rule: bool = False
    bold: bool | None = None
    centred: bool | None = None
    hidden: bool | None = None


class Styles:
    """The styles of a file, each resolved once; paragraphs and runs have names of their own."""

    def __init__(self, roots: Iterable[etree._Element]) -> None:
        self._elements: dict[tuple[str, str], etree._Element] = {}
        self._known: dict[tuple[str, str], Style] = {}
        for root in roots:
            for element in root.iter(f"{{{_ODF}style:1.0}}style"):
                key = odf_attribute(element, "style:family") or "", odf_attribute(element, "style:name") or ""
                self._elements[key] = element

    def of(self, family: str, name: str | None) -> Style:
        """Return a style of the family "paragraph", "text" or "section"; an unknown one goes by its name."""
        key = family, name or ""
        found = self._known.get(key)
        if found is None:
            found = self._resolved(family, name) if name else Style()
            if len(self._known) < 20_000:
                self._known[key] = found
        return found

    def _resolved(self, family: str, name: str) -> Style:
        chain: list[etree._Element] = []
        names: list[str] = []
        following: str | None = name
        while following and len(chain) < _LONGEST_CHAIN:
            element = self._elements.get((family, following))
            shown = _CODED.sub(lambda found: chr(int(found[1], 16)), following)
            names.append(shown if element is None else odf_attribute(element, "style:display-name") or shown)
            if element is None or element in chain:
                break
            chain.append(element)
            following = odf_attribute(element, "style:parent-style-name")
        return _style(chain, names)


def _style(chain: list[etree._Element], names: list[str]) -> Style:
    levels = [level_of(odf_attribute(element, "style:default-outline-level")) for element in chain]
    stated = next((n for n in levels if n is not None), None)
    return Style(
        level=stated if stated is not None else next((n for n in map(heading_level, names) if n), 0),
        custom=next((n for n in map(custom_level, names) if n), 0),
        title=any(map(is_title, names)),
        contents=any(map(is_contents, names)),
        rule="Horizontal Line" in names,
        bold=_first(_is_bold(_property(element, "fo:font-weight")) for element in chain),
        centred=_first(_is(_property(element, "fo:text-align"), "center") for element in chain),
        hidden=_first(_is(_property(element, "text:display"), "none") for element in chain),
    )


def level_of(text: str | None) -> int | None:
    """Return the outline level 1 to 9 written in `text`, 0 for an empty one (no heading), None for nothing."""
    if text is None:
        return None
    return min(int(text), 9) if text.isascii() and text.isdigit() and len(text) < 3 else 0


def _property(style: etree._Element, name: str) -> str | None:
    for properties in style:
        found = odf_attribute(properties, name)
        if found is not None:
            return found
    return None


def _is(found: str | None, wanted: str) -> bool | None:
    return None if found is None else found == wanted


def _is_bold(weight: str | None) -> bool | None:
    if weight is None:
        return None
    return weight == "bold" or (weight.isascii() and weight.isdigit() and int(weight[:4]) >= _HEAVY)


def _first(values: Iterable[bool | None]) -> bool | None:
    return next((found for found in values if found is not None), None)


class _Counter(NamedTuple):
    """How the headings of a level are numbered."""

    form: Form
    prefix: str
    suffix: str
    start: int
    shown: int


class Outline:
    """Counts headings as the file's outline numbering says; walk in order."""

    def __init__(self, roots: Iterable[etree._Element]) -> None:
        self._levels: dict[int, _Counter] = {}
        self._counts: dict[int, int] = {}
        for root in roots:
            for element in root.iter(f"{{{_ODF}text:1.0}}outline-level-style"):
                level = level_of(odf_attribute(element, "text:level"))
                form = odf_attribute(element, "style:num-format")
                if level and form:
                    self._levels[level] = _Counter(
                        form=_FORMS.get(form, "ideographs" if form.startswith("一") else "figures"),
                        prefix=(odf_attribute(element, "style:num-prefix") or "")[:80],
                        suffix=(odf_attribute(element, "style:num-suffix") or "")[:80],
                        start=_small(odf_attribute(element, "text:start-value")),
                        shown=_small(odf_attribute(element, "text:display-levels")),
                    )

    def label(self, level: int) -> str:
        """Count one heading of a level and return the number it shows, "" where it shows none."""
        counter = self._levels.get(level)
        for deeper in range(level + 1, _LEVELS + 1):
            self._counts.pop(deeper, None)
        if counter is None:
            return ""
        self._counts[level] = self._counts[level] + 1 if level in self._counts else counter.start
        shown = [n for n in range(max(1, level - counter.shown + 1), level + 1) if n in self._levels]
        numbers = ".".join(written(self._counts.get(n, self._levels[n].start), self._levels[n].form) for n in shown)
        return f"{counter.prefix}{numbers}{counter.suffix}".strip()


def _small(text: str | None) -> int:
    """Return the whole number in `text` if it has at most five figures, otherwise 1."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 5 else 1
