"""Chapters in another language than their book: which languages a manuscript holds, and which chapter is in which."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzer.text.blocks import Line, lines_alone
from analyzer.text.chapters import ChapterPlan, PlannedChapter
from analyzer.text.detect import detect_language, n_letters_of, primary, script_of
from analyzer.text.headings import Heading, match_heading, may_be_heading
from analyzer.text.languages import LanguageTable, language_table, languages
from analyzer.text.numbers import without_accents

_WINDOW = 600
"""Code points looked at in one place: about a hundred words, or a page of Chinese."""

_STRIDE = 3_000
"""Code points from one place to the next: a chapter of 1,500 words is seen at least twice."""

_FEWEST_PLACES = 20
"""Places looked at in a short text."""

_FEWEST = 200
"""Letters of a chapter from which its language is guessed at all; a shorter one is in the book's."""

_FEWEST_HEADED = 40
"""Letters from which it is, where the heading is one in that language too: seven words, of which two or three are common ones."""

_FEWEST_OF_SCRIPT = 4
"""Letters from which it is, where the book's languages are written in other scripts."""

_BELOW = (150, 300)
"""Code points looked at below a heading in another language: a little over `_FEWEST` letters, in denser scripts and in others."""

_HEAD = 100
"""Code points of a line in which the number and the chapter word of a heading stand."""

_LETTERS = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile("[a-z]+")
"""Words, and those that stand written onto signs of other scripts (三chapter)."""

_STORY = ("prologue", "epilogue", "interlude", "side_story")

_SURE = 0.75
"""Certainty from which a chapter is an exception; from one half of the words of the next language on."""


