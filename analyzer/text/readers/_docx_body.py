"""The walk over a part of a DOCX file: elements in, paragraphs and removed words out.

One pass without recursion, so that no nesting can exhaust the stack. What takes words out of the text (a deletion, a
hidden run, a field that lists contents) is a reason that holds until its element or field ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from analyzer.errors import InputError
from analyzer.text.readers._docx_names import attribute, child, name_of, switch, value
from analyzer.text.readers._docx_numbering import Numbering
from analyzer.text.readers._docx_styles import Style, Styles, centred, numbering, outline_level
from analyzer.text.readers._fields import LONGEST_INSTRUCTION, overstrike, reason_of
from analyzer.text.readers._paragraphs import Bin, Paragraph, closed, end_cell, table_row, with_boxes, with_label
from analyzer.text.readers._reader import Removed
from analyzer.text.readers._symbols import symbol

if TYPE_CHECKING:
    from lxml import etree

_PROPERTIES = (
    "w:pPr w:rPr w:tblPr w:tblPrEx w:tblGrid w:trPr w:tcPr w:sdtPr w:sdtEndPr w:sectPr w:rubyPr w:fldData w:ffData "
    "w:background w:docPartPr w:delInstrText w:smartTagPr w:customXmlPr w:dirPr m:rPr m:ctrlPr"
)
_SKIPPED = frozenset(_PROPERTIES.split())
_REASONS = {
    "w:del": "deleted text",
    "w:moveFrom": "deleted text",
    "w:rt": "ruby reading",
}
_FOREIGN = frozenset(("w:altChunk", "w:subDoc"))
_CHARACTERS = {"w:tab": "\t", "w:ptab": "\t", "w:cr": "\n", "w:noBreakHyphen": "-"}
_RULE = "---"
"""What stands for a line drawn across the page."""

_NOTE_MARK = object()
"""The owner of the reason that a note's own mark ("*" in place of a number) gives until its run ends."""

_TEXTS = frozenset(("w:t", "w:delText", "m:t"))


class Walked(NamedTuple):
    """What a part holds: `notes` are the references to notes, as ("footnote" or "endnote", identifier)."""

    paragraphs: list[Paragraph]
    removed: list[Removed]
    notes: list[tuple[str, str]]
    unread_notes: list[tuple[str, str, str]]


@dataclass(slots=True)
class _Open:
    """A paragraph that is being read; its words, the boxes anchored in it."""

    style: Style
    level: int
    centred: bool
    joins: bool
    ruled: bool
    label: str = ""
    parts: list[str] = field(default_factory=list)
    boxes: list[Paragraph] = field(default_factory=list)
    bold: bool = True


@dataclass(slots=True)
class _Field:
    """A complex field: its instruction, and whether words of its result were shown."""

    instruction: str = ""
    shown: bool = False


def walk(root: etree._Element, styles: Styles, numbers: Numbering, where: str, *, fields: bool = True) -> Walked:
    """Return what stands in `root`: the body of a document, one note, one comment, a header.

    `fields` False reads the results of all fields as text. Raises InputError where text is kept in another file.
    """
    walker = _Walker(styles, numbers, where, fields=fields)
    walker.run(root)
    if fields and walker.fields:
        return walk(root, styles, numbers.anew(), where, fields=False)
    return Walked(walker.sinks[0], walker.bin.removed(), walker.notes, walker.unread_notes)


