"""Relations of one reading against another's.

* A core relation is found as a *pair* (these two, whatever holds), as a *family* (these two in this family) or as a *kind* with
  its direction. Two readers agree at about .85, .82 and .80, so family is the headline and kind stands beside it.
* Every true way to say it counts: `alternates` (`~kind`: ends swapped), `alternate_triples`, symmetric kinds from either end.
* A relation counts as found in whichever chapter so far it was stated: nobody is asked to state it twice.
* Wrong is only what no gold item of any level has as that pair in that family: optional gold is true, just not asked for.
* A persona's relations are those of whoever the chapter says stands behind it, on both sides.
* Status is one question: does it hold or did it once (current, former), or is it intended, alleged, pretended. Affinity, source,
  visibility, evidence are reported for what matches by kind and are no condition: readers themselves differ there (kappa .66 to .89).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from analyzer.models.facts import RELATION_KINDS
from evals.records import Reading, SaidRelation
from evals.scoring.entities import Matched, ordered
from evals.scoring.places import overlaps, within_chars

Triple = tuple[str, str, str]
PairFamily = tuple[frozenset[str], str]
LEVELS = ("kind", "family", "pair")


def stated(relation: SaidRelation, root: Mapping[str, str] | None = None) -> frozenset[Triple]:
    """Return every (subject, kind, object) that states a relation; `root` puts whoever stands behind a persona in its place."""
    found = {(relation.subject, relation.kind, relation.object), *relation.alternate_triples}
    for other in relation.alternates:
        if other[:1] == "~":
            found.add((relation.object, other[1:], relation.subject))
        else:
            found.add((relation.subject, other, relation.object))
    behind = root or {}
    found = {_behind(triple, behind) for triple in found}
    return frozenset(t for triple in found for t in both_ways(triple))


def _behind(triple: Triple, root: Mapping[str, str]) -> Triple:
    """Return a triple with personas resolved, unless somebody would then be related to himself."""
    subject, target = root.get(triple[0], triple[0]), root.get(triple[2], triple[2])
    return triple if subject == target else (subject, triple[1], target)


def both_ways(triple: Triple) -> tuple[Triple, ...]:
    """Return a triple, and its mirror where its kind is symmetric."""
    rule = RELATION_KINDS.get(triple[1])
    return (triple, (triple[2], triple[1], triple[0])) if rule is not None and rule.symmetric else (triple,)


def pair_of(triple: Triple) -> frozenset[str]:
    """Return the unordered pair."""
    return frozenset((triple[0], triple[2]))


def family_of(triple: Triple) -> PairFamily:
    """Return the unordered pair and the family (an unknown kind is its own family)."""
    rule = RELATION_KINDS.get(triple[1])
    return pair_of(triple), rule.family if rule is not None else triple[1]


def holds(status: str) -> bool:
    """Say whether a status is about what is or was, not about what is planned, said or feigned."""
    return status in {"current", "former"}


@dataclass(frozen=True)
class Row:
    """A relation of either side with what it states in gold's ids; `triples` is empty where an end is a stranger.

    `ends` are subject and object by their place among gold's people: they settle between what is alike in all else.
    """

    relation: SaidRelation
    triples: frozenset[Triple]
    here: bool = True
    pairs: frozenset[frozenset[str]] = field(default_factory=frozenset)
    families: frozenset[PairFamily] = field(default_factory=frozenset)
    ends: tuple[int, int] = (-1, -1)

    def meets(self, other: Row) -> str:
        """Return how near two rows come: kind, family, pair, or ""."""
        if self.triples & other.triples:
            return "kind"
        if self.families & other.families:
            return "family"
        return "pair" if self.pairs & other.pairs else ""


@dataclass(frozen=True)
class Compared:
    """A row, what it met best on the other side, how near, and its measures."""

    row: Row
    partner: Row | None
    match: str
    hits: dict[str, bool]


def _row(relation: SaidRelation, triples: frozenset[Triple], here: bool, ends: tuple[int, int]) -> Row:
    return Row(relation, triples, here, frozenset(map(pair_of, triples)), frozenset(map(family_of, triples)), ends)


def _places(gold: Reading) -> dict[str, int]:
    """Return gold's people numbered in an order that hangs on no id."""
    return {entity.id: n for n, entity in enumerate(ordered(gold.entities))}


