"""HTML and XHTML: one page; heading elements are hints, notes go to the end, what is not shown or no text is taken out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import InputError
from analyzer.text.readers._binding import bind, without_contents
from analyzer.text.readers._contents import Entry
from analyzer.text.readers._markup import decode_page, parse_page
from analyzer.text.readers._notes import Notes, Target, find_notes, note_texts
from analyzer.text.readers._outline import outline_of, outline_of_headings
from analyzer.text.readers._page import Page, Rules, read_page, words_of
from analyzer.text.readers._reader import SourceText
from analyzer.text.readers._tags import styles_of, tag_of

if TYPE_CHECKING:
    from lxml import etree

SUFFIXES = (".html", ".htm", ".xhtml", ".xht")
TAKES_ENCODING = True

_PAGE = "page"


def read(data: bytes, path: Path) -> SourceText:
    """Return the words of an HTML page with its headings, notes apart.

    Headings are the heading elements; a page without any has them where its own contents list leads. Raises InputError
    where the page is no text, cannot be decoded, nests over 256 elements, declares entities or holds no words.
    """
    where = str(path)
    text, encoding, certainty = decode_page(data, where)
    if not any(map(str.isalnum, text)):
        raise _empty(where)
    if "<" not in text:
        return SourceText(
            path.stem, text.replace("\r\n", "\n").replace("\r", "\n"), encoding=encoding, encoding_certainty=certainty
        )
    root = parse_page(text, where)
    styles = styles_of("".join(map(str, style.itertext())) for style in root.iter("{*}style"))
    notes = find_notes([(_PAGE, root)], _resolve)
    entries = _entries(root, notes)
    rules = Rules(frozenset(entry.fragment for entry in entries), notes.drop, styles, lambda href: href.startswith("#"))
    page = without_contents(read_page(root, rules))
    headings, level = outline_of_headings(page.blocks), 0
    if not headings and any(piece.kind == "contents list" for piece in page.removed):
        positions = [page.anchors.get(entry.fragment) for entry in entries]
        headings, level = outline_of(entries, positions, page.blocks, frozenset())
    texts, more = note_texts(notes)
    bound = bind(page.blocks, headings, texts)
    if not any(map(str.isalnum, bound.text)):
        raise _empty(where)
    return SourceText(
        title=_title(root, page) or path.stem,
        text=bound.text,
        headings=bound.hints,
        notes=bound.notes,
        encoding=encoding,
        encoding_certainty=certainty,
        language=_language(root),
        author=_author(root),
        removed=(*page.removed, *more),
        chapter_level=level,
        kinds=bound.kinds,
    )


def _empty(where: str) -> InputError:
    return InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")


def _resolve(href: str, name: str) -> Target | None:
    return (name, href[1:]) if href.startswith("#") else None


def _entries(root: etree._Element, notes: Notes) -> tuple[Entry, ...]:
    """Return the links to places on the page as the entries of a contents list."""
    links = ((link, link.get("href") or "") for link in root.iter("{*}a") if link not in notes.drop)
    return tuple(
        Entry(words_of(link), _PAGE, href[1:], 0) for link, href in links if href[:1] == "#" and words_of(link)
    )


def _title(root: etree._Element, page: Page) -> str:
    """Return the only heading of the first level if it opens the page, else what the page calls itself."""
    outermost = [block.text for block in page.blocks if block.level == 1]
    if len(outermost) == 1 and page.blocks[0].level == 1 and any(block.level > 1 for block in page.blocks):
        return " ".join(outermost[0].split())
    return next((words_of(title) for title in root.iter("{*}title") if _is_head(title)), "")


def _is_head(title: etree._Element) -> bool:
    parent = title.getparent()
    return parent is not None and tag_of(parent) in ("head", "html")


def _language(root: etree._Element) -> str:
    return (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "").strip()


def _author(root: etree._Element) -> str:
    for meta in root.iter("{*}meta"):
        if (meta.get("name") or "").lower() in ("author", "dc.creator"):
            return " ".join((meta.get("content") or "").split())
    return ""
