"""What happens, chapter by chapter, on a plane: the rows of `timeline`, and everything one chapter changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from analyzer.export.change_rows import ChangeRow, change_rows
from analyzer.export.identity_rows import reveal_rows, turn_rows
from analyzer.export.naming import Who, in_book, where, who, whos
from analyzer.export.planes import Seen
from analyzer.export.secret_rows import knowledge_rows, secret_rows
from analyzer.export.thread_rows import thread_rows
from analyzer.models.base import Record
from analyzer.models.facts import EntityFact, NameFact, PresenceFact, RelationFact, SameFact

EventKind = Literal[
    "new", "name", "same", "entrance", "relation", "turn", "reveal", "change", "look", "secret", "exposed", "knowledge", "thread"
]  # fmt: skip
KINDS: tuple[EventKind, ...] = get_args(EventKind)
"""The order of what stands in the same sentence."""
TIMELINE: frozenset[EventKind] = frozenset({"entrance", "turn", "reveal", "change", "look", "exposed", "thread"})
"""What `timeline` shows; `changes CHAPTER` shows all."""


class EventRow(Record):
    """One thing that happens in a chapter: `who` it is about, `told` in words; `fact_id` is what `why` takes."""

    chapter: int
    where: str
    what: EventKind
    who: tuple[Who, ...]
    told: str
    fact_id: str


def timeline_rows(view: Seen, *, of: str = "") -> tuple[EventRow, ...]:
    """Return the events up to the view's chapter, in the order of the book; `of` leaves those about one handle."""
    root = view.bible.root(of) if of else ""
    return tuple(
        row
        for row in _in_order(_events(view))
        if row.what in TIMELINE and (not root or any(one.handle == root for one in row.who))
    )


def chapter_change_rows(view: Seen, chapter: int) -> tuple[EventRow, ...]:
    """Return everything a chapter changes, all classes, in the order of the book."""
    return tuple(row for row in _in_order(_events(view)) if row.chapter == chapter)


def _in_order(rows: Iterable[EventRow]) -> list[EventRow]:
    return sorted(rows, key=lambda row: (in_book(row.where), KINDS.index(row.what)))


def _events(view: Seen) -> Iterator[EventRow]:
    yield from _cast(view)
    yield from _entrances(view)
    yield from _relations(view)
    yield from _identities(view)
    for looks in (False, True):
        for row in change_rows(view, looks=looks):
            yield _change(row, "look" if looks else "change")
    yield from _secrets(view)
    for thread in thread_rows(view):
        for event in thread.events:
            words = f"{event.event}: {thread.statement} ({thread.kind})"
            yield _row(event.chapter, event.where, "thread", thread.about, words, event.fact_id)


def _row(chapter: int, at: str, what: EventKind, people: tuple[Who, ...], words: str, fact_id: str) -> EventRow:
    unique = tuple(dict.fromkeys(people))
    return EventRow(chapter=chapter, where=at, what=what, who=unique, told=words, fact_id=fact_id)


def _cast(view: Seen) -> Iterator[EventRow]:
    since: dict[str, int] = {}
    for entity, fact_id in view.each(EntityFact):
        since.setdefault(entity.entity, entity.chapter)
        at = where(entity.chapter, entity.evidence)
        yield _row(entity.chapter, at, "new", (who(view, entity.entity),), entity.entity_kind, fact_id)
    for name, fact_id in view.each(NameFact):
        if name.name_kind != "descriptor" and since.get(name.entity, name.chapter) < name.chapter:
            people = (who(view, name.entity),)
            yield _row(name.chapter, str(name.chapter), "name", people, f"also called {name.surface}", fact_id)
    for same, fact_id in view.each(SameFact):
        people = (who(view, same.same_as),)
        yield _row(
            same.chapter,
            where(same.chapter, same.evidence),
            "same",
            people,
            f"{same.entity} is {same.same_as}",
            fact_id,
        )


