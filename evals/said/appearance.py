"""Appearance as a bible tells it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.models.story import ChangeFact
from evals.records import ItemClass
from evals.said import Said
from evals.said.change import TOLD

CLASS: ItemClass = "appearance"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield what a chapter tells of looks."""
    for fact in bible.of(ChangeFact):
        if isinstance(fact, ChangeFact) and fact.chapter == number and fact.is_look and fact.modality in TOLD:
            feature = fact.attribute.partition(".")[2]
            yield Said({"entity": bible.root(fact.entity), "feature": feature, "value": fact.to}, fact.evidence)
