"""The contents list of an EPUB: its entries in order with their depth, from the navigation page or the NCX."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._page import words_of
from analyzer.text.readers._tags import main_type, tag_of, types_of

if TYPE_CHECKING:
    from lxml import etree

Resolve = Callable[[str], tuple[str, str]]


class Entry(NamedTuple):
    """A line of the contents list: `name` the page and `fragment` the id it leads to ("" where it leads nowhere).

    `depth` is 0 outermost; entries below it with a greater depth are its children.
    """

    label: str
    name: str
    fragment: str
    depth: int


def entries_of_nav(root: etree._Element, resolve: Resolve) -> tuple[Entry, ...]:
    """Return the entries of an EPUB 3 navigation page, in order."""
    navs = [nav for nav in root.iter("{*}nav") if "toc" in types_of(nav)] or list(root.iter("{*}nav"))[:1]
    found: list[Entry] = []
    for nav in navs[:1]:
        for part in nav:
            if tag_of(part) == "ol":
                found += _nav_list(part, 0, resolve)
    return tuple(found)


def landmarks_of_nav(root: etree._Element, resolve: Resolve) -> dict[str, str]:
    """Return the type the landmarks give each page; those that name a place inside of a page are left out."""
    found: dict[str, str] = {}
    for nav in root.iter("{*}nav"):
        for link in nav.iter("{*}a") if "landmarks" in types_of(nav) else ():
            name, fragment = resolve(link.get("href") or "")
            if name and not fragment:
                found.setdefault(name, main_type(types_of(link)))
    return found


def entries_of_ncx(root: etree._Element, resolve: Resolve) -> tuple[Entry, ...]:
    """Return the entries of an EPUB 2 contents file, in order."""
    found: list[Entry] = []
    for part in root:
        if tag_of(part) == "navmap":
            found += _nav_points(part, 0, resolve)
    return tuple(found)


def _nav_list(items: etree._Element, depth: int, resolve: Resolve) -> Iterator[Entry]:
    """Yield the entries of an ordered list; nesting is bounded by the parser."""
    for item in items:
        if tag_of(item) != "li":
            continue
        label, name, fragment = "", "", ""
        for part in item:
            if tag_of(part) == "ol":
                break
            link = part if tag_of(part) == "a" else part.find(".//{*}a")
            label = label or words_of(part) or part.get("title") or ""
            if link is not None and not name:
                name, fragment = resolve(link.get("href") or "")
        label = label or " ".join((item.text or "").split())
        if label or name:
            yield Entry(label, name, fragment, depth)
        for part in item:
            if tag_of(part) == "ol":
                yield from _nav_list(part, depth + 1, resolve)


def _nav_points(parent: etree._Element, depth: int, resolve: Resolve) -> Iterator[Entry]:
    for point in parent:
        if tag_of(point) != "navpoint":
            continue
        labels = [words_of(part) for part in point if tag_of(part) == "navlabel"]
        sources = [part.get("src") or "" for part in point if tag_of(part) == "content"]
        name, fragment = resolve(sources[0]) if sources else ("", "")
        yield Entry(labels[0] if labels else "", name, fragment, depth)
        yield from _nav_points(point, depth + 1, resolve)
