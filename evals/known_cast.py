"""Puts a gold chapter's cast into a book's store before the chapter, as if chapters before had brought it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from analyzer.hashing import content_hash
from analyzer.models.facts import EntityFact, EntityKind, Fact, NameFact, PresenceFact, StoredFact
from analyzer.models.gold import GoldChapter, GoldEntity
from analyzer.models.rows import TaskRow
from analyzer.storage.store import Store

TIES = {
    "parent_of": ("parent", "child"), "grandparent_of": ("grandparent", "grandchild"), "serves": ("servant", "master"),
    "aunt_uncle_of": ("aunt or uncle", "niece or nephew"), "guardian_of": ("guardian", "ward"),
}  # fmt: skip
"""Directed kinds in words: what the subject is to the object, and the other way round; a symmetric kind is its own word."""


def put_known_cast(store: Store, gold: GoldChapter, *, before: Sequence[GoldChapter] = ()) -> int:
    """Commit the cast of `gold` as facts of the chapter before it, and return how many of it are new.

    Entities with names always, unnamed ones where a gold relation ties them to a named one. `before` are chapters put in
    earlier: their entities keep handle and names. All are present in the chapter before, so that the prefix shows them.
    """
    chapter = gold.number - 1
    handles = store.handles()
    named = {e.id for e in gold.entities if e.names}
    entered: list[Fact] = []
    present: list[Fact] = []
    fresh: dict[str, str] = {}
    for entity in gold.entities:
        tie, other = _tie(entity, gold, named)
        if not entity.names and not other:
            continue
        anchor = f"known:{entity.id}"
        handle = handles.get(anchor, "")
        if not handle:
            handle = f"@{max((int(h[1:]) for h in (*handles.values(), *fresh.values())), default=0) + 1}"
            fresh[anchor] = handle
            tied_to = {**handles, **fresh}.get(f"known:{other}", "")
            entered.append(_entity(entity, handle, anchor, chapter, tie if tied_to else "", tied_to))
        known = {name for earlier in before if entity.id in earlier.by_id for name in earlier.by_id[entity.id].names}
        entered += [
            NameFact(entity=handle, surface=name, name_kind="full", chapter=chapter)
            for name in dict.fromkeys(entity.names)
            if name not in known
        ]
        present.append(PresenceFact(entity=handle, chapter=chapter, presence="on_page", n_mentions=1))
    _commit(store, "cast_same", chapter, entered, fresh)
    _commit(store, "cast_presence", chapter, present, {})
    return len(fresh)


def _entity(entity: GoldEntity, handle: str, anchor: str, chapter: int, tie: str, tied_to: str) -> EntityFact:
    label = (entity.names or entity.descriptors or (entity.id.replace("_", " "),))[0]
    kind = cast("EntityKind", entity.kind)
    return EntityFact(
        entity=handle,
        entity_kind=kind,
        label=label,
        anchor=anchor,
        chapter=chapter,
        named=bool(entity.names),
        tie=tie,
        tied_to=tied_to,
    )


def _tie(entity: GoldEntity, gold: GoldChapter, named: set[str]) -> tuple[str, str]:
    """Return what an unnamed entity is to a named one, and to whom; two empty strings where gold ties it to none."""
    if entity.names:
        return "", ""
    for relation in gold.relations:
        words = TIES.get(relation.kind, (relation.kind.removesuffix("_of").replace("_", " "),) * 2)
        if relation.subject == entity.id and relation.object in named:
            return words[0], relation.object
        if relation.object == entity.id and relation.subject in named:
            return words[1], relation.subject
    return "", ""


def _commit(store: Store, step: str, chapter: int, facts: Iterable[Fact], handles: dict[str, str]) -> None:
    stored = [
        StoredFact(
            fact_id=content_hash("fact", [step, chapter, fact.model_dump(mode="json")]),
            step=step,
            chapter=chapter,
            fact=fact,
        )
        for fact in facts
    ]
    row = TaskRow(step=step, chapter=chapter, input_hash="given", n_answers=0, n_facts=len(stored), n_issues=0)
    store.commit_task(row, stored, (), handles)
