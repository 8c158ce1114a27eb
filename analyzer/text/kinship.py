"""Kin as sentences state it between two names: “X, son of Y”. Patterns are data of the language tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzer.models.facts import RELATION_KINDS
from analyzer.models.text import Chapter, Place
from analyzer.text.candidates.lexicon import alternation, relation_words, word_list
from analyzer.text.languages import LanguageTable

_OPEN, _CLOSE = "\ue000", "\ue001"
_INVERSE = {rule.inverse: kind for kind, rule in RELATION_KINDS.items() if rule.inverse}
_AROUND = 24
"""Code points around a match searched for a negator: the clause it stands in."""


class KinStatement(NamedTuple):
    """`subject` `relation` `object` in canonical direction, as the sentence at `place` states it."""

    subject: str
    relation: str
    object: str
    place: Place


class Named(NamedTuple):
    """A name at `[start, end)` of the chapter's text and whose it is."""

    start: int
    end: int
    handle: str


@lru_cache(maxsize=32)
def _patterns(table: LanguageTable) -> tuple[tuple[re.Pattern[str], str], ...]:
    words = _words(table)
    who = f"{_OPEN}(?P<%s>@\\d+){_CLOSE}"
    word = f"(?P<W>{alternation(words)})" + ("" if table.names.get("method") == "characters" else r"(?!\w)")
    return tuple(
        (re.compile(raw.replace("{A}", who % "A").replace("{B}", who % "B").replace("{W}", word), re.IGNORECASE), raw)
        for raw in word_list(table.kinship, "patterns")
    )


@lru_cache(maxsize=32)
def _words(table: LanguageTable) -> dict[str, str]:
    return {
        word: kind
        for word, kind in relation_words(table.kin).items()
        if RELATION_KINDS[_INVERSE.get(kind, kind)].family == "kin"
    }


@lru_cache(maxsize=32)
def _negators(table: LanguageTable) -> re.Pattern[str]:
    words = word_list(table.kinship, "negators")
    spaced = table.tag in {"en", "fr", "de", "es", "ru"}
    return re.compile(rf"(?<!\w){alternation(words)}(?!\w)|n’t|n't" if spaced else alternation(words), re.IGNORECASE)


def _canonical(a: str, relation: str, b: str, place: Place) -> KinStatement:
    if relation in _INVERSE:
        return KinStatement(b, _INVERSE[relation], a, place)
    return KinStatement(a, relation, b, place)


def kin_statements(chapter: Chapter, table: LanguageTable, names: Sequence[Named]) -> tuple[KinStatement, ...]:
    """Return the kin relations that single sentences state between two of `names` (in text order), each once, with its place.

    A sentence in which the statement is negated, conditional or a comparison states nothing.
    """
    patterns, words = _patterns(table), _words(table)
    if not patterns or not words:
        return ()
    cue = re.compile(alternation(words), re.IGNORECASE)
    found: dict[tuple[str, str, str], KinStatement] = {}
    at = 0
    for block, base in zip(chapter.blocks, chapter.block_offsets, strict=True):
        for number, span in enumerate(block.sentences, 1):
            start, end = base + span.start, base + span.end
            while at < len(names) and names[at].start < start:
                at += 1
            here: list[Named] = []
            while at + len(here) < len(names) and names[at + len(here)].end <= end:
                here.append(names[at + len(here)])
            if len(here) < 2 or not cue.search(chapter.text, start, end):
                continue
            marked = _marked(chapter.text, start, end, here)
            for statement in _stated(marked, patterns, words, _negators(table), Place(block.no, number)):
                found.setdefault(statement[:3], statement)
    return tuple(found.values())


def _marked(text: str, start: int, end: int, names: Sequence[Named]) -> str:
    pieces, at = [], start
    for name in names:
        pieces += [text[at : name.start], f"{_OPEN}{name.handle}{_CLOSE}"]
        at = name.end
    return " ".join("".join([*pieces, text[at:end]]).split("\n"))


def _stated(
    marked: str,
    patterns: Sequence[tuple[re.Pattern[str], str]],
    words: dict[str, str],
    negators: re.Pattern[str],
    place: Place,
) -> list[KinStatement]:
    found = []
    for pattern, _ in patterns:
        for hit in pattern.finditer(marked):
            around = marked[max(0, hit.start() - _AROUND) : hit.end()]
            if hit["A"] != hit["B"] and not negators.search(around):
                relation = words.get(hit["W"]) or words.get(hit["W"].lower(), "")
                if relation:
                    found.append(_canonical(hit["A"], relation, hit["B"], place))
    return found