class _Walker:
    def __init__(self, styles: Styles, numbers: Numbering, where: str, *, fields: bool) -> None:
        self.styles = styles
        self.numbers = numbers
        self.where = where
        self.with_fields = fields
        self.sinks: list[list[Paragraph]] = [[]]
        self.bin = Bin()
        self.notes: list[tuple[str, str]] = []
        self.unread_notes: list[tuple[str, str, str]] = []
        self.fields: list[_Field] = []
        self.open: list[_Open] = []
        self.rows: list[list[list[Paragraph]]] = []
        self.reasons: list[tuple[object, str]] = []
        self.bold = False
        self.starts: dict[str, Callable[[etree._Element], None]] = {
            "w:p": self._start_paragraph,
            "w:r": self._start_run,
            "w:br": self._break,
            "w:sym": self._symbol,
            "w:tr": self._start_row,
            "w:tc": self._start_sink,
            "w:txbxContent": self._start_sink,
            "w:sdt": self._start_control,
            "w:fldChar": self._field_mark,
            "w:fldSimple": self._simple_field,
            "w:instrText": self._instruction,
            "w:footnoteReference": self._note,
            "w:endnoteReference": self._note,
            "v:rect": self._rule,
        }
        self.ends: dict[str, Callable[[], None]] = {
            "w:p": self._end_paragraph,
            "w:r": self._end_run,
            "w:tr": self._end_row,
            "w:tc": self._end_cell,
            "w:txbxContent": self._end_box,
        }

    def run(self, root: etree._Element) -> None:
        """Walk over all that is in `root`."""
        from lxml import etree

        events = etree.iterwalk(root, events=("start", "end"))
        for event, element in events:
            name = name_of(element)
            if event == "start":
                if name in _SKIPPED or not _is_chosen(element, name):
                    events.skip_subtree()
                else:
                    self._start(element, name)
                continue
            if name in self.ends:
                self.ends[name]()
            if self.reasons:
                self.drop_reason(element)

    def _start(self, element: etree._Element, name: str) -> None:
        if name in _TEXTS:
            self.emit(_spaced(element.text or ""))
        elif name in self.starts:
            self.starts[name](element)
        elif name in _CHARACTERS:
            self.emit(_CHARACTERS[name])
        elif name in _REASONS:
            self.reasons.append((element, _REASONS[name]))
        elif name in _FOREIGN:
            raise InputError(
                f"{self.where} keeps its text in another file inside it ({name}), which is not read",
                where=self.where,
                hint="open it in a word processor and save it again",
            )

    def emit(self, words: str) -> None:
        """Put words where they belong: into the open paragraph, or among the removed ones."""
        if not words:
            return
        if self.reasons:
            self.bin.add(self.reasons[0][1], words)
        elif self.open:
            current = self.open[-1]
            current.parts.append(words)
            self.bin.gap()
            current.bold = current.bold and (self.bold or words.isspace())
            if self.fields:
                self.fields[-1].shown = True
        elif words.strip():
            self.sinks[-1].append(Paragraph(words))

    def drop_reason(self, owner: object) -> None:
        """End the reason that an element or field gave, if it gave one."""
        for i in range(len(self.reasons) - 1, -1, -1):
            if self.reasons[i][0] is owner:
                del self.reasons[i]
                return

    def _start_paragraph(self, element: etree._Element) -> None:
        properties = child(element, "w:pPr")
        style = self.styles.of(value(properties, "w:pStyle"))
        stated = outline_level(properties)
        mark = child(properties, "w:rPr")
        middle = centred(properties)
        frame = child(properties, "w:framePr")
        current = _Open(
            style=style,
            level=style.level if stated is None else stated,
            centred=bool(style.centred) if middle is None else middle,
            joins=child(mark, "w:del") is not None
            or child(mark, "w:moveFrom") is not None
            or (frame is not None and attribute(frame, "dropCap") in ("drop", "margin")),
            ruled=child(properties, "w:pBdr") is not None,
        )
        if style.contents:
            self.reasons.append((element, "contents list"))
        elif current.level and not self.reasons and not current.joins:
            current.label = self.numbers.label(numbering(properties) or style.numbering, value(properties, "w:pStyle"))
        self.open.append(current)
        self.bin.gap()

    def _end_paragraph(self) -> None:
        if not self.open:
            return
        current = self.open.pop()
        words = with_label(current.label, "".join(current.parts))
        if not words.strip() and current.ruled and not self.reasons:
            words = _RULE
        style = current.style
        paragraph = Paragraph(
            words,
            level=current.level,
            custom=style.custom,
            title=style.title,
            looks=current.centred and current.bold,
            joins=current.joins,
        )
        self.sinks[-1].extend(with_boxes(paragraph, current.boxes))

    def _start_run(self, element: etree._Element) -> None:
        properties = child(element, "w:rPr")
        style = self.styles.run(value(properties, "w:rStyle"))
        around = self.open[-1].style if self.open else Style()
        if _said(switch(properties, "w:vanish"), style.hidden, around.hidden):
            self.reasons.append((element, "hidden text"))
        self.bold = _said(switch(properties, "w:b"), style.bold, around.bold)

    def _end_run(self) -> None:
        self.drop_reason(_NOTE_MARK)

    def _break(self, element: etree._Element) -> None:
        self.emit("\n\n" if attribute(element, "type") == "page" else "\n")

    def _symbol(self, element: etree._Element) -> None:
        code = attribute(element, "char") or ""
        if 0 < len(code) <= 6 and all(ch in "0123456789abcdefABCDEF" for ch in code):
            self.emit(symbol(int(code, 16), attribute(element, "font") or ""))

    def _start_row(self, element: etree._Element) -> None:
        self.rows.append([])
        if child(child(element, "w:trPr"), "w:del") is not None:
            self.reasons.append((element, "deleted text"))

    def _end_row(self) -> None:
        if self.rows:
            self.sinks[-1].extend(table_row(self.rows.pop()))

    def _start_sink(self, element: etree._Element) -> None:
        self.sinks.append([])
        if child(child(element, "w:tcPr"), "w:cellDel") is not None:
            self.reasons.append((element, "deleted text"))

    def _end_cell(self) -> None:
        end_cell(self.sinks, self.rows)

    def _end_box(self) -> None:
        box = closed(self.sinks.pop())
        (self.open[-1].boxes if self.open else self.sinks[-1]).extend(box)

    def _start_control(self, element: etree._Element) -> None:
        properties = child(element, "w:sdtPr")
        gallery = value(child(properties, "w:docPartObj"), "w:docPartGallery")
        if gallery == "Table of Contents":
            self.reasons.append((element, "contents list"))
        elif switch(properties, "w:showingPlcHdr"):
            self.reasons.append((element, "placeholder"))

    def _simple_field(self, element: etree._Element) -> None:
        reason = reason_of(attribute(element, "instr") or "")
        if reason:
            self.reasons.append((element, reason))

    def _instruction(self, element: etree._Element) -> None:
        if self.fields and len(self.fields[-1].instruction) < LONGEST_INSTRUCTION:
            self.fields[-1].instruction += element.text or ""

    def _field_mark(self, element: etree._Element) -> None:
        kind = attribute(element, "fldCharType")
        if not self.with_fields:
            return
        if kind == "begin":
            self.fields.append(_Field())
        elif kind == "separate" and self.fields:
            reason = reason_of(self.fields[-1].instruction)
            if reason:
                self.reasons.append((self.fields[-1], reason))
        elif kind == "end" and self.fields:
            self._end_field(self.fields.pop())

    def _end_field(self, ended: _Field) -> None:
        self.drop_reason(ended)
        drawn = None if ended.shown else overstrike(ended.instruction)
        if drawn is not None:
            self.emit(drawn.base)
            self.reasons.append((ended, "ruby reading"))
            self.emit(drawn.reading)
            self.drop_reason(ended)

    def _note(self, element: etree._Element) -> None:
        kind = "footnote" if name_of(element) == "w:footnoteReference" else "endnote"
        identifier = attribute(element, "id") or ""
        if self.reasons:
            self.unread_notes.append((kind, identifier, self.reasons[0][1]))
            return
        self.notes.append((kind, identifier))
        if attribute(element, "customMarkFollows") in ("1", "true", "on"):
            self.reasons.append((_NOTE_MARK, "note mark"))

    def _rule(self, element: etree._Element) -> None:
        hr = element.get("{urn:schemas-microsoft-com:office:office}hr")
        if hr in ("t", "true", "1") and self.open:
            self.open[-1].ruled = True


def _is_chosen(element: etree._Element, name: str) -> bool:
    """Say whether the branch of a choice is the one to read: the first choice, the fallback only without any."""
    if name not in ("mc:Choice", "mc:Fallback"):
        return True
    return element.getprevious() is None


def _said(*values: bool | None) -> bool:
    """Return the first thing said about a property, nearest first; silence is off."""
    return next((found for found in values if found is not None), False)


def _spaced(words: str) -> str:
    """Return the words of a run; the line feeds and indents of an XML layout are one space, as on the page."""
    if "\n" not in words:
        return words
    first, *middle, last = words.split("\n")
    return " ".join([first.rstrip(), *filter(None, map(str.strip, middle)), last.lstrip()])
