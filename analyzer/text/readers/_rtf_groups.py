"""State of RTF: what holds inside a group, what a destination is for, and the styles and fonts a file defines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.text.readers._rtf_tokens import CHARSETS, SYMBOLS, Font, page_name
from analyzer.text.readers._stylenames import custom_level, heading_level, is_contents, is_title

_HEADS = ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf")

REASONS = {
    **dict.fromkeys(_HEADS, "running head"),
    "annotation": "comment",
    "listtext": "list number",
    "pntext": "list number",
    "xe": "index entry",
    "tc": "contents entry",
}
"""Destinations whose words are removed, and why."""

_WORDLESS = (
    "colortbl pict nonshppict object objdata objclass result themedata colorschememapping datastore listtable "
    "listoverridetable rsidtbl generator xmlnstbl latentstyles bkmkstart bkmkend sp shprslt atnid atnauthor atndate "
    "atnref atnicn atntime atnparent atrfstart atrfend datafield formfield filetbl revtbl userprops docvar template "
    "password fontemb falt panose pgptbl protusertbl mmathPr wgrffmtfilter ftnsep ftnsepc ftncn aftnsep aftnsepc "
    "aftncn background nonesttables pn pnseclvl upr defchp defpap fchars lchars writereservhash "
    "keywords subject comment doccomm operator company category manager hlinkbase creatim revtim printim buptim "
    "txe rxe private passwordhash oldcprops oldpprops oldsprops oldtprops"
)
SKIPPED = frozenset(_WORDLESS.split())
"""Destinations that hold no words of the work."""

_READABLE = (
    "shp shpinst shptxt shpgrp do dptxbxtext ud nesttableprops field fldrslt moveto footnote annotation "
    "fonttbl stylesheet info title author fldinst listtext pntext cs s ts ds"
)
DESCENDED = frozenset(_READABLE.split())
"""Destinations that are read even where they are marked as ones a reader may skip."""

NOTE, BOX = "note", "box"
COLLECTED = {"footnote": NOTE, "shptxt": BOX, "dptxbxtext": BOX}
"""Destinations whose paragraphs are collected apart."""


@dataclass(slots=True)
class Group:
    """What holds in a group; a group inside begins with a copy.

    `reason` says why its words are removed ("" for none), `skipped` that they are no words at all. `collects` is what
    ends with this group: a note, a box, or a field.
    """

    destination: str = ""
    reason: str = ""
    skipped: bool = False
    collects: str = ""
    font: int = -1
    wide_font: int = -1
    wide: bool = False
    skip: int = 1
    bold: bool = False
    hidden: bool = False
    deleted: bool = False
    style: int = 0
    level: int | None = None
    centred: bool = False
    drop_cap: bool = False
    in_table: bool = False
    new: bool = True
    optional: bool = False

    def inner(self) -> Group:
        """Return the state at the start of a group inside."""
        return Group(
            destination=self.destination,
            reason=self.reason,
            skipped=self.skipped,
            font=self.font,
            wide_font=self.wide_font,
            wide=self.wide,
            skip=self.skip,
            bold=self.bold,
            hidden=self.hidden,
            deleted=self.deleted,
            style=self.style,
            level=self.level,
            centred=self.centred,
            drop_cap=self.drop_cap,
            in_table=self.in_table,
        )

    def why(self) -> str:
        """Return why words are removed here, "" where they are not."""
        return self.reason or ("deleted text" if self.deleted else "hidden text" if self.hidden else "")

    def plain(self) -> None:
        """Reset what holds for characters (`plain`)."""
        self.bold = self.hidden = self.deleted = self.wide = False
        self.font = self.wide_font = -1

    def default_paragraph(self) -> None:
        """Reset what holds for paragraphs (`pard`)."""
        self.style, self.level = 0, None
        self.centred = self.drop_cap = self.in_table = False


@dataclass(slots=True)
class Entry:
    """A style or font that is being defined."""

    number: int = 0
    name: list[str] = field(default_factory=list)
    level: int | None = None
    based_on: int = -1
    bold: bool = False
    centred: bool = False
    charset: int = 1
    page: int = 0
    is_paragraph: bool = True


class NamedStyle(NamedTuple):
    """A paragraph style: its outline level (0 none) and what its name says."""

    level: int = 0
    custom: int = 0
    title: bool = False
    contents: bool = False


def styles_of(entries: list[Entry]) -> dict[int, NamedStyle]:
    """Return the paragraph styles by number, each with what it is based on."""
    known = {entry.number: entry for entry in entries if entry.is_paragraph}
    return {number: _style(number, known) for number in known}


def _style(number: int, known: dict[int, Entry]) -> NamedStyle:
    chain: list[Entry] = []
    while number in known and known[number] not in chain and len(chain) < 50:
        chain.append(known[number])
        number = known[number].based_on
    names = ["".join(entry.name).split(";", 1)[0].strip() for entry in chain]
    levels = [_level(entry, name) for entry, name in zip(chain, names, strict=True)]
    return NamedStyle(
        level=next((n for n in levels if n is not None), 0),
        custom=next((n for n in map(custom_level, names) if n), 0),
        title=any(map(is_title, names)),
        contents=any(map(is_contents, names)),
    )


def _level(entry: Entry, name: str) -> int | None:
    return entry.level if entry.level is not None else heading_level(name) or None


def font_of(entry: Entry) -> Font:
    """Return the font an entry of the font table defines."""
    name = "".join(entry.name).split(";", 1)[0].strip()
    page = page_name(entry.page) if entry.page else CHARSETS.get(entry.charset, "")
    return Font(page, name, entry.charset == SYMBOLS or name.casefold().startswith(("wingdings", "webdings")))
