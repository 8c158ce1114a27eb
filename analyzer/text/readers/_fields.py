"""Fields of Word's formats (DOCX and RTF): what the instruction of a field says about the words of its result."""

from __future__ import annotations

import re
from typing import NamedTuple

_REASONS = {
    "TOC": "contents list",
    "TOA": "contents list",
    "INDEX": "index",
    "PAGE": "page number",
    "NUMPAGES": "page number",
    "SECTIONPAGES": "page number",
    "PAGEREF": "page number",
}
_RUBY = re.compile(
    r"EQ\b.*?\\o\s*(?:\\a[lcrd]\s*)?\(\s*\\s\s*\\up\s*\d*\s*\((?P<reading>[^()]*)\)\s*[,;](?P<base>[^()]*)\)",
    re.I | re.S,
)
_CIRCLED = re.compile(r"EQ\b.*?\\o\s*(?:\\a[lcrd]\s*)?\([^(),;]*[,;](?P<base>[^(),;]*)\)", re.I | re.S)

LONGEST_INSTRUCTION = 500
"""Code points of an instruction that are looked at."""


class Overstrike(NamedTuple):
    """Characters set over each other: the words, and the reading above them ("" where it is none)."""

    base: str
    reading: str


def reason_of(instruction: str) -> str:
    """Return why the result of a field is no text of the author's ("contents list", …), or "" where it is."""
    words = instruction[:LONGEST_INSTRUCTION].split(None, 1)
    return _REASONS.get(words[0].upper(), "") if words else ""


def overstrike(instruction: str) -> Overstrike | None:
    """Return the words of a phonetic guide or circled character, which older files keep in an EQ field."""
    words = instruction[:LONGEST_INSTRUCTION].strip()
    ruby = _RUBY.match(words)
    if ruby:
        return Overstrike(ruby["base"].strip(), ruby["reading"].strip())
    circled = _CIRCLED.match(words)
    return Overstrike(circled["base"].strip(), "") if circled else None
