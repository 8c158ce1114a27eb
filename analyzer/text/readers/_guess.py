"""Which encoding bytes without a mark are in: the one in which the text costs the fewest bits.

Every encoding reads a sample of the bytes. What it makes of them is priced character by character, as a short code for
the languages of `encodings.toml` would: common letters and characters are cheap, rare ones dear, a capital inside a word,
a symbol between letters or a byte that means nothing dearer still. Encodings that give the same text are one.
"""

from __future__ import annotations

import codecs
import re
import tomllib
import unicodedata
from collections import Counter
from functools import lru_cache
from importlib.resources import files
from math import log2
from typing import NamedTuple

_SINGLE = {
    "cp1252": 0, "iso8859-15": 6, "mac_roman": 4, "cp1250": 3, "iso8859-2": 5, "iso8859-16": 10, "cp1254": 5,
    "cp1257": 6, "iso8859-13": 8, "iso8859-4": 10, "cp1258": 8, "mac_latin2": 8, "cp850": 6, "cp852": 7, "cp437": 8,
    "cp1251": 0, "koi8-r": 1, "koi8-u": 3, "iso8859-5": 4, "mac_cyrillic": 5, "cp866": 3, "cp1253": 2, "iso8859-7": 3,
    "cp1255": 4, "iso8859-8": 5, "cp1256": 4, "iso8859-6": 6, "cp874": 5,
}  # fmt: skip
"""Encodings of one byte a character and the bits each costs: how seldom it is met."""

_MULTI = {
    "utf-8": 0, "gb18030": 1, "cp950": 1, "big5hkscs": 4, "cp932": 1, "euc_jp": 3, "cp949": 1, "shift_jis_2004": 8,
}  # fmt: skip
_WIDE = {"utf-16-le": 4, "utf-16-be": 6, "utf-32-le": 8, "utf-32-be": 10}

_SAMPLE = 6_000
"""Bytes priced: over 2,000 characters, where the right encoding leads by hundreds of bits."""
_BEFORE = 300
"""Bytes of a line shown before and after a byte value not in the sample yet."""
_FILLER = b"\xa4\xd4"
"""What EUC-KR begins a syllable with that is spelled in four letters; CP949 has such syllables whole."""
_NO_ACCIDENT = 4
"""Bytes beyond one a character from which valid UTF-8 is no accident: legacy text is valid there in under one of 10,000."""

_ASCII = 4.6
"""Bits of an ASCII letter in running prose by its letter alone (English 4.2, German 4.1, with capitals and spaces more)."""
_BROKEN = 45.0
_LONG = 200
"""Code points of running text that are never without a space or a point."""
_FOREIGN = 14.0
_UNLIKELY = 11.5
_NONSENSE = 17.0
"""Bits of a mean character beyond ASCII from which a reading is a poor guess, and none at all; right ones have 4 to 11."""
_ODD = 8.0
_WORD = 4.0
_SIGMA = 6.0
"""Bits of lead that halve the doubt; fitted on excerpts of 200 bytes of own and public prose, see `_certainty`."""

_QUOTES = frozenset("’‘“”„«»‹›—–…\u00a0\u202f")
_EAST = frozenset("、。「」『』，！？：；《》〈〉（）…—―‥・“”‘’\u3000〜～ー々｜［］＃※─")
_SIGNS = frozenset("·¡¿§°º•¶†©®£½¼¾×№×•′″")


_COSTS = {
    "katakana": 7.0, "half": 13.0, "wide": 9.0, "mark": 15.0, "sign": 12.0, "symbol": 16.0,
    "control": 26.0, "private": 26.0, "unassigned": 30.0, "other": 15.0, "far": 9.0,
}  # fmt: skip
_RANGES = (
    (0x3041, 0x309E, "hiragana"), (0x30A1, 0x30FE, "katakana"), (0xFF61, 0xFF9F, "half"), (0xFF01, 0xFF5E, "wide"),
    (0x3400, 0x9FFF, "han"), (0x20000, 0x323AF, "han"), (0xF900, 0xFAFF, "han"), (0xAC00, 0xD7A3, "hangul"),
    (0x3001, 0x303F, "wide"), (0x0600, 0x06FF, "other"), (0x0590, 0x05FF, "other"), (0x0E00, 0x0E7F, "other"),
    (0x0900, 0x0DFF, "far"), (0x0E80, 0x10FF, "far"), (0x1200, 0x1CFF, "far"),
)  # fmt: skip
_BEYOND = re.compile(rb"[\x80-\xff][^\r\n]{0,2000}")
_REST = re.compile(rb"[^\r\n]*")
_SYNC = re.compile(rb"[ -/]")
_TOKEN = re.compile(r"[^\W\d_]+")


