"""ODT: the paragraphs of a word processor's file as the author sees them with all changes accepted.

Headings come from outline levels and styles, else from an author's own heading styles, else from bold, centred lines.
Indexes, headers, footers, comments, deletions, hidden words and readings above words are removed; notes go to the end.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import InputError
from analyzer.text.readers._archive import Archive, open_archive
from analyzer.text.readers._odt_styles import Outline, Styles, odf_name
from analyzer.text.readers._odt_walk import Walker
from analyzer.text.readers._paragraphs import Draft, source_text
from analyzer.text.readers._reader import SourceText
from analyzer.text.readers._xml import parse_xml

if TYPE_CHECKING:
    from lxml import etree

SUFFIXES = (".odt", ".fodt")

_MANIFEST = "META-INF/manifest.xml"
_ENCRYPTION = "manifest:encryption-data"
_HEADS = frozenset(
    f"style:{name}{which}" for name in ("header", "footer") for which in ("", "-left", "-first", "-right")
)


def read(data: bytes, path: Path) -> SourceText:
    """Return the text of an ODT file, or of a flat one (`.fodt`), which is the same in one XML file.

    Raises InputError where it is protected by a password, damaged, no ODT, over the bounds of `_archive`, or without
    words.
    """
    where = str(path)
    if data.startswith(b"PK") or path.suffix.lower() != ".fodt":
        roots = _parts(open_archive(data, where), where)
    else:
        roots = [parse_xml(data, where)]
    return source_text(_draft(roots, where), path.stem, where)


def _parts(archive: Archive, where: str) -> list[etree._Element]:
    """Return the content first, then the styles and the file's own description where they are there."""
    if _MANIFEST in archive:
        root = parse_xml(archive.read(_MANIFEST), f"{where} ({_MANIFEST})")
        if any(odf_name(element.tag) == _ENCRYPTION for element in root.iter()):
            raise InputError(
                f"{where} is protected by a password",
                where=where,
                hint="open it in a word processor and save it without a password",
            )
    if "content.xml" not in archive:
        raise InputError(
            f"{where} is no ODT: it has no content in it", where=where, hint="save the manuscript again as .odt"
        )
    names = [name for name in ("content.xml", "styles.xml", "meta.xml") if name in archive]
    return [parse_xml(archive.read(name), f"{where} ({name})") for name in names]


def _draft(roots: list[etree._Element], where: str) -> Draft:
    body = _first(roots[:1], "office:text")
    if body is None:
        raise InputError(
            f"{where} is no text document: it has no text in it",
            where=where,
            hint="pass a text document; tables, slides and drawings are not read",
        )
    walker = Walker(Styles(reversed(roots)), Outline(roots))
    walker.run(body)
    draft = Draft(paragraphs=walker.sinks[0], notes=walker.notes)
    for root in roots:
        for element in root.iter():
            if odf_name(element.tag) in _HEADS:
                walker.run(element, "running head")
    draft.removed = walker.bin.removed()
    draft.title = _said(roots, "dc:title")
    draft.author = _said(roots, "meta:initial-creator") or _said(roots, "dc:creator")
    draft.language = _said(roots, "dc:language")
    return draft


def _first(roots: list[etree._Element], name: str) -> etree._Element | None:
    return next((element for root in roots for element in root.iter() if odf_name(element.tag) == name), None)


def _said(roots: list[etree._Element], name: str) -> str:
    """Return what the file's description says; comments have authors too, so only there."""
    described = _first(roots, "office:meta")
    found = None if described is None else _first([described], name)
    return "" if found is None else found.text or ""