def other_languages(text: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the tags of the languages a manuscript holds somewhere beside those of `known`, sorted.

    `known` are the book's own languages (primary tags). Cost: 40 ms a million code points.
    """
    found: set[str] = set()
    stride = min(_STRIDE, max(_WINDOW // 2, len(text) // _FEWEST_PLACES))
    for at in range(0, len(text), stride):
        tag = _exception(text[at : at + _WINDOW], known)
        if tag:
            found.add(primary(tag))
    return tuple(sorted(found))


class _Place(NamedTuple):
    """A line that reads like a heading: its index, its number (None for a named kind), the languages it is one in, () for the book's."""

    line: int
    number: int | None
    tags: tuple[str, ...]


def heading_languages(
    text: str, lines: Sequence[Line], table: LanguageTable, known: Collection[str]
) -> tuple[str, ...]:
    """Return the tags of languages other than the book's in which headings of its chapters are, sorted.

    Such a line stands alone, is no heading in the book's language (`table`) and either has a chapter word and the number
    the sequence goes on with there, or text below it that is surely in its language: a chapter in another language may
    be too short for `other_languages`. Cost: 0.2 to 0.3 s a million code points at most but
    for a Chinese text with a chapter word in nearly every line (1.3 s).
    """
    places = _foreign_places(lines, table, known)
    if not places:
        return ()
    own = [
        _Place(i, heading.number, ())
        for i in lines_alone(lines)
        if (heading := match_heading(lines[i].text, table)) and heading.style == "word"
    ]
    counted = sorted(p for p in (*own, *places) if p.number is not None)
    found: set[str] = set()
    for i, place in enumerate(counted):
        before = counted[i - 1].number if i else None
        after = counted[i + 1].number if i + 1 < len(counted) else None
        if place.tags and _goes_on(before, place.number or 0, after):
            found.add(_likeliest(place, text, lines, known) or place.tags[0])
    found |= {_likeliest(place, text, lines, known) for place in places}
    return tuple(sorted(found - {""}))


def _foreign_places(lines: Sequence[Line], table: LanguageTable, known: Collection[str]) -> list[_Place]:
    """Return the lines that stand alone and are headings in other languages and none in the book's own."""
    heads = [(i, lines[i].text.casefold()[:_HEAD]) for i in lines_alone(lines)]
    together = "\n".join(words for _, words in heads)
    there = set(_LETTERS.findall(together))
    there |= {plain for word in there if not word.isascii() for plain in _PLAIN.findall(word)} | set(together)
    tags: dict[int, dict[str, int | None]] = {}
    for tag in languages():
        said = () if tag == "und" or tag in known else _said(tag, there, together)
        for i, words in heads if said else ():
            if not any(word in words for word in said) or not may_be_heading(words, language_table(tag)):
                continue
            heading = match_heading(lines[i].text, language_table(tag))
            if heading is not None and _is_chapter(heading):
                tags.setdefault(i, {})[tag] = heading.number if heading.style == "word" else None
    return [
        _Place(i, next(iter(numbers.values())), tuple(numbers))
        for i, numbers in sorted(tags.items())
        if match_heading(lines[i].text, table) is None
    ]


def _said(tag: str, there: Collection[str], together: str) -> tuple[str, ...]:
    """Return the words of headings in this language that stand in a text; `there` are its words and its signs.

    Letters with capitals stand as words of their own, others may be written onto a number.
    """
    return tuple(word for word in _heading_words(tag) if _stands(word, there, together))


def _stands(word: str, there: Collection[str], together: str) -> bool:
    runs = _LETTERS.findall(word)
    if runs and runs[0] != runs[0].upper():
        return all(run in there for run in runs)
    return word[0] in there and word in together


@lru_cache(maxsize=32)
def _heading_words(tag: str) -> tuple[str, ...]:
    """Return what a heading of a chapter in this language has one of, casefolded, without accents where that is printed too."""
    rules = language_table(tag).chapters
    marks = [
        form.split("{n}")[0].strip() for form in rules["forms"] if "{word}" not in form and "{figures}" not in form
    ]
    words = [word for key in ("words", *_STORY) for word in rules[key]] + [mark for mark in marks if mark]
    folded = [word.casefold() for word in words]
    return tuple(dict.fromkeys([*folded, *map(without_accents, folded)]))


def _is_chapter(heading: Heading) -> bool:
    return heading.style == "word" or (heading.style == "kind" and heading.kind in _STORY)


def _goes_on(before: int | None, number: int, after: int | None) -> bool:
    """Say whether a number fits between the one before and the one after it, and repeats neither."""
    if number in (before, after):
        return False
    follows = number in (0, 1) if before is None else number == before + 1
    return follows or (after is not None and number == after - 1)


def _likeliest(place: _Place, text: str, lines: Sequence[Line], known: Collection[str]) -> str:
    """Return which of the languages of a heading the text below it is surely in, "" for none."""
    start = lines[place.line].end
    seen = {primary(_exception(text[start : start + size], known)) for size in _BELOW}
    return next((tag for tag in place.tags if tag in seen), "")


def with_languages(plan: ChapterPlan, text: str, known: Collection[str]) -> ChapterPlan:
    """Return the plan with the language of every chapter that is in another one than those of `known`.

    A language already set stays. Only languages with a table are exceptions: a chapter in none of them is read like its book.
    """
    return plan._replace(chapters=tuple(_with_language(chapter, text, known) for chapter in plan.chapters))


def _with_language(chapter: PlannedChapter, text: str, known: Collection[str]) -> PlannedChapter:
    if chapter.language:
        return chapter
    size = chapter.end - chapter.body_start
    places = {chapter.body_start, chapter.body_start + size // 3, chapter.body_start + size * 2 // 3}
    sample = "\n".join(text[at : min(at + _WINDOW, chapter.end)] for at in sorted(places))
    tag = _exception(sample, known)
    if not tag and chapter.heading:
        tag = _by_script(chapter.heading, text[chapter.body_start : chapter.end][: 3 * _WINDOW], known)
    if not tag and chapter.heading:
        guess = _exception(text[chapter.body_start : chapter.end][:_WINDOW], known, _FEWEST_HEADED)
        tag = guess if guess and _is_headed(chapter.heading, guess) else ""
    return chapter._replace(language=tag)


def _by_script(heading: str, sample: str, known: Collection[str]) -> str:
    """Return the language of a chapter in a script the book's languages are not written in, however short it is; "" for none.

    It is the one the heading is in too, or the only one with a table that is written so.
    """
    script = script_of(sample)
    own = [names for tag in known if (names := _scripts(tag))]
    if not script or not own or any(script in names for names in own):
        return ""
    n_letters = sum(map(str.isalpha, sample))
    if n_letters < _FEWEST_OF_SCRIPT:
        return ""
    guess, _ = detect_language(sample)
    if guess == "und" and n_letters >= _FEWEST_HEADED:
        return ""
    able = [tag for tag in languages() if tag != "und" and _scripts(tag)[:1] == (script,)]
    headed = [tag for tag in able if _is_headed(heading, tag)]
    if primary(guess) in headed or [primary(guess)] == able:
        return guess
    return headed[0] if len(headed) == 1 else ""


def _scripts(tag: str) -> tuple[str, ...]:
    """Return the scripts a language is written in, that which tells it first."""
    return tuple(language_table(tag).script["names"])


def _is_headed(heading: str, tag: str) -> bool:
    """Say whether a heading is one in the language `tag`; some are in several (Chapter 3 above Korean and English)."""
    said = match_heading(heading.split("\n", 1)[0], language_table(tag))
    return said is not None and _is_chapter(said)


def _exception(sample: str, known: Collection[str], fewest: int = _FEWEST) -> str:
    n_letters = n_letters_of(sample)
    if n_letters < fewest and (n_letters < fewest // 2 or sample.isascii() or not _dense(sample)):
        return ""
    tag, certainty = detect_language(sample)
    return tag if tag != "und" and certainty >= _SURE and primary(tag) not in known else ""


def _dense(sample: str) -> bool:
    """Say whether most signs are of scripts that need half as many of them for the same words."""
    return sum(1 for ch in sample if ch >= "\u1100") * 2 > len(sample)
