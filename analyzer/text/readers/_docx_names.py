"""Names of WordprocessingML: one short name for an element, whichever of its namespaces a program writes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml import etree

_MAIN = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
)
"""ECMA-376 transitional and ISO/IEC 29500 strict."""

_RELATIONS = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
)
_SHORT = {
    **dict.fromkeys(_MAIN, "w"),
    **dict.fromkeys(_RELATIONS, "r"),
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://schemas.openxmlformats.org/package/2006/relationships": "pr",
}
_OFF = frozenset(("0", "false", "off", "no"))


@lru_cache(maxsize=4096)
def short_name(tag: str) -> str:
    """Return `w:p` for the tag of a paragraph in either namespace; the bare local name in namespaces not known."""
    space, _, local = tag[1:].rpartition("}") if tag.startswith("{") else ("", "", tag)
    short = _SHORT.get(space)
    return f"{short}:{local}" if short else local


def name_of(element: etree._Element) -> str:
    """Return the short name of an element."""
    return short_name(element.tag)


def attribute(element: etree._Element, local: str) -> str | None:
    """Return the attribute `w:local` in either namespace, or the bare one."""
    for space in _MAIN:
        value = element.get(f"{{{space}}}{local}")
        if value is not None:
            return value
    return element.get(local)


def child(element: etree._Element | None, name: str) -> etree._Element | None:
    """Return the first child of a short name, or None."""
    if element is not None:
        for inner in element:
            if name_of(inner) == name:
                return inner
    return None


def value(element: etree._Element | None, name: str) -> str | None:
    """Return `w:val` of the first child of a short name, or None where there is none."""
    inner = child(element, name)
    return None if inner is None else attribute(inner, "val")


def switch(element: etree._Element | None, name: str) -> bool | None:
    """Return what an on/off property says, None where it is not there; without a value it is on."""
    inner = child(element, name)
    if inner is None:
        return None
    return (attribute(inner, "val") or "1").casefold() not in _OFF


def whole_number(text: str | None, least: int, most: int) -> int | None:
    """Return the number written in `text` if it lies in `[least, most]`, otherwise None."""
    if text is None or len(text) > 9 or not text.lstrip("-").isascii() or not text.lstrip("-").isdigit():
        return None
    number = int(text) if text.count("-") <= 1 else most + 1
    return number if least <= number <= most else None
