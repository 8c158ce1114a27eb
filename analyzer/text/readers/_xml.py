"""XML of books, parsed without entities, without a DTD and without the network.

Named entities of XHTML become their characters before parsing, since no DTD that declares them is read.
"""

from __future__ import annotations

import codecs
import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from analyzer.errors import InputError

if TYPE_CHECKING:
    from lxml import etree

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\x00?\x00", "utf-16-le"),
    (b"\x00<\x00?", "utf-16-be"),
)
_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*[\"']([A-Za-z][\w.:-]{0,40})[\"']")
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,400}\?>")
_DOCTYPE = re.compile(r"<!DOCTYPE\b(?:[^<>\[\"']|\"[^\"]*\"|'[^']*')*(?:\[(?P<inner>.*?)\]\s*)?>", re.S | re.I)
_NAMED = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|&(?P<name>[A-Za-z][A-Za-z0-9]{1,31});", re.S)
_OWN = frozenset(("amp", "lt", "gt", "quot", "apos"))
"""The five entities XML has without a DTD; the parser knows them."""


def parse_xml(data: bytes, where: str) -> etree._Element:
    """Return the root element of an XML document; `where` names it in errors.

    Comments and processing instructions are left out, entities of XHTML stand as characters. Raises InputError for
    what is no well-formed XML, cannot be decoded, declares entities of its own, or nests deeper than 256 elements or
    holds one text of over 10 MB (libxml2's own bounds).
    """
    return parse_xml_text(decode_xml(data, where)[0], where)


def parse_xml_text(text: str, where: str) -> etree._Element:
    """Return the root element of XML that is decoded already; see `parse_xml`."""
    from lxml import etree

    try:
        root = etree.fromstring(without_entities(text, where).encode("utf-8"), _parser())
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(
            f"{where} is no well-formed XML: {str(error).splitlines()[0][:200] if str(error) else 'it is empty'}",
            where=where,
            hint="export the book again",
        ) from error
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is not None and next(dtd.iterentities(), None) is not None:
        raise _own_entities(where)
    return root


def decode_xml(data: bytes, where: str) -> tuple[str, str]:
    """Return XML as text and its encoding: by the byte order mark, else as declared, else UTF-8.

    Raises InputError where the bytes are not of that encoding or Python knows none of that name.
    """
    encoding = declared_encoding(data)
    try:
        text = data.decode(encoding)
    except (UnicodeError, LookupError) as error:
        raise InputError(
            f"{where} is not {encoding.upper()}, as it says it is",
            where=where,
            hint="export the book again, as UTF-8",
        ) from error
    return text.removeprefix("\ufeff"), encoding


def declared_encoding(data: bytes) -> str:
    """Return the encoding by the byte order mark, else by the XML declaration, else UTF-8."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    found = _DECLARED.match(data[:400])
    return found[1].decode("ascii").lower() if found else "utf-8"


@lru_cache(maxsize=1)
def _parser() -> etree.XMLParser:
    from lxml import etree

    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        strip_cdata=True,
    )


def without_entities(text: str, where: str) -> str:
    """Return `text` without its XML declaration and DOCTYPE, named entities as characters.

    Raises InputError where the DOCTYPE declares entities.
    """
    declaration = _DECLARATION.match(text)
    text = text[declaration.end() :] if declaration else text
    doctype = _DOCTYPE.search(text, 0, 4000)
    if doctype:
        if "<!ENTITY" in (doctype["inner"] or "").upper():
            raise _own_entities(where)
        text = text[: doctype.start()] + text[doctype.end() :]
    return _NAMED.sub(_character, text) if "&" in text else text


def _own_entities(where: str) -> InputError:
    return InputError(
        f"{where} declares entities of its own, which are never read", where=where, hint="export the book again"
    )


def _character(found: re.Match[str]) -> str:
    name = found["name"]
    if name is None or name in _OWN:
        return found[0]
    words = html.unescape(found[0])
    return found[0] if words.startswith("&") and len(words) > 1 else html.escape(words, quote=False)