def gold_rows(gold: Reading, matched: Matched) -> list[Row]:
    """Return gold's relations as rows."""
    at = _places(gold)
    return [
        _row(r, stated(r, matched.root), True, (at.get(r.subject, -1), at.get(r.object, -1))) for r in gold.relations
    ]


def said_rows(gold: Reading, said: Reading, matched: Matched) -> list[Row]:
    """Return what is said as rows in gold's ids; `here` is false for what an earlier chapter stated."""
    at = _places(gold)
    rows = []
    for relation in said.relations:
        first, last = matched.of.get(relation.subject), matched.of.get(relation.object)
        triples = frozenset[Triple]()
        if first is not None and last is not None and first != last:
            triples = frozenset(both_ways(_behind((first, relation.kind, last), matched.root)))
        ends = (at.get(first or "", -1), at.get(last or "", -1))
        rows.append(_row(relation, triples, relation.chapter in (0, said.chapter), ends))
    return rows


def compare_relations(gold: Reading, said: Reading, matched: Matched) -> tuple[list[Compared], list[Compared]]:
    """Return gold's side and the said side (of this chapter only), in the order given."""
    wanted, stated_rows = gold_rows(gold, matched), said_rows(gold, said, matched)
    by_pair = _by_pair(stated_rows)
    gold_by_pair = _by_pair(wanted)
    gold_side = [_compared(row, _meeting(row, by_pair)) for row in wanted]
    said_side = [_compared(row, _meeting(row, gold_by_pair)) for row in stated_rows if row.here]
    return gold_side, said_side


def _by_pair(rows: Iterable[Row]) -> dict[frozenset[str], list[Row]]:
    found: dict[frozenset[str], list[Row]] = {}
    for row in rows:
        for pair in row.pairs:
            found.setdefault(pair, []).append(row)
    return found


def _meeting(row: Row, others: Mapping[frozenset[str], list[Row]]) -> list[Row]:
    found = {id(other): other for pair in row.pairs for other in others.get(pair, ())}
    return list(found.values())


def _compared(row: Row, others: list[Row]) -> Compared:
    best = min(others, key=lambda other: _preference(row, other), default=None)
    match = row.meets(best) if best is not None else ""
    reached = LEVELS.index(match) if match else len(LEVELS)
    hits = {level: reached <= n for n, level in enumerate(LEVELS)}
    same = [other for other in others if row.meets(other) == "kind"]
    if best is not None and same:
        hits |= _details(row, best, same)
    turned = {(o, k, s) for s, k, o in row.triples}
    if same or any(turned & other.triples for other in others):
        hits["direction"] = bool(same)
    return Compared(row, best, match, hits)


def _preference(row: Row, other: Row) -> tuple[object, ...]:
    """Sort by nearness, then by evidence and sameness of the plain statement; ends in facts, never in ids or order of arrival."""
    mine, theirs = row.relation, other.relation
    met = row.meets(other)
    return (
        LEVELS.index(met) if met else len(LEVELS),
        mine.kind != theirs.kind,
        not other.here,
        row.ends != other.ends,
        not overlaps(mine.spans, theirs.spans),
        not within_chars(mine.spans, theirs.spans),
        holds(mine.status) != holds(theirs.status),
        theirs.level != "core",
        theirs.chapter,
        theirs.spans,
        theirs.kind,
        theirs.status,
        theirs.affinity,
        theirs.source,
        theirs.visibility,
        other.ends,
    )


def _details(row: Row, best: Row, same: list[Row]) -> dict[str, bool]:
    """Return what is reported of a relation whose kind matched; status may be that of any relation that states the same."""
    mine, theirs = row.relation, best.relation
    statuses = [s for other in same for s in (other.relation.status, *other.relation.status_alternates)]
    own = [mine.status, *mine.status_alternates]
    found = {
        "status": bool({holds(s) for s in own} & {holds(s) for s in statuses}),
        "affinity": mine.affinity == theirs.affinity,
        "visibility": mine.visibility == theirs.visibility,
    }
    if mine.source and theirs.source:
        found["source"] = mine.source == theirs.source
    backed = [other for other in same if other.relation.spans]
    if mine.spans and backed:
        there = tuple(s for other in backed for s in other.relation.spans)
        found["evidence"] = overlaps(mine.spans, there)
        found["near"] = within_chars(mine.spans, there)
    return found
