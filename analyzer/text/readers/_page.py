"""One page of XHTML or HTML to its paragraphs, as a reader of the book sees them, and what was taken out of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from analyzer.text.readers._letters import clean_letters, invisible_in, tidied
from analyzer.text.readers._reader import Removed
from analyzer.text.readers._tags import (
    BLOCKS,
    Nature,
    Styles,
    nature_of,
    tag_of,
)

if TYPE_CHECKING:
    from lxml import etree

RULE = "* * *"
"""What a horizontal rule between scenes becomes."""

_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]"
_SPACE = re.compile(r"[ \t\n\r\f]+")
_WIDE_BREAK = re.compile(rf"(?<={_WIDE})[ \t\r\f]*\n[ \t\n\r\f]*(?={_WIDE})")
"""A line end of the file between two signs of a script without spaces is no space (CSS Text, segment breaks)."""
_SPACES = re.compile(" {2,}")
_BLANK = " \t\n\u00a0\u200b\u2060\ufeff\u00ad"
_LEVEL = {f"h{n}": n for n in range(1, 7)}
_PASSING = frozenset(("page number", "note mark", "picture", "ruby reading"))
"""What stands inside a paragraph: an anchor there stays an anchor."""
_FEW_PIECES = 8
"""Runs of text before which a drop capital still opens its paragraph."""
_LONGEST_CELL = 300
"""Code points; a table cell with more is layout and holds paragraphs."""


class Block(NamedTuple):
    """A paragraph: `level` of its heading element or 0, `titled` by its type or class, `linked` letters inside links.

    `glued` to the block before by one line feed (rows of a table); `matter` the kind of chapter its section states.
    """

    text: str
    level: int = 0
    titled: bool = False
    linked: int = 0
    glued: bool = False
    rule: bool = False
    matter: str = ""


class Page(NamedTuple):
    """The blocks of a page, the index of the block at each anchor asked for, anchors inside of what was removed."""

    blocks: tuple[Block, ...]
    anchors: dict[str, int]
    gone: frozenset[str]
    removed: tuple[Removed, ...]


class Rules(NamedTuple):
    """What a page is read by: anchors wanted, elements to take out and why, styles, which links lead into the book."""

    anchors: frozenset[str] = frozenset()
    drop: Mapping[etree._Element, str] = {}
    styles: Styles = Styles()
    inside: Callable[[str], bool] = lambda href: not href.startswith(("http:", "https:", "mailto:"))


def read_page(root: etree._Element, rules: Rules) -> Page:
    """Return the paragraphs of a page or of one element of it; linear in its size."""
    return _Walk(rules).walk(root)


def words_of(element: etree._Element) -> str:
    """Return the words of an element on one line, cleaned."""
    return clean_letters(" ".join("".join(map(str, element.itertext())).split()))


class _Frame(NamedTuple):
    """What ends with an element."""

    skipped: bool = False
    block: bool = False
    level: int = 0
    row: bool = False
    pre: bool = False
    titled: bool = False
    ruby: bool = False
    matter: bool = False
    drop_cap: bool = False
    link: int = -1


_SKIPPED = _Frame(skipped=True)


@lru_cache(maxsize=1024)
def _frame(nature: Nature, block: bool) -> _Frame:
    """Return what ends with every element of a nature, rows and links apart."""
    return _Frame(
        block=block,
        level=_LEVEL.get(nature.tag, 0) if block else 0,
        pre=nature.pre,
        titled=nature.titled,
        ruby=nature.tag == "ruby",
        matter=nature.matter is not None,
        drop_cap=nature.drop_cap,
    )


class _Walk:
    """Goes through the elements once; `buffer` holds the paragraph that is being read."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.root: etree._Element | None = None
        self.blocks: list[Block] = []
        self.anchors: dict[str, int] = {}
        self.gone: set[str] = set()
        self.removed: list[Removed] = []
        self.invisible = ""
        self.buffer: list[str] = []
        self.waiting: list[tuple[str, int]] = []
        self.links: list[tuple[int, int]] = []
        self.matter = [""]
        self.level = 0
        self.row = self.pre = self.titled = self.ruby = 0
        self.row_no = 0
        self.joins = False
        self.carried = ""

    def walk(self, root: etree._Element) -> Page:
        from lxml import etree

        self.root = root
        frames: list[_Frame] = []
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            if event == "start":
                frame = self.enter(element, nature_of(element, self.rules.styles))
                frames.append(frame)
                if frame.skipped:
                    events.skip_subtree()
            else:
                self.leave(frames.pop())
                if element is not root and element.tail:
                    self.add(element.tail)
        self.flush()
        if self.carried:
            self.blocks.append(Block(self.carried))
        if self.invisible:
            self.removed.append(Removed("invisible character", self.invisible))
        return Page(tuple(self.blocks), self.anchors, frozenset(self.gone), tuple(self.removed))

    def enter(self, element: etree._Element, nature: Nature) -> _Frame:
        tag = nature.tag
        reason = self.reason(element, nature) if element is not self.root else None
        if reason is not None:
            self.remove(element, tag, reason)
            return _SKIPPED
        block = tag in BLOCKS and not self.row
        if block:
            self.flush()
        if self.rules.anchors:
            self.anchor(element)
        if nature.matter is not None:
            self.matter.append(nature.matter)
        frame = self.frame(element, nature, block)
        self.level = frame.level or self.level
        self.row += frame.row
        self.pre += nature.pre
        self.titled += nature.titled
        self.ruby += frame.ruby
        self.void(element, tag)
        if element.text:
            self.add(element.text)
        return frame

    def frame(self, element: etree._Element, nature: Nature, block: bool) -> _Frame:
        tag = nature.tag
        frame = _frame(nature, block)
        if tag == "table":
            self.row_no = 0
        elif tag == "tr" and block and _is_row(element):
            return frame._replace(row=True)
        elif tag == "a" and self.rules.inside(element.get("href") or "http:"):
            return frame._replace(link=len(self.buffer))
        return frame

    def leave(self, frame: _Frame) -> None:
        if frame.skipped:
            return
        if frame.link >= 0:
            self.links.append((min(frame.link, len(self.buffer)), len(self.buffer)))
        if frame.row:
            self.row -= 1
        if frame.block:
            self.flush(glued=frame.row and self.row_no > 0, drop_cap=frame.drop_cap)
            self.row_no += frame.row
        elif frame.drop_cap and len(self.buffer) < _FEW_PIECES and len("".join(self.buffer).strip()) == 1:
            self.joins = True
        self.level = 0 if frame.level else self.level
        self.pre -= frame.pre
        self.titled -= frame.titled
        self.ruby -= frame.ruby
        if frame.matter:
            self.matter.pop()

    def reason(self, element: etree._Element, nature: Nature) -> str | None:
        """Return why an element is left out, "" where it holds no words of the work, None where it is read."""
        dropped = self.rules.drop.get(element) if self.rules.drop else None
        return nature.reason if dropped is None else dropped

    def remove(self, element: etree._Element, tag: str, reason: str) -> None:
        if tag in BLOCKS and not self.row:
            self.flush()
        words = self.removed_words(element) if reason not in ("", "note") or not tag else ""
        if words:
            self.removed.append(Removed(reason or "entity", words))
        for inner in element.iter() if self.rules.anchors else ():
            for name in filter(None, (inner.get("id"), inner.get("name"))):
                if name in self.rules.anchors and ((not words and reason != "note") or reason in _PASSING):
                    self.waiting.append((name, len(self.buffer)))
                elif name in self.rules.anchors:
                    self.gone.add(name)

    def removed_words(self, element: etree._Element) -> str:
        """Return the words of an element that is left out, pictures' descriptions too, notes inside of it not."""
        from lxml import etree

        pieces: list[str] = []
        events = etree.iterwalk(element, events=("start", "end"))
        for event, inner in events:
            is_note = inner is not element and self.rules.drop.get(inner) == "note"
            if event == "start" and is_note:
                events.skip_subtree()
            elif event == "start":
                pieces += [inner.text or "", (inner.get("alt") or "") if tag_of(inner) == "img" else ""]
            elif inner is not element:
                pieces.append(inner.tail or "")
        words = "".join(pieces)
        self.invisible += invisible_in(words)
        return clean_letters(" ".join(words.split()))

    def anchor(self, element: etree._Element) -> None:
        for name in {element.get("id"), element.get("name")}:
            if name in self.rules.anchors:
                self.waiting.append((str(name), len(self.buffer)))

    def void(self, element: etree._Element, tag: str) -> None:
        """Take in an element without content."""
        if tag == "br":
            self.buffer.append("\n")
        elif tag == "hr":
            self.flush()
            self.blocks.append(Block(RULE, rule=True, matter=self.matter[-1]))
        elif tag in ("td", "th") and self.row and any(map(str.strip, self.buffer)):
            self.buffer.append("\t")
        elif tag in ("img", "image") and (alt := (element.get("alt") or "").strip()):
            if len(alt) == 1 and alt.isalpha() and _follows(element).islower():
                self.buffer.append(alt)
            else:
                self.removed.append(Removed("picture", alt))

    def add(self, words: str) -> None:
        if self.ruby and words.isspace():
            return
        if self.pre:
            words = words.replace("\r\n", "\n").replace("\r", "\n")
        elif "\n" in words or "\t" in words or "  " in words or "\r" in words or "\f" in words:
            words = _SPACE.sub(" ", words if words.isascii() else _WIDE_BREAK.sub("", words))
        if self.joins:
            self.joins = False
            words = words.lstrip() if words.lstrip()[:1].islower() else words
        self.buffer.append(words)

    def flush(self, *, glued: bool = False, drop_cap: bool = False) -> None:
        """End the paragraph."""
        if not self.buffer and not self.waiting:
            return
        text = "".join(self.buffer)
        blank = not text.strip(_BLANK)
        last = max((i for i, piece in enumerate(self.buffer) if piece.strip(_BLANK)), default=0) if self.waiting else 0
        for name, at in self.waiting:
            self.anchors.setdefault(name, len(self.blocks) + (not blank and at > last))
        if blank:
            self.invisible += invisible_in(text)
        else:
            self._block(_tidy(text), glued, drop_cap)
        self.buffer.clear()
        self.waiting.clear()
        self.links.clear()
        self.joins = False

    def _block(self, text: str, glued: bool, drop_cap: bool) -> None:
        if drop_cap and len(text) == 1 and text.isalpha():
            self.carried += text
            return
        text, self.carried = self.carried + text, ""
        linked = sum(sum(map(str.isalnum, "".join(self.buffer[a:b]))) for a, b in self.links) if self.links else 0
        text, unseen = tidied(text)
        self.invisible += "".join(one.text for one in unseen) if unseen else ""
        self.blocks.append(Block(text, self.level, self.titled > 0, linked, glued, matter=self.matter[-1]))


def _tidy(text: str) -> str:
    if "\u2028" in text or "\u2029" in text:
        text = text.replace("\u2028", "\n").replace("\u2029", "\n")
    if "\n" in text:
        text = "\n".join(line.strip(" ") for line in text.split("\n"))
    if "  " in text:
        text = _SPACES.sub(" ", text)
    return text.strip(" \t\n")


def _follows(element: etree._Element) -> str:
    """Return the sign directly behind an element or the inline element it stands alone in."""
    parent = element.getparent()
    tail = element.tail or (parent.tail if parent is not None and tag_of(parent) not in BLOCKS else "") or ""
    return tail[:1]


def _is_row(element: etree._Element) -> bool:
    """Say whether the cells of a table row are short: figures and names, not the layout of a page."""
    n_blocks = size = 0
    for inner in element.iterdescendants():
        tag = tag_of(inner)
        n_blocks = 0 if tag in ("td", "th") else n_blocks + (tag in BLOCKS)
        size = len(inner.text or "") if tag in ("td", "th") else size + len(inner.text or "") + len(inner.tail or "")
        if tag == "table" or n_blocks > 1 or size > _LONGEST_CELL:
            return False
    return True
