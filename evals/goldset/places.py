"""Where words stand in a chapter: a quotation in exactly one place, a name in its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz import fuzz

from analyzer.models.gold import GoldChapter, GoldEvidence
from analyzer.models.text import Chapter, Manuscript
from analyzer.text.boundaries import Boundaries, cuts_word
from analyzer.text.fold import fold_quote
from analyzer.text.languages import LanguageTable, language_table
from analyzer.text.names import NameMatcher
from evals.goldset.vocabulary import Quote

_HANGUL = re.compile("[\uac00-\ud7a3]")
NEAREST = 3
"""Blocks shown beside a quotation that is not found: enough to see a slip, few enough to read."""
LIKE = 50
"""Percent of likeness under which a stretch is no help. Source: by eye, on slips of a word or two."""


def find_quote(chapter: Chapter, wanted: Quote) -> GoldEvidence | str:
    """Return where a quotation stands, or what is wrong with it in one line.

    The words must be exactly those of the text, stand in one block, exactly once in the chapter (or in the block given),
    and neither begin nor end inside a word. A Korean quotation may end before the ending or particle of its last word.
    """
    words, only = wanted.quote, wanted.block
    if only is not None and chapter.block(only) is None:
        return f"there is no block {only}, the chapter has {len(chapter.blocks)}: {words!r}"
    found = [
        GoldEvidence(block=block.no, start=at, end=at + len(words))
        for block in chapter.blocks
        if only in (None, block.no)
        for at in _places(words, block.text)
    ]
    if not found:
        return _missing(chapter, words, only)
    if len(found) > 1:
        places = ", ".join(f"{e.block} (at {e.start})" for e in found[:6])
        return f"{words!r} stands in {len(found)} places: blocks {places}; quote more words, or give the block"
    [place] = found
    text = chapter.blocks[place.block - 1].text
    if cuts_word(text, place.start):
        return f"{words!r} begins inside a word of block {place.block}: {_around(text, place.start)!r}"
    if cuts_word(text, place.end) and not _HANGUL.match(text[place.end]):
        return f"{words!r} ends inside a word of block {place.block}: {_around(text, place.end)!r}"
    return place


def _places(words: str, text: str) -> list[int]:
    """Return every start of `words` in `text`, overlapping ones too."""
    found, at = [], text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + 1)
    return found


def _around(text: str, at: int) -> str:
    return text[max(0, at - 12) : at + 12]


def _missing(chapter: Chapter, words: str, only: int | None) -> str:
    near = [f"block {no}: {text[:100]!r}" for score, no, text in _likest(words, chapter)[:NEAREST] if score >= LIKE]
    folded = fold_quote(words)
    same = [b.no for b in chapter.blocks if folded and folded in fold_quote(b.text)]
    hint = f" (block {same[0]} has it with other quotation marks, dashes or spaces)" if same else ""
    place = f"block {only}" if only else "the chapter"
    return f"{words!r} does not stand in {place}{hint}; nearest: {'; '.join(near) or 'nothing like it'}"


def nearest_form(words: str, chapter: Chapter) -> str:
    """Return " (block 3 has ...)" for the stretch most like a name or descriptor that is not printed, "" for none."""
    score, no, text = next(iter(_likest(words, chapter)), (0.0, 0, ""))
    return f" (block {no} has {text[:60]!r})" if score >= LIKE else ""


def _likest(words: str, chapter: Chapter) -> list[tuple[float, int, str]]:
    """Return (likeness in percent, block, its stretch most like `words`) of every block, likest first."""
    found = []
    for block in chapter.blocks:
        place = fuzz.partial_ratio_alignment(words, block.text) if len(block.text) > 1 else None
        if place is not None:
            found.append((place.score, block.no, block.text[place.dest_start : place.dest_end].strip()))
    return sorted(found, key=lambda one: (-one[0], one[1]))


def blocks_of(chapter: Chapter, names: Mapping[str, Sequence[str]], table: LanguageTable) -> dict[str, tuple[int, ...]]:
    """Return for every id the blocks where one of its names stands, from `names`: form to the ids that bear it.

    A name does not stand inside another word (in scripts that write borders) nor inside a longer name; honorifics and
    particles may follow it. Cost: one search per block.
    """
    if not names:
        return {}
    matcher = NameMatcher.build(names, table, text=chapter.text)
    found: dict[str, dict[int, None]] = {}
    for block in chapter.blocks:
        for mention in matcher.find(block.text):
            for handle in mention.handles:
                found.setdefault(handle, {})[block.no] = None
    return {handle: tuple(blocks) for handle, blocks in found.items()}


def is_printed(name: str, texts: Iterable[str], table: LanguageTable) -> bool:
    """Tell whether a name stands in one of the texts as a word of its own, whatever Hangul ending follows it."""
    boundaries = Boundaries(table)
    for text in texts:
        for at in _places(name, text):
            end = at + len(name)
            hangul = end < len(text) and _HANGUL.match(text[end]) and _HANGUL.match(text[end - 1])
            if boundaries.begins(text, at) and (hangul or boundaries.ends(text, end)):
                return True
    return False


def not_in_text(gold: GoldChapter, serial: Manuscript) -> list[str]:
    """Return what a gold chapter says of its text that is not so, each in one line: names and descriptors not printed, other blocks."""
    chapter = serial.chapter(gold.number)
    if chapter is None:
        return [f"the text has {len(serial.chapters)} chapters"]
    found = []
    if tuple(block.start for block in chapter.blocks) != gold.block_starts:
        found.append(
            f"block_starts are not those of the text: {len(gold.block_starts)} here, {len(chapter.blocks)} there"
        )
    texts = [chapter.heading, *(block.text for block in chapter.blocks)]
    table, folded = language_table(serial.language), [text.casefold() for text in texts]
    for entity in gold.entities:
        found += [
            f"{entity.id}: the name {name!r} is not printed{nearest_form(name, chapter)}"
            for name in entity.names
            if not name.strip() or not is_printed(name, texts, table)
        ]
        found += [
            f"{entity.id}: the descriptor {words!r} is not printed{nearest_form(words, chapter)}"
            for words in entity.descriptors
            if not any(words.casefold() in text for text in folded)
        ]
    return found
