"""Knowledge: who stands how to what from a chapter on, as that chapter says it."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.models.story import KnowledgeFact
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "knowledge"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield every piece of knowledge that chapter `number` brings."""
    for fact in bible.of(KnowledgeFact):
        if isinstance(fact, KnowledgeFact) and fact.chapter == number:
            fields: dict[str, object] = {
                "knower": bible.root(fact.knower),
                "proposition": fact.proposition,
                "stance": fact.stance,
                "via": fact.via,
            }
            yield Said(fields, fact.evidence)
