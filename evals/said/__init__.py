"""What a bible says of a chapter beside cast and relations, one module for each class of items, found by folder.

Each module has `CLASS` (an `ItemClass`) and `said(bible, number)`, which yields for every item of that chapter its fields in
the words of gold (`goldsets/README.md`) and its evidence.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import Evidence
from evals.records import ItemClass


class Said(NamedTuple):
    """One item: its class's own fields (ids are handles), and the words that show it."""

    fields: dict[str, object]
    evidence: tuple[Evidence, ...]


SaidOf = Callable[[Bible, int], Iterable[Said]]


@lru_cache(maxsize=1)
def classes() -> dict[ItemClass, SaidOf]:
    """Return how a bible says each class that it can say."""
    found: dict[ItemClass, SaidOf] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda one: one.name):
        module = importlib.import_module(f"{__name__}.{info.name}")
        found[module.CLASS] = module.said
    return found


def said_items(bible: Bible, number: int) -> Iterator[tuple[ItemClass, Said]]:
    """Yield everything a bible says of chapter `number`, class by class."""
    for cls, said in classes().items():
        for item in said(bible, number):
            yield cls, item
