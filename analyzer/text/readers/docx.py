"""DOCX: the paragraphs of a word processor's file as the author sees them with all changes accepted.

Headings come from outline levels and styles, else from an author's own heading styles, else from bold, centred lines.
Tables of contents, headers, footers, comments, deletions, hidden words and readings above words are removed; notes go
to the end. A file that ends in `.doc` is read where it is one of the later formats under the old name.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.errors import InputError
from analyzer.text.readers import rtf
from analyzer.text.readers._archive import Archive, open_archive
from analyzer.text.readers._docx_body import Walked, walk
from analyzer.text.readers._docx_names import attribute, child, name_of
from analyzer.text.readers._docx_numbering import Numbering
from analyzer.text.readers._docx_styles import Styles
from analyzer.text.readers._paragraphs import Draft, source_text
from analyzer.text.readers._reader import Removed, SourceText
from analyzer.text.readers._xml import parse_xml

if TYPE_CHECKING:
    from lxml import etree

SUFFIXES = (".docx", ".docm", ".doc")
UNNAMED = (".doc",)
"""Read where it is a later format under the old name, but named to nobody as readable: most are not."""

_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_DOCUMENT = "officeDocument"
_NO_AUTHORS = frozenset(("python-docx", "unknown author", "unknown", "author", "user", "microsoft office user"))
"""What programs write where nobody gave a name."""

_SEPARATORS = frozenset(("separator", "continuationSeparator", "continuationNotice"))


def read(data: bytes, path: Path) -> SourceText:
    """Return the text of a DOCX file.

    Raises InputError where it is protected by a password, in the format of before 2007, damaged, no DOCX, over the
    bounds of `_archive`, or without words.
    """
    where = str(path)
    if data.startswith(_OFFICE):
        raise _old_or_locked(data, where)
    if data.lstrip()[:5] == b"{\\rtf":
        return rtf.read(data, path)
    archive = open_archive(data, where)
    return source_text(_Package(archive, where).draft(), path.stem, where)


def _old_or_locked(data: bytes, where: str) -> InputError:
    if _ENCRYPTED in data:
        return InputError(
            f"{where} is protected by a password",
            where=where,
            hint="open it in a word processor, take the password away and save it as .docx",
        )
    return InputError(
        f"{where} is an old Word document (.doc: of before 2007, or protected by a password), which is not read",
        where=where,
        hint="open it in a word processor and save it as .docx",
    )


class _Package:
    """The parts of a DOCX file, found by their relations and not by their usual names."""

    def __init__(self, archive: Archive, where: str) -> None:
        self.archive = archive
        self.where = where
        top = self._related("")
        self.main = next((target for kind, target in top if kind == _DOCUMENT), "word/document.xml")
        if self.main not in archive:
            raise InputError(
                f"{where} is no DOCX: it has no document in it", where=where, hint="save the manuscript again as .docx"
            )
        self.properties = [target for kind, target in top if kind == "core-properties"]
        self.parts = self._related(self.main)
        self.styles = Styles(self._part("styles"))
        self.numbers = Numbering(self._part("numbering"))

    def draft(self) -> Draft:
        """Return what the file says."""
        body = walk(self._root(self.main), self.styles, self.numbers, self.where)
        notes, removed = self._notes(body)
        draft = Draft(paragraphs=body.paragraphs, notes=notes, removed=[*body.removed, *removed])
        for kind, reason in (("header", "running head"), ("footer", "running head"), ("comments", "comment")):
            for root in self._roots(kind):
                draft.removed.extend(self._words(root, reason))
        for name in self.properties:
            if name in self.archive:
                root = self._root(name)
                draft.title = _inner(root, "dc:title")
                draft.language = _inner(root, "dc:language")
                author = _inner(root, "dc:creator")
                draft.author = "" if author.strip().casefold() in _NO_AUTHORS else author
        return draft

    def _notes(self, body: Walked) -> tuple[list[str], list[Removed]]:
        """Return the notes in the order of their marks, those without a mark last, and what they lost."""
        found: dict[tuple[str, str], list[str]] = {}
        removed: list[Removed] = []
        for kind in ("footnote", "endnote"):
            for root in self._roots(f"{kind}s"):
                for element in root:
                    if attribute(element, "type") in _SEPARATORS:
                        continue
                    walked = walk(element, self.styles, self.numbers.anew(), self.where)
                    words = [p.text for p in walked.paragraphs if p.text.strip()]
                    found[kind, attribute(element, "id") or ""] = words
                    removed.extend(walked.removed)
        for kind, identifier, reason in body.unread_notes:
            removed.extend(Removed(reason, words) for words in found.pop((kind, identifier), ()))
        marked = [found.pop(key) for key in dict.fromkeys(body.notes) if key in found]
        return ["\n".join(words).strip() for words in [*marked, *found.values()] if words], removed

    def _words(self, root: etree._Element, reason: str) -> Iterator[Removed]:
        """Return everything in a part that is no text of the work."""
        walked = walk(root, self.styles, self.numbers.anew(), self.where)
        for paragraph in walked.paragraphs:
            yield Removed(reason, paragraph.text)
        yield from walked.removed

    def _part(self, kind: str) -> etree._Element | None:
        return next(self._roots(kind), None)

    def _roots(self, kind: str) -> Iterator[etree._Element]:
        """Return the parts of a kind that are there."""
        for name in dict.fromkeys(target for found, target in self.parts if found == kind):
            if name in self.archive:
                yield self._root(name)

    def _root(self, name: str) -> etree._Element:
        return parse_xml(self.archive.read(name), f"{self.where} ({name})")

    def _related(self, name: str) -> list[tuple[str, str]]:
        """Return the kinds (last word of their type) and names of the parts that a part is related to."""
        folder, base = posixpath.split(name)
        relations = posixpath.join(folder, "_rels", f"{base}.rels")
        if relations not in self.archive:
            return []
        found = []
        for element in self._root(relations):
            if name_of(element) != "pr:Relationship" or element.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/", folder, element.get("Target") or "")).lstrip("/")
            found.append((posixpath.basename(element.get("Type") or ""), target))
        return found


def _inner(root: etree._Element, name: str) -> str:
    element = child(root, name)
    return "" if element is None else element.text or ""
