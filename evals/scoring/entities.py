"""Who of one reading is who of another: one to one, and what is left over is a duplicate or a stranger.

Rules, strictest first; somebody settled by one is not looked at by the next:

1. *Names.* Any printed name in common, those of earlier chapters and of headings included; else without title, article and
   honorific; else without a particle. In the two looser forms a name that fits several people fits nobody, unless only one of
   them is of the same kind: a surname is no person, and the Hans are not Mr. Han. Two readers agree on named entities at F1 .92
   to .98 by this rule.
2. *Known.* Whoever was matched in an earlier chapter stays who it was.
3. *Narrator.* By I, 나, 我, 私, je.
4. *Unnamed.* By equal wording of a descriptor, then without its determiners, then one wording inside the other; of several alike
   the one that hangs on the same person, then the one of the same kind.
5. *Relation.* Somebody gold has no word for (the place where one lives) by standing in the same relation to the same person.
6. *Persona.* Somebody known only as a disguise is whoever the chapter says stands behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from analyzer.models.facts import RELATION_KINDS
from evals.records import Reading, SaidEntity
from evals.scoring.assign import assign
from evals.scoring.names import NARRATORS, head, inside, loose, plain, stem

Form = Callable[[str], frozenset[str]]
Choice = Callable[[set[str], SaidEntity], set[str]]
_ASIDE = re.compile(r"[(（:：;；,，、]")
Scores = dict[str, dict[str, int]]
"""For an id of what is said, the gold ids it fits best, each with a weight."""


@dataclass(frozen=True)
class Matched:
    """`of` maps what is said to gold (several may fall on one), `how` says by which rule, `first` maps gold to its one partner.

    `duplicates` are those of `of` that are nobody's first; `root` maps a gold persona to who stands behind it.
    """

    of: Mapping[str, str]
    how: Mapping[str, str]
    first: Mapping[str, str]
    duplicates: tuple[str, ...]
    root: Mapping[str, str]

    def canonical(self, gold_id: str) -> str:
        """Return who stands behind a gold id, or the id."""
        return self.root.get(gold_id, gold_id)

    def who(self, said_id: str) -> str | None:
        """Return the gold id, behind any persona, that somebody said is; None for a stranger."""
        found = self.of.get(said_id)
        return None if found is None else self.canonical(found)


def ordered(entities: Iterable[SaidEntity]) -> tuple[SaidEntity, ...]:
    """Return entities in an order that depends on no id and no order of arrival."""
    return tuple(
        sorted(
            entities,
            key=lambda e: (
                not e.names,
                sorted(e.names),
                sorted(e.descriptors),
                e.kind,
                e.presence,
                e.level,
                e.blocks,
                e.narrator,
            ),
        )
    )


def all_names(entity: SaidEntity, earlier: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return an entity's names, those of earlier chapters last."""
    return tuple(dict.fromkeys((*entity.names, *entity.former_names, *earlier.get(entity.id, ()))))


def match_entities(
    gold: Reading, said: Reading, *, earlier: Iterable[Reading] = (), known: Mapping[str, str] | None = None
) -> Matched:
    """Return who is who. `earlier` are gold readings before this chapter, `known` maps said ids to gold ids found there.

    Invariant under renaming ids and under the order of entities on either side.
    """
    past = tuple(earlier)
    former: dict[str, tuple[str, ...]] = {}
    for reading in past:
        for entity in reading.entities:
            former[entity.id] = (*former.get(entity.id, ()), *entity.names)
    return _Matching(gold, said, former, dict(known or {}), past).run()


