"""The package of an EPUB: which files in which order, what they are, where the contents list is, and whether it is locked."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

from analyzer.errors import InputError
from analyzer.text.readers._archive import Archive
from analyzer.text.readers._tags import tag_of
from analyzer.text.readers._xml import parse_xml

if TYPE_CHECKING:
    from lxml import etree

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Obfuscation of fonts (EPUB OCF 3.3, resource obfuscation; Adobe's older one): no lock on the text."""

_PAGE_TYPES = ("application/xhtml+xml", "text/html", "application/xml", "text/xml", "text/x-oeb1-document")


class Item(NamedTuple):
    """A file of the spine: its name in the archive, and whether it stands in the order of reading."""

    name: str
    linear: bool


class Package(NamedTuple):
    """What the package file says. `guide` has the type each page is given there; `nav` and `ncx` are names or "".

    `others` are files of the spine that are no pages (pictures), `sheets` the style sheets.
    """

    title: str
    author: str
    language: str
    spine: tuple[Item, ...]
    others: tuple[str, ...]
    sheets: tuple[str, ...]
    nav: str
    ncx: str
    guide: dict[str, str]


def read_package(archive: Archive) -> Package:
    """Return the package of an EPUB.

    Raises InputError where it is locked (DRM), has no package file, or its spine names a file that is not there.
    """
    _refuse_locks(archive)
    name = _package_name(archive)
    root = parse_xml(archive.read(name), f"{archive.where} ({name})")
    parts = {tag_of(part): part for part in root}
    manifest = {item.get("id") or "": item for item in parts.get("manifest", ())}
    spine = parts.get("spine")
    if spine is None or not manifest:
        raise _broken(archive, "its package file lists no order of reading")
    names = {key: resolve_name(archive, item.get("href") or "", name) for key, item in manifest.items()}
    items, others = _spine(archive, spine, manifest, names)
    navs = [key for key, item in manifest.items() if "nav" in (item.get("properties") or "").split()]
    ncx = [key for key, item in manifest.items() if item.get("media-type") == "application/x-dtbncx+xml"]
    toc = spine.get("toc") or ""
    metadata = parts.get("metadata")
    return Package(
        title=_first(metadata, "title"),
        author=_first(metadata, "creator"),
        language=_first(metadata, "language"),
        spine=items,
        others=others,
        sheets=tuple(names[key] for key, item in manifest.items() if item.get("media-type") == "text/css"),
        nav=names[navs[0]] if navs else "",
        ncx=names.get(toc) or (names[ncx[0]] if ncx else ""),
        guide=_guide(archive, parts.get("guide"), name),
    )


def resolve_name(archive: Archive, href: str, base: str) -> str:
    """Return the name of the member a reference of member `base` leads to; another case of letters is forgiven."""
    return resolve_link(archive, href, base)[0]


def resolve_link(archive: Archive, href: str, base: str) -> tuple[str, str]:
    """Return the member and the fragment a reference leads to; ("", "") out of the book."""
    try:
        parts = urlsplit(href.strip())
    except ValueError:
        return "", ""
    if parts.scheme or parts.netloc:
        return "", ""
    if not parts.path:
        return base, unquote(parts.fragment)
    name = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(parts.path))).lstrip("/")
    return archive.spelled(name), unquote(parts.fragment)


def _package_name(archive: Archive) -> str:
    if _CONTAINER in archive:
        root = parse_xml(archive.read(_CONTAINER), f"{archive.where} ({_CONTAINER})")
        for element in root.iter("{*}rootfile"):
            path = archive.spelled((element.get("full-path") or "").lstrip("/"))
            if path in archive:
                return path
    found = [name for name in archive.names if name.lower().endswith(".opf")]
    if not found:
        raise _broken(archive, "it has no package file")
    return found[0]


def _spine(
    archive: Archive, spine: etree._Element, manifest: dict[str, etree._Element], names: dict[str, str]
) -> tuple[tuple[Item, ...], tuple[str, ...]]:
    items: dict[str, Item] = {}
    others: list[str] = []
    for ref in spine.iter("{*}itemref"):
        key = ref.get("idref") or ""
        if key not in manifest or names[key] not in archive:
            raise _broken(archive, f"its spine names {names.get(key) or key or 'nothing'!r}, which is not there")
        if (manifest[key].get("media-type") or _PAGE_TYPES[0]).lower() in _PAGE_TYPES:
            items.setdefault(names[key], Item(names[key], (ref.get("linear") or "yes").strip().lower() != "no"))
        else:
            others.append(names[key])
    if not items:
        raise _broken(archive, "its package file lists no page to read")
    return tuple(items.values()), tuple(others)


def _guide(archive: Archive, guide: etree._Element | None, base: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for ref in guide.iter("{*}reference") if guide is not None else ():
        name, fragment = resolve_link(archive, ref.get("href") or "", base)
        if not fragment:
            found.setdefault(name, (ref.get("type") or "").lower())
    return {name: {"title-page": "titlepage"}.get(kind, kind) for name, kind in found.items()}


def _first(metadata: etree._Element | None, tag: str) -> str:
    """Return the first words of a metadata element; the title that is named the main one, where several are."""
    for element in metadata.iter("{*}" + tag) if metadata is not None else ():
        words = " ".join("".join(map(str, element.itertext())).split())
        if words:
            return words
    return ""


def _refuse_locks(archive: Archive) -> None:
    if _ENCRYPTION not in archive:
        return
    root = parse_xml(archive.read(_ENCRYPTION), f"{archive.where} ({_ENCRYPTION})")
    for data in root.iter("{*}EncryptedData"):
        methods = [method.get("Algorithm") or "" for method in data.iter("{*}EncryptionMethod")]
        if not any(method in _FONT_ALGORITHMS for method in methods[:1]):
            raise InputError(
                f"{archive.where} is locked: its pages are encrypted (DRM) and can only be read by the shop's own program",
                where=archive.where,
                hint="export the manuscript from the program it was written in",
            )


def _broken(archive: Archive, why: str) -> InputError:
    return InputError(
        f"{archive.where} is no complete EPUB: {why}", where=archive.where, hint="export the book again as EPUB"
    )
