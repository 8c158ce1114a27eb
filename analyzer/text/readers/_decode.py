"""Bytes to text: the encoding by its byte order mark, by its name or by the best guess; line ends become LF."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from analyzer.errors import InputError
from analyzer.text.readers._guess import Guess, guess
from analyzer.wording import counted

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
"""Byte order marks, the longer of two that begin alike first (Unicode Standard, 23.8; GB 18030)."""

_SHOWN = {
    "ascii": "UTF-8", "utf-8": "UTF-8", "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE", "utf-32-le": "UTF-32LE",
    "utf-32-be": "UTF-32BE", "gb18030": "GB18030", "cp950": "Big5", "big5": "Big5", "big5hkscs": "Big5-HKSCS",
    "cp932": "Shift_JIS", "shift_jis": "Shift_JIS", "shift_jis_2004": "Shift_JIS-2004", "euc_jp": "EUC-JP",
    "cp949": "CP949", "euc_kr": "EUC-KR", "iso2022_jp_ext": "ISO-2022-JP", "iso2022_kr": "ISO-2022-KR", "koi8-r": "KOI8-R",
    "koi8-u": "KOI8-U", "mac_roman": "Mac-Roman", "mac_latin2": "Mac-CentralEurope", "mac_cyrillic": "Mac-Cyrillic",
}  # fmt: skip
"""How an encoding is shown, by its Python name; `codecs` takes nearly all of these names back, `codec_of` all."""

_WIDER = {"shift_jis": "cp932", "big5": "cp950", "gb2312": "gb18030", "gbk": "gb18030"}
"""Encodings read as the one that has grown out of them, as the web does (encoding.spec.whatwg.org)."""

_NO_MANUSCRIPT = frozenset(
    ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "unicode_escape", "raw_unicode_escape")
)
"""Python's text encodings that are notations of programs."""

_MUCH_CONTROL = 100
"""One control character in so many bytes makes a binary: text has next to none."""

_NO_TEXT = (
    "a manuscript is plain text, Markdown, HTML, EPUB, DOCX, ODT or RTF: save it as one of these in the program it was "
    "written with"
)
_CONTROL_BYTES = bytes((*range(1, 9), *range(14, 26), 28, 29, 30, 31, 127))
"""Not among them: white space, the end mark of DOS, the escape of ISO 2022."""

_OTHERWISE = ("ascii", "iso2022_jp_ext", "iso2022_kr", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
"""Guesses of bytes that are no UTF-8 with faults; UTF-8 itself is guessed of such too."""

_SOUND = rb"(?:[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2})"
_ROWS = {n: re.compile(rb"%b(?:[\x00-\x7f]{0,200}+%b){%d}" % (_SOUND, _SOUND, n - 1)) for n in (12, 20)}
"""So many characters of UTF-8 beyond ASCII with nothing else between them. Source: on excerpts of eight novels in the encodings
of their languages the longest row by chance has 10 (EUC-JP), and the largest part of the bytes that is UTF-8 is 0.51."""

_MOSTLY = 0.55
"""Part of the bytes beyond ASCII from which a file is UTF-8 with a fault, and not another encoding."""

_DOUBTED = 0.5
"""Certainty of a guess at most where a part of the file is UTF-8."""

_BEYOND_ASCII = bytes(range(0x80, 0x100))

_BLANK = "\ufeff\u200b \t\n\f\v\u3000"


class Decoded(NamedTuple):
    """A text with LF line ends and without a byte order mark; `encoding` as shown, `certainty` from 0 to 1."""

    text: str
    encoding: str
    certainty: float


def decode(data: bytes, where: str) -> str:
    """Return the text of `data`; see `decoded`."""
    return decoded(data, where).text


def decoded(data: bytes, where: str) -> Decoded:
    """Return the text of `data` with its encoding: that of its byte order mark, else the best guess.

    `where` names the file in errors. Raises InputError for binary data, for bytes no known encoding makes sense of, for a
    byte the guessed encoding cannot read (with its offset: nothing is ever left out) and for text of white space only.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return Decoded(_strictly(data, len(mark), encoding, where, ""), shown(encoding), 1.0)
    found = guess(data)
    _refuse_binary(data, found, where)
    found = _doubted(data, found, where)
    if found is None:
        raise InputError(
            f"{where} is in no known encoding that gives words",
            where=where,
            hint="if it is text, name its encoding with --encoding, or save it as UTF-8",
        )
    sure = f" (guessed, {found.certainty:.0%} sure)" if found.encoding not in ("ascii", "utf-8") else ""
    return Decoded(_strictly(data, 0, found.encoding, where, sure), shown(found.encoding), found.certainty)


def _sound_part(data: bytes) -> float:
    """Return which part of the bytes beyond ASCII is UTF-8, from 0 to 1; 0 where what is may be so by accident.

    No accident are many such characters in a row: other encodings give a few by chance.
    """
    if not _ROWS[12].search(data):
        return 0.0
    n_beyond = len(data) - len(data.translate(None, _BEYOND_ASCII))
    n_sound = len(data.decode("utf-8", "ignore").encode()) - (len(data) - n_beyond)
    return n_sound / n_beyond


def _doubted(data: bytes, found: Guess | None, where: str) -> Guess | None:
    """Return a guess, less sure where a part of the file is UTF-8; raises InputError where the most of it is, but not all."""
    if found is not None and found.encoding in _OTHERWISE:
        return found
    try:
        data.decode("utf-8")
        return found
    except UnicodeDecodeError as error:
        at = error.start
    if _sound_part(data) > _MOSTLY:
        line = data.count(b"\n", 0, at) + 1
        raise InputError(
            f"{where} is not UTF-8 throughout, though for the most part: byte 0x{data[at]:02x} at offset {at:,} (line {line:,})",
            where=where,
            hint="save that part as UTF-8 too, or name the right encoding with --encoding; nothing was read",
        )
    if found is not None and _ROWS[20].search(data):
        return Guess(found.encoding, min(found.certainty, _DOUBTED))
    return found


def shown(encoding: str) -> str:
    """Return how an encoding is shown: `cp1252` as windows-1252, `iso8859-2` as ISO-8859-2."""
    if encoding in _SHOWN:
        return _SHOWN[encoding]
    if encoding.startswith("cp125"):
        return f"windows-{encoding[2:]}"
    return encoding.replace("iso8859", "ISO-8859").replace("cp", "CP")


def codec_of(name: str) -> str:
    """Return Python's name of the encoding called `name`; raises InputError where there is none that makes text."""
    known = {one.casefold(): python for python, one in reversed(_SHOWN.items()) if python != "ascii"}
    try:
        found = known.get(name.strip().casefold()) or codecs.lookup(name.strip()).name
        found = _WIDER.get(found, found)
        is_text = found not in _NO_MANUSCRIPT
        b"a".decode(found)
    except UnicodeDecodeError:
        is_text, found = True, codecs.lookup(name.strip()).name
    except (LookupError, ValueError):
        is_text, found = False, ""
    if not is_text:
        raise InputError(
            f"no encoding is called {name!r}",
            where=name,
            hint="known are UTF-8, UTF-16, GB18030, Big5, Shift_JIS, EUC-JP, CP949, windows-1252, ISO-8859-2, KOI8-R, …",
        )
    return found


def as_utf8(data: bytes, name: str, where: str) -> bytes:
    """Return `data`, which is in the encoding called `name`, as UTF-8 with a byte order mark: so readers take it as told.

    Raises InputError for an unknown name and for a byte that encoding cannot read, with its offset.
    """
    encoding = codec_of(name)
    skip = next((len(mark) for mark, own in _MARKS if own == encoding and data.startswith(mark)), 0)
    try:
        text = codecs.decode(data[skip:], encoding)
    except UnicodeError as error:
        raise _unreadable(data, skip, error, encoding, where, " (as named)") from error
    try:
        return codecs.BOM_UTF8 + text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"{where} holds half a character in {shown(encoding)}: a lone surrogate at character {error.start}",
            where=where,
            hint="name another encoding with --encoding",
        ) from error