class Guess(NamedTuple):
    """An encoding's Python name and how sure it is, from 0 to 1."""

    encoding: str
    certainty: float


class _Writing(NamedTuple):
    costs: dict[str, float]
    words: frozenset[str]


class _Tables(NamedTuple):
    writings: tuple[_Writing, ...]
    letters: frozenset[str]
    han: dict[str, float]
    hangul: dict[str, float]
    kanji: dict[str, float]


@lru_cache(maxsize=1)
def _tables() -> _Tables:
    read = tomllib.loads(files("analyzer.text.readers").joinpath("encodings.toml").read_text("utf-8"))
    writings = tuple(_writing(row) for row in read["writing"])
    han = _ranked(read["han"]["chinese"], 5.5)
    kanji = _ranked(read["han"]["japanese"], 7.0)
    hangul = _ranked(read["hangul"]["common"], 5.0)
    return _Tables(writings, frozenset().union(*(w.costs for w in writings)), han, hangul, kanji)


def _writing(row: dict[str, str]) -> _Writing:
    latin = row.get("script", "latin") == "latin"
    first, step = (6.0, 0.4) if latin else (3.3, 0.22)
    first += 3.0 if row.get("rare") else 0.0
    costs: dict[str, float] = {}
    for i, letter in enumerate(row["letters"]):
        costs.setdefault(letter, first + step * i)
        costs.setdefault(letter.upper() if len(letter.upper()) == 1 else letter, first + step * i + 4.0)
    return _Writing(costs, frozenset(row["words"].split()))


def _ranked(text: str, first: float) -> dict[str, float]:
    """Return bits by rank: the commonest `first`, the four hundredth some six more (Zipf)."""
    found: dict[str, float] = {}
    for letter in "".join(text.split()):
        found.setdefault(letter, first + 0.75 * log2(1 + len(found)))
    return found


