"""What `show` prints, as plain records that are also its JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analyzer.bible import NARRATOR_SURFACE, Bible, CastEntry
from analyzer.models.base import Record
from analyzer.models.facts import RELATION_KINDS, Affinity, Family, Status, StoredFact, Visibility
from analyzer.models.issue import Issue
from analyzer.models.rows import ChapterRow
from analyzer.prefix import unnamed_label
from analyzer.turns import ties


class CastRow(Record):
    """One entity as of a chapter; `presence` maps chapter numbers to how it is there, `also` are its other handles."""

    handle: str
    kind: str
    name: str
    names: tuple[str, ...]
    named: bool
    narrator: bool
    first_chapter: int
    presence: dict[int, str]
    n_mentions: int
    also: tuple[str, ...] = ()
    fact_id: str = ""


class QuoteRow(Record):
    """Words that show a fact, with their sentence and who says them."""

    chapter: int
    place: str
    text: str
    source: str


class RelationRow(Record):
    """One relation as of a chapter: `since` is where it first stood, `chapters` every chapter that shows it.

    `until` is the chapter by whose end it is over, None while it is not; `affinities` are those of the chapters that say one.
    """

    subject: str
    subject_name: str
    relation: str
    object: str
    object_name: str
    family: Family
    status: Status
    affinity: Affinity
    visibility: Visibility
    since: int
    chapters: tuple[int, ...]
    votes: str
    evidence: tuple[QuoteRow, ...]
    fact_id: str
    until: int | None = None
    affinities: tuple[tuple[int, Affinity], ...] = ()


class ChapterView(Record):
    """One chapter as the bible has it: who is there, the relations it shows, and how many issues of each code it has.

    `stale`: the manuscript's chapter has changed since it was read.
    """

    no: int
    label: str
    title: str
    cast: tuple[CastRow, ...]
    relations: tuple[RelationRow, ...]
    issues: dict[str, int]
    stale: bool = False


HIDDEN_BY_DEFAULT = frozenset({"acquaintance_of", "suspects"})
"""Low-confidence kinds, stored and hidden unless asked for. Source: the vocabulary of the story bible."""


def shown_name(entry: CastEntry, bible: Bible) -> str:
    """Return how an entity is called on screens: its label, or what ties an unnamed one to a named one."""
    if entry.entity.named or entry.called:
        return entry.called[0] if entry.called else entry.entity.label
    if entry.entity.narrator:
        return f"the narrator ({entry.entity.label})"
    if entry.entity.tied_to:
        other = bible.cast.get(bible.root(entry.entity.tied_to))
        return (
            f"{entry.entity.tie} of {shown_name(other, bible)}"
            if other and other.handle != entry.handle
            else entry.entity.label
        )
    return unnamed_label(entry.entity.label, "", "", bible)


def cast_rows(bible: Bible, fact_ids: Mapping[str, str]) -> tuple[CastRow, ...]:
    """Return the cast in handle order; `fact_ids` maps handles to the fact that brought them."""
    rows = []
    for handle, entry in bible.cast.items():
        descriptors = dict.fromkeys(
            n.surface for n in entry.names if n.name_kind == "descriptor" and not n.surface.startswith(NARRATOR_SURFACE)
        )
        rows.append(
            CastRow(
                handle=handle,
                kind=entry.entity.entity_kind,
                name=shown_name(entry, bible),
                names=entry.surfaces or tuple(descriptors),
                named=bool(entry.surfaces),
                narrator=entry.narrates,
                first_chapter=entry.entity.chapter,
                presence={p.chapter: p.presence for p in entry.presences},
                n_mentions=sum(p.n_mentions for p in entry.presences),
                also=entry.merged,
                fact_id=fact_ids.get(handle, ""),
            )
        )
    return tuple(rows)


def relation_rows(bible: Bible, stored: tuple[StoredFact, ...], *, hidden: bool = False) -> tuple[RelationRow, ...]:
    """Return relations, one row for each (subject, relation, object), the latest chapter's details and turns winning."""
    ids = {s.fact.claim: s.fact_id for s in stored if s.fact.fact == "relation"}
    grouped: dict[tuple[str, str, str], list[int]] = {}
    relations, over_time = bible.relations, ties(bible)
    for index, relation in enumerate(relations):
        if hidden or relation.relation not in HIDDEN_BY_DEFAULT:
            grouped.setdefault((relation.subject, relation.relation, relation.object), []).append(index)
    rows = []
    for (subject, kind, target), indexes in grouped.items():
        found = sorted((relations[i] for i in indexes), key=lambda r: r.chapter)
        latest, tie = found[-1], over_time[subject, kind, target]
        now = tie if tie.turns else latest
        quotes = tuple(
            QuoteRow(chapter=e.chapter, place=str(e.place), text=e.text, source=e.source)
            for r in found
            for e in r.evidence
        )
        rows.append(
            RelationRow(
                subject=subject,
                subject_name=shown_name(bible.cast[subject], bible) if subject in bible.cast else subject,
                relation=kind,
                object=target,
                object_name=shown_name(bible.cast[target], bible) if target in bible.cast else target,
                family=RELATION_KINDS[kind].family,
                status=now.status,
                affinity=now.affinity,
                visibility=now.visibility,
                since=found[0].chapter,
                chapters=tuple(r.chapter for r in found),
                votes=" ".join(latest.votes),
                evidence=quotes,
                fact_id=ids.get(latest.claim, ""),
                until=tie.until,
                affinities=tie.affinities,
            )
        )
    return tuple(sorted(rows, key=lambda r: (int(r.subject[1:]), r.family, int(r.object[1:]))))


def entity_ids(stored: Iterable[StoredFact]) -> dict[str, str]:
    """Return handle -> id of the fact that brought the entity."""
    return {s.fact.entity: s.fact_id for s in stored if s.fact.fact == "entity"}


def chapter_view(
    row: ChapterRow, bible: Bible, stored: tuple[StoredFact, ...], issues: Iterable[Issue], *, stale: bool = False
) -> ChapterView:
    """Return one chapter of the bible; `issues` are that chapter's own."""
    counts: dict[str, int] = {}
    for issue in issues:
        counts[issue.code] = counts.get(issue.code, 0) + 1
    return ChapterView(
        no=row.no,
        label=row.label,
        title=row.title,
        cast=tuple(r for r in cast_rows(bible, entity_ids(stored)) if row.no in r.presence),
        relations=tuple(r for r in relation_rows(bible, stored, hidden=True) if row.no in r.chapters),
        issues=counts,
        stale=stale,
    )
