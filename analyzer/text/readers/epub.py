"""EPUB 2 and 3: pages in the order of the spine, chapters where the contents list has them, notes apart.

The contents list decides before looks: a page without an entry goes on with the chapter before it, an entry at an
anchor begins one in the middle of a page. Without a contents list heading elements decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import InputError
from analyzer.text.readers._archive import Archive, open_archive
from analyzer.text.readers._binding import bind, with_matter, without_contents
from analyzer.text.readers._contents import Entry, entries_of_nav, entries_of_ncx, landmarks_of_nav
from analyzer.text.readers._imprint import is_imprint
from analyzer.text.readers._letters import fold_letters
from analyzer.text.readers._markup import decode_page, parse_page
from analyzer.text.readers._notes import Notes, find_notes, note_texts
from analyzer.text.readers._outline import outline_of, outline_of_headings, unlisted
from analyzer.text.readers._package import Package, read_package, resolve_link
from analyzer.text.readers._page import Block, Page, Rules, read_page, words_of
from analyzer.text.readers._reader import Removed, SourceText
from analyzer.text.readers._tags import MATTER, NOTE_TYPES, REMOVED_TYPES, Styles, body_of, styles_of
from analyzer.text.readers._xml import parse_xml

if TYPE_CHECKING:
    from lxml import etree

SUFFIXES = (".epub",)

_LONGEST_MATTER = 5_000
"""Code points of a page the guide may call a cover, a title page or an imprint; what has more is called so wrongly."""


class _Leaf(NamedTuple):
    """A page of the book, parsed."""

    name: str
    root: etree._Element
    linear: bool


class _Book(NamedTuple):
    """What is known of the book before its pages are read."""

    package: Package
    leaves: tuple[_Leaf, ...]
    entries: tuple[Entry, ...]
    types: dict[str, str]
    styles: Styles
    notes: Notes
    encoding: str
    removed: tuple[Removed, ...]


def read(data: bytes, path: Path) -> SourceText:
    """Return the words of an EPUB with its headings, notes apart.

    Raises InputError where the archive is damaged, locked, refused for its size or lacks a page its spine names, and
    where no page holds text.
    """
    where = str(path)
    archive = open_archive(data, where)
    book = _open(archive)
    pages = [_read_leaf(i, book) for i in range(len(book.leaves))]
    blocks = [block for page in pages for block in page.blocks]
    removed = [*book.removed, *(piece for page in pages for piece in page.removed)]
    starts, at = {}, 0
    for leaf, page in zip(book.leaves, pages, strict=True):
        starts[leaf.name] = (at, page)
        at += len(page.blocks)
    positions = [_position(entry, starts) for entry in book.entries]
    headings, level = outline_of(book.entries, positions, blocks, _names(book))
    headings = headings or outline_of_headings(blocks)
    else_headed = unlisted(headings, blocks, [at for at, _ in starts.values()]) if level else ()
    kept, found, matter = with_matter(blocks, (*headings, *else_headed), level or 1)
    notes, more = note_texts(book.notes)
    bound = bind(kept, found, notes)
    if not any(map(str.isalnum, bound.text)):
        raise InputError(f"{where} is empty: its pages hold no text", where=where, hint="pass a book with words in it")
    return SourceText(
        title=book.package.title or path.stem,
        text=bound.text,
        headings=bound.hints,
        notes=bound.notes,
        encoding=book.encoding,
        language=book.package.language,
        author=book.package.author,
        removed=(*removed, *more, *matter),
        chapter_level=level,
        kinds=bound.kinds,
    )


def _open(archive: Archive) -> _Book:
    package = read_package(archive)
    entries, landmarks, removed = _contents(archive, package)
    leaves: list[_Leaf] = []
    encoding = ""
    for item in sorted(package.spine, key=lambda item: not item.linear):
        if item.name != package.nav:
            text, found, _ = decode_page(archive.read(item.name), f"{archive.where} ({item.name})")
            encoding = encoding or found
            leaves.append(_Leaf(item.name, parse_page(text, f"{archive.where} ({item.name})"), item.linear))
    types = {
        name: kind.replace("copyrightpage", "copyright-page") for name, kind in (package.guide | landmarks).items()
    }
    sheets = [archive.read(name).decode("utf-8", "replace") for name in package.sheets if name in archive]
    for leaf in leaves:
        sheets += ["".join(map(str, style.itertext())) for style in leaf.root.iter("{*}style")]
    known = {leaf.name for leaf in leaves}
    notes = find_notes(
        [(leaf.name, leaf.root) for leaf in leaves],
        lambda href, name: target if (target := resolve_link(archive, href, name))[0] in known else None,
        frozenset((entry.name, entry.fragment) for entry in entries),
        frozenset(name for name, kind in types.items() if kind in NOTE_TYPES),
    )
    pictures = (Removed("picture", name) for name in package.others)
    return _Book(package, tuple(leaves), entries, types, styles_of(sheets), notes, encoding, (*removed, *pictures))


def _contents(archive: Archive, package: Package) -> tuple[tuple[Entry, ...], dict[str, str], tuple[Removed, ...]]:
    """Return the entries of the contents list, the landmarks, and the list itself where it is a page of the book."""
    entries: tuple[Entry, ...] = ()
    landmarks: dict[str, str] = {}
    removed: tuple[Removed, ...] = ()
    if package.nav in archive:
        where = f"{archive.where} ({package.nav})"
        root = parse_page(decode_page(archive.read(package.nav), where).text, where)
        resolve = partial(_link_from, archive, package.nav)
        entries, landmarks = entries_of_nav(root, resolve), landmarks_of_nav(root, resolve)
        if any(item.name == package.nav for item in package.spine):
            removed = (Removed("contents list", words_of(body_of(root))),)
    if not entries and package.ncx in archive:
        root = parse_xml(archive.read(package.ncx), f"{archive.where} ({package.ncx})")
        entries = entries_of_ncx(root, partial(_link_from, archive, package.ncx))
    return entries, landmarks, removed


def _link_from(archive: Archive, base: str, href: str) -> tuple[str, str]:
    return resolve_link(archive, href, base)


def _read_leaf(i: int, book: _Book) -> Page:
    """Return the paragraphs of a page; a page that is no part of the story holds none and all of it is removed."""
    leaf = book.leaves[i]
    anchors = frozenset(entry.fragment for entry in book.entries if entry.name == leaf.name and entry.fragment)
    page = without_contents(read_page(leaf.root, Rules(anchors, book.notes.drop, book.styles)))
    kind = book.types.get(leaf.name, "")
    reason = "" if leaf.linear else "outside the order of reading"
    reason = reason or _reason(page.blocks, kind, book, leaf.name)
    if reason:
        words = (Removed(reason, block.text) for block in page.blocks if not block.rule)
        return Page((), {}, page.gone | page.anchors.keys(), (*page.removed, *words))
    if MATTER.get(kind):
        blocks = (block._replace(matter=block.matter or MATTER[kind]) for block in page.blocks)
        page = page._replace(blocks=tuple(blocks))
    return page


def _names(book: _Book) -> frozenset[str]:
    """Return title and author of a book, folded."""
    return frozenset(filter(None, map(fold_letters, (book.package.title, book.package.author))))


def _reason(blocks: Sequence[Block], kind: str, book: _Book, name: str) -> str:
    """Return why the page called `name` is no part of the story, "" where it is one."""
    size = sum(len(block.text) for block in blocks)
    if len(book.leaves) == 1 or size > _LONGEST_MATTER:
        return ""
    if kind in REMOVED_TYPES:
        return REMOVED_TYPES[kind]
    labels = [entry.label for entry in book.entries if entry.name == name]
    return "imprint" if is_imprint(blocks, labels, _names(book)) else ""


def _position(entry: Entry, starts: dict[str, tuple[int, Page]]) -> int | None:
    """Return the block an entry leads to, None where it leads out of the text."""
    start, page = starts.get(entry.name, (0, None))
    if page is None or not page.blocks or entry.fragment in page.gone:
        return None
    return start + page.anchors.get(entry.fragment, 0)
