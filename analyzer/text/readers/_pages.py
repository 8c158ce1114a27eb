"""Pages: running heads and page numbers of a text that was laid out for print are taken away.

Only a text with form feeds has pages. What a page begins or ends with is furniture if it is a number, or if the same
words (numbers apart, no sentence) begin or end at least three pages.
"""

from __future__ import annotations

import re
from collections import Counter

_FEW_PAGES = 3
"""Fewer pages cannot show that a line repeats."""

_LONGEST = 80
"""Code points; running heads are short."""

_NUMBER = re.compile(r"[\W_]*(?:(?:page|p\.)\s*)?(?:\d{1,4}|[ivxlc]{1,7})[\W_]*\Z", re.IGNORECASE)
_DIGITS = re.compile(r"[\W\d_]+")


def without_furniture(text: str) -> str:
    """Return the pages joined by line feeds, without form feeds, running heads and page numbers.

    A page that ends in mid-sentence goes on with the next one in the same paragraph. A text of fewer than three pages
    is returned as it is.
    """
    pages = [page.split("\n") for page in text.split("\f")]
    if len(pages) < _FEW_PAGES:
        return text
    edges = Counter(_key(page[i]) for page in pages for i in _edges(page))
    kept = [_strip(page, edges) for page in pages]
    joined = ""
    for page in kept:
        if not page:
            continue
        goes_on = bool(joined) and joined.rstrip("\"'”’»)")[-1:] not in (".", "!", "?", "…", "。", "！", "？", "")
        joined += ("" if not joined else "\n" if goes_on else "\n\n") + page
    return joined + "\n"


def _edges(page: list[str]) -> list[int]:
    """Return the first and the last line of a page that has words."""
    words = [i for i, line in enumerate(page) if line.strip()]
    return list(dict.fromkeys([words[0], words[-1]])) if words else []


def _key(line: str) -> str:
    return _DIGITS.sub(" ", line).strip().casefold()


def _strip(page: list[str], edges: Counter[str]) -> str:
    lines = list(page)
    for i in _edges(page):
        words = lines[i].strip()
        repeated = _key(words) != "" and edges[_key(words)] >= _FEW_PAGES and words[-1] not in '.!?…。！？"”’»」』'
        if len(words) <= _LONGEST and (repeated or _NUMBER.match(words)):
            lines[i] = ""
    return "\n".join(lines).strip("\n")
