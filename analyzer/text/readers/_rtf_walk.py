"""The walk over an RTF file: tokens in, paragraphs, notes and removed words out; one pass, groups on a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from analyzer.errors import InputError
from analyzer.text.readers._fields import LONGEST_INSTRUCTION, overstrike, reason_of
from analyzer.text.readers._paragraphs import Bin, Draft, Paragraph, closed, table_row
from analyzer.text.readers._rtf_groups import (
    BOX,
    COLLECTED,
    DESCENDED,
    NOTE,
    REASONS,
    SKIPPED,
    Collector,
    Entry,
    Group,
    NamedStyle,
    font_of,
    styles_of,
)
from analyzer.text.readers._rtf_tokens import CHARACTERS, SIGNS, Font, decoded, from_units, page_name, tokens
from analyzer.text.readers._symbols import symbol

DEEPEST = 2_000
"""Groups inside each other; Word writes fewer than 50."""

_TABLES = frozenset(("fonttbl", "stylesheet", "title", "author"))
"""Destinations whose words are names; they are kept apart."""

_SURROGATE_END = 0x10000
_NO_FONT = Font("", "", False)


@dataclass(slots=True)
class _Field:
    instruction: str = ""
    shown: bool = False


class Walker:
    """Reads the tokens of one file; `draft` is what they said."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.page = "cp1252"
        self.default_font = -1
        self.now = Group()
        self.groups: list[Group] = []
        self.into = [Collector()]
        self.bin = Bin()
        self.notes: list[str] = []
        self.fields: list[_Field] = []
        self.entries: dict[str, list[Entry]] = {name: [] for name in _TABLES}
        self.fonts: dict[int, Font] = {}
        self.styles: dict[int, NamedStyle] = {}
        self.waiting = bytearray()
        self.units: list[int] = []
        self.left = 0
        self.n_characters = 0
        self.n_unread = 0
        self.done = False
        self.words: dict[str, Callable[[int | None], None]] = {
            "par": self._end_of_paragraph,
            "sect": self._end_of_section,
            "cell": self._end_of_cell,
            "nestcell": self._end_of_paragraph,
            "row": self._end_of_row,
            "u": self._unit,
            "ansicpg": self._code_page,
            "ansi": lambda _: self._set_page("cp1252"),
            "mac": lambda _: self._set_page("mac_roman"),
            "pc": lambda _: self._set_page("cp437"),
            "pca": lambda _: self._set_page("cp850"),
            "deff": self._default_font,
            "f": self._font,
            "af": self._wide_font,
            "plain": lambda _: self.now.plain(),
            "pard": lambda _: self.now.default_paragraph(),
        }

    def run(self, data: bytes) -> Draft:
        """Return what the file says; raises InputError where it is cut off or nests too deep."""
        for token in tokens(data):
            kind = token.lastgroup
            if kind == "text":
                self._text(token[0])
            elif kind == "bytes":
                self._text(bytes.fromhex(token[0].replace(b"\\'", b"").decode("ascii")))
            elif kind in ("word", "number"):
                self._word(token)
            else:
                self._mark(kind, token)
                if self.done:
                    break
        if not self.done:
            raise InputError(
                f"{self.where} is cut off: {len(self.groups)} groups of its RTF do not end",
                where=self.where,
                hint="copy or export the file again",
            )
        return Draft(
            paragraphs=self.into[0].paragraphs,
            notes=self.notes,
            removed=self.bin.removed(),
            title=self._named("title"),
            author=self._named("author"),
            encoding=self.page,
        )

    def certainty(self) -> float:
        """Return which part of the characters could be read, from 0 to 1."""
        return 1.0 - self.n_unread / max(self.n_characters, 1)

    def _named(self, table: str) -> str:
        return "".join("".join(entry.name) for entry in self.entries[table][:1])

    def _mark(self, kind: str | None, token: re.Match[bytes]) -> None:
        """Read what is neither words nor a control word: braces and signs."""
        self.flush()
        self.left = 0
        if kind == "open":
            self._open()
        elif kind == "close":
            self._close()
        elif token["sign"] == b"*":
            self.now.optional = True
        elif token["sign"] in (b"\n", b"\r"):
            self._end_of_paragraph(None)
        elif token["sign"] in SIGNS:
            self.emit(SIGNS[token["sign"]])

    def _open(self) -> None:
        if len(self.groups) >= DEEPEST:
            raise InputError(
                f"{self.where} is refused: its groups nest deeper than {DEEPEST:,}",
                where=self.where,
                hint="save it again from a word processor",
            )
        self.groups.append(self.now)
        self.now = self.now.inner()

    def _close(self) -> None:
        if not self.groups:
            return
        ended = self.now
        if len(self.groups) == 1:
            self._end_of_text()
            self.done = True
        if ended.collects:
            self._end_of_collection(ended)
        self.now = self.groups.pop()
        if ended.destination in ("fonttbl", "stylesheet") and self.now.destination != ended.destination:
            self.fonts.update({entry.number: font_of(entry) for entry in self.entries["fonttbl"]})
            self.styles.update(styles_of(self.entries["stylesheet"]))

    def _word(self, token: re.Match[bytes]) -> None:
        word = token["word"].decode("ascii")
        number = None if token["number"] is None else int(token["number"])
        if self.left and word != "u":
            self.left -= 1
            return
        if word != "u" or self.waiting:
            self.flush()
        new, optional = self.now.new, self.now.optional
        self.now.new = self.now.optional = False
        if optional and word not in DESCENDED:
            self.now.skipped = True
        elif new and word in SKIPPED:
            self.now.skipped = True
        elif new and self._destination(word):
            return
        elif self.now.destination in ("fonttbl", "stylesheet"):
            self._defined(word, number)
        elif word in self.words:
            self.words[word](number)
        elif word in CHARACTERS:
            self.emit(CHARACTERS[word])
        else:
            self._property(word, number)

    def _destination(self, word: str) -> bool:
        """Say whether `word` starts a destination, and start it."""
        now = self.now
        if word in _TABLES:
            now.destination = word
            self.entries[word].append(Entry())
        elif word == "ud":
            now.skipped = self.groups[-2].skipped if len(self.groups) > 1 else False
        elif word == "field":
            now.collects = word
            self.fields.append(_Field())
        elif word == "fldinst":
            now.destination = word
        elif word == "fldrslt":
            now.destination = word
            now.reason = now.reason or (reason_of(self.fields[-1].instruction) if self.fields else "")
        elif word in COLLECTED:
            now.reason = self.reason()
            now.collects = COLLECTED[word]
            self.into.append(Collector())
        elif word in REASONS:
            now.destination = word
            now.reason = self.reason() or REASONS[word]
            self.bin.gap()
        else:
            return False
        return True

    def _property(self, word: str, number: int | None) -> None:
        """Read a control word that says how what follows is to be taken."""
        now = self.now
        if word in ("b", "v", "deleted"):
            setattr(now, {"b": "bold", "v": "hidden"}.get(word, word), number != 0)
        elif word == "mvf":
            now.deleted = True
        elif word in ("qc", "ql", "qr", "qj"):
            now.centred = word == "qc"
        elif word in ("loch", "hich", "dbch"):
            now.wide = word == "dbch"
        elif word == "uc":
            now.skip = min(max(number or 0, 0), 100)
        elif word == "s":
            now.style = number or 0
        elif word == "outlinelevel":
            now.level = (number or 0) + 1 if 0 <= (number or 0) < 9 else 0
        elif word == "dropcapli":
            now.drop_cap = True
        elif word == "intbl":
            now.in_table = True

    def _defined(self, word: str, number: int | None) -> None:
        """Read what a font or style is defined as."""
        if word not in _ENTRY_WORDS:
            return
        entries = self.entries[self.now.destination]
        if word in ("f", "s", "cs", "ds", "ts"):
            if entries[-1].name:
                entries.append(Entry())
            entries[-1].number = number or 0
            entries[-1].is_paragraph = word in ("s", "f")
        elif word == "outlinelevel":
            entries[-1].level = (number or 0) + 1 if 0 <= (number or 0) < 9 else 0
        else:
            setattr(entries[-1], _ENTRY_WORDS[word], number or 0)

    def _text(self, data: bytes) -> None:
        """Read bytes of text; those that stand in for a character already read are passed over."""
        if self.left:
            passed = min(self.left, len(data))
            self.left -= passed
            data = data[passed:]
            if not data:
                return
        if self.units:
            self.flush()
        self.now.new = False
        if not self.now.skipped:
            self.waiting += data

    def _unit(self, number: int | None) -> None:
        """Read a UTF-16 unit; as many characters as `\\uc` says stand in for it."""
        self.left = self.now.skip
        if not self.now.skipped:
            self.units.append((number or 0) % _SURROGATE_END)

    def flush(self) -> None:
        """Turn the bytes and units that wait into characters."""
        if not self.waiting and not self.units:
            return
        font = self._current_font()
        if self.waiting:
            data = bytes(self.waiting)
            self.waiting.clear()
            if font.symbols:
                words, unread = "".join(symbol(code, font.name) for code in data), 0
            else:
                words, unread = decoded(data, font.page or self.page, self.page)
        else:
            words, unread = from_units(self.units)
            self.units.clear()
            if font.symbols:
                words = "".join(symbol(ord(ch), font.name) if "\uf000" <= ch <= "\uf0ff" else ch for ch in words)
        self.n_characters += len(words)
        self.n_unread += unread
        self.emit(words)

    def _current_font(self) -> Font:
        now = self.now
        number = now.wide_font if now.wide and now.wide_font >= 0 else now.font
        return self.fonts.get(number if number >= 0 else self.default_font, _NO_FONT)

    def reason(self) -> str:
        """Return why words are removed here, "" where they are not."""
        now = self.now
        return now.reason or ("deleted text" if now.deleted else "hidden text" if now.hidden else "")

    def emit(self, words: str) -> None:
        """Put words where they belong: into the text, a name, an instruction, or among the removed ones."""
        now = self.now
        if now.skipped or not words:
            return
        if now.destination in _TABLES:
            self.entries[now.destination][-1].name.append(words)
        elif now.destination == "fldinst":
            if self.fields and len(self.fields[-1].instruction) < LONGEST_INSTRUCTION:
                self.fields[-1].instruction += words
        elif now.destination in ("listtext", "pntext") and now.reason == "list number":
            self.into[-1].labels.append(words)
        elif reason := self.reason():
            self.bin.add(reason, words)
        else:
            self._add(words)

    def _add(self, words: str) -> None:
        collector = self.into[-1]
        collector.parts.append(words)
        collector.bold = collector.bold and (self.now.bold or words.isspace())
        if self.fields:
            self.fields[-1].shown = True

    def _code_page(self, number: int | None) -> None:
        name = page_name(number or 1252)
        if not name:
            raise InputError(
                f"{self.where} is in code page {number}, which is not known",
                where=self.where,
                hint="save it again from a word processor",
            )
        self.page = name

    def _set_page(self, name: str) -> None:
        self.page = name

    def _default_font(self, number: int | None) -> None:
        self.default_font = number or 0

    def _font(self, number: int | None) -> None:
        self.now.font = number or 0
        if self.now.wide:
            self.now.wide_font = number or 0

    def _wide_font(self, number: int | None) -> None:
        if self.now.wide:
            self.now.wide_font = number or 0

    def _end_of_paragraph(self, _: int | None) -> None:
        if self.now.skipped or self.now.destination in _TABLES:
            return
        self.bin.gap()
        if self.now.reason:
            return
        collector = self.into[-1]
        if collector.row and not self.now.in_table:
            self._end_of_row(None)
        self._paragraph(collector)
        if not self.now.in_table:
            collector.cell_start = len(collector.paragraphs)

    def _paragraph(self, collector: Collector) -> None:
        """End the open paragraph; what holds at its end holds for all of it."""
        now = self.now
        words, label = "".join(collector.parts), "".join(collector.labels).strip()
        style = self.styles.get(now.style, NamedStyle())
        level = style.level if now.level is None else now.level
        if style.contents:
            self.bin.add("contents list", words)
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

    def _end_of_section(self, _: int | None) -> None:
        if "".join(self.into[-1].parts).strip():
            self._end_of_paragraph(None)

    def _end_of_cell(self, _: int | None) -> None:
        collector = self.into[-1]
        if self.now.reason or self.now.skipped:
            self.bin.gap()
            return
        self._paragraph(collector)
        collector.row.append(closed(collector.paragraphs[collector.cell_start :]))
        del collector.paragraphs[collector.cell_start :]

    def _end_of_row(self, _: int | None) -> None:
        collector = self.into[-1]
        rest = collector.paragraphs[collector.cell_start :]
        collector.paragraphs[collector.cell_start :] = [*table_row(collector.row), *rest]
        collector.row.clear()
        collector.cell_start = len(collector.paragraphs)

    def _end_of_text(self) -> None:
        collector = self.into[-1]
        if collector.row:
            self._end_of_row(None)
        if collector.parts or collector.labels or collector.boxes:
            self._paragraph(collector)

    def _end_of_collection(self, ended: Group) -> None:
        """Put a note, a box or a field where it belongs."""
        if ended.collects == "field":
            read = self.fields.pop()
            drawn = None if read.shown else overstrike(read.instruction)
            if drawn is not None:
                self.emit(drawn.base)
                self.bin.add("ruby reading", drawn.reading)
            return
        if len(self.into) < 2:
            return
        self._end_of_text()
        paragraphs = closed(self.into.pop().paragraphs)
        if ended.collects == BOX:
            self.into[-1].boxes.extend(paragraphs)
        elif ended.collects == NOTE:
            self.notes.append("\n".join(p.text for p in paragraphs if p.text.strip()).strip())


_ENTRY_WORDS = {
    "f": "number",
    "s": "number",
    "cs": "number",
    "ds": "number",
    "ts": "number",
    "outlinelevel": "level",
    "sbasedon": "based_on",
    "fcharset": "charset",
    "cpg": "page",
}
