"""Bags of words for telling what two short texts share, in any script: cut words, and pairs of signs where none are spaced."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from analyzer.text.fold import CJK

WORD_SIGNS = 6
"""Letters of a spaced word that count: what follows is mostly inflection ("promise", "promised", "promises")."""
FEWEST_SIGNS = 3
"""Shorter spaced words say nothing of a text."""
_PAIRED = re.compile(rf"[{CJK}\uac00-\ud7a3]+")
_SPACED = re.compile(rf"[^\W\d_{CJK}\uac00-\ud7a3]+|[0-9]+")


@lru_cache(maxsize=8192)
def word_bag(text: str) -> frozenset[str]:
    """Return the words of `text`, folded and cut, and the pairs of neighbouring signs of Han, kana and Hangul.

    No word list and no language is needed; what is frequent must be weighed down by whoever compares. Cost: linear.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = {word[:WORD_SIGNS] for word in _SPACED.findall(folded) if len(word) >= FEWEST_SIGNS or word.isdigit()}
    pairs = {run[at : at + 2] for run in _PAIRED.findall(folded) for at in range(len(run) - 1)}
    return frozenset(words | pairs)
