"""What gold and what a bible say of one chapter, in one shape."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from analyzer.bible import NARRATOR_SURFACE, Bible, CastEntry
from analyzer.errors import InputError
from analyzer.hashing import bytes_sha256
from analyzer.models.facts import Evidence, RelationFact
from analyzer.models.gold import GoldChapter, GoldEntity, GoldItem, GoldRelation
from analyzer.models.text import Chapter, Manuscript, Span
from evals.records import ItemClass, Reading, SaidEntity, SaidItem, SaidRelation
from evals.said import said_items

_TIES = frozenset({"parent_of", "sibling_of", "spouse_of"})
"""Relations by which an unnamed one is told from others alike: the mother *of whom*."""
_CLASSES: tuple[tuple[ItemClass, str], ...] = (
    ("change", "changes"),
    ("appearance", "appearance"),
    ("identity", "identities"),
    ("secret", "secrets"),
    ("knowledge", "knowledge"),
    ("plant", "plants"),
)
_WHO = ("entity", "is", "holders", "hidden_from", "exposed_to", "knower")
_DEFAULT_BLOCK_CHARS = 200


def names_of(chapters: Iterable[GoldChapter]) -> dict[str, tuple[str, ...]]:
    """Return every id's names in these chapters, in order, each once: the `names_before` of the next."""
    found: dict[str, dict[str, None]] = {}
    for gold in chapters:
        for entity in gold.entities:
            found.setdefault(entity.id, {}).update(dict.fromkeys(entity.names))
    return {entity_id: tuple(names) for entity_id, names in found.items()}


def reading_of_gold(gold: GoldChapter, names_before: Mapping[str, Sequence[str]] | None = None) -> Reading:
    """Return what a gold chapter says. `names_before` are names of earlier chapters by id (`names_of`)."""
    ties = {r.subject: r.object for r in gold.relations if r.kind in _TIES}
    before = names_before or {}
    return Reading(
        book=gold.book,
        chapter=gold.number,
        language=gold.language,
        entities=(
            *(_gold_entity(e, gold, ties, before.get(e.id, ())) for e in gold.entities),
            *(_unlisted(i, before.get(i, ())) for i in _only_spoken_of(gold)),
        ),
        relations=tuple(_gold_relation(r, gold) for r in gold.relations),
        items=tuple(
            _gold_item(i, cls, gold, n) for cls, name in _CLASSES for n, i in enumerate(getattr(gold, name), 1)
        ),
        block_chars=_block_chars(gold.block_starts, gold.body_end),
        block_starts=gold.block_starts,
    )


def _block_chars(starts: Sequence[int], end: int) -> int:
    sizes = [b - a for a, b in zip(starts, (*starts[1:], end), strict=True) if b > a]
    return round(median(sizes)) if sizes else _DEFAULT_BLOCK_CHARS


def _gold_entity(entity: GoldEntity, gold: GoldChapter, ties: Mapping[str, str], before: Sequence[str]) -> SaidEntity:
    told = entity.persona_of is not None and (entity.revealed_in or 0) <= gold.number
    return SaidEntity(
        id=entity.id,
        kind=entity.kind,
        names=entity.names,
        descriptors=entity.descriptors,
        presence="mentioned" if entity.presence == "mentioned_only" else entity.presence,
        tied_to=ties.get(entity.id, ""),
        level=entity.level,
        blocks=entity.blocks,
        alternates=entity.alternates,
        former_names=tuple(n for n in before if n not in entity.names),
        persona_of=(entity.persona_of or "") if told else "",
    )


def _only_spoken_of(gold: GoldChapter) -> tuple[str, ...]:
    """Return ids that relations and items name and the chapter's entities do not list: people of earlier chapters."""
    named = [i for r in gold.relations for i in (r.subject, r.object)]
    for _, name in _CLASSES:
        for item in getattr(gold, name):
            fields = item.model_extra or {}
            named += [v for key in _WHO for v in _ids(fields.get(key))]
    return tuple(dict.fromkeys(i for i in named if i not in gold.by_id))


