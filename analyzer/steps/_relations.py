"""What the relation steps share: families in words, pairs in canonical order, which kinds fit which ends."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, ClaimFact, Family
from analyzer.models.question import Ref
from analyzer.models.text import Place
from analyzer.prompts.phrases import phrases
from analyzer.steps._scope import Mentions, cast_mentions, ref_of
from analyzer.steps._step import Unit

FAMILY_WORDS: dict[Family, str] = {
    "kin": "family: parents and children, siblings, husband and wife, engaged couples, grandparents, aunts, uncles, "
    "cousins, in-laws (also intended ones), guardians and wards",
    "romance": "love: somebody loves the other, they love each other, or they want the same person's love",
    "bond": "friends, allies, confidants, companions, neighbours, acquaintances who matter",
    "conflict": "enmity or rivalry; one betrays, harms, deceives, suspects, distrusts or blackmails the other",
    "work": "work and power: one employs, commands, serves, teaches, owes, protects or rescues the other; colleagues; clients",
    "place": "what it belongs to or leads (group, people, party, house, ship), where it lives or comes from, what it owns",
}
BEINGS = ("character", "group")


class Pair(NamedTuple):
    """Two handles in order of arrival."""

    first: str
    second: str


def pair_of(a: str, b: str, bible: Bible) -> Pair:
    """Return the two in order of arrival."""
    return Pair(*bible.by_arrival(a, b))


def fits(kind: str, subject_kind: str, object_kind: str) -> bool:
    """Return whether the vocabulary allows this kind between entities of these kinds."""
    rule = RELATION_KINDS[kind]
    return subject_kind in rule.subjects and object_kind in rule.objects


@lru_cache(maxsize=512)
def kind_options(family: Family, first_kind: str, second_kind: str) -> tuple[tuple[str, bool], ...]:
    """Return (kind, swapped) for every kind and direction of the family that fits both ends."""
    found: list[tuple[str, bool]] = []
    for kind, rule in RELATION_KINDS.items():
        if rule.family == family:
            if fits(kind, first_kind, second_kind):
                found.append((kind, False))
            if not rule.symmetric and fits(kind, second_kind, first_kind):
                found.append((kind, True))
    return tuple(found)


def statement(kind: str, subject: str, target: str, *, again: bool = False) -> str:
    """Return a relation in words, both ends as shown."""
    return phrases()[kind].put(subject, target, again=again)


class Here(NamedTuple):
    """The cast of a chapter: those it mentions, in order of arrival, and where."""

    handles: tuple[str, ...]
    mentions: Mentions


def cast_here(unit: Unit, bible: Bible) -> Here:
    """Return who stands in the chapter by name or by a description tied to a sentence."""
    mentions = cast_mentions(unit, bible)
    return Here(tuple(h for h in bible.cast if mentions.n(h)), mentions)


def claim_refs(claim: ClaimFact, bible: Bible) -> tuple[Ref, Ref]:
    """Return references to both ends of a claim, with the evidence sentences as places."""
    places: tuple[Place, ...] = tuple(e.place for e in claim.evidence)
    subject, target = bible.cast[bible.root(claim.subject)], bible.cast[bible.root(claim.object)]
    return ref_of(subject, bible, places), ref_of(target, bible, places)
