"""Footnotes and endnotes of marked-up books: which links are note marks, and which elements are the notes.

A note is named by its type (epub:type, role), or found by its links: a mark of a figure or a sign that leads to a later
paragraph, which leads back or begins with the same mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._page import Rules, read_page, words_of
from analyzer.text.readers._reader import Removed
from analyzer.text.readers._tags import BLOCKS, NOTE_TYPES, SECTIONS, body_of, tag_of, types_of

if TYPE_CHECKING:
    from lxml import etree

Target = tuple[str, str]
"""A page's name and an id in it, "" for the page itself."""

_MARK = re.compile(
    r"[\[(（〔【［]?\s*(?:\d{1,4}|[ivxlc]{1,5}|[a-z]|[*†‡§¶#＊]+|[※注註주]\s*\d*|[①-⑳㉑-㊿❶-❿⁰¹²³⁴-⁹]+)\s*[\])）〕】］]?[.:]?\Z",
    re.I,
)
_PLAIN = re.compile(r"[a-z\d.:\s]+\Z", re.I)
"""A mark that could be any number: without brackets, stars or raised figures."""
_REFERENCE_TYPES = frozenset(("noteref", "annoref"))
_OPENERS, _CLOSERS = "[(（〔【［", "])）〕】］"
_LONGEST_NOTE = 20_000
"""Code points; what is longer is no note but a page that is linked to."""
_HEADINGS = frozenset(f"h{n}" for n in range(1, 7))


class Notes(NamedTuple):
    """Why elements are left out of the text (note marks and notes), and the notes in order with their page's index."""

    drop: dict[etree._Element, str]
    notes: tuple[tuple[int, etree._Element], ...]


class _Link(NamedTuple):
    """A link to a place in the book: the page it stands on, where it leads, the paragraph around it."""

    element: etree._Element
    words: str
    target: Target
    block: etree._Element | None


class _Index(NamedTuple):
    """The elements links lead to, the position of these and of the links, the links by their element.

    Of possible notes the words, and the elements their links lead to, True for places the contents list names.
    """

    ids: dict[Target, etree._Element]
    order: dict[etree._Element, tuple[int, int]]
    links: dict[etree._Element, _Link]
    words: dict[etree._Element, str]
    leads: dict[etree._Element, dict[etree._Element, bool]]


def find_notes(
    pages: Sequence[tuple[str, etree._Element]],
    resolve: Callable[[str, str], Target | None],
    contents: frozenset[Target] = frozenset(),
    note_pages: frozenset[str] = frozenset(),
) -> Notes:
    """Return the notes of the pages, in order; three passes over their elements.

    `resolve(href, name)` tells where a link of page `name` leads; `contents` are places the contents list names, which
    are never notes; `note_pages` are pages the book itself calls notes. Brackets around a mark become part of it.
    """
    links = [link for name, root in pages for link in _links(name, root, resolve)]
    index = _index(pages, links)
    marks: list[_Link] = []
    found = {body_of(root) for name, root in pages if name in note_pages}
    for link in links:
        typed = bool(types_of(link.element) & _REFERENCE_TYPES)
        note = _block(index.ids.get(link.target), link, index) if typed or _MARK.match(link.words) else None
        if typed or (note is not None and _is_reference(link, note, index, contents)):
            marks.append(link)
            found |= {note} if note is not None else set()
    notes = _in_order(pages, found)
    drop = {note: "note" for _, note in notes}
    for _, note in notes:
        drop.update({back: "note mark" for back in note.iter("{*}a") if not any(map(str.isalnum, words_of(back)))})
    drop.update({_with_brackets(link): "note mark" for link in marks})
    return Notes(drop, notes)


def note_texts(notes: Notes) -> tuple[list[str], list[Removed]]:
    """Return the words of the notes and what was taken out of them.

    A note is one text, a page of notes one a paragraph; notes without words are none.
    """
    rules = Rules(drop={element: kind for element, kind in notes.drop.items() if kind != "note"})
    texts: list[str] = []
    removed: list[Removed] = []
    for _, note in notes.notes:
        page = read_page(note, rules)
        words = [block.text for block in page.blocks]
        texts += words if tag_of(note) == "body" else ["\n".join(words)]
        removed += page.removed
    return [text for text in texts if text], removed


def _links(name: str, root: etree._Element, resolve: Callable[[str, str], Target | None]) -> Iterable[_Link]:
    for element in root.iter("{*}a"):
        href = element.get("href")
        target = resolve(href, name) if href and "#" in href else None
        if target is not None and target[1]:
            yield _Link(element, words_of(element), target, _paragraph(element))


def _index(pages: Sequence[tuple[str, etree._Element]], links: Sequence[_Link]) -> _Index:
    wanted = {link.target for link in links}
    sources = {link.element for link in links}
    index = _Index({}, {}, {link.element: link for link in links}, {}, {})
    for i, (name, root) in enumerate(pages if wanted else ()):
        for n, element in enumerate(root.iter()):
            here = {(name, element.get("id") or ""), (name, element.get("name") or "")} & wanted
            for target in here:
                index.ids.setdefault(target, element)
            if here or element in sources:
                index.order[element] = (i, n)
    return index


