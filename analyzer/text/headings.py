"""The grammar of headings: what one line alone says, by the words and forms of a language's table.

Whether such a line really is a heading is decided with its neighbours, in `chapters`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, cast, get_args

from analyzer.models.text import ChapterKind
from analyzer.text.blocks import LONGEST_LINE
from analyzer.text.languages import LanguageTable
from analyzer.text.numbers import (
    CHINESE,
    FOLD,
    ROMAN_SIGNS,
    SIGNS,
    number_pattern,
    ordinal_pattern,
    value_of,
    without_accents,
)

Style = Literal["word", "number", "kind", "part", "contents", "end", "titled"]
"""Chapter word with a number, number alone, named kind, part of the work, contents list, end mark, format's heading."""

_LONGEST_NUMBER = 1_000
"""Figures; a line with more of them is no heading."""

_MANY_FIGURES = re.compile(r"\d{5,}")
_TOO_MANY_FIGURES = re.compile(r"\d{6,}")
"""More figures than a number without a chapter word has; so many are sums, dates and the like."""

FEW = 10_000
"""From here on a number without a chapter word is one only beside others of its sequence: few serials count so far."""

_SIGN = re.compile(f"[{SIGNS}]")
_ROMAN = re.compile(f"[IVXLCDMІХСМ{ROMAN_SIGNS}]+")

_LONGEST_TITLE = {True: 180, False: 40}
"""Code points, for scripts with spaces and without."""

_LEAD = r"[\s\-–—―─*＊#=~<＜《〈【\[({·•◆■□※]*"
_TRAIL = re.compile(r"[\s\-–—―─*＊#=~>＞》〉】\])}·•◆■□※]*\Z")
_SEPARATOR = re.compile(r"(?:\s*[.．:：。·|｜/、)）\]］】」》〉>\-－–—―─~～]\s*)+|[\u3000\t]\s*|\s{2,}")
_BRACKETS = {
    "(": ")",
    "（": "）",
    "[": "]",
    "［": "］",
    "【": "】",
    "《": "》",
    "〈": "〉",
    "<": ">",
    "{": "}",
    "「": "」",
    "『": "』",
    "“": "”",
    '"': '"',
}
_LEADER = re.compile(r"(?:\s*[.·…․‥_]{3,}|\s{3,}|\t)\s*(?:\d{1,4}|[ivxlc]{1,7})\s*\Z", re.IGNORECASE)
_MEASURE = re.compile(r"[.:\-–—,/]\d")
"""What follows the first figures of a score, a time of day, a date or a sum, and never the number of a chapter."""

STORY: tuple[ChapterKind, ...] = ("prologue", "epilogue", "interlude", "side_story", "chapter")
"""Kinds that belong to the story."""

_NUMBER_SIGN = r"(?:\s+|(?=[\d#№]))(?:[#№]|no\.|nr\.|nº)?\s*"


class Heading(NamedTuple):
    """What a line says if it is a heading: `label` the printed number, `number` its value, `leads` a page number follows.

    `word` is the chapter word, casefolded; `volume` the words for the part where one line names it and the chapter, with its number.
    """

    style: Style
    kind: ChapterKind
    label: str
    number: int | None
    title: str
    leads: bool = False
    word: str = ""
    volume: str = ""
    volume_number: int | None = None


class Mark(NamedTuple):
    """A heading in the text: lines `[line, body)` of the manuscript with its title lines; `title` of all of them.

    `doubt` says why it may be none, "" where nothing does; `why` what tells it where its own words do not; `shape` are the
    words, as small letters, that stand before its chapter word as in others.
    """

    line: int
    body: int
    heading: Heading
    title: str
    doubt: str = ""
    why: str = ""
    shape: str = ""


class _Grammar(NamedTuple):
    word: re.Pattern[str]
    part: re.Pattern[str]
    part_sign: re.Pattern[str] | None
    kind: re.Pattern[str]
    kinds: dict[str, ChapterKind]
    number: re.Pattern[str]
    contents: frozenset[str]
    end: frozenset[str]
    spaced: bool


