"""EPUBs built in memory for the tests: pages, spine and contents lists as given."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from analyzer.text.readers import epub
from analyzer.text.readers._reader import SourceText

XHTML = (
    '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "xhtml11.dtd">'
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>t</title></head>'
    "<body{}>{}</body></html>"
)
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)


def page(body: str, attributes: str = "") -> bytes:
    """A page of XHTML 1.1 with this body."""
    return XHTML.format(attributes, body).encode()


def nav(items: str, landmarks: str = "") -> bytes:
    """A navigation page with these list items."""
    more = f'<nav epub:type="landmarks"><ol>{landmarks}</ol></nav>' if landmarks else ""
    return page(f'<nav epub:type="toc"><h2>Contents</h2><ol>{items}</ol></nav>{more}')


def ncx(points: str) -> bytes:
    """An NCX with these navPoints."""
    return f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'.encode()


def point(label: str, src: str, inner: str = "") -> str:
    """One navPoint."""
    return f'<navPoint><navLabel><text>{label}</text></navLabel><content src="{src}"/>{inner}</navPoint>'


def item(label: str, href: str) -> str:
    """One linked entry of a navigation page."""
    return f'<li><a href="{href}">{label}</a></li>'


def archive(files: Mapping[str, bytes | str]) -> bytes:
    """A ZIP archive of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def book(
    pages: Mapping[str, bytes],
    *,
    contents: bytes = b"",
    old: bytes = b"",
    spine: Sequence[str] = (),
    aside: Sequence[str] = (),
    guide: str = "",
    title: str = "The Salt Road",
    language: str = "en",
    extra: Mapping[str, bytes | str] | None = None,
) -> bytes:
    """An EPUB of these pages in this order; `contents` a navigation page, `old` an NCX, `aside` pages out of the order."""
    names = spine or tuple(pages)
    manifest = "".join(
        f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>' for n, name in enumerate(pages)
    )
    number = {name: n for n, name in enumerate(pages)}
    refs = ""
    for name in names:
        key = "nav" if name == "nav.xhtml" else f"i{number[name]}"
        refs += f'<itemref idref="{key}" linear="{"no" if name in aside else "yes"}"/>'
    manifest += (
        '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>' if contents else ""
    )
    manifest += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if old else ""
    sheets = [name for name in extra or {} if name.endswith(".css")]
    manifest += "".join(f'<item id="{name}" href="{name[4:]}" media-type="text/css"/>' for name in sheets)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:title>{title}</dc:title><dc:creator>A. Weaver</dc:creator><dc:language>{language}</dc:language></metadata>"
        f'<manifest>{manifest}</manifest><spine toc="ncx">{refs}</spine><guide>{guide}</guide></package>'
    )
    files: dict[str, bytes | str] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package,
        **{f"OPS/{name}": data for name, data in pages.items()},
        **(extra or {}),
    }
    if contents:
        files["OPS/nav.xhtml"] = contents
    if old:
        files["OPS/toc.ncx"] = old
    return archive(files)


def read(data: bytes) -> SourceText:
    """What the reader makes of an EPUB."""
    return epub.read(data, Path("book.epub"))
