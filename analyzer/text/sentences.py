"""Sentences: spans of a block, cut by the marks, abbreviations and habits of its language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from analyzer.models.text import Span
from analyzer.text.languages import LanguageTable

LONGEST = 600
"""Code points; a longer sentence is cut at a semicolon or comma, so that evidence stays narrow."""

_CLOSERS = "\"'”’»›)]}」』）】》〉〕"
"""Closing marks of all languages; a table adds its own, which open elsewhere (German “ and «)."""

_OPENERS = "\"'“‘«‹„‚(（[「『【《〈〝¿¡—–―-*_ \t\n\u00a0\u202f\u3000"
_CUT = re.compile(r"[;；;؛][\"”’」』]?\s*|[,，、،][\"”’」』]?\s*")
_SPOKEN = re.compile(r"[^\W_]")
_WORDS_OF_ONE_LETTER = frozenset("iя")
"""Capitals that may end a sentence as whole words (English I, Russian Я …), unlike initials."""


class _Rules(NamedTuple):
    ends: re.Pattern[str]
    closers: str
    spaced: bool
    cased: bool
    ordinal_dot: bool
    abbreviations: frozenset[str]
    never_last: frozenset[str]
    continues: tuple[str, ...]


@lru_cache(maxsize=32)
def _rules(table: LanguageTable) -> _Rules:
    marks = re.escape(str(table.sentences["ends"]))
    spaced = bool(table.sentences["spaced"])
    after = r"(?=\s|\Z|[—–―])" if spaced else ""
    every = "".join(dict.fromkeys(_CLOSERS + "".join(pair[1] for pair in table.quotes["pairs"])))
    closers = re.escape(every)
    apart = "(?:[ \u00a0\u202f]»)?" if table.quotes["pairs"][:1] == ["«»"] else ""
    pattern = rf"[{marks}]+[{marks}{closers}]*{apart}{after}"
    if spaced:  # a pattern that begins with one set of signs is looked for fastest
        own = rf"(?<=[{marks}])[{marks}{closers}]*{apart}{after}"
        pattern = rf"[{marks}。！？](?:{own}|(?<=[。！？])[。！？]*[{closers}]*)"
    return _Rules(
        re.compile(pattern),
        every,
        spaced,
        bool(table.script.get("cased", False)),
        bool(table.sentences.get("ordinal_dot", False)),
        frozenset(table.sentences["abbreviations"]),
        frozenset(table.sentences["never_last"]),
        tuple(table.sentences["continues"]),
    )


def split_sentences(text: str, table: LanguageTable) -> tuple[Span, ...]:
    """Return the sentences of a block: in order, apart, trimmed, and together all of its non-space text.

    Closing quotes stay with the sentence they close. A sentence of more than `LONGEST` code points is cut after a
    semicolon, else after a comma, where there is one. Empty only for a text of white space.
    """
    rules = _rules(table)
    spans: list[Span] = []
    start = 0
    for match in rules.ends.finditer(text):
        if match.end() > start and _is_end(text, match.start(), match.end(), rules):
            _append(spans, text, start, match.end())
            start = match.end()
    _append(spans, text, start, len(text))
    return tuple(spans)


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    """Add `text[start:end]` trimmed and cut to length; a rest without a letter or digit joins the sentence before."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return
    if spans and end - spans[-1].start <= LONGEST and not _SPOKEN.search(text, start, end):
        spans[-1] = Span(spans[-1].start, end)
        return
    while end - start > LONGEST and (cut := _cut(text, start, end)):
        spans.append(Span(start, start + len(text[start:cut].rstrip())))
        start = cut
    spans.append(Span(start, end))


def _cut(text: str, start: int, end: int) -> int:
    """Return where the next piece starts, or 0 where nothing parts the sentence."""
    semicolon = comma = first = 0
    for match in _CUT.finditer(text, start + 1, end):
        at = match.end()
        if at >= end:
            break
        first = first or at
        if at - start > LONGEST:
            break
        if match.group()[0] in ",，、،":
            comma = at
        else:
            semicolon = at
    return semicolon or comma or first


def _is_end(text: str, start: int, end: int, rules: _Rules) -> bool:
    """Say whether the marks `text[start:end]` end a sentence."""
    marks = text[start:end]
    rest = end
    while rest < len(text) and text[rest] in _OPENERS:
        rest += 1
    if rest >= len(text):
        return True
    closed = marks[-1] in rules.closers
    if not rules.spaced or not rules.cased:
        return not _goes_on(text, end, marks, closed, rules) and not _is_abbreviation(text, start, marks, rules, False)
    following = text[rest]
    if following.islower():
        return False
    return not _is_abbreviation(text, start, marks, rules, closed)


def _goes_on(text: str, end: int, marks: str, closed: bool, rules: _Rules) -> bool:
    """Say whether a script without capitals shows that the sentence goes on after these marks."""
    if not closed:
        return not rules.spaced and not marks.strip("…") and end < len(text) and not text[end].isspace()
    rest = text[end : end + 12].lstrip()
    return rest.startswith(rules.continues) if rules.continues else False


def _is_abbreviation(text: str, start: int, marks: str, rules: _Rules, closed: bool) -> bool:
    """Say whether the full stop at `start` only shortens a word, initial or ordinal."""
    if closed or (marks != "." and marks[:2] != ".…"):
        return False
    at = start
    while at > 0 and (text[at - 1].isalnum() or text[at - 1] in ".-"):
        at -= 1
    at += len(text[at:start]) - len(text[at:start].lstrip("-."))
    word = text[at:start].lower()
    if word in rules.never_last:
        return not text[max(0, at - 2) : at].strip()[-1:].isdigit()
    if rules.ordinal_dot and word.isdigit() and len(word) <= 2:
        return True
    if len(word) == 1 and text[at].isupper() and word not in _WORDS_OF_ONE_LETTER:
        return True
    following = text[start + 1 : start + 4].lstrip()[:1]
    return word in rules.abbreviations and not following.isupper()
