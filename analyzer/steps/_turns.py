"""Which relations of earlier chapters may turn in a chapter, and what the turn steps share."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, Affinity
from analyzer.models.question import Ref
from analyzer.models.story import Turn, TurnVoteFact
from analyzer.steps._scope import Spot, cast_mentions, ref_of
from analyzer.steps._step import Unit
from analyzer.turns import Tie, Triple, ties

MAX_TIES = 32
"""Relations asked about in a chapter, those whose ends stand nearest to each other."""
NEAR_CHARS = 400
"""Code points within which both ends must stand. Source: the turns of the own serials' gold."""
BLOOD = frozenset({"parent_of", "sibling_of", "grandparent_of", "aunt_uncle_of", "cousin_of", "in_law_of"})
"""Ties that do not end. They may be asked about all the same where they were warm, hostile, secret or not certain."""
STILL = frozenset({"from", "lives_in", "owns", "neighbour_of"})
"""Kinds whose end is a change of state (where somebody is, what somebody has), which is told elsewhere."""
DEEDS = frozenset({"harms", "rescues", "betrays"})
"""Deeds: what is done does not end; it comes out."""
TURNS: dict[str, tuple[Turn, Affinity | None]] = {
    "over": ("ends", None),
    "warm": ("turns", "+"),
    "cold": ("turns", "-"),
    "known": ("revealed", None),
    "sham": ("pretended", None),
}
"""What each answer of the first look comes to."""


@dataclass(frozen=True)
class TurnCandidate:
    """A relation as it stood before this chapter."""

    tie: Tie


def ties_before(unit: Unit, bible: Bible, *, turned: bool = False) -> dict[Triple, Tie]:
    """Return the relations as they stood before this chapter; their turns only where the step may see them.

    A step that asked with them would wait for whatever is asked of the chapter before.
    """
    return ties(bible, through=unit.chapter.no - 1, turned=turned)


def can_turn(tie: Tie) -> bool:
    """Say whether anything may happen to a relation: what is over or was a sham can only come out."""
    if tie.visibility == "secret":
        return tie.relation not in STILL
    if tie.status in ("former", "pretended") or tie.relation in STILL | DEEDS:
        return False
    return tie.relation not in BLOOD or tie.affinity != "0" or tie.status == "alleged"


def ties_here(unit: Unit, bible: Bible) -> tuple[TurnCandidate, ...]:
    """Return the relations that may turn in this chapter: both ends in it and near each other, the nearest first."""
    mentions = cast_mentions(unit, bible)
    found = []
    for at, tie in enumerate(ties_before(unit, bible).values()):
        left, right = mentions.spots.get(tie.subject, ()), mentions.spots.get(tie.object, ())
        if can_turn(tie) and left and right:
            gap = _gap(left, right)
            if gap <= NEAR_CHARS:
                found.append((gap, at, TurnCandidate(tie)))
    return tuple(candidate for _, _, candidate in sorted(found, key=lambda row: row[:2])[:MAX_TIES])


def _gap(left: tuple[Spot, ...], right: tuple[Spot, ...]) -> int:
    return min(abs(a.offset - b.offset) for a in left for b in right)


def tie_refs(triple: Triple, bible: Bible) -> tuple[Ref, Ref]:
    """Return references to both ends."""
    return ref_of(bible.cast[triple[0]], bible), ref_of(bible.cast[triple[2]], bible)


def votes_here(unit: Unit, bible: Bible) -> tuple[TurnVoteFact, ...]:
    """Return this chapter's votes on turns with merged handles resolved; without those about nobody in the cast."""
    found = []
    for vote in bible.of(TurnVoteFact):
        if isinstance(vote, TurnVoteFact) and vote.chapter == unit.chapter.no:
            subject, target = bible.root(vote.subject), bible.root(vote.object)
            if RELATION_KINDS[vote.relation].symmetric:
                subject, target = bible.by_arrival(subject, target)
            if subject in bible.cast and target in bible.cast and subject != target:
                found.append(vote.model_copy(update={"subject": subject, "object": target}))
    return tuple(found)
