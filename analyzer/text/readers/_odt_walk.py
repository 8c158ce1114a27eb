"""The walk over the body of an ODT file: elements in, paragraphs, notes and removed words out; no recursion."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.text.readers._odt_styles import Outline, Style, Styles, level_of, odf_attribute, odf_name
from analyzer.text.readers._paragraphs import Bin, Paragraph, closed, end_cell, table_row, with_boxes, with_label

if TYPE_CHECKING:
    from lxml import etree

_REASONS = {
    "text:ruby-text": "ruby reading",
    "text:table-of-content": "contents list",
    "text:illustration-index": "contents list",
    "text:table-index": "contents list",
    "text:object-index": "contents list",
    "text:user-index": "contents list",
    "text:alphabetical-index": "index",
    "text:page-number": "page number",
    "text:page-count": "page number",
    "text:placeholder": "placeholder",
    "text:deletion": "deleted text",
    "office:change-info": "comment",
    "office:annotation": "comment",
}
_SOURCES = "table-of-content illustration-index table-index object-index user-index alphabetical-index bibliography"
_SKIPPED = frozenset(
    (
        *(f"text:{name}-source" for name in _SOURCES.split()),
        "text:note-citation",
        "text:script",
        "text:sequence-decls",
        "text:variable-decls",
        "text:user-field-decls",
        "office:forms",
        "office:binary-data",
        "office:scripts",
        "office:event-listeners",
        "draw:glue-point",
    )
)
_READ = ("text:", "office:", "table:", "draw:", "style:")
"""Namespaces with words of the work; drawings' descriptions, formulas and dates are in others."""

_SPACE = re.compile(r"[ \t\r\n]+")
_MOST_SPACES = 1_000
_NUMBER = "list number"
_RULE = "---"
"""What stands for a line drawn across the page."""


@dataclass(slots=True)
class _Open:
    """A paragraph that is being read."""

    style: Style
    level: int
    label: str
    parts: list[str] = field(default_factory=list)
    numbers: list[str] = field(default_factory=list)
    boxes: list[Paragraph] = field(default_factory=list)
    bold: bool = True
    hidden: bool = False
    spaced: bool = True


