"""Decisions that contradict each other, settled: the latest wins, one that a later one contradicts does nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.factkeys import Key, Root
from analyzer.models.decision import Confirm, Decision, Merge, NeverMerge, Reject, Rename, Reveal, Split


class Ruling(NamedTuple):
    """A decision in force: `ends` are handles of the entities it names ("" for anchors without one), `keys` those of facts.

    `chapter` is the chapter whose words carry it for readers, 0 where none does; `kept` those of the facts confirmed.
    """

    id: str
    decision: Decision
    ends: tuple[str, ...] = ()
    keys: tuple[Key, ...] = ()
    chapter: int = 0
    kept: tuple[int, ...] = ()

    @property
    def needs_words(self) -> bool:
        """Whether readers must have read something before it may show: what only hides or parts shows them nothing."""
        return isinstance(self.decision, Merge | Rename) or (
            isinstance(self.decision, Reveal) and self.decision.status == "confirmed"
        )

    @property
    def handles(self) -> frozenset[str]:
        """Every handle it is about."""
        return frozenset((*self.ends, *(end for _, ends, _ in self.keys for end in ends))) - {""}

    def joins(self) -> bool:
        """Whether it makes one of two."""
        return isinstance(self.decision, Merge) or (
            isinstance(self.decision, Reveal) and self.decision.status == "confirmed"
        )

    def parts(self) -> bool:
        """Whether it keeps two apart."""
        return isinstance(self.decision, NeverMerge | Split) or (
            isinstance(self.decision, Reveal) and self.decision.status == "rejected"
        )


class Overruled(NamedTuple):
    """A decision that a later one contradicts."""

    id: str
    by: str


class Settled(NamedTuple):
    """What holds after contradictions: pairs joined and kept apart, keys and entities hidden, newest names first."""

    joins: tuple[tuple[str, str], ...]
    apart: tuple[tuple[str, str], ...]
    hidden: frozenset[Key]
    gone: frozenset[str]
    labels: tuple[Ruling, ...]
    overruled: tuple[Overruled, ...]


class _Later(NamedTuple):
    """What later decisions that hold say: `one` are merges of an analysis that the author confirmed, which join nobody by themselves."""

    joins: list[tuple[Ruling, str, str]]
    one: list[tuple[Ruling, str, str]]
    apart: list[tuple[Ruling, str, str]]
    keys: dict[Key, Ruling]
    labels: list[Ruling]

    def take(self, ruling: Ruling) -> None:
        """Take in a decision that holds."""
        if isinstance(ruling.decision, Confirm | Reject):
            self.keys.update(dict.fromkeys(ruling.keys, ruling))
            pairs = self.apart if isinstance(ruling.decision, Reject) else self.one
            pairs += [(ruling, *ends) for ends in _same(ruling)]
        elif ruling.ends[0] and ruling.ends[1]:
            (self.joins if ruling.joins() else self.apart).append((ruling, *ruling.ends))  # type: ignore[arg-type]


def settle(rulings: Sequence[Ruling]) -> Settled:
    """Return what holds of decisions, given oldest first."""
    later = _Later([], [], [], {}, [])
    overruled: list[Overruled] = []
    for ruling in reversed(rulings):
        against = _against(ruling, later)
        if against:
            overruled.append(Overruled(ruling.id, against.id))
        if isinstance(ruling.decision, Rename):
            later.labels.append(ruling)  # readers may not know the later name yet
        elif not against:
            later.take(ruling)
    rejected = {key: r for key, r in later.keys.items() if isinstance(r.decision, Reject)}
    pairs = [(a, b) for r, a, b in later.apart if isinstance(r.decision, Reveal)]
    reveals: set[Key] = {("reveal", pair, ()) for a, b in pairs for pair in ((a, b), (b, a))}
    return Settled(
        tuple((a, b) for _, a, b in later.joins),
        tuple((a, b) for _, a, b in later.apart),
        frozenset(rejected.keys() | reveals),
        frozenset(ends[0] for kind, ends, _ in rejected if kind == "entity" and ends[0]),
        tuple(later.labels),
        tuple(overruled),
    )


def is_dated_anew(ruling: Ruling, later: Ruling) -> bool:
    """Say whether a later decision says the same as this one and names another sentence that shows it to readers."""
    if frozenset(ruling.ends) != frozenset(later.ends) or not all(ruling.ends):
        return False
    if not (ruling.needs_words and later.needs_words) or later.decision == ruling.decision:
        return False
    says_same = ruling.joins() == later.joins() and _label(ruling) == _label(later)
    return says_same and getattr(later.decision, "words", None) is not None


def _against(ruling: Ruling, later: _Later) -> Ruling | None:
    """Return the later decision that contradicts this one."""
    if isinstance(ruling.decision, Confirm | Reject):
        return _against_facts(ruling, later)
    if isinstance(ruling.decision, Rename):
        newest = next((r for r in later.labels if r.ends == ruling.ends), None)
        return newest if newest and (_label(newest) != _label(ruling) or is_dated_anew(ruling, newest)) else None
    if not all(ruling.ends):
        return None
    if ruling.joins():
        find = _find(later.joins)
        pair = set(map(find, ruling.ends))
        anew = next((r for r, _, _ in later.joins if is_dated_anew(ruling, r)), None)
        return anew or next((r for r, x, y in later.apart if len(pair) > 1 and {find(x), find(y)} == pair), None)
    return _against_parting(ruling, later)


def _against_facts(ruling: Ruling, later: _Later) -> Ruling | None:
    found = next((later.keys[key] for key in ruling.keys if key in later.keys), None)
    if found:
        return found if found.decision.kind != ruling.decision.kind else None
    if isinstance(ruling.decision, Reject):
        said = [{ends[0]} for kind, ends, _ in ruling.keys if kind == "entity"] + list(map(set, _same(ruling)))
        return next((r for r, a, b in later.joins for ends in said if ends <= {a, b}), None)
    find = _find([*later.joins, *later.one])
    pairs = [set(map(find, ends)) for ends in _same(ruling)]
    names = {(ends[0], words[0]) for kind, ends, words in ruling.keys if kind == "name"}
    given = {r.id for r, x, _ in later.apart if names & {(x, name) for name in _surfaces(r)}}
    return next((r for r, x, y in later.apart if r.id in given or {find(x), find(y)} in pairs), None)


def _against_parting(ruling: Ruling, later: _Later) -> Ruling | None:
    names: set[Key] = {("name", (ruling.ends[0],), (name,)) for name in _surfaces(ruling)}
    confirmed = next((r for key, r in later.keys.items() if key in names and isinstance(r.decision, Confirm)), None)
    if confirmed:
        return confirmed
    joined = [*later.joins, *later.one]
    find = _find(joined)
    a, b = map(find, ruling.ends)
    return next((r for r, x, _ in joined if find(x) == a == b), None)


def _same(ruling: Ruling) -> list[tuple[str, str]]:
    """Return the merges of an analysis that a decision confirms or rejects."""
    return [(ends[0], ends[1]) for kind, ends, _ in ruling.keys if kind == "same" and all(ends)]


def _surfaces(ruling: Ruling) -> tuple[str, ...]:
    """Return the names that a decision gives to another."""
    return ruling.decision.surfaces if isinstance(ruling.decision, Split) else ()


def _label(ruling: Ruling) -> str:
    return ruling.decision.label if isinstance(ruling.decision, Rename) else ""


def _find(joins: Iterable[tuple[Ruling, str, str]]) -> Root:
    root: dict[str, str] = {}

    def find(handle: str) -> str:
        while handle in root:
            handle = root[handle]
        return handle

    for _, one, other in joins:
        a, b = find(one), find(other)
        if a != b:
            root[a] = b
    return find
