"""Numbers as headings print them: figures, Roman, Chinese, Korean and number words, to their value."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from analyzer.text.languages import LanguageTable

LARGEST = 10**9
"""The value of all figures that print more: no serial counts so far, and figures of any length cost the same to read."""

_PUNCTUATION = str.maketrans("０１２３４５６７８９：．（）［］－～　＃−", "0123456789:.()[]-~ #-")
_STYLED = ((0xFF21, 0xFF3B), (0xFF41, 0xFF5B), (0x1D400, 0x1D800))
"""Full-width Latin letters, and those of mathematics (bold, script …), which are also set for their looks."""

FOLD = _PUNCTUATION | {
    code: plain
    for first, last in _STYLED
    for code in range(first, last)
    if (plain := unicodedata.normalize("NFKC", chr(code))) != chr(code) and len(plain) == 1 and plain.isalnum()
}
"""One code point to one, so that offsets into a folded line are offsets into the line."""

SIGNS = "⓪①-⒛㈠-㈩㉑-㉟㊀-㊉㊱-㊿❶-➓⓫-⓾⓿"
"""Numbers of one sign, as a class of a pattern: circled, in brackets, with a full stop; figures and Chinese."""

ROMAN_SIGNS = "Ⅰ-ⅿ"
"""Roman figures that are signs of their own, as a class of a pattern."""

_ONE_SIGN = re.compile(f"[{SIGNS}]")
_ROMAN_RUN = re.compile(f"[{ROMAN_SIGNS}]+")

_ROMAN_LETTERS = str.maketrans("ІХСМіхсм", "IXCMixcm")
_ROMAN = re.compile(r"(?=[IVXLCDM])M{0,4}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})\Z")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_DIGITS = {
    **{ch: i for i, ch in enumerate("〇一二三四五六七八九")},
    **{ch: i for i, ch in enumerate("零壹貳參肆伍陸柒捌玖")},
    **{ch: i for i, ch in enumerate("영일이삼사오육칠팔구")},
    **{ch: i for i, ch in enumerate("零壱弐参")},
    **{"两": 2, "兩": 2, "贰": 2, "叁": 3, "陆": 6, "륙": 6, "공": 0},
}
_UNITS = {"十": 10, "拾": 10, "십": 10, "百": 100, "佰": 100, "백": 100, "千": 1000, "仟": 1000, "천": 1000}
_TENS = {"廿": 20, "卅": 30, "卌": 40}

CHINESE = "〇零一二三四五六七八九十百千两兩廿卅卌壹貳贰參叁肆伍陸陆柒捌玖拾佰仟壱弐参"
HANGUL = "영공일이삼사오육륙칠팔구십백천"


def roman_value(words: str) -> int | None:
    """Return the value of Roman figures (all capitals or all small, Cyrillic look-alikes allowed), or None."""
    folded = words.translate(_ROMAN_LETTERS)
    if folded != folded.upper() and folded != folded.lower():
        return None
    letters = folded.upper()
    if not _ROMAN.match(letters):
        return None
    total = 0
    for ch, following in zip(letters, letters[1:] + "I", strict=True):
        value = _ROMAN_VALUES[ch]
        total += -value if value < _ROMAN_VALUES[following] else value
    return total


def east_asian_value(words: str) -> int | None:
    """Return the value of Chinese or Sino-Korean figures, by place (一二) or by unit (十二), or None."""
    if not words or any(ch not in _DIGITS and ch not in _UNITS and ch not in _TENS for ch in words):
        return None
    if not any(ch in _UNITS or ch in _TENS for ch in words):
        return int("".join(str(_DIGITS[ch]) for ch in words)) if len(words) < 5 else None
    total = digit = 0
    for ch in words:
        if ch in _DIGITS:
            digit = _DIGITS[ch]
        elif ch in _TENS:
            total += _TENS[ch]
        else:
            total += (digit or 1) * _UNITS[ch]
            digit = 0
    return total + digit


class NumberWords(NamedTuple):
    """The number words of a language: basic words (casefolded) to values, and patterns of one and of a whole number.

    `units_first`: one and twenty; `teens_apart`: tenth third is the thirteenth.
    """

    values: dict[str, int]
    word: re.Pattern[str]
    pattern: str
    units_first: bool
    teens_apart: bool


@lru_cache(maxsize=32)
def number_words(table: LanguageTable) -> NumberWords | None:
    """Return the number words of a language, 1 to 199 as combinations; None where its table has none."""
    rules = table.chapters
    if not rules["ones"]:
        return None
    basic = {word: i for i, row in enumerate(rules["ones"], 1) for word in row.split()}
    basic |= {word: i * 10 for i, row in enumerate(rules["tens"], 2) for word in row.split()}
    basic |= dict.fromkeys(rules["hundreds"], 100)
    values = {word.casefold() + end: value for word, value in basic.items() for end in rules["endings"]}
    values = {plain: value for word, value in values.items() for plain in (without_accents(word), word)}
    one = "(?:" + "|".join(re.escape(word) for word in sorted(values, key=len, reverse=True)) + ")"
    joints = "|".join(re.escape(joint).replace(r"\ ", r"\s+") for joint in rules["joints"])
    return NumberWords(
        values,
        re.compile(one, re.IGNORECASE),
        rf"{one}(?:(?:{joints}){one}){{0,4}}(?!\w)",
        bool(rules["units_first"]),
        bool(rules.get("teens_apart", False)),
    )


def without_accents(word: str) -> str:
    """Return a word of Latin letters as capitals without accents are printed (CAPITULO, EPILOGUE); others as they are."""
    plain = "".join(ch for ch in unicodedata.normalize("NFD", word) if not unicodedata.combining(ch))
    return plain if plain.isascii() else word


def _named_value(words: str, known: NumberWords) -> int | None:
    """Return the value of number words: hundreds, tens, units in that order (units before tens where it is the rule)."""
    parts = [known.values[found.casefold()] for found in known.word.findall(words)]
    total, last = 0, 1000
    for i, value in enumerate(parts):
        if value == 100 and total < 10:
            total, last = max(total, 1) * 100, 100
            continue
        turned = known.units_first and i and parts[i - 1] < 10 <= value < 100
        teen = known.teens_apart and last == 10 and value < 10
        if not turned and not teen and (value >= last or last in range(1, 20)):
            return None
        total, last = total + value, value
    return total or None


def number_pattern(table: LanguageTable) -> str:
    """Return a pattern, for IGNORECASE, of whatever may be a number in a heading of this language."""
    figures = r"(?:-(?=\d))?\d+(?:[.\-]\d{1,3}|[a-d](?!\w))?"
    parts = [figures, "[ivxlcdmІХСМ]{1,12}", f"[{ROMAN_SIGNS}]{{1,8}}", f"[{SIGNS}]", f"[{CHINESE}]{{1,8}}"]
    if "Hangul" in table.script["names"]:
        parts.append(f"[{HANGUL}]{{1,6}}")
    known = number_words(table)
    if known is not None:
        parts.insert(0, known.pattern)
    return "(?:" + "|".join(parts) + ")"


@lru_cache(maxsize=32)
def ordinal_pattern(table: LanguageTable) -> str:
    """Return a pattern, for IGNORECASE, of what makes the figures beside a chapter word ordinals (2nd, 2e, 2-я); it may be empty."""
    ends = sorted(table.chapters.get("ordinals", ()), key=len, reverse=True)
    return f"(?:(?:{'|'.join(map(re.escape, ends))})(?!\\w))?" if ends else ""


@lru_cache(maxsize=32)
def _ordinal(table: LanguageTable) -> re.Pattern[str]:
    ends = ordinal_pattern(table)
    return re.compile(rf"(?:(?P<figures>\d+)(?i:{ends})|(?P<roman>[IVXLCDM]+){ends})\Z")


def value_of(words: str, table: LanguageTable) -> int | None:
    """Return the value of a printed number of a heading (at most `LARGEST`; below 0 with a minus sign), or None where it is none."""
    folded = words.translate(FOLD).strip().rstrip(".")
    below = folded[:1] == "-"
    figures = re.split(r"[.\-]|(?<=\d)[a-dA-D]\Z", folded[below:])[0]
    if figures.isdecimal():
        return (int(figures) if len(figures) < len(str(LARGEST)) else LARGEST) * (-1 if below else 1)
    if _ONE_SIGN.fullmatch(folded):
        return int(unicodedata.numeric(folded))
    if _ROMAN_RUN.fullmatch(folded):
        folded = unicodedata.normalize("NFKC", folded)
    known = number_words(table)
    if known is not None and re.fullmatch(known.pattern, folded, re.IGNORECASE):
        return _named_value(folded, known)
    plain = roman_value(folded) or east_asian_value(folded)
    ordinal = None if plain is not None else _ordinal(table).match(folded)
    if ordinal is None:
        return plain
    return int(ordinal["figures"][: len(str(LARGEST))]) if ordinal["figures"] else roman_value(ordinal["roman"])