class _Matching:
    """One matching as it goes on: `of` and `how` grow rule by rule."""

    def __init__(
        self,
        gold: Reading,
        said: Reading,
        former: Mapping[str, tuple[str, ...]],
        known: Mapping[str, str],
        past: Sequence[Reading],
    ) -> None:
        self.gold, self.said = ordered(gold.entities), ordered(said.entities)
        self.language, self.known = gold.language, known
        self.names = {e.id: all_names(e, former) for e in self.gold}
        self.own = {e.id: all_names(e, {}) for e in self.said}
        self.by_id = {e.id: e for e in self.gold}
        self.gold_ties, self.said_ties = _ties(gold), _ties(said)
        self.personas = [(str(i.fields.get("persona", "")), str(i.fields.get("is", ""))) for r in (*past, gold)
                         for i in r.items if i.cls == "identity" and i.fields.get("revealed_here")]  # fmt: skip
        self.of: dict[str, str] = {}
        self.how: dict[str, str] = {}
        self.first: dict[str, str] = {}

    def run(self) -> Matched:
        """Apply the rules in order."""
        forms: tuple[tuple[str, Form, Choice], ...] = (
            ("exact", lambda name: frozenset({plain(name)}), self._any),
            ("stem", lambda name: frozenset({stem(name, self.language)}), self._only),
            ("particle", lambda name: loose(name, self.language), self._only_alike),
        )
        named = [e for e in self.said if self.own[e.id]]
        for how, form, choice in forms:
            self._settle(how, self._by_form([e for e in named if e.id not in self.of], form, choice))
        strangers = self._by_known()
        self._by_narrator()
        self._settle("descriptor", self._by_wording(strangers))
        self._settle("relation", self._by_relation())
        self._by_persona()
        unsettled = tuple(e.id for e in self.said if e.id in self.of and self.how[e.id] != "persona")
        duplicates = tuple(i for i in unsettled if self.first.get(self.of[i]) != i)
        root = {e.id: e.persona_of for e in self.gold if e.persona_of}
        return Matched(self.of, self.how, self.first, duplicates, root)

    def _settle(self, how: str, scores: Scores) -> None:
        """Give everybody of `scores` its best partner, one to one first; who finds the best ones taken is a duplicate."""
        gold_no = {e.id: n for n, e in enumerate(self.gold)}
        said_no = {e.id: n for n, e in enumerate(self.said)}
        free = {
            (said_no[s], gold_no[g]): weight
            for s, row in scores.items()
            for g, weight in row.items()
            if g not in self.first
        }
        for said_at, gold_at in assign(free).items():
            s, g = self.said[said_at].id, self.gold[gold_at].id
            self.of[s], self.how[s], self.first[g] = g, how, s
        for s, row in scores.items():
            if s not in self.of and row:
                self.of[s], self.how[s] = max(row, key=lambda g: (row[g], -gold_no[g])), how

    def _by_form(self, said: Sequence[SaidEntity], form: Form, choice: Choice) -> Scores:
        index: dict[str, set[str]] = {}
        size: dict[str, int] = {}
        for entity in self.gold:
            forms = frozenset[str]().union(*(form(n) for n in self.names[entity.id]))
            size[entity.id] = len(forms)
            for text in forms:
                index.setdefault(text, set()).add(entity.id)
        found: Scores = {}
        for entity in said:
            mine = frozenset[str]().union(*(form(n) for n in self.own[entity.id]))
            common: dict[str, int] = {}
            for text in mine:
                for gold_id in choice(index.get(text, set()), entity):
                    common[gold_id] = common.get(gold_id, 0) + 1
            weights = {g: self._weight(n, len(mine) + size[g] - n, self.by_id[g], entity) for g, n in common.items()}
            found[entity.id] = _best(weights, common)
        return found

    @staticmethod
    def _weight(common: int, union: int, gold: SaidEntity, said: SaidEntity) -> int:
        """Return names in common first, then how alike the sets are, then the kind."""
        alike = said.kind == gold.kind or said.kind in gold.alternates
        return common * 1000 + (100 * common) // max(1, union) * 4 + (2 if alike else 0) + 1

    @staticmethod
    def _any(ids: set[str], said: SaidEntity) -> set[str]:
        """Return all who bear a name exactly: a people and its village may."""
        return ids

    def _only_alike(self, ids: set[str], said: SaidEntity) -> set[str]:
        """Return the only one of the same kind: without its "de" a count is called like his island."""
        return self._only({i for i in ids if self.by_id[i].kind == said.kind}, said)

    def _only(self, ids: set[str], said: SaidEntity) -> set[str]:
        """Return the one meant: there is only one, or only one of the same kind; never a family for its head, or its head for it."""
        ids = {i for i in ids if {said.kind, self.by_id[i].kind} != {"character", "group"}}
        if len(ids) > 1:
            ids = {i for i in ids if self.by_id[i].kind == said.kind}
        return ids if len(ids) == 1 else set()

    def _by_known(self) -> list[SaidEntity]:
        """Settle who was matched earlier; return the unnamed who were not (somebody absent here is nobody else)."""
        left = []
        for entity in self.said:
            if entity.id in self.of:
                continue
            before = self.known.get(entity.id)
            if before in self.by_id:
                self.of[entity.id], self.how[entity.id] = before, "known"
                self.first.setdefault(before, entity.id)
            elif before is None and not self.own[entity.id]:
                left.append(entity)
        return left

    def _by_narrator(self) -> None:
        teller = next((e.id for e in self.gold if _tells(e)), None)
        for entity in self.said:
            if teller is not None and entity.id not in self.of and entity.id not in self.known and _tells(entity):
                self.of[entity.id], self.how[entity.id] = teller, "narrator"
                self.first.setdefault(teller, entity.id)

    def _by_wording(self, said: Sequence[SaidEntity]) -> Scores:
        found: Scores = {}
        for entity in said:
            if entity.id in self.of:
                continue
            rank = {g.id: wording(entity.descriptors, g.descriptors) * 2 + (not self.names[g.id]) for g in self.gold}
            rank = {g: score for g, score in rank.items() if score > 1}
            near = self.of.get(entity.tied_to, "")
            weights = {}
            for gold_id, score in rank.items():
                gold = self.by_id[gold_id]
                common = len({plain(d) for d in entity.descriptors} & {plain(d) for d in gold.descriptors})
                tie = 400 if near and gold.tied_to == near else 0
                weights[gold_id] = score * 1000 + tie + min(common, 9) * 20 + (2 if gold.kind == entity.kind else 0)
            found[entity.id] = _best(weights, rank)
        return found

    def _by_relation(self) -> Scores:
        """Score the unnamed nobody was found for against gold's wordless: relations of one kind to one person."""
        wordless = [e.id for e in self.gold if not self.names[e.id] and not e.descriptors]
        found: Scores = {}
        for entity in self.said:
            if entity.id in self.of or entity.id in self.known or self.own[entity.id]:
                continue
            mine = {(kind, self.of[other]) for kind, other in self.said_ties.get(entity.id, ()) if other in self.of}
            common = {g: len(mine & self.gold_ties.get(g, set())) for g in wordless}
            common = {g: n * 10 + (self.by_id[g].kind == entity.kind) for g, n in common.items() if n}
            found[entity.id] = _best(common, common)
        return found

    def _by_persona(self) -> None:
        for entity in self.said:
            if entity.id in self.of or entity.id in self.known:
                continue
            for persona, who in self.personas:
                if who in self.by_id and _is_persona(entity, persona):
                    self.of[entity.id], self.how[entity.id] = who, "persona"
                    break


