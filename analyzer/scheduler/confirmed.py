"""Facts the author confirmed stay where a run is unsure of them, as long as the words they stand on are in the chapter."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.factkeys import key_of
from analyzer.models.decision import Kept
from analyzer.models.facts import EntityFact, Evidence, Fact, NameFact, SameFact
from analyzer.models.text import Chapter
from analyzer.steps._step import Effects
from analyzer.text.standing import place_of

_ENDS = ("entity", "same_as", "subject", "object", "persona", "behind", "knower")


def with_confirmed(effects: Effects, confirmed: Sequence[Kept], chapter: Chapter, view: Bible) -> Effects:
    """Return what a task found with what the author confirmed of it and it did not find again.

    Left out is what is about somebody who is not in the cast any more, and a name that is another's now.
    """
    found = {key_of(fact) for fact, _ in effects.facts}
    taken = {fact.surface for fact, _ in effects.facts if isinstance(fact, NameFact)}
    handles = {fact.entity for fact, _ in effects.facts if isinstance(fact, EntityFact)}
    more: list[tuple[Fact, tuple[str, ...]]] = []
    for kept in confirmed:
        fact = _moved(kept, chapter)
        if fact is None or key_of(fact) in found:
            continue
        if isinstance(fact, EntityFact):
            handles.add(fact.entity)
        elif isinstance(fact, NameFact):
            if fact.surface in taken or fact.entity not in handles:
                continue
        elif not _is_there(fact, view):
            continue
        found.add(key_of(fact))
        more.append((fact, ()))
    return Effects((*effects.facts, *more), effects.issues) if more else effects


def _is_there(fact: Fact, view: Bible) -> bool:
    """Say whether all whom a fact is about are in the cast; of steps that see no cast it is taken for granted."""
    ends = {str(getattr(fact, name)) for name in _ENDS if getattr(fact, name, "")}
    known = {f.entity for f in view.facts if isinstance(f, EntityFact)}
    return isinstance(fact, SameFact) or not known or ends <= known


def _moved(kept: Kept, chapter: Chapter) -> Fact | None:
    """Return a fact as of where its sentences stand now; None where none of them does."""
    places = [(words, place_of(chapter, words.text)) for words in kept.words]
    if not any(place for _, place in places):
        return None
    changes: dict[str, object] = {"chapter": chapter.no}
    shown: tuple[Evidence, ...] = getattr(kept.fact, "evidence", ())
    if shown:
        changes["evidence"] = tuple(e for old in shown if (e := _evidence(old, chapter)) is not None)
    return kept.fact.model_copy(update=changes)


def _evidence(old: Evidence, chapter: Chapter) -> Evidence | None:
    place = place_of(chapter, old.text)
    if place is None:
        return None
    block = chapter.blocks[place.block - 1]
    span = block.sentences[place.sentence - 1]
    return Evidence(
        chapter=chapter.no,
        block=place.block,
        sentence=place.sentence,
        start=span.start,
        end=span.end,
        text=block.text[span.start : span.end],
        source=old.source,
    )
