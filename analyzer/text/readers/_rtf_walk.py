"""The walk over an RTF file: tokens in, paragraphs, notes and removed words out; one pass, groups on a list."""

from __future__ import annotations

import re
from collections.abc import Callable

from analyzer.errors import InputError
from analyzer.text.readers._paragraphs import Draft
from analyzer.text.readers._rtf_groups import (
    COLLECTED,
    DESCENDED,
    REASONS,
    SKIPPED,
    Entry,
    Group,
    font_of,
    styles_of,
)
from analyzer.text.readers._rtf_output import Output
from analyzer.text.readers._rtf_tokens import (
    CHARACTERS,
    SIGNS,
    Font,
    decoded,
    from_units,
    page_name,
    single_tokens,
    tokens,
    units_of,
)
from analyzer.text.readers._symbols import symbol
from analyzer.wording import counted

DEEPEST = 2_000
"""Groups inside each other; Word writes fewer than 50."""

MOST_GROUPS = 2_000_000
"""Groups in a file; Word writes one for each run of letters alike, some hundred thousand in the longest serials."""

_TABLES = frozenset(("fonttbl", "stylesheet", "title", "author"))
"""Destinations whose words are names; they are kept apart."""

_SURROGATE_END = 0x10000

_MOST_STAND_INS = 8
"""Characters that stand in for one a reader may not know; writers give 1, or the bytes of it in an older encoding (at most 4)."""

_BORDERS = frozenset(("par", "nestcell", "sect", "cell", "row"))
"""Words that end a paragraph and never stand in for a character."""
_NO_FONT = Font("", "", False)


class Walker:
    """Reads the tokens of one file; `draft` is what they said."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.page = "cp1252"
        self.default_font = -1
        self.now = Group()
        self.groups: list[Group] = []
        self.output = Output()
        self.entries: dict[str, list[Entry]] = {name: [] for name in _TABLES}
        self.fonts: dict[int, Font] = {}
        self.waiting = bytearray()
        self.units: list[int] = []
        self.left = 0
        self.n_characters = 0
        self.n_unread = 0
        self.n_groups = 0
        self.done = False
        self.words: dict[str, Callable[[int | None], None]] = {
            "par": lambda _: self.output.end_paragraph(self.now),
            "nestcell": lambda _: self.output.end_paragraph(self.now),
            "sect": lambda _: self.output.end_section(self.now),
            "cell": lambda _: self.output.end_cell(self.now),
            "row": lambda _: self.output.end_row(),
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
            elif kind == "run":
                self._run(token[0])
            elif kind == "bytes":
                self._text(_unhexed(token[0]))
            elif kind in ("word", "number"):
                self._word(token)
            else:
                self._mark(kind, token)
                if self.done:
                    break
        if not self.done:
            raise InputError(
                f"{self.where} is cut off: {counted(len(self.groups), 'group')} of its RTF without an end",
                where=self.where,
                hint="copy or export the file again",
            )
        return Draft(
            paragraphs=self.output.paragraphs,
            notes=self.output.notes,
            removed=self.output.bin.removed(),
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
            self.output.end_paragraph(self.now)
        elif token["sign"] in SIGNS:
            self.emit(SIGNS[token["sign"]])

    def _open(self) -> None:
        if len(self.groups) >= DEEPEST:
            raise InputError(
                f"{self.where} is refused: its groups nest deeper than {DEEPEST:,}",
                where=self.where,
                hint="save it again from a word processor",
            )
        self.n_groups += 1
        if self.n_groups > MOST_GROUPS:
            raise InputError(
                f"{self.where} is refused: it has more than {MOST_GROUPS:,} groups",
                where=self.where,
                hint="save it again from a word processor, or split it",
            )
        self.groups.append(self.now)
        self.now = self.now.inner()

    def _close(self) -> None:
        if not self.groups:
            return
        ended = self.now
        if len(self.groups) == 1:
            self.output.finish(ended)
            self.done = True
        if ended.collects:
            self.output.end(ended)
        self.now = self.groups.pop()
        if ended.destination in ("fonttbl", "stylesheet") and self.now.destination != ended.destination:
            self.fonts.update({entry.number: font_of(entry) for entry in self.entries["fonttbl"]})
            self.output.styles.update(styles_of(self.entries["stylesheet"]))

    def _word(self, token: re.Match[bytes]) -> None:
        word = token["word"].decode("ascii")
        number = None if token["number"] is None else int(token["number"])
        if word in _BORDERS:
            self.left = 0
        if self.left and word != "u":
            self.left -= 1
            return
        if word != "u" or self.waiting:
            self.flush()
        new, optional = self.now.new, self.now.optional
        self.now.new = self.now.optional = False
        if (optional and word not in DESCENDED) or (new and word in SKIPPED):
            self.now.skipped = True
        elif new and self._destination(word):
            return
        elif word in _ENTRY_WORDS.get(self.now.destination, ()):
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
            self.output.start(word)
        elif word == "fldinst":
            now.destination = word
        elif word == "fldrslt":
            now.destination = word
            now.reason = now.reason or self.output.field_reason()
        elif word in COLLECTED:
            now.reason = now.why()
            now.collects = COLLECTED[word]
            self.output.start(now.collects)
        elif word in REASONS:
            now.destination = word
            now.reason = now.why() or REASONS[word]
            self.output.bin.gap()
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
            now.skip = number if number is not None and 0 <= number <= _MOST_STAND_INS else now.skip
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
        entries = self.entries[self.now.destination]
        name = _ENTRY_WORDS[self.now.destination][word]
        if name == "number":
            if entries[-1].name:
                entries.append(Entry())
            entries[-1].number = number or 0
            entries[-1].is_paragraph = word == "s"
        elif word == "outlinelevel":
            entries[-1].level = (number or 0) + 1 if 0 <= (number or 0) < 9 else 0
        else:
            setattr(entries[-1], name, number or 0)

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

    def _run(self, run: bytes) -> None:
        """Read a run of UTF-16 units and letters; one by one where what stands in for them has another length."""
        units = None if self.left or self._current_font().symbols else units_of(run, self.now.skip)
        if units is None:
            for token in single_tokens(run):
                if token.lastgroup == "bytes":
                    self._text(_unhexed(token[0]))
                elif token.lastgroup == "text":
                    self._text(token[0])
                else:
                    self._word(token)
            return
        self.now.new = False
        if self.waiting:
            self.flush()
        if not self.now.skipped:
            self.units.extend(units)

    def _unit(self, number: int | None) -> None:
        """Read a UTF-16 unit; as many characters as `uc` says stand in for it."""
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

    def emit(self, words: str) -> None:
        """Put words where they belong: into the text, a name, an instruction, or among the removed ones."""
        now = self.now
        if now.skipped or not words:
            return
        if now.destination in _TABLES:
            self.entries[now.destination][-1].name.append(words)
        elif now.destination == "fldinst":
            self.output.add_instruction(words)
        elif now.destination in ("listtext", "pntext") and now.reason == "list number":
            self.output.add_label(words)
        elif reason := now.why():
            self.output.bin.add(reason, words)
        else:
            self.output.add(words, bold=now.bold)

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


def _unhexed(data: bytes) -> bytes:
    return bytes.fromhex(data.replace(b"\\'", b"").decode("ascii"))


_ENTRY_WORDS = {
    "fonttbl": {"f": "number", "fcharset": "charset", "cpg": "page"},
    "stylesheet": {
        "s": "number",
        "cs": "number",
        "ds": "number",
        "ts": "number",
        "outlinelevel": "level",
        "sbasedon": "based_on",
    },
}
"""What the control words inside a definition set."""
