"""What a bible says of who is who: the reveals of a chapter, and masks told before whose name stands in it again."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.models.facts import Evidence
from analyzer.models.story import READER
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "identity"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield each identity of chapter `number`: told here, or told before of somebody who is named here again."""
    reveals = bible.reveals
    told = {(f.persona, f.behind): f.chapter for f in reversed(reveals) if f.is_mask and READER in f.to}
    for fact in reveals:
        if fact.chapter == number:
            here = READER in fact.to
            words = fact.called or _called(fact.persona, bible)
            yield Said({"persona": words, "is": fact.behind, "revealed_here": here}, fact.evidence)
    again = {(f.persona, f.behind) for f in reveals if f.chapter == number}
    for (persona, behind), chapter in told.items():
        place = _named_here(persona, bible, number)
        if chapter < number and (persona, behind) not in again and place is not None:
            fields = {"persona": _called(persona, bible), "is": behind, "revealed_here": False}
            yield Said(fields, (place,))


def _called(handle: str, bible: Bible) -> str:
    entry = bible.cast.get(handle)
    return (entry.surfaces or (entry.entity.label,))[0] if entry else ""


def _named_here(handle: str, bible: Bible, number: int) -> Evidence | None:
    """Return the first block in which somebody stands, as far as the bible keeps it: without the sentence's own bounds."""
    entry = bible.cast.get(handle)
    place = next((p.first for p in entry.presences if p.chapter == number and p.first), None) if entry else None
    if place is None:
        return None
    return Evidence(chapter=number, block=place.block, sentence=place.sentence, start=0, end=0, text="")
