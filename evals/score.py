"""Scores one chapter of a bible against gold: pure. Optional gold counts neither way, true alternates are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, RelationFact
from analyzer.models.gold import GoldChapter, GoldRelation
from evals.match import Matched, match


@dataclass(frozen=True)
class Count:
    """`hit` of `n`; the share is None where there is nothing to count."""

    hit: int
    n: int

    @property
    def share(self) -> float | None:
        """Hit / n."""
        return self.hit / self.n if self.n else None

    def __add__(self, other: Count) -> Count:
        """Return pooled counts."""
        return Count(self.hit + other.hit, self.n + other.n)

    def __str__(self) -> str:
        return f"{self.hit}/{self.n}" + (f" {self.share:.3f}" if self.share is not None else "")


@dataclass(frozen=True)
class ChapterScore:
    """Counts of one chapter and the lists behind them."""

    chapter: str
    entities: Count
    entity_precision: Count
    pairs: Count
    families: Count
    kinds: Count
    status: Count
    precision: Count
    missed_entities: tuple[str, ...] = ()
    missed_relations: tuple[str, ...] = ()
    wrong_relations: tuple[str, ...] = ()
    extra_entities: tuple[str, ...] = ()
    duplicates: int = 0
    matched: dict[str, str] = field(default_factory=dict)


def stated(relation: GoldRelation) -> set[tuple[str, str, str]]:
    """Return every triple that states a gold relation, symmetric ones both ways."""
    found = {(relation.subject, relation.kind, relation.object), *relation.alternate_triples}
    for other in relation.alternates:
        ends = (
            (relation.object, other[1:], relation.subject)
            if other[:1] == "~"
            else (relation.subject, other, relation.object)
        )
        found.add(ends)
    both = {(o, k, s) for s, k, o in found if k in RELATION_KINDS and RELATION_KINDS[k].symmetric}
    return found | both


def families(relation: GoldRelation) -> set[tuple[frozenset[str], str]]:
    """Return every (unordered pair, family) that states a gold relation."""
    return {(frozenset((s, o)), RELATION_KINDS[k].family) for s, k, o in stated(relation) if k in RELATION_KINDS}


def _triples(
    relations: Iterable[RelationFact], matched: Matched
) -> list[tuple[RelationFact, tuple[str, str, str] | None]]:
    found = []
    for relation in relations:
        a, b = matched.of.get(relation.subject), matched.of.get(relation.object)
        found.append((relation, (a, relation.relation, b) if a and b else None))
    return found


def _binary(status: str) -> bool:
    return status in {"current", "former"}


def score_chapter(
    bible: Bible,
    gold: GoldChapter,
    *,
    earlier: Iterable[GoldChapter] = (),
    label: str = "",
    known: Mapping[str, str] | None = None,
) -> ChapterScore:
    """Return the scores of chapter `gold.number`; relations of earlier chapters of the bible count as found.

    `known` are handles matched in earlier chapters (`ChapterScore.matched`, merged).
    """
    matched = match(bible, gold, earlier, known)
    found_ids = set(matched.of.values())
    core = [e for e in gold.entities if e.level == "core" and e.names]
    here = {h for h, e in bible.cast.items() if any(p.chapter == gold.number for p in e.presences)}
    all_triples = _triples(bible.relations, matched)
    new = [(r, t) for r, t in all_triples if r.chapter == gold.number]
    triples = {t for _, t in all_triples if t}
    triples |= {(o, k, s) for s, k, o in triples if RELATION_KINDS[k].symmetric}
    pairs = {frozenset((t[0], t[2])) for t in triples}
    pair_families = {(frozenset((t[0], t[2])), RELATION_KINDS[t[1]].family) for t in triples}
    wanted = [r for r in gold.relations if r.level == "core"]
    by_family = [bool(families(r) & pair_families) for r in wanted]
    by_kind = [bool(stated(r) & triples) for r in wanted]
    right_families = {f for r in gold.relations for f in families(r)}
    right = [t is not None and (frozenset((t[0], t[2])), RELATION_KINDS[t[1]].family) in right_families for _, t in new]
    names = {e.id: (e.names or e.descriptors or (e.id,))[0] for e in gold.entities}
    statuses = _statuses(gold, new)
    return ChapterScore(
        chapter=label or f"{gold.book} {gold.chapter}",
        entities=Count(sum(e.id in found_ids for e in core), len(core)),
        entity_precision=Count(sum(h in matched.of for h in here), len(here)),
        pairs=Count(sum(any(frozenset((s, o)) in pairs for s, _, o in stated(r)) for r in wanted), len(wanted)),
        families=Count(sum(by_family), len(wanted)),
        kinds=Count(sum(by_kind), len(wanted)),
        status=statuses,
        precision=Count(sum(right), len(right)),
        missed_entities=tuple(names[e.id] for e in core if e.id not in found_ids),
        missed_relations=tuple(
            f"{names[r.subject]} {r.kind} {names[r.object]}" for r, ok in zip(wanted, by_family, strict=True) if not ok
        ),
        wrong_relations=tuple(
            f"{_shown(bible, r.subject)} {r.relation} {_shown(bible, r.object)} ({', '.join(str(e.place) for e in r.evidence)})"
            for (r, _), ok in zip(new, right, strict=True)
            if not ok
        ),
        extra_entities=tuple(_shown(bible, h) for h in sorted(here, key=lambda h: int(h[1:])) if h not in matched.of),
        duplicates=len(matched.duplicates),
        matched=matched.of,
    )


def _statuses(gold: GoldChapter, new: list[tuple[RelationFact, tuple[str, str, str] | None]]) -> Count:
    hit = n = 0
    for relation, triple in new:
        same = [g for g in gold.relations if triple and triple in stated(g)]
        if same:
            n += 1
            allowed = {_binary(s) for g in same for s in (g.status, *g.status_alternates)}
            hit += _binary(relation.status) in allowed
    return Count(hit, n)


def _shown(bible: Bible, handle: str) -> str:
    entry = bible.cast.get(handle)
    return f"{handle} {entry.entity.label}" if entry else handle
