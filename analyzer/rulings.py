"""What the author's decisions do to the bible: who is who, what is hidden, how somebody is called. Facts stay as they are stored.

`rulings_of` puts handles for anchors and chapters for words; `Rulings.known` is what a reader of the first chapters, or the
author, knows of them. Decisions that contradict each other are settled among those known: the latest wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from analyzer.factkeys import OWNERS, Key, Root, is_about, key_of, left_of, ordered, rooted
from analyzer.hashing import content_hash
from analyzer.models.decision import (
    About,
    Confirm,
    Decided,
    Kept,
    NeverMerge,
    Plane,
    Reject,
    Rename,
    Split,
    Undo,
    Words,
    anchors_of,
)
from analyzer.models.facts import EntityFact, Fact, NameFact
from analyzer.settling import Ruling, Settled, is_dated_anew, settle


def rulings_of(decided: Sequence[Decided], handles: Mapping[str, str], where: Callable[[Words], int]) -> Rulings:
    """Return the decisions in force, oldest first; `where` gives the chapter a sentence stands in now, 0 where it is gone."""
    undone = {d.decision.decision for d in decided if isinstance(d.decision, Undo)}
    found = []
    for one in decided:
        decision = one.decision
        if one.id in undone or isinstance(decision, Undo):
            continue
        about = decision.about if isinstance(decision, Confirm | Reject) else ()
        words = getattr(decision, "words", None)
        found.append(
            Ruling(
                one.id,
                decision,
                tuple(handles.get(anchor, "") for anchor in anchors_of(decision)),
                tuple(_key(about_one, handles) for about_one in about),
                where(words) if words else 0,
                tuple(max(map(where, kept.words), default=0) for kept in decision.kept)
                if isinstance(decision, Confirm)
                else (),
            )
        )
    return Rulings(tuple(found), dict(handles))


def _key(about: About, handles: Mapping[str, str]) -> Key:
    return ordered(about.fact, tuple(handles.get(anchor, "") for anchor in about.ends), about.words)


@dataclass(frozen=True)
class Rulings:
    """Decisions in force, oldest first, as far as somebody knows them. Falsy where there are none."""

    known_rulings: tuple[Ruling, ...] = ()
    handles: Mapping[str, str] = field(default_factory=dict)
    through: int = 0
    plane: Plane = "author"

    def __bool__(self) -> bool:
        return bool(self.known_rulings)

    def known(self, through: int, plane: Plane) -> Rulings:
        """Return what is known to a reader of chapters 1..`through`, or to the author: names wait for their words by themselves."""
        if not self:
            return self
        known = tuple(
            r
            for r in self.known_rulings
            if plane == "author"
            or not r.needs_words
            or (r.id not in self._dated_anew and (isinstance(r.decision, Rename) or 0 < r.chapter <= through))
        )
        return replace(self, known_rulings=known, through=through, plane=plane)

    @cached_property
    def _dated_anew(self) -> frozenset[str]:
        """Decisions of which a later one moves the date from which readers see them."""
        shown = [r for r in self.known_rulings if r.needs_words]
        return frozenset(r.id for at, r in enumerate(shown) if any(is_dated_anew(r, one) for one in shown[at + 1 :]))

    @cached_property
    def settled(self) -> Settled:
        """What holds after contradictions."""
        return settle(self.known_rulings)

    def roots(self, merges: Iterable[tuple[str, str]]) -> dict[str, str]:
        """Return merged handle -> the oldest of those it is one with; what the author joined first, whom he parted never joined."""
        root: dict[str, str] = {}
        settled = self.settled if self else None

        def find(handle: str) -> str:
            while handle in root:
                handle = root[handle]
            return handle

        for one, other in (*(settled.joins if settled else ()), *merges):
            a, b = find(one), find(other)
            if a != b and not (settled and _parted(a, b, settled.apart, find)):
                keep, gone = sorted((a, b), key=lambda h: int(h[1:]))
                root[gone] = keep
        return {handle: find(handle) for handle in root}

    # --- names ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _moves(self) -> tuple[tuple[str, str, frozenset[str]], ...]:
        """Names that are another's: (whose they were given as, whose they are, which)."""
        found = []
        overruled = {one.id for one in self.settled.overruled}
        for ruling in self.known_rulings:
            decision = ruling.decision
            if ruling.id in overruled:
                continue
            if isinstance(decision, Split) and decision.surfaces and all(ruling.ends):
                found.append((*ruling.ends, frozenset(decision.surfaces)))
            elif isinstance(decision, NeverMerge) and all(ruling.ends):
                a, b = _surface(decision.entity), _surface(decision.other)
                pairs = ((*ruling.ends, b), (*reversed(ruling.ends), a)) if a and b and a != b else ()
                found += [(one, other, frozenset({name})) for one, other, name in pairs]
        return tuple(found)  # type: ignore[arg-type]

    def cast_facts(
        self, facts: Iterable[Fact], same: Mapping[str, str], known: Mapping[str, EntityFact]
    ) -> Iterator[Fact]:
        """Yield the facts the cast is folded from: names given back to whom the author said they are of.

        `same` are the merges, `known` the entities folded before.
        """
        moves = {
            (same.get(a, a), name): b
            for a, b, names in self._moves
            for name in names
            if same.get(a, a) != same.get(b, b)
        }
        entered = dict(known)
        for fact in facts:
            if isinstance(fact, EntityFact):
                entered.setdefault(same.get(fact.entity, fact.entity), fact)
            elif isinstance(fact, NameFact):
                if self._hidden_name(fact, same):
                    continue
                owner = same.get(fact.entity, fact.entity)
                other = moves.get((owner, fact.surface), "")
                if other:
                    if same.get(other, other) not in entered:
                        entered[same.get(other, other)] = brought = self._brought_in(fact, other, entered.get(owner))
                        yield brought
                    yield fact.model_copy(update={"entity": other})
                    continue
            yield fact

    def _hidden_name(self, fact: NameFact, same: Mapping[str, str]) -> bool:
        hidden = self.settled.hidden
        return ("name", (fact.entity,), (fact.surface,)) in hidden or (
            "name",
            (same.get(fact.entity, fact.entity),),
            (fact.surface,),
        ) in hidden

    def _brought_in(self, name: NameFact, handle: str, first: EntityFact | None) -> EntityFact:
        """Return the entity a name belongs to that the facts gave to another."""
        anchor = next((anchor for anchor, given in self.handles.items() if given == handle), "")
        kind = first.entity_kind if first else "character"
        return EntityFact(entity=handle, entity_kind=kind, label=name.surface, anchor=anchor, chapter=name.chapter)

    def label_of(self, handle: str, surfaces: Iterable[str], root: Root) -> str:
        """Return how the author calls an entity, "" where he does not, or where readers do not know the name yet."""
        told = set(surfaces)
        for ruling in self.settled.labels:
            label = ruling.decision.label if isinstance(ruling.decision, Rename) else ""
            known = self.plane == "author" or 0 < ruling.chapter <= self.through or label in told
            if known and root(ruling.ends[0]) == handle:
                return label
        return ""

    def given_away(self, handle: str, root: Root) -> frozenset[str]:
        """Return names that facts gave to `handle` and that are another's, or rejected as a name of `handle`."""
        moved = {name for a, b, names in self._moves if root(a) == handle and root(b) != handle for name in names}
        hidden = (key for key in self.settled.hidden if key[0] == "name")
        return frozenset(moved.union(*(words for _, ends, words in hidden if ends[0] and root(ends[0]) == handle)))

    # --- what is hidden ---------------------------------------------------------------------------------------------------

    def gone(self, root: Root) -> frozenset[str]:
        """Return the entities that are none, as they are called after merges."""
        return frozenset(map(root, self.settled.gone))

    def left(self, facts: Iterable[Fact], root: Root) -> tuple[Fact, ...]:
        """Return the facts that are not hidden, without what they say of entities that are."""
        gone = self.gone(root)
        hidden = self.settled.hidden | {rooted(key, root) for key in self.settled.hidden}
        found = (left_of(fact, root, gone, hidden) for fact in facts)
        return tuple(fact for fact in found if fact is not None)

    # --- what depends on them -----------------------------------------------------------------------------------------------

    def see_alike(self, other: Rulings) -> bool:
        """Say whether both know the same decisions and the same new names."""
        return self.known_rulings == other.known_rulings and self._named == other._named

    @property
    def _named(self) -> tuple[str, ...]:
        if self.plane == "author":
            return ()
        return tuple(
            r.id for r in self.known_rulings if isinstance(r.decision, Rename) and 0 < r.chapter <= self.through
        )

    def touching(self, facts: Iterable[Fact]) -> tuple[Ruling, ...]:
        """Return the decisions that may change how these facts are seen."""
        if not self:
            return ()
        handles: set[str] = set()
        keys: set[Key] = set()
        for fact in facts:
            handles.update(getattr(fact, name, "") for name in OWNERS)
            key = key_of(fact)
            if key:
                keys.add(key)
        return tuple(r for r in self.known_rulings if r.handles & handles or any(is_about(key, keys) for key in r.keys))

    def kept_at(self, step: str, chapter: int) -> tuple[Kept, ...]:
        """Return what the author confirmed of a step's facts whose words stand in a chapter now."""
        hidden = self.settled.hidden if self else frozenset()
        return tuple(
            kept
            for r in self.known_rulings
            if isinstance(r.decision, Confirm) and not hidden & set(r.keys)
            for kept, no in zip(r.decision.kept, r.kept, strict=True)
            if kept.step == step and no == chapter
        )

    def hash_of(self, rulings: Sequence[Ruling]) -> str:
        """Return a hash over what these decisions do here, "" for none; when they were taken is not in it."""
        said = [
            [
                r.decision.kind,
                r.ends,
                r.keys,
                getattr(r.decision, "label", ""),
                getattr(r.decision, "surfaces", ()),
                getattr(r.decision, "status", ""),
                isinstance(r.decision, Rename) and 0 < r.chapter <= self.through,
            ]
            for r in rulings
        ]
        return content_hash("rulings", said) if said else ""


NO_RULINGS = Rulings()


def _parted(a: str, b: str, apart: Iterable[tuple[str, str]], find: Root) -> bool:
    return any({find(x), find(y)} == {a, b} for x, y in apart)


def _surface(anchor: str) -> str:
    """Return the name an anchor says its handle was given for, "" where it tells none of one bearer alone."""
    kind, _, name = anchor.partition(":")
    return name if kind == "name" and "#" not in name else ""
