"""Pages of HTML and XHTML, decoded as they say and parsed: as XML where they are XML, otherwise forgivingly as HTML."""

from __future__ import annotations

import codecs
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from analyzer.errors import InputError
from analyzer.text.readers._decode import Decoded, codec_of, decoded, shown
from analyzer.text.readers._xml import declared_encoding, parse_xml_text, without_entities

if TYPE_CHECKING:
    from lxml import etree

_META = re.compile(rb"<meta\b[^>]{0,300}?\bcharset\s*=\s*[\"']?\s*([A-Za-z][\w.:-]{0,40})", re.I)
_LOOKED_AT = 4096
"""Bytes a page's charset is searched in; HTML wants it in the first 1,024."""

_SUPERSETS = {
    "ascii": "cp1252",
    "us-ascii": "cp1252",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "x-sjis": "cp932",
    "windows-31j": "cp932",
    "euc-kr": "cp949",
    "ks_c_5601-1987": "cp949",
    "windows-949": "cp949",
    "big5": "big5hkscs",
    "iso-8859-9": "cp1254",
    "tis-620": "cp874",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac_cyrillic",
    "macintosh": "mac_roman",
    "utf-16": "utf-8",
}
"""What pages mean by a name (WHATWG Encoding Standard): the larger set that contains it; a readable UTF-16 is none."""


def decode_page(data: bytes, where: str) -> Decoded:
    """Return a page as text with its encoding: by byte order mark, XML declaration, meta element, else as any text.

    What is UTF-8 is read as such, whatever it declares: nothing else looks like it by chance. Where the page does not
    hold what it declares, it is read as text without a declaration. Raises InputError where no encoding fits, for a NUL
    byte and for a page without words.
    """
    encoding = declared_encoding(data)
    if encoding == "utf-8" and not data.startswith(codecs.BOM_UTF8):
        found = _META.search(data, 0, _LOOKED_AT)
        encoding = found[1].decode("ascii").lower() if found else encoding
    encoding = _SUPERSETS.get(encoding, encoding)
    if not encoding.startswith("utf-16") and not data.isascii() and _is_utf8(data):
        encoding = "utf-8"
    try:
        codec = codec_of(encoding)
        text = data.decode(codec)
    except (UnicodeError, LookupError, InputError):
        return decoded(data, where)
    if "\0" in text or not text.strip():
        decoded(data, where)
    return Decoded(text.removeprefix("\ufeff").replace("\0", ""), shown(codec), 1.0)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def parse_page(text: str, where: str) -> etree._Element:
    """Return the root of a page: XHTML as XML where it is well-formed, anything else as HTML.

    Raises InputError for entities the page declares itself, over 256 nested elements and texts of over 10 MB.
    """
    text = without_entities(text, where)
    if "xmlns" in text[:2000]:
        try:
            return parse_xml_text(text, where)
        except InputError:
            return _parse_html(text, where)
    return _parse_html(text, where)


def _parse_html(text: str, where: str) -> etree._Element:
    from lxml import etree

    parser = _parser()
    try:
        root = etree.fromstring(text.encode("utf-8"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(
            f"{where} is no HTML: {str(error).splitlines()[0][:200] if str(error) else 'it is empty'}",
            where=where,
            hint="save the page again",
        ) from error
    limits = [entry for entry in parser.error_log if "LIMIT" in str(entry.type_name)]
    if limits:
        raise InputError(
            f"{where} is too large or too deeply nested a page: {limits[0].message.split(',')[0]}",
            where=where,
            hint="split the page, or save it as plain text",
        )
    if root is None:
        raise InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")
    return root


@lru_cache(maxsize=1)
def _parser() -> etree.HTMLParser:
    from lxml import etree

    return etree.HTMLParser(
        encoding="utf-8", recover=True, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
