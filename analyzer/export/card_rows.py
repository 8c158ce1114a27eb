"""Chapter cards on a plane: handles are names as known there and then."""

from __future__ import annotations

import re

from analyzer.export.naming import Who, told, who, whos
from analyzer.export.planes import Seen
from analyzer.models.base import Record
from analyzer.models.story import CardFact

_IS_HANDLE = re.compile(r"@[1-9][0-9]*")


class CardRow(Record):
    """A chapter on a card; `eyes` is whose point of view it is told from, None for a teller outside or nobody known."""

    chapter: int
    summary: str
    people: tuple[Who, ...]
    places: tuple[Who, ...]
    time: str
    point_of_view: str
    eyes: Who | None
    fact_id: str


def card_rows(view: Seen) -> tuple[CardRow, ...]:
    """Return the cards up to the view's chapter, in order."""
    rows = [
        CardRow(
            chapter=fact.chapter,
            summary=told(view, fact.summary),
            people=whos(view, fact.people),
            places=whos(view, fact.places),
            time=told(view, fact.time),
            point_of_view=told(view, fact.point_of_view),
            eyes=who(view, fact.point_of_view) if _IS_HANDLE.fullmatch(fact.point_of_view) else None,
            fact_id=fact_id,
        )
        for fact, fact_id in view.each(CardFact)
    ]
    return tuple(sorted(rows, key=lambda row: row.chapter))
