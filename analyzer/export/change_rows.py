"""Changes of state and looks on a plane: what changed, where, and whether it still holds."""

from __future__ import annotations

from analyzer.export.naming import Who, in_book, quotes, told, where, who
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.models.base import Record
from analyzer.models.story import ChangeFact, Modality, Op
from analyzer.states import states_at

LOOK = "appearance."


class ChangeRow(Record):
    """A change: `value` is what it comes to, `before` what it was where that is known, `holds` whether it is so as of then.

    Only what is asserted can hold; the other modalities are kept as said.
    """

    change: str
    chapter: int
    where: str
    entity: Who
    attribute: str
    op: Op
    value: str
    value_of: Who | None
    before: str
    modality: Modality
    holds: bool
    evidence: tuple[QuoteRow, ...]
    fact_id: str


def change_rows(view: Seen, *, looks: bool = False) -> tuple[ChangeRow, ...]:
    """Return the changes of state (or of looks) up to the view's chapter, in the order of the book."""
    now = {
        (handle, attribute, change.change, change.chapter)
        for handle, values in states_at(view.bible).items()
        for attribute, changes in values.items()
        for change in changes
    }
    rows = []
    for fact, fact_id in view.each(ChangeFact):
        if fact.is_look == looks:
            holds = (view.bible.root(fact.entity), fact.attribute, fact.change, fact.chapter) in now
            rows.append(_row(view, fact, fact_id, holds and fact.modality == "asserted"))
    return tuple(sorted(rows, key=lambda row: in_book(row.where)))


def _row(view: Seen, fact: ChangeFact, fact_id: str, holds: bool) -> ChangeRow:
    target = who(view, fact.to_entity) if fact.to_entity else None
    return ChangeRow(
        change=fact.change,
        chapter=fact.chapter,
        where=where(fact.chapter, fact.evidence),
        entity=who(view, fact.entity),
        attribute=fact.attribute.removeprefix(LOOK),
        op=fact.op,
        value=told(view, fact.to),
        value_of=target,
        before=told(view, fact.before),
        modality=fact.modality,
        holds=holds,
        evidence=quotes(fact.evidence),
        fact_id=fact_id,
    )
