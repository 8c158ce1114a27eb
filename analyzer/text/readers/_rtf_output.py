"""The paragraphs of an RTF file as they end: the text, notes, boxes and rows, each collected apart."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.text.readers._fields import LONGEST_INSTRUCTION, overstrike, reason_of
from analyzer.text.readers._paragraphs import Bin, Paragraph, closed, table_row
from analyzer.text.readers._rtf_groups import BOX, NOTE, Group, NamedStyle


@dataclass(slots=True)
class _Field:
    """A field: its instruction, and whether words of its result were shown."""

    instruction: str = ""
    shown: bool = False


@dataclass(slots=True)
class _Collector:
    """Paragraphs that are collected together: those of the text, of one note, of one box."""

    paragraphs: list[Paragraph] = field(default_factory=list)
    boxes: list[Paragraph] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    bold: bool = True
    row: list[list[Paragraph]] = field(default_factory=list)
    cell_start: int = 0


class Output:
    """Takes words and ends of paragraphs; `styles` are known once the style sheet is read."""

    def __init__(self) -> None:
        self.styles: dict[int, NamedStyle] = {}
        self.bin = Bin()
        self.notes: list[str] = []
        self._into = [_Collector()]
        self._fields: list[_Field] = []

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs of the text."""
        return self._into[0].paragraphs

    def add(self, words: str, *, bold: bool) -> None:
        """Add words to the open paragraph."""
        collector = self._into[-1]
        collector.parts.append(words)
        self.bin.gap()
        collector.bold = collector.bold and (bold or words.isspace())
        if self._fields:
            self._fields[-1].shown = True

    def add_label(self, words: str) -> None:
        """Add to the number that stands before the open paragraph: part of a heading, no part of a list's line."""
        self._into[-1].labels.append(words)

    def add_instruction(self, words: str) -> None:
        """Add to the instruction of the open field."""
        if self._fields and len(self._fields[-1].instruction) < LONGEST_INSTRUCTION:
            self._fields[-1].instruction += words

    def start(self, collects: str) -> None:
        """Start a note, a box or a field."""
        if collects in (NOTE, BOX):
            self._into.append(_Collector())
        else:
            self._fields.append(_Field())

    def field_reason(self) -> str:
        """Return why the result of the open field is no text, "" where it is."""
        return reason_of(self._fields[-1].instruction) if self._fields else ""

    def end(self, now: Group) -> None:
        """Put the note, box or field that ends with the group `now` where it belongs."""
        if now.collects in (NOTE, BOX):
            self.finish(now)
            paragraphs = closed(self._into.pop().paragraphs)
            if now.collects == BOX:
                self._into[-1].boxes.extend(paragraphs)
            else:
                self.notes.append("\n".join(p.text for p in paragraphs if p.text.strip()).strip())
            return
        ended = self._fields.pop()
        drawn = None if ended.shown else overstrike(ended.instruction)
        if drawn is not None and not now.why():
            self.add(drawn.base, bold=now.bold)
            self.bin.add("ruby reading", drawn.reading)

    def finish(self, now: Group) -> None:
        """End what is open at the end of the text, of a note or of a box."""
        collector = self._into[-1]
        if collector.row:
            self.end_row()
        if collector.parts or collector.labels or collector.boxes:
            self._paragraph(collector, now)

    def end_paragraph(self, now: Group) -> None:
        """End the open paragraph; where words are removed, only a piece of them ends."""
        self.bin.gap()
        if now.reason or now.skipped:
            return
        collector = self._into[-1]
        if collector.row and not now.in_table:
            self.end_row()
        self._paragraph(collector, now)
        if not now.in_table:
            collector.cell_start = len(collector.paragraphs)

    def end_section(self, now: Group) -> None:
        """End the open paragraph if it has words."""
        if "".join(self._into[-1].parts).strip():
            self.end_paragraph(now)

    def end_cell(self, now: Group) -> None:
        """End a cell of a table."""
        if now.reason or now.skipped:
            self.bin.gap()
            return
        collector = self._into[-1]
        self._paragraph(collector, now)
        collector.row.append(closed(collector.paragraphs[collector.cell_start :]))
        del collector.paragraphs[collector.cell_start :]

    def end_row(self) -> None:
        """End a row of a table: its cells become text."""
        collector = self._into[-1]
        rest = collector.paragraphs[collector.cell_start :]
        collector.paragraphs[collector.cell_start :] = [*table_row(collector.row), *rest]
        collector.row.clear()
        collector.cell_start = len(collector.paragraphs)

    def _paragraph(self, collector: _Collector, now: Group) -> None:
        """End the open paragraph; what holds at its end holds for all of it."""
        words, label = "".join(collector.parts), "".join(collector.labels).strip()
        style = self.styles.get(now.style, NamedStyle())
        level = style.level if now.level is None else now.level
        if style.contents:
            self.bin.add("contents list", f"{label}  {words}" if label else words)
            words = ""
        elif label and level:
            words = f"{label}  {words}"
        elif label:
            self.bin.add("list number", label)
        self.bin.gap()
        paragraph = Paragraph(
            words,
            level=level,
            custom=style.custom,
            title=style.title,
            looks=now.centred and collector.bold,
            joins=now.deleted or now.hidden or now.drop_cap,
        )
        before = any(box.level or box.title or box.custom for box in collector.boxes)
        collector.paragraphs.extend([*collector.boxes, paragraph] if before else [paragraph, *collector.boxes])
        collector.parts.clear()
        collector.labels.clear()
        collector.boxes.clear()
        collector.bold = True