def _entrances(view: Seen) -> Iterator[EventRow]:
    """Yield the first time each person and group is on the page."""
    entered: set[str] = set()
    for fact, fact_id in sorted(view.each(PresenceFact), key=lambda row: row[0].chapter):
        root = view.bible.root(fact.entity)
        entry = view.bible.cast.get(root)
        if entry is None or fact.presence != "on_page" or root in entered:
            continue
        entered.add(root)
        if entry.entity.entity_kind in ("character", "group"):
            at = f"{fact.chapter}:{fact.first}" if fact.first else str(fact.chapter)
            yield _row(fact.chapter, at, "entrance", (who(view, root),), "enters", fact_id)


def _relations(view: Seen) -> Iterator[EventRow]:
    """Yield a relation where it is first told, and where a later chapter tells it otherwise."""
    ids = {fact.claim: fact_id for fact, fact_id in view.each(RelationFact)}
    last: dict[tuple[str, str, str], tuple[str, str]] = {}
    for fact in sorted(view.bible.relations, key=lambda f: f.chapter):
        triple, now = (fact.subject, fact.relation, fact.object), (fact.status, fact.visibility)
        if last.get(triple) != now:
            last[triple] = now
            kept = " secret" if fact.visibility == "secret" else ""
            people = whos(view, (fact.subject, fact.object))
            words = f"{fact.relation} ({fact.status}{kept})"
            yield _row(
                fact.chapter, where(fact.chapter, fact.evidence), "relation", people, words, ids.get(fact.claim, "")
            )


def _identities(view: Seen) -> Iterator[EventRow]:
    for turn in turn_rows(view):
        warmth = f", affinity {turn.affinity}" if turn.affinity else ""
        words = f"{turn.relation}: {turn.turn}{warmth}"
        yield _row(turn.chapter, turn.where, "turn", (turn.subject, turn.object), words, turn.fact_id)
    for one in reveal_rows(view):
        people = tuple(dict.fromkeys((one.persona, one.behind)))
        is_ = (
            f"{one.persona.name} is {one.behind.name}"
            if len(people) > 1
            else f"{one.called or 'somebody'} is {one.behind.name}"
        )
        to = ", ".join(person.name for person in one.to)
        yield _row(one.chapter, one.where, "reveal", people, f"{one.status}: {is_}, told {to}", one.fact_id)


def _change(row: ChangeRow, what: EventKind) -> EventRow:
    people = (row.entity, row.value_of) if row.value_of else (row.entity,)
    return _row(row.chapter, row.where, what, people, change_words(row), row.fact_id)


def change_words(row: ChangeRow) -> str:
    """Return a change in words: attribute, value, how it is told where not as a fact."""
    value = row.value_of.name if row.value_of and row.value_of.name != row.value_of.handle else row.value
    how = "" if row.modality == "asserted" else f" ({row.modality})"
    op = {"set": "", "add": "+ ", "remove": "- ", "end": "no longer "}[row.op]
    return f"{row.attribute}: {op}{value}{how}"


def _secrets(view: Seen) -> Iterator[EventRow]:
    for secret in secret_rows(view):
        people = (*secret.holders, *secret.kept_from)
        yield _row(secret.chapter, secret.where, "secret", people, secret.proposition, secret.fact_id)
        for event in secret.events:
            kind: EventKind = "exposed" if event.event == "exposed" else "secret"
            to = f" to {', '.join(person.name for person in event.to)}" if event.to else ""
            words = f"{event.event}{to}: {secret.proposition}"
            yield _row(event.chapter, event.where, kind, (*people, *event.to), words, event.fact_id)
    for known in knowledge_rows(view):
        people = (known.knower, known.told_by) if known.told_by else (known.knower,)
        how = f" ({known.via})" if known.via else ""
        yield _row(
            known.chapter, known.where, "knowledge", people, f"{known.stance}{how}: {known.proposition}", known.fact_id
        )
