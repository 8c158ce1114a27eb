"""Counts of recurring runs of Han characters, the ground on which words are told apart without a dictionary."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_HAN_RUN = re.compile(r"[㐀-䶿一-鿿\U00020000-\U0003ffff々〆ヶ]+")
_LONGEST_GRAM = 5
_FEWEST = 2
"""A run of characters seen once in a book says nothing about itself."""
_SLICE = 12_000
"""Characters of a slice, about a chapter or two: names come in bursts, ordinary words are spread over all slices."""


class GramCounts(NamedTuple):
    """Counts of character runs, different neighbours on the poorer side of each, and in how many of `n_slices` it stands."""

    counts: dict[str, int]
    variety: dict[str, int]
    spread: dict[str, int]
    n_slices: int


def gram_counts(text: str, *, longest: int = _LONGEST_GRAM, fewest: int = _FEWEST) -> GramCounts:
    """Return counts of Han character runs of 1 to `longest`, from 2 characters on only those seen `fewest` times or more.

    A longer run is counted only where one of its halves is frequent enough, which bounds memory. A border (punctuation)
    counts as a new neighbour every time: what stands at clause borders is free on that side.
    """
    slices = [_HAN_RUN.findall(text[at : at + _SLICE]) for at in range(0, max(1, len(text)), _SLICE)]
    runs = [run for part in slices for run in part]
    counts: dict[str, int] = dict(Counter(char for run in runs for char in run))
    variety: dict[str, int] = {}
    spread: dict[str, int] = {}
    previous: Mapping[str, int] = counts
    for size in range(2, longest + 2):
        level: Counter[str] = Counter()
        seen_in: Counter[str] = Counter()
        for part in slices:
            here = Counter(_grams(part, size, previous))
            level.update(here)
            seen_in.update(here.keys())
        if size > 2:
            variety.update(_variety(level, previous, runs, size - 1))
        previous = {gram: n for gram, n in level.items() if n >= fewest}
        if size <= longest:
            counts.update(previous)
            spread.update((gram, seen_in[gram]) for gram in previous)
    return GramCounts(counts, variety, spread, len(slices))


def _grams(runs: Iterable[str], size: int, frequent: Mapping[str, int]) -> Iterator[str]:
    if size == 2:
        return (pair for run in runs for pair in map("".join, itertools.pairwise(run)))
    return (
        run[i : i + size]
        for run in runs
        for i in range(len(run) - size + 1)
        if run[i : i + size - 1] in frequent or run[i + 1 : i + size] in frequent
    )


def _variety(level: Mapping[str, int], grams: Mapping[str, int], runs: Sequence[str], size: int) -> dict[str, int]:
    left = Counter(gram[1:] for gram in level)
    right = Counter(gram[:-1] for gram in level)
    left.update(run[:size] for run in runs if len(run) >= size)
    right.update(run[-size:] for run in runs if len(run) >= size)
    return {gram: min(left[gram], right[gram]) for gram in grams}
