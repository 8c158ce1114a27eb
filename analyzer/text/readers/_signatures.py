"""What a file is by its first bytes, whatever its name says."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from analyzer.errors import InputError

_LOOKED_AT = 2_048
"""Bytes looked at: comments and blank lines may stand before the first element of a page."""

_HTML = re.compile(r"(?:<\?xml\b[^>]*>\s*|<!--.*?-->\s*)*(?:<!doctype\s+html\b|<html\b|<head\b|<body\b)", re.I | re.S)
_FICTION_BOOK = re.compile(r"(?:<\?xml\b[^>]*>\s*|<!--.*?-->\s*)*<FictionBook\b", re.S)
_WIDE = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))

_OLD = "an old Word document (.doc)"
_WORD = frozenset((".doc", ".docx", ".docm"))
"""Their reader tells an old document from one that is protected by a password."""

_SUFFIXES = {
    "RTF": (".rtf",),
    "HTML": (".html", ".htm", ".xhtml", ".xht"),
    "EPUB": (".epub",),
    "a Word document (.docx)": (".docx", ".docm"),
    "an OpenDocument text": (".odt",),
    "an OpenDocument table or presentation": (),
    "an Excel table (.xlsx)": (),
    "a PowerPoint presentation (.pptx)": (),
    "a Pages document": (),
    "a FictionBook (.fb2)": (),
    "PDF": (),
    "a picture (PNG)": (),
    "a picture (JPEG)": (),
    "a picture (GIF)": (),
    "a picture (WebP)": (),
    "a ZIP archive": (),
    "a 7-Zip archive": (),
    "a RAR archive": (),
    "a gzip archive": (),
    "a Kindle book": (),
    _OLD: (),
}
"""The endings of each format that is told by its beginning; none where it cannot be read."""

_SIGNS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _OLD),
    (b"\x89PNG\r\n\x1a\n", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF87a", "a picture (GIF)"),
    (b"GIF89a", "a picture (GIF)"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x1f\x8b\x08", "a gzip archive"),
)
"""What files begin with that are no text."""

_PACKED = (
    ("word/document.xml", "a Word document (.docx)"),
    ("xl/workbook.xml", "an Excel table (.xlsx)"),
    ("ppt/presentation.xml", "a PowerPoint presentation (.pptx)"),
    ("Index/Document.iwa", "a Pages document"),
    ("META-INF/container.xml", "EPUB"),
)
"""Members that tell what an archive is."""

_MIMETYPES = (
    (b"mimetypeapplication/epub+zip", "EPUB"),
    (b"mimetypeapplication/vnd.oasis.opendocument.text", "an OpenDocument text"),
    (b"mimetypeapplication/vnd.oasis.opendocument.", "an OpenDocument table or presentation"),
)
"""What an archive says of itself in its first member."""

_ANY_ARCHIVE = frozenset((".epub", ".docx", ".odt"))
"""Their readers open archives themselves and say what is missing in one that says nothing of itself."""


_HINTS = {
    **dict.fromkeys(
        ("a ZIP archive", "a 7-Zip archive", "a RAR archive", "a gzip archive"),
        "unpack it and pass the manuscript in it",
    ),
    **dict.fromkeys((name for name in _SUFFIXES if "picture" in name), "pass the manuscript itself"),
}


def _packed(data: bytes, head: bytes) -> str:
    """Return what an archive is by its first member or by the names of the others, which are looked for where archives list them."""
    stated = next((name for sign, name in _MIMETYPES if sign in head), "")
    if stated:
        return stated
    listed = data[max(0, data.find(b"PK\x01\x02")) :]
    return next((name for member, name in _PACKED if member.encode() in listed), "a ZIP archive")


def format_of(data: bytes) -> str:
    """Return which format the bytes begin like, "" for text and for what is not known here."""
    head = data[:_LOOKED_AT]
    if head.startswith(b"PK\x03\x04"):
        return _packed(data, head)
    known = next((name for sign, name in _SIGNS if head.startswith(sign)), "")
    if known:
        return known
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return "a picture (WebP)"
    if head[60:68] == b"BOOKMOBI":
        return "a Kindle book"
    mark, encoding = next(((mark, name) for mark, name in _WIDE if head.startswith(mark)), (b"", "latin-1"))
    words = head[len(mark) :].decode(encoding, "ignore").lstrip()
    if words.startswith("{\\rtf"):
        return "RTF"
    if words.startswith("%PDF-"):
        return "PDF"
    if _FICTION_BOOK.match(words):
        return "a FictionBook (.fb2)"
    return "HTML" if _HTML.match(words) else ""


def refuse_other_format(data: bytes, path: Path) -> None:
    """Raise InputError where the bytes are of another format than the name's ending says."""
    suffix, found = path.suffix.lower(), format_of(data)
    if not found or suffix in _SUFFIXES[found] or (found == _OLD and suffix in _WORD):
        return
    if found == "a ZIP archive" and suffix in _ANY_ARCHIVE:
        return
    endings = _SUFFIXES[found]
    raise InputError(
        f"{path} is {found}, though it ends in {path.suffix}",
        where=str(path),
        hint=f"rename it to {endings[0]}"
        if endings
        else _HINTS.get(found, "save it as .docx, .odt, .epub or plain text"),
    )