def _refuse_binary(data: bytes, found: Guess | None, where: str) -> None:
    """Raise InputError where too many bytes are control characters, or NUL bytes stand where no guess takes them."""
    if found is not None and found.encoding.startswith(("utf-16", "utf-32")):
        return
    head = data[:1_000_000]
    n_control = len(head) - len(head.translate(None, _CONTROL_BYTES))
    if n_control * _MUCH_CONTROL > len(head):
        at = next(i for i, byte in enumerate(head) if byte in _CONTROL_BYTES)
        raise InputError(
            f"{where} is not text, whatever its name says: the control byte 0x{data[at]:02x} stands at offset {at:,}, "
            f"and {counted(n_control - 1, 'byte')} like it behind it",
            where=where,
            hint=_NO_TEXT,
        )
    nul = data.find(0)
    if nul >= 0:
        raise _nul_in_text(data.count(0), f"offset {nul:,} (line {data.count(10, 0, nul) + 1:,})", where)


def _nul_in_text(n: int, place: str, where: str) -> InputError:
    """Return the fault of a text with NULs in it: `place` is that of the first."""
    return InputError(
        f"{where} is damaged or no text: it holds {counted(n, 'NUL character')}, which no text has, "
        + (f"at {place}" if n == 1 else f"the first at {place}"),
        where=where,
        hint="a crash while saving leaves such: take them out and compare the place with an older copy; "
        "if the file is in UTF-16, name that: --encoding UTF-16LE or UTF-16BE; nothing was read",
    )


def _strictly(data: bytes, skip: int, encoding: str, where: str, sure: str) -> str:
    try:
        text = data[skip:].decode(encoding)
    except UnicodeError as error:
        raise _unreadable(data, skip, error, encoding, where, sure) from error
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise _nul_in_text(text.count("\0"), f"character {nul + 1:,} (line {line:,})", where)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip(_BLANK):
        raise InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")
    return text


def _unreadable(data: bytes, skip: int, error: UnicodeError, encoding: str, where: str, sure: str) -> InputError:
    at = skip + (error.start if isinstance(error, UnicodeDecodeError) else 0)
    byte = f"byte 0x{data[at]:02x} at offset {at:,}" if at < len(data) else f"the end at offset {at:,}"
    return InputError(
        f"{where} is not {shown(encoding)}{sure}: {byte} cannot be decoded",
        where=where,
        hint="mend that place, or name the right encoding with --encoding; nothing was read",
    )