class Walker:
    """Walks over parts of one file; collects what they hold."""

    def __init__(self, styles: Styles, outline: Outline) -> None:
        self.styles = styles
        self.outline = outline
        self.sinks: list[list[Paragraph]] = [[]]
        self.bin = Bin()
        self.notes: list[str] = []
        self.open: list[_Open | None] = [None]
        self.reasons: list[tuple[etree._Element, str]] = []
        self.rows: list[list[list[Paragraph]]] = []
        self.bolds: list[tuple[etree._Element, bool]] = []
        self.apart: list[etree._Element] = []
        self.starts: dict[str, Callable[[etree._Element], None]] = {
            "text:p": self._start_paragraph,
            "text:h": self._start_paragraph,
            "text:span": self._start_span,
            "text:s": self._spaces,
            "text:tab": lambda _: self._put("\t"),
            "text:line-break": lambda _: self._put("\n"),
            "text:section": self._start_section,
            "text:hidden-text": self._hidden_text,
            "text:hidden-paragraph": self._hidden_paragraph,
            "text:number": self._number,
            "text:note-body": self._start_apart,
            "office:annotation": self._start_apart,
            "table:table-row": lambda _: self.rows.append([]),
            "table:table-cell": lambda _: self.sinks.append([]),
        }
        self.ends: dict[str, Callable[[], None]] = {
            "text:p": self._end_paragraph,
            "text:h": self._end_paragraph,
            "table:table-cell": self._end_cell,
            "table:table-row": self._end_row,
        }

    def run(self, root: etree._Element, reason: str = "") -> None:
        """Walk over all that is in `root`; a `reason` takes all its words out of the text."""
        from lxml import etree

        if reason:
            self.reasons.append((root, reason))
        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            name = odf_name(element.tag)
            if event == "end":
                self._end(element, name)
            elif name in _SKIPPED or not name.startswith(_READ):
                events.skip_subtree()
            else:
                self._start(element, name)

    def _start(self, element: etree._Element, name: str) -> None:
        if name in _REASONS:
            self.reasons.append((element, _REASONS[name]))
        if name in self.starts:
            self.starts[name](element)
        elif name.startswith("draw:") and self.open[-1] is not None:
            self._start_apart(element)
        if element.text:
            self._text(element.text)

    def _end(self, element: etree._Element, name: str) -> None:
        if name in self.ends:
            self.ends[name]()
        if self.apart and self.apart[-1] is element:
            self._end_apart(name)
        if self.bolds and self.bolds[-1][0] is element:
            self.bolds.pop()
        while self.reasons and self.reasons[-1][0] is element:
            self.reasons.pop()
        if element.tail:
            self._text(element.tail)

    def _text(self, words: str) -> None:
        """Read text of the XML: white space in it is one space, none at the start of a paragraph."""
        current = self.open[-1]
        if current is None:
            if words.strip() and self.reasons:
                self.bin.add(self.reasons[0][1], words)
            elif words.strip():
                self.sinks[-1].append(Paragraph(_SPACE.sub(" ", words.strip())))
            return
        words = _SPACE.sub(" ", words)
        if current.spaced:
            words = words.removeprefix(" ")
        if words:
            self._put(words)
            current.spaced = words[-1] == " "

    def _put(self, words: str) -> None:
        current = self.open[-1]
        if current is None:
            return
        current.spaced = False
        if self.reasons and self.reasons[0][1] == _NUMBER:
            current.numbers.append(words)
            return
        if self.reasons:
            self.bin.add(self.reasons[0][1], words)
            return
        current.parts.append(words)
        self.bin.gap()
        bold = self.bolds[-1][1] if self.bolds else bool(current.style.bold)
        current.bold = current.bold and (bold or words.isspace())

    def _start_paragraph(self, element: etree._Element) -> None:
        style = self.styles.of("paragraph", odf_attribute(element, "text:style-name"))
        level = style.level
        if odf_name(element.tag) == "text:h":
            level = level_of(odf_attribute(element, "text:outline-level")) or 1
        numbered = level and not self.reasons and odf_attribute(element, "text:is-list-header") != "true"
        self.bin.gap()
        if style.contents:
            self.reasons.append((element, "contents list"))
        elif style.hidden:
            self.reasons.append((element, "hidden text"))
        self.open.append(_Open(style, level, self.outline.label(level) if numbered else ""))

    def _end_paragraph(self) -> None:
        current = self.open.pop()
        if current is None:
            return
        words = "".join(current.parts)
        self._numbered(current)
        if current.hidden:
            self.bin.add("hidden text", words)
            words = current.label = ""
        if current.label:
            words = with_label(current.label, words)
        elif current.style.rule and not words.strip() and not self.reasons:
            words = _RULE
        style = current.style
        paragraph = Paragraph(
            words,
            level=current.level,
            custom=style.custom,
            title=style.title,
            looks=bool(style.centred) and current.bold,
        )
        self.sinks[-1].extend(with_boxes(paragraph, current.boxes))

    def _numbered(self, current: _Open) -> None:
        """Take a number that is written out before a heading which counts none; others are no text."""
        number = "".join(current.numbers)
        if number and current.level and not current.label and not current.hidden:
            current.label = number.strip()
        elif number:
            self.bin.add(_NUMBER, number)

    def _start_span(self, element: etree._Element) -> None:
        style = self.styles.of("text", odf_attribute(element, "text:style-name"))
        if style.hidden:
            self.reasons.append((element, "hidden text"))
        if style.bold is not None:
            self.bolds.append((element, style.bold))

    def _spaces(self, element: etree._Element) -> None:
        count = odf_attribute(element, "text:c") or "1"
        many = int(count) if count.isascii() and count.isdigit() and len(count) < 6 else 1
        self._put(" " * min(many, _MOST_SPACES))

    def _start_section(self, element: etree._Element) -> None:
        if odf_attribute(element, "text:display") == "none" or odf_attribute(element, "text:is-hidden") == "true":
            self.reasons.append((element, "hidden text"))

    def _hidden_text(self, element: etree._Element) -> None:
        if odf_attribute(element, "text:is-hidden") == "true":
            self.reasons.append((element, "hidden text"))

    def _hidden_paragraph(self, element: etree._Element) -> None:
        current = self.open[-1]
        if current is not None and odf_attribute(element, "text:is-hidden") == "true":
            current.hidden = True

    def _number(self, element: etree._Element) -> None:
        """Read a number that a program wrote for readers which do not count: see `_numbered`."""
        self.reasons.append((element, _NUMBER))

    def _start_apart(self, element: etree._Element) -> None:
        """Start a note, a comment or a box: paragraphs inside a paragraph."""
        self.apart.append(element)
        self.open.append(None)
        self.sinks.append([])

    def _end_apart(self, name: str) -> None:
        self.apart.pop()
        self.open.pop()
        paragraphs = closed(self.sinks.pop())
        around = self.open[-1]
        if name == "text:note-body":
            self.notes.append("\n".join(p.text for p in paragraphs if p.text.strip()).strip())
        elif around is not None:
            around.boxes.extend(paragraphs)
        else:
            self.sinks[-1].extend(paragraphs)

    def _end_cell(self) -> None:
        end_cell(self.sinks, self.rows)

    def _end_row(self) -> None:
        self.sinks[-1].extend(table_row(self.rows.pop()))