def _ids(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(str(v) for v in value) if isinstance(value, list | tuple) else ()


def _unlisted(entity_id: str, before: Sequence[str]) -> SaidEntity:
    """Return somebody the chapter does not name: known by earlier names, asked for never."""
    return SaidEntity(id=entity_id, kind="character", presence="absent", level="optional", former_names=tuple(before))


def _gold_relation(relation: GoldRelation, gold: GoldChapter) -> SaidRelation:
    return SaidRelation(
        key=f"{relation.subject} {relation.kind} {relation.object}",
        subject=relation.subject,
        kind=relation.kind,
        object=relation.object,
        status=relation.status,
        affinity=relation.affinity,
        source=relation.source or "",
        visibility=relation.visibility,
        chapter=gold.number,
        spans=tuple(gold.span(e) for e in relation.evidence),
        level=relation.level,
        again=relation.again,
        alternates=relation.alternates,
        alternate_triples=relation.alternate_triples,
        status_alternates=relation.status_alternates,
    )


def _gold_item(item: GoldItem, cls: ItemClass, gold: GoldChapter, number: int) -> SaidItem:
    fields = {k: v for k, v in (item.model_extra or {}).items() if k != "annotators"}
    return SaidItem(f"{cls} {number}", cls, fields, tuple(gold.span(e) for e in item.evidence), item.level)


def reading_of_bible(
    bible: Bible,
    number: int,
    *,
    manuscript: Manuscript | None = None,
    gold: GoldChapter | None = None,
    language: str = "",
) -> Reading:
    """Return what a bible says as of chapter `number`: the whole cast, and every relation so far with where it is stated.

    Spans count in the edition as `gold` does, or in `manuscript` without it; without a manuscript there are none. Relations of
    earlier chapters keep their `chapter` and have no spans. Raises InputError where the gold was made for another text.
    """
    chapter = manuscript.chapter(number) if manuscript else None
    starts = edition_starts(manuscript, chapter, gold) if manuscript and chapter else ()
    return Reading(
        book=manuscript.title if manuscript else "",
        chapter=number,
        language=language or (chapter.language if chapter else gold.language if gold else "und"),
        entities=tuple(_cast_entity(entry, number) for entry in bible.cast.values()),
        relations=tuple(_relation(r, number, starts) for r in bible.relations if r.chapter <= number),
        items=tuple(
            SaidItem(f"{cls} {n}", cls, item.fields, _spans(item.evidence, number, starts))
            for n, (cls, item) in enumerate(said_items(bible, number), 1)
        ),
        block_chars=round(median(len(b.text) for b in chapter.blocks))
        if chapter and chapter.blocks
        else _DEFAULT_BLOCK_CHARS,
        block_starts=starts,
    )


def edition_starts(manuscript: Manuscript, chapter: Chapter, gold: GoldChapter | None) -> tuple[int, ...]:
    """Return where each block of a chapter starts as gold counts.

    The plain-text reader keeps every character, so its positions are the edition's. A reader that takes markup away gives the
    same blocks at other positions: then they are taken from gold block by block. A text cut from the edition is moved as a whole.
    """
    own = tuple(block.start for block in chapter.blocks)
    if gold is None or own == gold.block_starts or _same_body(manuscript, gold):
        return own
    if len(own) == len(gold.block_starts):
        return gold.block_starts
    moved = Span(chapter.body_start, chapter.body_start + gold.body_end - gold.body_start)
    if gold.body_sha256 and bytes_sha256(manuscript.text[moved.start : moved.end].encode()) == gold.body_sha256:
        return tuple(start - chapter.body_start + gold.body_start for start in own)
    raise InputError(
        f"the gold of chapter {gold.number} ({gold.book}) was made for another text:"
        f" {len(gold.block_starts)} blocks there, {len(own)} here",
        hint="score the edition the gold file names, unchanged",
    )


def _same_body(manuscript: Manuscript, gold: GoldChapter) -> bool:
    body = manuscript.text[gold.body_start : gold.body_end]
    return bool(gold.body_sha256) and bytes_sha256(body.encode()) == gold.body_sha256


def _cast_entity(entry: CastEntry, number: int) -> SaidEntity:
    here = [p.presence for p in entry.presences if p.chapter == number]
    described = [
        n.surface for n in entry.names if n.name_kind == "descriptor" and not n.surface.startswith(NARRATOR_SURFACE)
    ]
    label = [] if entry.entity.named else [entry.entity.label]
    return SaidEntity(
        id=entry.handle,
        kind=entry.entity.entity_kind,
        names=entry.surfaces,
        descriptors=tuple(dict.fromkeys((*label, *described))),
        presence=here[-1] if here else "absent",
        narrator=entry.narrates,
        tied_to=entry.entity.tied_to,
    )


def _relation(fact: RelationFact, number: int, starts: Sequence[int]) -> SaidRelation:
    return SaidRelation(
        key=f"{fact.subject} {fact.relation} {fact.object}",
        subject=fact.subject,
        kind=fact.relation,
        object=fact.object,
        status=fact.status,
        affinity=fact.affinity,
        source=fact.evidence[0].source if fact.evidence else "",
        visibility=fact.visibility,
        chapter=fact.chapter,
        spans=_spans(fact.evidence, number, starts),
        again=fact.chapter < number,
    )


def _spans(evidence: Iterable[Evidence], number: int, starts: Sequence[int]) -> tuple[Span, ...]:
    """Return evidence of chapter `number` as positions; blocks beyond the chapter's are left out."""
    return tuple(
        Span(starts[e.block - 1] + e.start, starts[e.block - 1] + e.end)
        for e in evidence
        if e.chapter == number and 1 <= e.block <= len(starts)
    )