@lru_cache(maxsize=32)
def _grammar(table: LanguageTable) -> _Grammar:
    rules = table.chapters
    number = number_pattern(table)
    counted = number + ordinal_pattern(table)
    spaced = bool(table.sentences["spaced"])
    kinds = {
        str(word).casefold(): cast(ChapterKind, kind)
        for kind in get_args(ChapterKind)
        if kind != "chapter"
        for word in _spelled(rules[kind])
    } | {word.casefold(): "chapter" for word in _spelled(rules["last"])}
    signs = "|".join(map(re.escape, sorted(rules["part_signs"], key=len, reverse=True)))
    named = _any(list(kinds))
    return _Grammar(
        word=_forms(rules["forms"], _spelled(rules["words"]), counted, spaced),
        part=_forms(rules["part_forms"], _spelled(rules["part_words"]), counted, spaced),
        part_sign=re.compile(rf"(?P<n0>{signs})(?P<tail>[\u3000\s]+\S{{1,20}}|)\Z") if signs else None,
        kind=re.compile(
            rf"{_LEAD}(?P<kind>{named})(?:[\s#第제(]*(?P<n0>{number})[\s)]*(?:{_any(_spelled(rules['words']))})?(?!\w))?(?P<tail>.*)\Z",
            re.IGNORECASE,
        ),
        kinds=kinds,
        number=re.compile(rf"{_LEAD}(?P<n0>{number})(?!\w)(?P<tail>.*)\Z", re.IGNORECASE),
        contents=frozenset(word.casefold() for word in _spelled(rules["contents"])),
        end=frozenset(word.casefold() for word in _spelled(rules["end"])),
        spaced=spaced,
    )


def _spelled(words: list[str]) -> list[str]:
    """Return the words, and those with accents also as capitals are often printed: without."""
    return list(dict.fromkeys([*words, *map(without_accents, words)]))