def _paragraph(element: etree._Element) -> etree._Element | None:
    """Return the block around an element or itself; of a table its row; None for a page as a whole."""
    inner: etree._Element | None = element
    while inner is not None and (tag_of(inner) not in BLOCKS or tag_of(inner) in ("td", "th")):
        inner = inner.getparent()
    return None if inner is None or tag_of(inner) in ("body", "html") else inner


def _block(target: etree._Element | None, link: _Link, index: _Index) -> etree._Element | None:
    """Return the element that would be the note at a link's target, None where none can be one."""
    block = _paragraph(target) if target is not None else None
    if block is not None and block is not target and tag_of(block) in SECTIONS:
        block = target.getnext() if target is not None else None
    if block is None or block is link.block or tag_of(block) in _HEADINGS:
        return None
    around = link.element.getparent()
    while around is not None:
        if around is block:
            return None
        around = around.getparent()
    if block not in index.words:
        index.words[block] = " ".join(_beginning(block, _LONGEST_NOTE + 1).split())
    return block if 0 < len(index.words[block]) <= _LONGEST_NOTE else None


def _is_reference(link: _Link, note: etree._Element, index: _Index, contents: frozenset[Target]) -> bool:
    """Say whether a link without a type is a note mark: it looks like one, and the note leads back or repeats it."""
    target = index.ids[link.target]
    if link.target in contents or index.order[target] < index.order[link.element] or _is_back_link(link):
        return False
    words = index.words[note]
    label = link.words.strip("[](){}（）〔〕【】［］.: ")
    if not any(map(str.isalnum, words.replace(label, "", 1))):
        return False
    leads = _leads(note, index, contents)
    back = [leads[place] for place in (link.element, link.block) if place is not None and place in leads]
    if any(back):
        return False
    return bool(back) or (_stands_out(link) and _starts(words.lstrip("[(（〔【［^ "), label))


def _leads(note: etree._Element, index: _Index, contents: frozenset[Target]) -> dict[etree._Element, bool]:
    """Return the elements and paragraphs the links of a possible note lead to, and whether the contents list does too."""
    if note not in index.leads:
        found: dict[etree._Element, bool] = {}
        for element in note.iter("{*}a"):
            other = index.links.get(element)
            target = index.ids.get(other.target) if other else None
            for place in (target, _paragraph(target)) if other and target is not None else ():
                if place is not None and other is not None:
                    found[place] = found.get(place, False) or other.target in contents
        index.leads[note] = found
    return index.leads[note]


def _is_back_link(link: _Link) -> bool:
    """Say whether a mark stands where a note has it: in a heading, or before the words of its paragraph."""
    if link.block is None:
        return False
    words = _beginning(link.block, len(link.words) + 8)
    return tag_of(link.block) in _HEADINGS or (words != link.words and _starts(words, link.words))


def _beginning(element: etree._Element, n: int) -> str:
    """Return at least the first `n` code points of an element's words, or all of them, without reading more."""
    pieces: list[str] = []
    for piece in element.itertext():
        words = str(piece) if pieces else str(piece).lstrip()
        if words:
            pieces.append(words)
            n -= len(words)
        if n <= 0:
            break
    return "".join(pieces).strip()


def _starts(words: str, mark: str) -> bool:
    return words.startswith(mark) and not words[len(mark) : len(mark) + 1].isalnum()


def _stands_out(link: _Link) -> bool:
    """Say whether a mark is raised, in brackets or a sign, unlike a number in a sentence."""
    parent = link.element.getparent()
    raised = (parent is not None and tag_of(parent) == "sup") or link.element.find("{*}sup") is not None
    bracketed = (link.element.tail or "")[:1] in tuple(_CLOSERS)
    return raised or bracketed or not _PLAIN.match(link.words)


def _in_order(
    pages: Sequence[tuple[str, etree._Element]], found: set[etree._Element]
) -> tuple[tuple[int, etree._Element], ...]:
    """Return notes, outermost only; of a page that is mostly notes the page."""
    notes: list[tuple[int, etree._Element]] = []
    for i, (_, root) in enumerate(pages):
        here: list[etree._Element] = []
        for element in root.iter():
            is_note = element in found or not types_of(element).isdisjoint(NOTE_TYPES)
            if is_note and not (here and here[-1] in element.iterancestors()):
                here.append(element)
        size = sum(len(words_of(note)) for note in here)
        body = body_of(root)
        mostly = len(here) > 1 and len(words_of(body)) < 2 * size
        notes += [(i, note) for note in ([body] if mostly else here)]
    return tuple(notes)


def _with_brackets(link: _Link) -> etree._Element:
    """Return the element a mark is taken out with: the raised one around it, its brackets moved inside."""
    element = link.element
    parent = element.getparent()
    if parent is not None and tag_of(parent) == "sup" and len(parent) == 1:
        return parent
    before = element.getprevious()
    left = (before.tail if before is not None else parent.text if parent is not None else "") or ""
    right = element.tail or ""
    if left[-1:] and left[-1:] in _OPENERS and right[:1] == _CLOSERS[_OPENERS.index(left[-1])] and not len(element):
        element.text, element.tail = left[-1] + (element.text or "") + right[0], right[1:]
        if before is not None:
            before.tail = left[:-1]
        elif parent is not None:
            parent.text = left[:-1]
    return element
