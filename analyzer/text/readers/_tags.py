"""What the elements of XHTML and HTML pages mean to a reader of novels: tags, semantic types, styles that hide."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from lxml import etree

_OPS_TYPE = "{http://www.idpf.org/2007/ops}type"

_BLOCKS = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu nav ol p pre section summary table tbody tfoot thead "
    "tr ul"
)
BLOCKS = frozenset(_BLOCKS.split())
"""Elements that begin and end a paragraph."""

SECTIONS = frozenset(("body", "section", "div", "article", "main", "html"))
"""Elements whose type says what a whole stretch is."""

SILENT = frozenset(["base", "head", "link", "meta", "noframes", "script", "style", "template", "title"])
"""Elements that hold no words of the work."""

REMOVED_TAGS = {
    "rt": "ruby reading",
    "rp": "ruby reading",
    "rtc": "ruby reading",
    "del": "deleted text",
    "svg": "picture",
    "audio": "sound or film",
    "video": "sound or film",
    "object": "sound or film",
    "canvas": "picture",
    "iframe": "another page",
    "button": "form",
    "select": "form",
    "textarea": "form",
}
"""Elements whose words are no words of the story, and what they are."""

REMOVED_TYPES = {
    "cover": "cover",
    "titlepage": "title page",
    "halftitlepage": "title page",
    "copyright-page": "imprint",
    "imprint": "imprint",
    "colophon": "imprint",
    "imprimatur": "imprint",
    "toc": "contents list",
    "toc-brief": "contents list",
    "landmarks": "contents list",
    "page-list": "contents list",
    "loi": "contents list",
    "lot": "contents list",
    "index": "index",
    "bibliography": "bibliography",
    "errata": "errata",
    "contributors": "imprint",
    "other-credits": "imprint",
    "pagebreak": "page number",
    "backlink": "note mark",
}
"""Types of EPUB's structural vocabulary (epub:type, role doc-…, landmarks, guide) that are no chapters, and what they are."""

NOTE_TYPES = frozenset(["footnote", "endnote", "rearnote", "note", "footnotes", "endnotes", "rearnotes", "notes"])

MATTER = {
    "frontmatter": "front",
    "preface": "front",
    "foreword": "front",
    "introduction": "front",
    "preamble": "front",
    "dedication": "front",
    "backmatter": "back",
    "afterword": "back",
    "appendix": "back",
    "glossary": "back",
    "acknowledgments": "back",
    "acknowledgements": "back",
    "prologue": "prologue",
    "epilogue": "epilogue",
    "bodymatter": "",
    "chapter": "",
    "part": "",
    "volume": "",
}
"""The kind of chapter a section's type states; "" the story's own."""

_TITLE_TYPES = frozenset(["title", "subtitle", "ordinal", "label", "fulltitle"])
_TITLE_CLASS = re.compile(r"title|heading|chap(?:ter)?[-_]?(?:n(?:o|um|umber|ame)?|head)\b", re.I)
_DROP_CAP = re.compile(r"drop|initial|lettrine|first[-_]?letter", re.I)
_NO_DISPLAY = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_PRE = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.I)
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_SELECTOR = re.compile(r"\s*(?:[A-Za-z][\w-]*)?([.#][A-Za-z_][\w-]*)\s*\Z")

MOST_CSS = 1024 * 1024
"""Code points of style sheets that are looked at; those of whole books have some ten thousand."""


class Attributes(Protocol):
    """An element, or its attributes alone."""

    def get(self, name: str, /) -> str | None: ...


class Styles(NamedTuple):
    """Simple selectors (`.class`, `#id`) that take text out of sight, and those that keep its line ends."""

    hidden: frozenset[str] = frozenset()
    pre: frozenset[str] = frozenset()

    def hides(self, element: Attributes) -> bool:
        """Say whether an element is not shown: by attribute, by its own style or by a style sheet."""
        hidden = element.get("hidden")
        if hidden is not None and hidden != "until-found":
            return True
        style = element.get("style")
        return (style is not None and bool(_NO_DISPLAY.search(style))) or _selected(element, self.hidden)

    def keeps_lines(self, element: Attributes, tag: str) -> bool:
        """Say whether line ends inside an element are the author's."""
        style = element.get("style")
        return tag == "pre" or (style is not None and bool(_PRE.search(style))) or _selected(element, self.pre)


def _selected(element: Attributes, selectors: frozenset[str]) -> bool:
    if not selectors:
        return False
    names = [f".{name}" for name in (element.get("class") or "").split()]
    return not selectors.isdisjoint(names) or f"#{element.get('id')}" in selectors


