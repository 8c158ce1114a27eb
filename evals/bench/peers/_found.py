"""What a contestant found of a chapter, and how much of gold that is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from evals.bench._truth import Truth


class Found(NamedTuple):
    """Names of entities, pairs of names that are related somehow, and how many facts of other kinds."""

    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    n_others: int = 0


class Score(NamedTuple):
    """Shares of gold's entities and of its related pairs that were found, 0 to 1; and the facts of other kinds, counted only."""

    names: float
    pairs: float
    n_others: int


def score(found: Found, truth: Truth) -> Score:
    """Hold what was found against gold. Names are compared without case; a pair counts in either direction and of whatever kind.

    That is the most all contestants can be held to: graphs know neither kind nor direction.
    """
    by_name = {name.casefold(): n for n, entity in enumerate(truth.entities) for name in entity["names"]}
    pairs = {frozenset((r["a"], r["b"])) for r in truth.relations}
    named = _known(found.names, by_name)
    met = {frozenset(_known(pair, by_name)) for pair in found.pairs}
    return Score(len(named) / len(truth.entities), len(met & pairs) / max(1, len(pairs)), found.n_others)


def _known(names: Iterable[str], by_name: dict[str, int]) -> set[int]:
    return {by_name[name.casefold()] for name in names if name.casefold() in by_name}
