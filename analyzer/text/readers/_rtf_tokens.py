"""Tokens and code pages of RTF: bytes in, control words, groups and stretches of text out.

Source of the syntax and the character sets: Rich Text Format Specification 1.9.1.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_STANDS_IN = rb"\?|(?:\\'[0-9a-fA-F]{2}){1,2}"
_LITERAL = rb"[ !-\[\]-z|]+"
_UNIT = rb"\\u-?\d{1,5}(?!\d) ?(?:%b)?" % _STANDS_IN
_ONE = (
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,9})?\ ?"
    rb"|(?P<bytes>(?:\\'[0-9a-fA-F]{2})+)"
    rb"|(?P<text>[^\\{}\r\n]+)"
    rb"|(?P<open>\{)|(?P<close>\})"
    rb"|\\(?P<sign>[^a-zA-Z])"
)
_TOKEN = re.compile(rb"(?P<run>%b(?:%b|%b)+)|%b" % (_UNIT, _UNIT, _LITERAL, _ONE), re.DOTALL)
_SINGLE = re.compile(_ONE, re.DOTALL)
_PIECE = re.compile(rb"\\u(-?\d{1,5})(?!\d) ?(%b)?|(%b)" % (_STANDS_IN, _LITERAL))
_UNITS = 0x10000
_BINARY = re.compile(rb"\\\\|\\bin(?P<size>\d{1,9})? ?")

CHARSETS = {
    77: "mac_roman",
    78: "shift_jis",
    79: "euc_kr",
    80: "gb2312",
    81: "big5",
    83: "mac_greek",
    85: "mac_turkish",
    88: "mac_latin2",
    89: "mac_cyrillic",
    128: "cp932",
    129: "cp949",
    130: "johab",
    134: "gb18030",
    136: "cp950",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
"""`\\fcharset` to the code page; 0 (ANSI) and 1 (default) are the document's own, 2 is a font of symbols."""

SYMBOLS = 2

_PAGES = {936: "gb18030", 10000: "mac_roman", 10001: "shift_jis", 10007: "mac_cyrillic", 65001: "utf-8", 1361: "johab"}

CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "column": "\n",
    "page": "\n\n",
    "pagebb": "",
    "emdash": "—",
    "endash": "–",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "zwj": "\u200d",
    "zwnj": "\u200c",
    "ltrmark": "\u200e",
    "rtlmark": "\u200f",
}
SIGNS = {b"~": "\u00a0", b"_": "-", b"\\": "\\", b"{": "{", b"}": "}", b"\t": "\t"}


class Font(NamedTuple):
    """A font's code page ("" for the document's own) and its name; `symbols` where its characters are pictures."""

    page: str
    name: str
    symbols: bool


def without_binary(data: bytes) -> bytes:
    """Return `data` without its binary stretches (`bin` and as many bytes as it says)."""
    if b"\\bin" not in data:
        return data
    kept: list[bytes] = []
    at = start = 0
    while found := _BINARY.search(data, at):
        at = found.end()
        if found["size"]:
            kept.append(data[start : found.start()])
            at = start = min(at + int(found["size"]), len(data))
    kept.append(data[start:])
    return b"".join(kept)


def tokens(data: bytes) -> Iterator[re.Match[bytes]]:
    """Return the tokens of a file in order; line ends between them mean nothing."""
    return _TOKEN.finditer(data)


@lru_cache(maxsize=64)
def page_name(number: int) -> str:
    """Return Python's name of a Windows code page, "" for one it does not know."""
    name = _PAGES.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def decoded(data: bytes, page: str, fallback: str) -> tuple[str, int]:
    """Return bytes as text in their font's code page, else in the document's; and how many could not be read."""
    for name in (page, fallback):
        try:
            return data.decode(name), 0
        except UnicodeDecodeError:
            continue
    words = data.decode(page, errors="replace")
    return words, words.count("\ufffd")


def units_of(run: bytes, skip: int) -> list[int] | None:
    """Return the UTF-16 units of a run of units and plain letters.

    None where other than `skip` characters stand in for one of them: then single tokens tell what belongs to it.
    """
    found: list[int] = []
    for number, stands_in, literal in _PIECE.findall(run):
        if literal:
            found.extend(literal)
        elif (len(stands_in) + 3) // 4 == skip:
            found.append(int(number) % _UNITS)
        else:
            return None
    return found


def single_tokens(run: bytes) -> Iterator[re.Match[bytes]]:
    """Return the tokens of a run one by one."""
    return _SINGLE.finditer(run)


def from_units(units: list[int]) -> tuple[str, int]:
    """Return UTF-16 units as text, surrogate pairs joined; and how many were no character."""
    words = struct.pack(f"<{len(units)}H", *units).decode("utf-16-le", errors="replace")
    return words, words.count("\ufffd")