def _any(words: list[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


def _forms(forms: list[str], words: list[str], number: str, spaced: bool) -> re.Pattern[str]:
    """Return one pattern for all forms: `{word}` any of the words, `{n}` a number, `{figures}` figures, a space white space."""
    parts = []
    for i, form in enumerate(forms):
        pattern = re.escape(form).replace(r"\{", "{").replace(r"\}", "}")
        pattern = pattern.replace(r"{word}\ {n}", "{word}" + _NUMBER_SIGN + "{n}").replace(r"\ ", r"\s+")
        pattern = pattern.replace("}{", r"}\s*{").replace("第{", r"第\s*{").replace("제{", r"제\s*{")
        guard = r"(?!\w)" if spaced or form.endswith("{n}") else ""
        pattern = pattern.replace("{word}", f"(?P<w{i}>{_any(words)})").replace("{n}", f"(?P<n{i}>{number})")
        pattern = pattern.replace("{figures}", rf"(?P<n{i}>\d+)")
        parts.append(f"(?:{pattern}){guard}")
    return re.compile(rf"{_LEAD}(?:{'|'.join(parts)})(?P<tail>.*)\Z", re.IGNORECASE)


@lru_cache(maxsize=32)
def kind_words(table: LanguageTable) -> tuple[str, ...]:
    """Return the names of all kinds of chapters in a language, casefolded, the longest first."""
    return tuple(sorted(_grammar(table).kinds, key=len, reverse=True))


def lead_of() -> str:
    """Return a pattern of the ornaments that a heading may begin with."""
    return _LEAD


def without_ornaments(words: str) -> str:
    """Return a line without the ornaments around it."""
    return _TRAIL.sub("", re.sub(rf"\A{_LEAD}", "", words))


def may_be_heading(words: str, table: LanguageTable) -> bool:
    """Say whether a casefolded line may have a chapter word and a number, or name a kind of the story, in this language.

    No such heading is refused; in scripts without capitals nothing is. Costs a part of making all patterns of a language.
    """
    sketch = _sketch(table)
    return sketch is None or sketch.match(words) is not None


@lru_cache(maxsize=32)
def _sketch(table: LanguageTable) -> re.Pattern[str] | None:
    """Return a pattern of what a heading begins with: a kind, or a chapter word and a number in the order of some form."""
    rules = table.chapters
    if not table.script["cased"]:
        return None
    kinds = [word.casefold() for kind in STORY if kind != "chapter" for word in _spelled(rules[kind])]
    words = _any([word.casefold() for word in _spelled(rules["words"])])
    basic = " ".join(rules["ones"] + rules["tens"] + rules["hundreds"]).casefold().split()
    number = rf"(?:\d|[ivxlcdmіхсм]+(?!\w)|[ⅰ-ⅿ①-⑳{CHINESE}]|{_any(_spelled(basic))})"
    forms = [re.escape(form).replace(r"\{word\}", f"(?:{words})") for form in rules["forms"]]
    forms = [form.replace(r"\{n\}", number).replace(r"\ ", ".*?") for form in forms]
    return re.compile(f"{_LEAD}(?:{_any(kinds)}|{'|'.join(forms)})")


def match_heading(line: str, table: LanguageTable, others: Sequence[LanguageTable] = ()) -> Heading | None:
    """Return what a trimmed line says if it is a heading, or None; one line alone, so years and list items match too.

    `others` are tables of languages in which some chapters are: of them only a chapter word with a number counts, and
    the names of prologue, epilogue, interlude and side story.
    """
    own = _match(line, table)
    if own is not None or not others:
        return own
    found = (_match(line, other) for other in others)
    return next((h for h in found if h and (h.style == "word" or (h.style == "kind" and h.kind in STORY))), None)


def number_of(label: str, tables: Sequence[LanguageTable]) -> int | None:
    """Return the value of a printed number in the first of `tables` that knows it, or None."""
    return next((n for n in (value_of(label, table) for table in tables) if n is not None), None) if label else None


def _match(line: str, table: LanguageTable) -> Heading | None:
    if len(line) > LONGEST_LINE and not _is_long_number(line):
        return None
    words = line if line.isascii() else unicodedata.normalize("NFC", line)
    folded = words.translate(FOLD).replace("\u00ad", "")
    if len(folded) != len(words):
        words = words.replace("\u00ad", "")
    grammar = _grammar(table)
    bare = _TRAIL.sub("", folded).lstrip(" -–—*#=~[(<").rstrip(" .:").casefold()
    if bare in grammar.contents:
        return Heading("contents", "front", "", None, words)
    if bare in grammar.end:
        return Heading("end", "back", "", None, words)
    return (
        _kind(words, folded, grammar, table)
        or _numbered("word", grammar.word, words, folded, grammar, table)
        or _part(words, folded, grammar, table)
        or _part_sign(words, folded, grammar)
        or _number(words, folded, grammar, table)
    )


def _is_long_number(line: str) -> bool:
    """Say whether a line is too long for a heading only by the figures of its number."""
    return len(line) <= LONGEST_LINE + _LONGEST_NUMBER and len(_MANY_FIGURES.sub("0", line)) <= LONGEST_LINE


def _kind(words: str, folded: str, grammar: _Grammar, table: LanguageTable) -> Heading | None:
    match = grammar.kind.match(folded)
    if match is None or folded[match.start("kind")].islower():
        return None
    kind = grammar.kinds[re.sub(r"\s+", " ", match["kind"].casefold())]
    at = match.start("tail")
    several = " " in match["kind"]  # no sentence begins with these words: Also by …
    plain = (kind not in ("front", "back") or several) and (grammar.spaced or folded[at : at + 1].isspace())
    found = _title(words, at, grammar.spaced, plain=plain)
    if found is None:
        return None
    label = words[match.start("n0") : match.end("n0")] if match["n0"] else ""
    if not label and not found[0]:
        found = (words[match.start("kind") : match.end("kind")], found[1])
    return Heading("kind", kind, label, value_of(label, table) if label else None, *found)


def _numbered(
    style: Style, pattern: re.Pattern[str], words: str, folded: str, grammar: _Grammar, table: LanguageTable
) -> Heading | None:
    match = pattern.match(folded)
    if match is None:
        return None
    said = match.groupdict()
    name = next(name for name, found in said.items() if name[0] == "n" and found)
    label = words[match.start(name) : match.end(name)]
    number = value_of(label, table)
    found = _title(words, match.start("tail"), grammar.spaced, plain=True)
    if number is None or found is None:
        return None
    return Heading(style, "chapter", label, number, *found, word=(said.get(f"w{name[1:]}") or "").casefold())


def _part(words: str, folded: str, grammar: _Grammar, table: LanguageTable) -> Heading | None:
    """Return a part of the work, or the chapter where one line names both (Volume 1, Chapter 3: …)."""
    match = grammar.part.match(folded)
    if match is None:
        return None
    for gap in re.finditer(r"[\s,、·:：\-–—]+", words[match.start("tail") :]):
        inner = words[match.start("tail") + gap.end() :]
        chapter = _numbered("word", grammar.word, inner, inner.translate(FOLD), grammar, table)
        if chapter is not None:
            label = next(found for name, found in match.groupdict().items() if name[0] == "n" and found)
            volume = words[: match.start("tail") + gap.start()].strip()
            return chapter._replace(volume=volume, volume_number=value_of(label, table))
    return _numbered("part", grammar.part, words, folded, grammar, table)


def _part_sign(words: str, folded: str, grammar: _Grammar) -> Heading | None:
    match = grammar.part_sign.match(folded) if grammar.part_sign else None
    return Heading("part", "chapter", match["n0"], None, match["tail"].strip()) if match else None


def _number(words: str, folded: str, grammar: _Grammar, table: LanguageTable) -> Heading | None:
    match = grammar.number.match(folded)
    if match is None:
        return None
    label = words[match.start("n0") : match.end("n0")]
    number = value_of(label, table)
    if number is None or label[0].islower() or _TOO_MANY_FIGURES.match(label):
        return None
    tail = folded[match.start("tail") :]
    if _MEASURE.match(tail):
        return None
    plain = label.isdigit() or label[0] in CHINESE or _SIGN.match(label) is not None
    found = _title(words, match.start("tail"), grammar.spaced, plain=plain)
    if found is None or (found[0] and (found[0][-1] in ".!?。！？…" or tail.lstrip().startswith(","))):
        return None
    return Heading("number", "chapter", label, number, *found)


def without_page(line: str) -> str:
    """Return an entry of a contents list without its leader and page number."""
    return _LEADER.sub("", line).strip()


def numeral_type(label: str) -> str:
    """Return what a printed number is written in: figures, Roman, East Asian figures, or words."""
    folded = label.translate(FOLD)
    if (folded[:1].isdigit() and folded[0] not in CHINESE) or _SIGN.match(folded):
        return "figures"
    if folded[:1] in CHINESE:
        return "east_asian"
    return "roman" if _ROMAN.fullmatch(folded) else "words"


def _title(words: str, at: int, spaced: bool, *, plain: bool) -> tuple[str, bool] | None:
    """Return the title in `words[at:]` and whether a page number follows it; None where the rest is prose.

    `plain`: one space, or in scripts without spaces nothing, may part number and title.
    """
    leader = _LEADER.search(words, at)
    tail = words[at : leader.start()] if leader else words[at:]
    bare = _without_ornaments(tail)
    if not bare.strip(" \u3000.:。·："):
        return "", leader is not None
    separator = _SEPARATOR.match(bare)
    title = bare[separator.end() if separator else 0 :].strip()
    if not title:
        return "", leader is not None
    if not separator and not _starts_title(bare, title, spaced, plain):
        return None
    if len(title) > _LONGEST_TITLE[spaced] or title[-1] in ",;，；、：:":
        return None
    return title, leader is not None


def _without_ornaments(tail: str) -> str:
    """Return `tail` without closing ornaments; a bracket that it opens itself stays."""
    bare = _TRAIL.sub("", tail)
    for opener, closer in _BRACKETS.items():
        at = tail.rfind(closer)
        if at >= len(bare) and opener in bare and opener != closer:
            return tail[: at + 1]
    return bare


def _starts_title(tail: str, title: str, spaced: bool, plain: bool) -> bool:
    """Say whether words that follow a number without a separator read as a title and not as prose."""
    if plain and _BRACKETS.get(title[0]) == title[-1] and len(title) > 2:
        return True
    if not plain or any(ch in "。！？…；" for ch in title) or title[-1] in '.!?"”’」』':
        return False
    if not tail[0].isspace():
        return not spaced and "，" not in title
    return not title[0].islower()