@lru_cache(maxsize=1)
def _levels() -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Return the common and the rarer Han characters of the Chinese standards, then those of the Japanese one."""
    simplified = _block("gb2312", range(0xB0, 0xD8)), _block("gb2312", range(0xD8, 0xF8))
    traditional = _block("big5", range(0xA4, 0xC7)), _block("big5", range(0xC9, 0xFA))
    japanese = _block("euc_jp", range(0xB0, 0xD0)), _block("euc_jp", range(0xD0, 0xF5))
    return simplified[0] | traditional[0], simplified[1] | traditional[1], *japanese


def _block(encoding: str, leads: range) -> frozenset[str]:
    trails = [*range(0x40, 0x7F), *range(0xA1, 0xFF)] if encoding == "big5" else range(0xA1, 0xFF)
    return frozenset(b"".join(bytes((lead, trail)) for lead in leads for trail in trails).decode(encoding, "ignore"))


@lru_cache(maxsize=1)
def _syllables() -> frozenset[str]:
    """Return the 2,350 Hangul syllables of KS X 1001, in which nearly all Korean is written."""
    return _block("euc_kr", range(0xB0, 0xC9))


def guess(data: bytes) -> Guess | None:
    """Return the encoding of bytes without a byte order mark, or None where no encoding makes sense of them.

    NUL bytes that are no half of a character give None too.
    The certainty is 1 for ASCII and for valid UTF-8 with a few characters beyond ASCII. Cost: at most 40 readings
    of some 10 KB, whatever the size.
    """
    if data.isascii() and b"\0" not in data:
        return Guess(_escaped(data) or "ascii", 1.0)
    if b"\0" not in data and _reads(data, "utf-8"):
        return Guess("utf-8", 1.0 if len(data) - len(data.decode("utf-8")) >= _NO_ACCIDENT else 0.97)
    ranked = _ranking(data)
    if not ranked or (b"\0" in data and _strays_bits(data[:_SAMPLE]) < ranked[0].bits):
        return None
    best = ranked[0]
    same = [one for one in ranked if one.text == best.text]
    second = next((one.bits for one in ranked if one.text != best.text), best.bits + 20 * _SIGMA)
    right = next((one for one in same if _reads(data, one.encoding)), best).encoding
    if right == "cp949" and _FILLER in data and _reads(data, "euc_kr"):
        right = "euc_kr"
    return Guess(right, _certainty(second - best.bits, best.mean))


def _escaped(data: bytes) -> str:
    """Return the encoding that shifts by escape sequences, "" where there are none."""
    if b"\x1b$B" in data or b"\x1b$@" in data:
        return "iso2022_jp_ext"
    return "iso2022_kr" if b"\x1b$)C" in data else ""


def _reads(data: bytes, encoding: str) -> bool:
    try:
        codecs.decode(data, encoding)
    except UnicodeDecodeError:
        return False
    return True


def _certainty(lead: float, mean: float) -> float:
    """Return how sure a guess is that leads by so many bits and prices a character beyond ASCII at so many."""
    sure = 1 - 0.5 * 2 ** (-max(0.0, lead) / _SIGMA)
    return round(min(sure, 0.5) if mean > _UNLIKELY else sure, 3)


class _Reading(NamedTuple):
    """What one encoding makes of the sample: its text, the bits it costs, and the mean of a character beyond ASCII."""

    encoding: str
    text: str
    bits: float
    mean: float


def _ranking(data: bytes) -> list[_Reading]:
    """Return what every encoding makes of the data, the cheapest first."""
    found = []
    if b"\0" not in data:
        pieces = _pieces(data)
        n_bytes = sum(map(len, pieces))
        for encoding, handicap in (*_SINGLE.items(), *_MULTI.items()):
            found.append(_read(encoding, pieces, handicap, 1.0))
        scale = n_bytes / max(1, len(data[:_SAMPLE]))
    else:
        scale = 1.0
    for encoding, handicap in _WIDE.items():
        if len(data) % (4 if "32" in encoding else 2) == 0:
            found.append(_read(encoding, [data[:_SAMPLE]], handicap, scale))
    return sorted((one for one in found if _makes_sense(one)), key=lambda one: one.bits)


def _strays_bits(sample: bytes) -> float:
    """Return the bits of a sample read without its NUL bytes, each of them a fault.

    Text in UTF-16 or UTF-32 has NUL bytes regularly, or bytes that are no words of anything else; where this is the cheaper
    reading they are strays in text of another encoding.
    """
    rest = sample.replace(b"\0", b"")
    found = (_read(encoding, [rest], handicap, 1.0) for encoding, handicap in (*_SINGLE.items(), *_MULTI.items()))
    return min(one.bits for one in found) + _BROKEN * (len(sample) - len(rest))


def _makes_sense(reading: _Reading) -> bool:
    """Say whether a reading can be text at all; one of two bytes a character has spaces, line ends or East Asian points."""
    if reading.mean >= _NONSENSE:
        return False
    if reading.encoding not in _WIDE or len(reading.text) < _LONG:
        return True
    return any(ch.isspace() or ch in _EAST for ch in reading.text)


def _read(encoding: str, pieces: list[bytes], handicap: float, scale: float) -> _Reading:
    text = "\n".join(codecs.getincrementaldecoder(encoding)("replace").decode(piece) for piece in pieces)
    bits, mean = _price(text)
    return _Reading(encoding, text, bits * scale + handicap, mean)


def _pieces(data: bytes) -> list[bytes]:
    """Return lines with bytes beyond ASCII, cut to a piece each: the first ones, then one for every other byte value."""
    found: dict[int, bytes] = {}
    size = 0
    for hit in _BEYOND.finditer(data):
        start = _start_of(data, hit.start())
        if start >= 0:
            found[start] = data[start : hit.end()]
            size += len(found[start])
        if size >= _SAMPLE:
            break
    seen = set(b"".join(found.values()))
    for value in set(range(0x80, 0x100)) - seen:
        at = data.find(value) if value not in seen else -1
        piece = _line_around(data, at) if at >= 0 else b""
        found[at] = piece
        seen.update(piece)
    return [piece for _, piece in sorted(found.items()) if piece]


def _line_around(data: bytes, at: int) -> bytes:
    """Return some of the line around byte `at`, begun where no character of several bytes can be cut; b"" if unknown."""
    start = _start_of(data, at)
    line = _REST.match(data, start, at + _BEFORE) if start >= 0 else None
    return line[0] if line else b""


def _start_of(data: bytes, at: int) -> int:
    """Return where some of the line before byte `at` begins without cutting a character of several bytes, -1 if unknown.

    Bytes below 0x30 end no such character, nor do line ends.
    """
    low = max(0, at - _BEFORE)
    cut = max(data.rfind(b"\n", low, at), data.rfind(b"\r", low, at))
    if cut >= 0 or not low:
        return cut + 1
    whole = _SYNC.search(data, low, at)
    return whole.end() if whole else -1


def _price(text: str) -> tuple[float, float]:
    """Return the bits a text costs, and the mean of its characters beyond ASCII."""
    tables = _tables()
    beyond = Counter(
        hit for hit in zip(" " + text, text, text[1:] + " ", strict=False) if hit[1] > "\x7f" or hit[1] < " "
    )
    letters: Counter[str] = Counter()
    bits = 0.0
    han: Counter[str] = Counter()
    kana = 0
    for (before, ch, after), n in beyond.items():
        if ch in "\t\n\r\f\v":
            bits += _ASCII * n
            continue
        cost, kind = _context(before, ch, after)
        bits += cost * n
        if kind == "letter":
            letters[ch] += n
        elif kind == "han":
            han[ch] += n
        elif kind == "hiragana":
            kana += n
    words = Counter(word.casefold() for word in _TOKEN.findall(text))
    own = min(_in_writing(writing, letters, words) for writing in tables.writings)
    n_beyond = sum(n for (_, ch, _), n in beyond.items() if ch > "\x7f")
    bits += own + _han_bits(han, kana)
    ascii_bits = (len(text) - n_beyond) * _ASCII
    return bits + ascii_bits, max(0.0, bits) / max(1, n_beyond)


def _in_writing(writing: _Writing, letters: Counter[str], words: Counter[str]) -> float:
    """Return the bits of letters and common words in one language."""
    known = sum(words[word] * (_WORD if len(word) > 1 else 1.5) for word in writing.words if word in words)
    return sum(writing.costs.get(ch, _FOREIGN) * n for ch, n in letters.items()) - known


def _han_bits(han: Counter[str], kana: int) -> float:
    """Return the bits of Han characters and hiragana, in Chinese or in Japanese, whichever is less."""
    tables = _tables()
    common, rarer, jis, jis_rarer = _levels()
    chinese = sum(n * (tables.han.get(ch) or _level(ch, common, rarer)) for ch, n in han.items())
    japanese = sum(n * (tables.kanji.get(ch) or _level(ch, jis, jis_rarer)) for ch, n in han.items())
    return min(chinese + 11.0 * kana, japanese + 5.0 * kana)


def _level(ch: str, common: frozenset[str], rarer: frozenset[str]) -> float:
    return 12.8 if ch in common else 16.0 if ch in rarer else 19.0


def _context(before: str, ch: str, after: str) -> tuple[float, str]:
    """Return what a character beyond ASCII costs where it stands, and the kind of it that is priced by the whole text."""
    if ch == "\ufffd":
        return _BROKEN, ""
    if ch in _EAST and (before > "\u2fff" or after > "\u2fff"):
        return 4.5, ""
    if ch in _QUOTES:
        return _quote(before, ch, after), ""
    kind = _kind(ch)
    if kind == "letter":
        return _beside(before, ch, after), kind
    if kind in ("han", "hiragana"):
        return _alone(before, after), kind
    if kind == "hangul":
        return _alone(before, after) + (_tables().hangul.get(ch) or (12.0 if ch in _syllables() else 18.0)), ""
    if kind in ("katakana", "half", "wide"):
        return _COSTS[kind] + _alone(before, after), ""
    inside = kind in ("sign", "symbol") and before.isalpha() and after.isalpha()
    return _COSTS[kind] + (_ODD if inside else 0.0), ""


def _quote(before: str, ch: str, after: str) -> float:
    """Return what a quotation mark, a dash or a hard space costs: more where it opens or closes in the wrong place."""
    inside = before.isalpha() and after.isalpha()
    if ch in "“„‘" and before.isalnum():
        return 5.0 + _ODD if inside or ch == "“" else 7.0
    if ch == "”" and before.isspace() and after.isalnum():
        return 5.0 + _ODD
    return 5.0 + (4.0 if ch in "—–…" and inside else 2.0 if inside else 0.0)


def _alone(before: str, after: str) -> float:
    """Return what an East Asian character costs more for standing between ASCII letters, or without its like."""
    beside = 4.0 * (_is_ascii_letter(before) + _is_ascii_letter(after))
    return beside + (_ODD if before < "\u2e80" and after < "\u2e80" else 0.0)


def _beside(before: str, ch: str, after: str) -> float:
    """Return what a letter costs more for standing where it does: a capital in a word, another script beside it."""
    cost = 0.0
    if ch.isupper() and before.islower():
        cost += _ODD
    if (_is_ascii_letter(before) or _is_ascii_letter(after)) and ch > "\u036f" and not "\u1e00" <= ch <= "\u1eff":
        cost += 6.0
    return cost


def _is_ascii_letter(ch: str) -> bool:
    return ch.isascii() and ch.isalpha()


@lru_cache(maxsize=16_384)
def _kind(ch: str) -> str:
    """Return what kind of character this is, as prices go."""
    code = ord(ch)
    if ch in _tables().letters:
        return "letter"
    for first, last, kind in _RANGES:
        if first <= code <= last:
            return kind
    category = unicodedata.category(ch)
    if category in ("Ll", "Lu", "Lt"):
        return "letter"
    return {"Cc": "control", "Cn": "unassigned", "Co": "private", "Mn": "mark"}.get(
        category, "sign" if ch in _SIGNS else "symbol"
    )
