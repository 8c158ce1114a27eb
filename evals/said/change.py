"""Changes of state as a bible tells them."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.models.story import ChangeFact
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "change"
TOLD = frozenset({"asserted", "reported"})
"""Modalities that gold lists: what is only planned, feared, dreamt or a lie is no change there."""


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield the changes of a chapter; appearance is a class of its own."""
    for fact in bible.of(ChangeFact):
        if isinstance(fact, ChangeFact) and fact.chapter == number and not fact.is_look and fact.modality in TOLD:
            fields: dict[str, object] = {"entity": bible.root(fact.entity), "attribute": fact.attribute}
            yield Said({**fields, "op": fact.op, "to": fact.to}, fact.evidence)
