"""Names as scoring compares them; shares no code with the gold transport, so that a fault there shows here.

Words come from the language tables (titles, honorifics, particles) and from a few of our own that every language gets, since
a French book read in English keeps its Monsieur. Each looser form is looked at only where no stricter one was found.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from analyzer.text.languages import LanguageTable, language_table, languages

_ARTICLE_WORDS = """the a an this that my your his her their our its le la les un une mon ma mes son sa ses votre notre leur il
der die das den dem ein eine mein meine sein seine ihr ihre el los las 그 저 이 자기 내 우리"""
_ARTICLES = frozenset(_ARTICLE_WORDS.split())
"""Words of their own before a name or description; in a word ("ma" in "man", 이 in 이순신) they stay."""
_JOINED = re.compile(r"^(?:那個|那个|這個|这个|一個|一个|那|這|这|その|この|あの|彼の|私の)\s*(?=\S)")
_TITLE_WORDS = """m mr mrs ms mme mlle dr st captain capt monsieur madame mademoiselle marshal marquis marquise comte count king citizen
duc duke professor old master miss lady lord sir doctor magistrate warden sergeant aunt uncle widow mistress mother father"""
_ALWAYS = frozenset(_TITLE_WORDS.split())
"""Titles every language gets."""
_TAILS = ("님", "씨", "군", "양", "さん", "様", "さま", "君", "くん", "ちゃん", "氏", "殿", "先生", "夫人")
_ELIDED = re.compile(r"^[ldLD]'(?=\w)")
_POSSESSIVE = re.compile(r"(?<=\w)'s?$")
_JA_PARTICLES = ("は", "が", "を", "に", "の", "も", "と", "へ", "や")
NARRATORS = frozenset(
    {"i", "me", "나", "내", "我", "吾", "俺", "余", "私", "僕", "わたし", "ぼく", "je", "ich", "yo", "я", "narrator"}
)
"""Descriptors that stand for whoever tells the story."""


def plain(name: str) -> str:
    """Return a name without case, width and outer spaces, quotes straightened."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().replace("’", "'").split())


def _table(language: str) -> LanguageTable:
    tag = language.split("-")[0].lower()
    return language_table(tag if tag in languages() else "und")


def _words(value: Any) -> tuple[str, ...]:
    """Return a table's entry as words: a string parted by spaces or an array."""
    found = value.split() if isinstance(value, str) else [v for v in value or () if isinstance(v, str)]
    return tuple(plain(word) for word in found)


@lru_cache(maxsize=64)
def titles(language: str) -> frozenset[str]:
    """Return titles and honorifics that may be words of their own, folded, without final dots."""
    table = _table(language).titles
    return _ALWAYS | {word.rstrip(".") for value in table.values() for word in _words(value)}


@lru_cache(maxsize=64)
def _tails(language: str) -> tuple[str, ...]:
    """Return what is written onto a name without a space, longest first."""
    table = _table(language).titles
    own = {w for key in ("after", "attached_titles") for w in _words(table.get(key)) if not w.isascii()}
    return tuple(sorted({*own, *_TAILS}, key=lambda w: (-len(w), w)))


@lru_cache(maxsize=64)
def _leads(language: str) -> tuple[str, ...]:
    """Return what is written before a name without a space: one character of a script that parts no words."""
    return tuple(w for w in _words(_table(language).titles.get("before")) if len(w) == 1 and not w.isascii())


@lru_cache(maxsize=64)
def _particles(language: str) -> frozenset[str]:
    """Return the small words that may begin a family name; "of" begins none ("Captain of the Guard" is no guard)."""
    return frozenset(
        {*_words(_table(language).names.get("particles")), "de", "von", "van", "du", "des"} - {"of", "the"}
    )


@lru_cache(maxsize=65536)
def stem(name: str, language: str = "en") -> str:
    """Return a name without article, title and honorific; what would leave nothing is kept."""
    known = titles(language)
    words = _JOINED.sub("", plain(name)).split()
    while len(words) > 1 and (words[0].rstrip(".") in known or words[0] in _ARTICLES):
        words = words[1:]
    while len(words) > 1 and words[-1].rstrip(".") in known and not words[-1].isascii():
        words = words[:-1]
    text = " ".join(words)
    if " " in text or text.isascii():
        return text
    tail = next((t for t in _tails(language) if text.endswith(t) and len(text) > len(t)), "")
    text = text.removesuffix(tail)
    lead = next((w for w in _leads(language) if text.startswith(w) and len(text) > 1), "")
    return text.removeprefix(lead)


@lru_cache(maxsize=65536)
def loose(name: str, language: str = "en") -> frozenset[str]:
    """Return the stem and what it is without a particle: "de" and "von", l' and d', 's, and case endings of Korean and Japanese."""
    text = stem(name, language)
    found = {text, _POSSESSIVE.sub("", text), _ELIDED.sub("", text)}
    particles = _particles(language)
    words = text.split()
    while len(words) > 1 and words[0] in particles:
        words = words[1:]
    found.add(_ELIDED.sub("", " ".join(words)))
    found |= {
        stem(text.removesuffix(p), language) for p in _endings(language) if text.endswith(p) and len(text) >= len(p) + 2
    }
    return frozenset(found - {""})


@lru_cache(maxsize=64)
def _endings(language: str) -> tuple[str, ...]:
    tag = language.split("-")[0].lower()
    if tag == "ja":
        return _JA_PARTICLES
    table = _table(language).names
    return (*_words(table.get("case_particles")), *_words(table.get("soft_particles"))) if tag == "ko" else ()


@lru_cache(maxsize=65536)
def head(description: str) -> str:
    """Return a description without its determiners."""
    words = _JOINED.sub("", plain(description)).split()
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


_WORD = re.compile(r"\w+")


@lru_cache(maxsize=65536)
def _spaced(text: str) -> str:
    """Return a text's words with one space around each."""
    return f" {' '.join(_WORD.findall(text))} "


def inside(part: str, whole: str) -> bool:
    """Say whether one wording stands in another: whole words, or two characters and more where words are not parted."""
    if len(part) < 2:
        return False
    if part.isascii():
        return _spaced(part) != "  " and _spaced(part) in _spaced(whole)
    return part in whole
