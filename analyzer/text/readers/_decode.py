"""Bytes to text: UTF-8 with or without a byte order mark, UTF-16 with one; line ends become LF."""

from __future__ import annotations

import codecs

from analyzer.errors import InputError

_HINT = "save the manuscript as UTF-8 and try again; other encodings are not read yet"


def decode(data: bytes, where: str) -> str:
    """Return the text of `data` with LF line ends and without a byte order mark.

    `where` names the file in errors. Raises InputError for data with NUL bytes (binary), bytes that are not the
    encoding (with the offset of the first) and text with nothing but white space.
    """
    encoding, skip = _encoding(data)
    if encoding == "utf-8" and (nul := data.find(0)) >= 0:
        raise InputError(
            f"{where} is not text: a NUL byte stands at offset {nul}, plain text or Markdown was expected",
            where=where,
            hint="pass the manuscript as .txt or .md; UTF-16 needs its byte order mark",
        )
    try:
        text = data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        at = skip + error.start
        raise InputError(
            f"{where} is not {encoding.upper()}: byte 0x{data[at]:02x} at offset {at} cannot be decoded",
            where=where,
            hint=_HINT,
        ) from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip("\ufeff\u200b \t\n\f\v\u3000"):
        raise InputError(f"{where} is empty: it holds no text", where=where, hint="pass a manuscript with words in it")
    return text


def _encoding(data: bytes) -> tuple[str, int]:
    """Return the encoding and how many bytes its mark takes."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8", 3
    if data.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le", 2
    if data.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be", 2
    return "utf-8", 0
