"""A small gold chapter and the bible of a system, for the tests of matching and scoring."""

from __future__ import annotations

from typing import Any

from analyzer.bible import Bible, fold
from analyzer.models.facts import Fact, PresenceFact, RelationFact, Status
from analyzer.models.gold import GoldChapter, GoldEntity, GoldRelation


def entity(id: str, *names: str, descriptors: tuple[str, ...] = (), kind: str = "character", **more: Any) -> GoldEntity:
    return GoldEntity(id=id, kind=kind, names=names, descriptors=descriptors, **more)


def relation(triple: str, **more: Any) -> GoldRelation:
    subject, kind, target = triple.split()
    return GoldRelation(subject=subject, kind=kind, object=target, **more)


def chapter(entities: tuple[GoldEntity, ...], relations: tuple[GoldRelation, ...] = (), no: int = 1) -> GoldChapter:
    return GoldChapter(
        book="small", chapter=no, body_start=0, body_end=1, block_starts=(0,), entities=entities, relations=relations
    )


def found(triple: str, *, status: Status = "current", no: int = 1) -> RelationFact:
    subject, kind, target = triple.split()
    return RelationFact(
        claim=triple, chapter=no, subject=subject, relation=kind, object=target, status=status, evidence=()
    )


def bible_of(*facts: Fact | list[Fact], no: int = 1) -> Bible:
    """Return the bible of these facts; every entity is present in chapter `no`."""
    flat = [f for given in facts for f in (given if isinstance(given, list) else [given])]
    handles = list(dict.fromkeys(f.entity for f in flat if f.fact == "entity"))
    there = [PresenceFact(entity=h, chapter=no, presence="on_page", n_mentions=1) for h in handles]
    return fold([*flat, *there], through=no)
