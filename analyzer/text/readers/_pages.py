"""Pages: running heads and page numbers of a text that was laid out for print are taken away.

Where form feeds part the pages, what a page begins or ends with is furniture if it is a number, or if the same words
(numbers apart, no sentence) begin or end at least three pages. Without form feeds, lines of a number alone or of
repeating words and a number are furniture where they count up and stand in the middle of sentences: chapters never do.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from analyzer.text.readers._reader import Removed

_FEW_PAGES = 3
"""Fewer pages cannot show that a line repeats."""

_FEW_LOOSE = 6
"""Page numbers without form feeds, of which a third part a sentence; fewer may be a list."""

_LONGEST = 80
"""Code points; running heads are short."""

_NUMBER = re.compile(r"[\W_]*(?:(?:page|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})[\W_]*\Z", re.IGNORECASE)
_FIGURES = re.compile(
    r"[\W_]{0,5}(?:(?:page|p\.|s\.|стр\.|第)\s*)?(?P<no>[0-9０-９]{1,4})\s*[頁页쪽]?[\W_]{0,5}\Z", re.IGNORECASE
)
_BESIDE = re.compile(r"(?P<first>\d{1,4})\s+(?P<head>\D{3,60})\Z|(?P<words>\D{3,60})\s+(?P<last>\d{1,4})\Z")
_DIGITS = re.compile(r"[\W\d_]+")
_NO_HEAD = '.!?…。！？"”’»」』'
_ENDED = (".", "!", "?", "…", "。", "！", "？", ":", "：", "―", "—")
_CLOSERS = "\"'”’»)]」』）"


def without_furniture(text: str) -> tuple[str, tuple[Removed, ...]]:
    """Return the pages joined by line feeds, without form feeds, running heads and page numbers, and what was taken out.

    A page that ends in mid-sentence goes on with the next one in the same paragraph. A text of fewer than three pages
    is returned as it is. Cost: a pass over the lines.
    """
    pages = [page.split("\n") for page in text.split("\f")]
    if len(pages) < _FEW_PAGES:
        return _without_loose(text) if "\f" not in text else (text, ())
    edges = Counter(_key(page[i]) for page in pages for i in _edges(page))
    removed: list[Removed] = []
    joined: list[str] = []
    ended = True
    for page in pages:
        kept = _strip(page, edges, removed)
        if not kept:
            continue
        joined += [("" if not joined else "\n\n" if ended else "\n"), kept]
        ended = _is_ended(kept)
    return "".join(joined) + "\n", tuple(removed)


def _is_ended(words: str) -> bool:
    return words.rstrip().rstrip(_CLOSERS)[-1:] in (".", "!", "?", "…", "。", "！", "？", "")


def _edges(page: list[str]) -> list[int]:
    """Return the first and the last line of a page that has words."""
    words = [i for i, line in enumerate(page) if line.strip()]
    return list(dict.fromkeys([words[0], words[-1]])) if words else []


def _key(line: str) -> str:
    return _DIGITS.sub(" ", line).strip().casefold()


def _strip(page: list[str], edges: Counter[str], removed: list[Removed]) -> str:
    lines = list(page)
    for i in _edges(page):
        words = lines[i].strip()
        repeated = edges[_key(words)] >= _FEW_PAGES and _is_head(words)
        if repeated or (len(words) <= _LONGEST and _NUMBER.match(words)):
            removed.append(Removed("running head" if repeated else "page number", words))
            lines[i] = ""
    return "\n".join(lines).strip("\n")


def _is_head(words: str) -> bool:
    """Say whether words that repeat beside page numbers can be a running head: short, with letters, and no sentence."""
    return len(words) <= _LONGEST and _key(words) != "" and not words[0].islower() and words[-1] not in _NO_HEAD


class _Loose(NamedTuple):
    """A line that may be a page's number: its index, the number, and the words beside it ("" for none)."""

    line: int
    number: int
    key: str


def _without_loose(text: str) -> tuple[str, tuple[Removed, ...]]:
    """Return a text without form feeds free of the page numbers that stand in it."""
    lines = text.split("\n")
    found = _counting_up(_loose(lines))
    cuts = [one for one in found if parts_sentence(lines, one.line)]
    if len(found) < _FEW_LOOSE or len(cuts) * 3 < len(found):
        return text, ()
    near = Counter(_key(lines[i]) for one in found for i in _beside(lines, one.line))
    gone: dict[int, str] = {}
    for one in found:
        gone[one.line] = "running head" if one.key else "page number"
        for i in _beside(lines, one.line):
            if near[_key(lines[i])] >= _FEW_PAGES and _is_head(lines[i].strip()):
                gone[i] = "running head"
    removed = tuple(Removed(kind, lines[i].strip()) for i, kind in sorted(gone.items()))
    return _joined(lines, gone), removed


def _loose(lines: list[str]) -> list[_Loose]:
    heads: Counter[str] = Counter()
    found = []
    for i, line in enumerate(lines):
        words = line.strip()
        if not words or len(words) > _LONGEST:
            continue
        if alone := _FIGURES.match(words):
            found.append(_Loose(i, int(alone["no"]), ""))
        elif beside := _BESIDE.match(words):
            key = _key(words)
            heads[key] += 1
            found.append(_Loose(i, int(beside["first"] or beside["last"]), key))
    return [one for one in found if not one.key or heads[one.key] >= _FEW_PAGES]


def _counting_up(found: list[_Loose]) -> list[_Loose]:
    """Return those that count up by one or two from one to the next, from the start that makes the most of them."""
    best: list[_Loose] = []
    for first in range(min(len(found), 20)):
        chain = [found[first]]
        for one in found[first + 1 :]:
            if chain[-1].number < one.number <= chain[-1].number + 2:
                chain.append(one)
        best = max(best, chain, key=len)
    return best


def parts_sentence(lines: list[str], at: int) -> bool:
    """Say whether the line stands in the middle of a sentence: the one before does not end, the next begins small."""
    before = next((lines[i].strip() for i in range(at - 1, max(-1, at - 6), -1) if len(lines[i].strip()) > 20), "")
    after = next((line.strip() for line in lines[at + 1 : at + 6] if len(line.strip()) > 20), "")
    if not before or not after or before.rstrip(_CLOSERS)[-1:] in _ENDED:
        return False
    return after[0].islower() or not (after[0].isupper() or after[0] in "　“«「『\"'—–―-")


def _beside(lines: list[str], at: int) -> list[int]:
    """Return the nearest line with words above and below."""
    above = next((i for i in range(at - 1, max(-1, at - 4), -1) if lines[i].strip()), None)
    below = next((i for i in range(at + 1, min(len(lines), at + 4)) if lines[i].strip()), None)
    return [i for i in (above, below) if i is not None]


def _joined(lines: list[str], gone: dict[int, str]) -> str:
    """Return the lines without those gone; a sentence they parted goes on in the next line."""
    kept: list[str] = []
    i = 0
    while i < len(lines):
        if i not in gone:
            kept.append(lines[i])
            i += 1
            continue
        while i < len(lines) and (i in gone or not lines[i].strip()):
            i += 1
        while kept and not kept[-1].strip():
            kept.pop()
        if kept and (_is_ended(kept[-1]) or i >= len(lines)):
            kept.append("")
    return "\n".join(kept)
