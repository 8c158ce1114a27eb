"""The bible: a fold of facts up to a place, as an immutable view."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from analyzer.models.decision import Plane
from analyzer.models.facts import (
    RELATION_KINDS,
    ClaimFact,
    DetailFact,
    EntityFact,
    Fact,
    FormFact,
    NameFact,
    PresenceFact,
    ProposalFact,
    RelationFact,
    SameFact,
    VoteFact,
)
from analyzer.models.question import Option, Ref
from analyzer.models.story import READER, RevealFact
from analyzer.rulings import NO_RULINGS, Rulings

NARRATOR_SURFACE = "narrator:"
"""Begins the descriptor that says of a named entity that it is the narrator; never printed in a text."""


@dataclass(frozen=True)
class CastEntry:
    """One entity as known: merged ones are folded into the oldest handle.

    `names` are surface forms in order of arrival, best (longest full name) first; `chapters` where it has a presence.
    `renamed` is how the author calls it, "" where he does not: it is shown so, and found in the text by its names.
    """

    entity: EntityFact
    names: tuple[NameFact, ...]
    presences: tuple[PresenceFact, ...]
    merged: tuple[str, ...] = ()
    renamed: str = ""

    @property
    def handle(self) -> str:
        """`@7`."""
        return self.entity.entity

    @property
    def narrates(self) -> bool:
        """Whether this is who says I in some chapter so far."""
        return self.entity.narrator or any(n.surface.startswith(NARRATOR_SURFACE) for n in self.names)

    @cached_property
    def surfaces(self) -> tuple[str, ...]:
        """Surface forms that are names (no descriptors), first the label."""
        found = [n.surface for n in self.names if n.name_kind != "descriptor"]
        return tuple(dict.fromkeys(([self.entity.label] if self.entity.named else []) + found))

    @cached_property
    def presence_in(self) -> dict[int, frozenset[str]]:
        """How it is there, by chapter: in a long book an entry has hundreds of presences, and every step asks."""
        found: dict[int, set[str]] = {}
        for one in self.presences:
            found.setdefault(one.chapter, set()).add(one.presence)
        return {chapter: frozenset(how) for chapter, how in found.items()}

    @cached_property
    def ref(self) -> Ref:
        """The reference a question carries about it, without places."""
        fact = self.entity
        names = self.surfaces or tuple(dict.fromkeys((fact.label, *(n.surface for n in self.names))))
        tie = f"{fact.tie} of {fact.tied_to}" if fact.tied_to else ("narrator" if fact.narrator else "")
        return Ref(handle=self.handle, names=names, kind=fact.entity_kind, tie=tie)

    @cached_property
    def option(self) -> Option:
        """Itself as an option whose handle the prefix shows: one object, so that what is known of it serves all questions."""
        return Option(mark=self.handle, key=self.handle, ref=self.ref)

    @property
    def called(self) -> tuple[str, ...]:
        """What it is shown by, best first: as the author calls it, then its names."""
        return tuple(dict.fromkeys((self.renamed, *self.surfaces))) if self.renamed else self.surfaces


class _Folded(NamedTuple):
    """What the cast is made of, by root handle; `fresh` are the handles that the last facts told something of."""

    entities: dict[str, EntityFact]
    names: dict[str, tuple[NameFact, ...]]
    presences: dict[str, tuple[PresenceFact, ...]]
    merged: dict[str, tuple[str, ...]]
    fresh: frozenset[str]

    def with_more(self, facts: Iterable[Fact], same: Mapping[str, str], ruled: Rulings = NO_RULINGS) -> _Folded:
        """Return this with more facts; `same` are the merges of all of them, `ruled` what the author decided."""
        if ruled:
            facts = ruled.cast_facts(facts, same, self.entities)
        entities, merged = dict(self.entities), dict(self.merged)
        names: dict[str, list[NameFact]] = {}
        presences: dict[str, list[PresenceFact]] = {}
        fresh: set[str] = set()
        for fact in facts:
            # exact classes: a book is folded several times a chapter, and isinstance took half of it
            if type(fact) is PresenceFact:
                presences.setdefault(same.get(fact.entity, fact.entity), []).append(fact)
            elif type(fact) is NameFact:
                names.setdefault(same.get(fact.entity, fact.entity), []).append(fact)
            elif type(fact) is EntityFact:
                root = same.get(fact.entity, fact.entity)
                fresh.add(root)
                if root != fact.entity:
                    merged[root] = (*merged.get(root, ()), fact.entity)
                if root not in entities:  # the first to arrive describes them all, under the oldest handle
                    entities[root] = fact if root == fact.entity else fact.model_copy(update={"entity": root})
        return _Folded(
            entities,
            self.names | {handle: (*self.names.get(handle, ()), *more) for handle, more in names.items()},
            self.presences | {handle: (*self.presences.get(handle, ()), *more) for handle, more in presences.items()},
            merged,
            frozenset(fresh.union(names, presences)),
        )

    def cast(
        self, before: Mapping[str, CastEntry], same: Mapping[str, str], ruled: Rulings = NO_RULINGS
    ) -> dict[str, CastEntry]:
        """Return the cast in order of arrival; entries of `before` serve for handles that are not fresh."""
        found = {
            handle: before[handle]
            if handle in before and handle not in self.fresh
            else CastEntry(
                self.entities[handle],
                self.names.get(handle, ()),
                self.presences.get(handle, ()),
                self.merged.get(handle, ()),
            )
            for handle in self.entities
        }
        return _as_decided(found, before, same, ruled) if ruled else found


def _as_decided(
    cast: Mapping[str, CastEntry], before: Mapping[str, CastEntry], same: Mapping[str, str], ruled: Rulings
) -> dict[str, CastEntry]:
    """Return the cast as the author decided: without whom he rejected, called as he calls them."""

    def root(handle: str) -> str:
        return same.get(handle, handle)

    gone = ruled.gone(root)
    found: dict[str, CastEntry] = {}
    for handle, entry in cast.items():
        if handle in gone:
            continue
        if before.get(handle) is not entry:
            away = ruled.given_away(handle, root)
            own = [name.surface for name in entry.names if name.name_kind != "descriptor"]
            if own and entry.entity.label in away:
                entry = replace(entry, entity=entry.entity.model_copy(update={"label": own[0]}))
            entry = replace(entry, renamed=ruled.label_of(handle, entry.surfaces, root))
        found[handle] = entry
    return found


@dataclass(frozen=True)
class Bible:
    """Facts of chapters 1..`through`, folded. Build with `fold`; iteration orders are those of the facts given.

    `facts` are as stored; all else shows them as `ruled`, what the author decided, has it.
    """

    through: int
    facts: tuple[Fact, ...] = ()
    handles: dict[str, str] = field(default_factory=dict)
    ruled: Rulings = NO_RULINGS

    def followed_by(self, new: Sequence[Fact], bible: Bible) -> Bible:
        """Return `bible` with its cast folded from this one's: its cast facts must be those of this one, then those in `new`.

        Whoever folds a book chapter by chapter pays for what is new alone; where `new` merges somebody all is folded.
        """
        if not any(type(fact) is SameFact for fact in new) and self.ruled.see_alike(bible.ruled):
            folded = self._folded.with_more(new, self.same, bible.ruled)
            cast = folded.cast(self.cast, self.same, bible.ruled)
            vars(bible).update(same=self.same, _folded=folded, cast=cast)
        return bible

    def of(self, *classes: type) -> tuple[Fact, ...]:
        """Return the facts of these classes, in order."""
        one = self._by_class.get(classes[0], ()) if len(classes) == 1 else None
        found = tuple(f for f in self.facts if isinstance(f, classes)) if one is None else one
        return self.ruled.left(found, self.root) if self.ruled else found

    @cached_property
    def _by_class(self) -> dict[type, tuple[Fact, ...]]:
        """The facts of each class: views ask for one class after the other, and a book has tens of thousands of facts."""
        found: dict[type, list[Fact]] = {}
        for kind, run in groupby(self.facts, type):  # a step's facts stand together
            found.setdefault(kind, []).extend(run)
        return {kind: tuple(facts) for kind, facts in found.items()}

    @cached_property
    def same(self) -> dict[str, str]:
        """Merged handle -> the handle it became (roots only)."""
        return self.ruled.roots((f.entity, f.same_as) for f in self.facts if isinstance(f, SameFact))

    def root(self, handle: str) -> str:
        """Return the handle that stands for `handle` after merges."""
        return self.same.get(handle, handle)

    @cached_property
    def bearers(self) -> dict[str, list[str]]:
        """The handles that bear each surface form of the cast."""
        found: dict[str, list[str]] = {}
        for handle, entry in self.cast.items():
            for surface in entry.surfaces:
                found.setdefault(surface, []).append(handle)
        return found

    @cached_property
    def cast(self) -> dict[str, CastEntry]:
        """The cast by root handle, in order of arrival: in a book read once that is handle order.

        Handles outlive edits: somebody whom an inserted chapter brings in has a younger handle than those who come after.
        """
        return self._folded.cast({}, self.same, self.ruled)

    @cached_property
    def arrival(self) -> dict[str, int]:
        """The place of each of the cast in the order of arrival."""
        return {handle: at for at, handle in enumerate(self.cast)}

    def by_arrival(self, a: str, b: str) -> tuple[str, str]:
        """Return the two in order of arrival, those who are not in the cast last."""
        return (b, a) if self._rank(b) < self._rank(a) else (a, b)

    def _rank(self, handle: str) -> tuple[int, int]:
        return self.arrival.get(self.root(handle), len(self.arrival)), int(handle[1:])

    @cached_property
    def _folded(self) -> _Folded:
        return _Folded({}, {}, {}, {}, frozenset()).with_more(self.facts, self.same, self.ruled)

    @cached_property
    def relations(self) -> tuple[RelationFact, ...]:
        """Relations with merged handles resolved, symmetric ones in order of arrival; none of an entity with itself."""
        return self._resolved()

    def _resolved(self) -> tuple[RelationFact, ...]:
        found = []
        for fact in self.of(RelationFact):
            if isinstance(fact, RelationFact):
                subject, target = self.root(fact.subject), self.root(fact.object)
                if RELATION_KINDS[fact.relation].symmetric:
                    subject, target = self.by_arrival(subject, target)
                if subject == target:
                    continue
                is_so = (subject, target) == (fact.subject, fact.object)
                found.append(fact if is_so else fact.model_copy(update={"subject": subject, "object": target}))
        return tuple(found)

    @cached_property
    def reveals(self) -> tuple[RevealFact, ...]:
        """Reveals with merged handles resolved, in order; of a mask whose two are one by now the ends stay as they were."""
        found = []
        for fact in self.of(RevealFact):
            if isinstance(fact, RevealFact):
                ends = (self.root(fact.persona), self.root(fact.behind))
                if fact.is_mask and ends[0] == ends[1]:
                    ends = (fact.persona, fact.behind)
                to = tuple(dict.fromkeys(who if who == READER else self.root(who) for who in fact.to))
                found.append(fact.model_copy(update={"persona": ends[0], "behind": ends[1], "to": to}))
        return tuple(found)

    def forms(self, chapter: int) -> tuple[FormFact, ...]:
        """Surface forms judged new in this chapter."""
        return tuple(f for f in self._by_class.get(FormFact, ()) if isinstance(f, FormFact) and f.chapter == chapter)

    def proposals(self, chapter: int) -> tuple[ProposalFact, ...]:
        """Pairs proposed in this chapter."""
        return tuple(
            f for f in self._by_class.get(ProposalFact, ()) if isinstance(f, ProposalFact) and f.chapter == chapter
        )

    def claims(self, chapter: int) -> tuple[ClaimFact, ...]:
        """Claims of this chapter."""
        return tuple(f for f in self._by_class.get(ClaimFact, ()) if isinstance(f, ClaimFact) and f.chapter == chapter)

    def details(self, chapter: int) -> tuple[DetailFact, ...]:
        """Details of this chapter's claims."""
        return tuple(
            f for f in self._by_class.get(DetailFact, ()) if isinstance(f, DetailFact) and f.chapter == chapter
        )

    def votes(self, chapter: int) -> tuple[VoteFact, ...]:
        """Votes on this chapter's claims."""
        return tuple(f for f in self._by_class.get(VoteFact, ()) if isinstance(f, VoteFact) and f.chapter == chapter)

    def handle_for(self, anchor: str) -> str:
        """Return the handle given to `anchor` in any run of this book, or "" if it never got one."""
        return self.handles.get(anchor, "")


def fold(
    facts: Iterable[Fact],
    *,
    through: int,
    handles: dict[str, str] | None = None,
    decisions: Rulings = NO_RULINGS,
    plane: Plane = "author",
) -> Bible:
    """Return the bible as of chapter `through`: the same fold, stopped early; facts of later chapters are left out.

    `decisions` are the author's: he sees all of them at once, a reader (`plane`) none before the chapter whose words carry it.
    """
    known = tuple(f for f in facts if f.chapter <= through)
    return Bible(through, known, dict(handles or {}), decisions.known(through, plane))
