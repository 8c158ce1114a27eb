"""Proper nouns as the Korean analyser kiwipiepy sees them; import it only where that package is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

_PROPER = "NNP"


@lru_cache(maxsize=1)
def _analyser() -> Any:
    return import_module("kiwipiepy").Kiwi()


def names(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (surface, start, "") of proper nouns in order; loads the model on first use (about 2.5 s)."""
    for token in _analyser().tokenize(text):
        if token.tag == _PROPER and token.len > 1:
            yield text[token.start : token.start + token.len], token.start, ""