def _ties(reading: Reading) -> dict[str, set[tuple[str, str]]]:
    """Return for each id the (kind, other id) of its relations; `~kind` where it is the object."""
    found: dict[str, set[tuple[str, str]]] = {}
    for relation in reading.relations:
        rule = RELATION_KINDS.get(relation.kind)
        back = relation.kind if rule is not None and rule.symmetric else f"~{relation.kind}"
        found.setdefault(relation.subject, set()).add((relation.kind, relation.object))
        found.setdefault(relation.object, set()).add((back, relation.subject))
    return found


def _best(weights: dict[str, int], rank: Mapping[str, int]) -> dict[str, int]:
    """Return the weights of the highest rank only: a worse fit never wins because the better one is taken."""
    top = max(rank.values(), default=0)
    return {g: weights[g] for g in rank if rank[g] == top}


def _tells(entity: SaidEntity) -> bool:
    return entity.narrator or bool({plain(d) for d in entity.descriptors} & NARRATORS)


def wording(mine: Iterable[str], theirs: Iterable[str]) -> int:
    """Return how alike two sets of descriptions are: 4 equal, 3 without determiners, 1 one inside the other, 0 not at all."""
    left, right = {plain(d) for d in mine}, {plain(d) for d in theirs}
    if left & right:
        return 4
    heads, others = {head(d) for d in left}, {head(d) for d in right}
    if heads & others:
        return 3
    return 1 if any(inside(a, b) or inside(b, a) for a in heads for b in others) else 0


def _is_persona(entity: SaidEntity, persona: str) -> bool:
    """Say whether somebody is called as the persona is, all of it or up to what explains it: "the tinker (who mends the clock)"."""
    told = {head(part) for part in (persona, *_ASIDE.split(persona)[:1])}
    return any(head(d) in told for d in (*entity.descriptors, *entity.names))