def styles_of(sheets: Iterable[str]) -> Styles:
    """Return what style sheets say about simple selectors outside of at-rules; linear in their size."""
    hidden: set[str] = set()
    pre: set[str] = set()
    for sheet in sheets:
        for selectors, body in _rules(_CSS_COMMENT.sub("", sheet[:MOST_CSS])):
            found = {match[1] for part in selectors.split(",") if (match := _SELECTOR.match(part))}
            hidden |= found if _NO_DISPLAY.search(body) else set()
            pre |= found if _PRE.search(body) else set()
    return Styles(frozenset(hidden), frozenset(pre))


def _rules(css: str) -> Iterable[tuple[str, str]]:
    depth, start, selectors = 0, 0, ""
    for brace in re.finditer("[{}]", css):
        if brace[0] == "{":
            if depth == 0:
                selectors = css[start : brace.start()].rpartition(";")[2]
            depth += 1
        else:
            if depth == 1 and not selectors.lstrip().startswith("@"):
                yield selectors, css[start : brace.start()]
            depth = max(0, depth - 1)
        start = brace.end()


@lru_cache(maxsize=512)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2].lower()


def tag_of(element: etree._Element) -> str:
    """Return an element's tag without name space, lower case; "" for what is no element (an entity nobody resolved)."""
    tag: object = element.tag
    return _local(tag) if isinstance(tag, str) else ""


class Nature(NamedTuple):
    """What an element is by its tag and attributes alone: most paragraphs of a book are of one nature.

    `reason`: why it is left out, as in `Walk.reason`; `matter`: the kind of chapter it states, None for none.
    """

    tag: str
    reason: str | None
    pre: bool
    titled: bool
    drop_cap: bool
    matter: str | None


def nature_of(element: etree._Element, styles: Styles) -> Nature:
    """Return what an element is by itself."""
    return _nature(tag_of(element), tuple(element.items()), styles)


@lru_cache(maxsize=2048)
def _nature(tag: str, items: tuple[tuple[str, str], ...], styles: Styles) -> Nature:
    attributes = dict(items)
    types = types_of(attributes)
    states = [MATTER[name] for name in types if name in MATTER] if tag in SECTIONS else []
    name = attributes.get("class")
    return Nature(
        tag=tag,
        reason=_reason(tag, attributes, types, styles),
        pre=styles.keeps_lines(attributes, tag),
        titled=tag in ("header", "hgroup") or is_title(attributes, types),
        drop_cap=name is not None and _DROP_CAP.search(name) is not None,
        matter=max(states, key=lambda kind: (kind not in ("front", "back"), kind != "")) if states else None,
    )


def _reason(tag: str, attributes: Attributes, types: frozenset[str], styles: Styles) -> str | None:
    """Return why an element is left out, "" where it holds no words of the work, None where it is read."""
    if tag in SILENT or not tag:
        return ""
    if tag in REMOVED_TAGS:
        return REMOVED_TAGS[tag]
    kind = main_type(types)
    if kind in REMOVED_TYPES and (tag != "a" or kind == "backlink"):
        return REMOVED_TYPES[kind]
    if styles.hides(attributes):
        return "hidden text"
    if tag == "nav":
        return "contents list"
    return "distributor's notice" if "pg-boilerplate" in (attributes.get("class") or "") else None


def body_of(root: etree._Element) -> etree._Element:
    """Return the body of a page, or its root where it has none."""
    return next(root.iter("{*}body"), root)


def main_type(types: frozenset[str]) -> str:
    """Return the type of several that says most: notes, then what is removed, then the kind of matter; "" for none."""
    return max(sorted(types), key=lambda name: (name in NOTE_TYPES, name in REMOVED_TYPES, name in MATTER), default="")


def types_of(element: Attributes) -> frozenset[str]:
    """Return the semantic types of an element: epub:type and the roles of its publishing vocabulary without `doc-`."""
    words = element.get(_OPS_TYPE) or element.get("epub:type") or ""
    role = element.get("role")
    if role and "doc-" in role:
        words += " " + role.replace("doc-", "")
    return _tokens(words) if words else frozenset()


@lru_cache(maxsize=512)
def _tokens(words: str) -> frozenset[str]:
    return frozenset(words.lower().replace("z3998:", "").split())


def is_title(element: Attributes, types: frozenset[str]) -> bool:
    """Say whether an element's type or class names it a title."""
    name = element.get("class")
    return bool(types & _TITLE_TYPES) or (name is not None and bool(_TITLE_CLASS.search(name)))
