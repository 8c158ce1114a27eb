"""Every item of both sides of a comparison, with stable keys: names and kinds, never a handle or an id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from analyzer.models.facts import RELATION_KINDS
from evals.records import Outcome, Reading, SaidEntity, SaidItem, SaidRelation, Side
from evals.scoring.entities import Matched, match_entities, ordered
from evals.scoring.items import KIND_FIELDS, ComparedItem, compare_items, people_of, text_of
from evals.scoring.names import plain
from evals.scoring.places import evidence_hash
from evals.scoring.relations import Compared, compare_relations
from evals.scoring.verdicts import Verdict, judged

_KEY_CHARS = 80
"""Of a free wording; longer ones that begin alike are numbered."""


def compare(
    gold: Reading,
    said: Reading,
    *,
    earlier: Iterable[Reading] = (),
    known: Mapping[str, str] | None = None,
    verdicts: Iterable[Verdict] = (),
    case: str = "",
) -> tuple[Outcome, ...]:
    """Return an outcome for every item of gold and for everything said of this chapter: entities, relations, items.

    `earlier` are gold readings before this chapter, `known` the said ids matched in them; `verdicts` may hold those of other
    cases and chapters too, `case` (default: gold's book) says which is this one.
    """
    matched = match_entities(gold, said, earlier=earlier, known=known)
    return compare_matched(gold, said, matched, verdicts=verdicts, case=case)


def compare_matched(
    gold: Reading, said: Reading, matched: Matched, *, verdicts: Iterable[Verdict] = (), case: str = ""
) -> tuple[Outcome, ...]:
    """Return outcomes where who is who is settled already."""
    rows = _Outcomes(gold, said, matched).rows()
    return judged(rows, verdicts, case=case or gold.book, chapter=gold.chapter)


Thing = SaidEntity | SaidRelation | SaidItem


def gold_outcomes(gold: Reading, said: Reading, matched: Matched) -> tuple[tuple[Thing, Outcome], ...]:
    """Return every item of gold beside its outcome (without the key of what it met), in the order of outcomes."""
    return tuple((draft.thing, draft.outcome) for draft in _Outcomes(gold, said, matched).gold_side())


def said_outcomes(gold: Reading, said: Reading, matched: Matched) -> tuple[tuple[Thing, Outcome], ...]:
    """Return everything said beside its outcome (without the key of what it met), in the order of outcomes."""
    return tuple((draft.thing, draft.outcome) for draft in _Outcomes(gold, said, matched).said_side())


def shown_names(gold: Reading, said: Reading, matched: Matched) -> tuple[dict[str, str], dict[str, str]]:
    """Return by id how gold's and the said entities are called in keys: whoever matched goes by gold's name."""
    true: dict[str, str] = {}
    taken: set[str] = set()
    for entity in sorted(ordered(gold.entities), key=_is_wordless):
        true[entity.id] = _free(_called(entity, true), entity.kind, taken)
    mine: dict[str, str] = {}
    for entity in ordered(said.entities):
        if entity.id in matched.of:
            mine[entity.id] = true[matched.of[entity.id]]
    for entity in sorted(ordered(said.entities), key=_is_wordless):
        if entity.id not in mine:
            mine[entity.id] = _free(_called(entity, mine), entity.kind, taken)
    return true, mine


def relation_key(subject: str, kind: str, target: str) -> str:
    """Return the key of a relation between two as they are called in keys; a symmetric kind has one for both orders."""
    rule = RELATION_KINDS.get(kind)
    if rule is not None and rule.symmetric:
        subject, target = sorted((subject, target))
    return f"relation | {subject} | {kind} | {target}"


def _is_wordless(entity: SaidEntity) -> bool:
    return not (entity.names or entity.former_names or entity.descriptors)


def _called(entity: SaidEntity, names: Mapping[str, str]) -> str:
    """Return a name, else a description with whom it hangs on: "a man" is nobody in particular."""
    named = next((n for n in (*entity.names, *entity.former_names) if n.strip()), "")
    if named:
        return named
    described = next((d for d in entity.descriptors if d.strip()), f"a {entity.kind}")
    tied = names.get(entity.tied_to, "")
    return f"{described} (of {tied})" if tied else described


def _free(name: str, kind: str, taken: set[str]) -> str:
    """Return a name nobody has yet: with its kind, then numbered."""
    shown, number = name, 1
    while plain(shown) in taken:
        shown = f"{name} ({kind})" if number == 1 else f"{name} ({kind} {number})"
        number += 1
    taken.add(plain(shown))
    return shown


class _Outcomes:
    """The outcomes of one comparison; keys are made unique side by side, and partners named by them."""

    def __init__(self, gold: Reading, said: Reading, matched: Matched) -> None:
        self.gold, self.said, self.matched = gold, said, matched
        self.true, self.mine = shown_names(gold, said, matched)
        self.relations = compare_relations(gold, said, matched)
        self.items = compare_items(gold, said, matched)

    def rows(self) -> tuple[Outcome, ...]:
        """Return gold's side, then the said side, each in an order of its own facts."""
        gold, said = self.gold_side(), self.said_side()
        return (*_with_partners(gold, said), *_with_partners(said, gold))

    def gold_side(self) -> list[_Draft]:
        """Return gold's side as drafts, their keys unique."""
        return _numbered(
            [
                *self._gold_entities(),
                *self._relations(self.relations[0], "gold"),
                *self._items(self.items[0], "gold"),
            ]
        )

    def said_side(self) -> list[_Draft]:
        """Return the said side as drafts, their keys unique."""
        return _numbered(
            [
                *self._said_entities(),
                *self._relations(self.relations[1], "said"),
                *self._items(self.items[1], "said"),
            ]
        )

    def _gold_entities(self) -> list[_Draft]:
        by_id = {e.id: e for e in self.said.entities}
        found = []
        for entity in self.gold.entities:
            if entity.presence == "absent":
                continue
            first = self.matched.first.get(entity.id)
            same = by_id[first] if first else self._persona(entity)
            hits = {"named" if entity.names else "described": same is not None}
            if same is not None:
                hits["kind"] = same.kind == entity.kind or same.kind in entity.alternates
                hits["presence"] = same.presence == entity.presence
            how = self.matched.how[same.id] if same is not None else ""
            found.append(self._entity(entity, "gold", hits, how, same))
        return found

    def _persona(self, entity: SaidEntity) -> SaidEntity | None:
        """Return who was said to stand behind this persona (or before it) and bears one of its names."""
        group = self.matched.canonical(entity.id)
        names = {plain(n) for n in entity.names}
        for other in ordered(self.said.entities):
            if self.matched.who(other.id) == group and names & {plain(n) for n in other.names}:
                return other
        return None

    def _said_entities(self) -> list[_Draft]:
        true = {e.id: e for e in self.gold.entities}
        found = []
        for entity in self.said.entities:
            if entity.presence == "absent":
                continue
            same = true.get(self.matched.of.get(entity.id, ""))
            hits = {"named" if entity.names else "described": same is not None}
            if same is not None:
                hits["kind"] = entity.kind == same.kind or entity.kind in same.alternates
                hits["presence"] = entity.presence == same.presence
                hits["single"] = entity.id not in self.matched.duplicates
            found.append(self._entity(entity, "said", hits, self.matched.how.get(entity.id, ""), same))
        return found

    def _entity(
        self, entity: SaidEntity, side: Side, hits: dict[str, bool], how: str, same: SaidEntity | None
    ) -> _Draft:
        names, others = (self.true, self.mine) if side == "gold" else (self.mine, self.true)
        outcome = Outcome(
            cls="entity",
            side=side,
            chapter=self.gold.chapter,
            key=f"entity | {names[entity.id]}",
            text=names[entity.id],
            level=entity.level,
            group=entity.kind,
            hits=hits,
            match=how,
        )
        return _Draft(entity, outcome, same, f"entity | {others[same.id]}" if same is not None else "")

    def _relations(self, compared: Iterable[Compared], side: Side) -> list[_Draft]:
        other: Side = "said" if side == "gold" else "gold"
        found = []
        for row in compared:
            relation = row.row.relation
            rule = RELATION_KINDS.get(relation.kind)
            outcome = Outcome(
                cls="relation",
                side=side,
                chapter=self.gold.chapter,
                key=self._relation_key(relation, side),
                text=self._relation_text(relation, side),
                level=relation.level,
                group=rule.family if rule else "",
                hits=row.hits,
                match=row.match,
                again=relation.again,
                evidence=evidence_hash(relation.spans),
            )
            partner = row.partner.relation if row.partner is not None else None
            found.append(_Draft(relation, outcome, partner, self._relation_key(partner, other) if partner else ""))
        return found

    def _ends(self, relation: SaidRelation, side: Side) -> tuple[str, str]:
        names = self.true if side == "gold" else self.mine
        return names.get(relation.subject, "?"), names.get(relation.object, "?")

    def _relation_key(self, relation: SaidRelation, side: Side) -> str:
        subject, target = self._ends(relation, side)
        return relation_key(subject, relation.kind, target)

    def _relation_text(self, relation: SaidRelation, side: Side) -> str:
        subject, target = self._ends(relation, side)
        status = "" if relation.status == "current" else f" ({relation.status})"
        return f"{subject} {relation.kind} {target}{status}"

    def _items(self, compared: Iterable[ComparedItem], side: Side) -> list[_Draft]:
        other: Side = "said" if side == "gold" else "gold"
        found = []
        for row in compared:
            item, kind = row.item, str(row.item.fields.get(KIND_FIELDS[row.item.cls], ""))
            outcome = Outcome(
                cls=item.cls,
                side=side,
                chapter=self.gold.chapter,
                key=self._item_key(item, side),
                text=f"{self._item_who(item, side)} {kind}: {text_of(item)}".strip(" :"),
                level=item.level,
                group=kind,
                hits=row.hits,
                match=row.match,
                evidence=evidence_hash(item.spans),
            )
            found.append(_Draft(item, outcome, row.partner, self._item_key(row.partner, other) if row.partner else ""))
        return found

    def _item_who(self, item: SaidItem, side: Side) -> str:
        names = self.true if side == "gold" else self.mine
        return ", ".join(sorted(names.get(i, "?") for i in people_of(item)))

    def _item_key(self, item: SaidItem, side: Side) -> str:
        kind = str(item.fields.get(KIND_FIELDS[item.cls], ""))
        parts = (self._item_who(item, side), kind, plain(text_of(item))[:_KEY_CHARS])
        return " | ".join((item.cls, *(p for p in parts if p)))


class _Draft(NamedTuple):
    """An outcome before its key is unique, what it is of, and what that was matched with."""

    thing: Thing
    outcome: Outcome
    partner: Thing | None
    partner_key: str


def _with_partners(drafts: Sequence[_Draft], others: Sequence[_Draft]) -> list[Outcome]:
    """Return outcomes with the keys of their partners; one that has no outcome (an earlier chapter's) keeps its plain key."""
    keys = {id(draft.thing): draft.outcome.key for draft in others}  # by object: one side may hold equal things
    return [
        d.outcome
        if d.partner is None
        else d.outcome.model_copy(update={"partner": keys.get(id(d.partner), d.partner_key)})
        for d in drafts
    ]


def _numbered(drafts: Sequence[_Draft]) -> list[_Draft]:
    """Return drafts sorted by key and evidence, equal keys numbered from the second on."""
    seen: dict[str, int] = {}
    found = []
    for draft in sorted(drafts, key=_by_key):
        key = draft.outcome.key
        seen[key] = seen.get(key, 0) + 1
        if seen[key] > 1:
            draft = draft._replace(outcome=draft.outcome.model_copy(update={"key": f"{key} #{seen[key]}"}))
        found.append(draft)
    return found


def _by_key(draft: _Draft) -> tuple[object, ...]:
    row = draft.outcome
    return (row.cls, row.key, row.evidence, row.level, row.text, sorted(row.hits.items()))
