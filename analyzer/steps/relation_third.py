"""Takes a further look at claims whose votes split or whose kind is error-prone."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.steps._confirm import ConfirmCandidate, claims_here, confirm_effects, confirm_question
from analyzer.steps._step import AskStep, Unit

ERROR_PRONE = frozenset({"acquaintance_of", "suspects"})
"""Kinds looked at a third time even after two votes for them. Source: the low-confidence kinds of the vocabulary, on which
human readers agree least. One denial does not fell them, but `why` and the votes shown tell of it."""


def disputed(unit: Unit, bible: Bible) -> Sequence[ConfirmCandidate]:
    """Return claims whose votes split, and those of an error-prone kind, unless both votes deny them."""
    votes: dict[str, list[str]] = {}
    for vote in bible.votes(unit.chapter.no):
        if vote.wording != "third":
            votes.setdefault(vote.claim, []).append(vote.vote)
    return [c for c in claims_here(unit, bible) if _unsettled(c.claim.relation, votes.get(c.claim.claim, []))]


def _unsettled(relation: str, votes: Sequence[str]) -> bool:
    return votes != ["deny", "deny"] and (votes != ["for", "for"] or relation in ERROR_PRONE)


NAME = "relation_third"
STEP = AskStep(
    name=NAME,
    reads=frozenset({"entity", "name", "same", "claim", "vote"}),
    writes=frozenset({"vote"}),
    candidates=disputed,
    question=confirm_question(NAME, "third"),
    effects=confirm_effects(NAME, "third"),
    prompt="relation_third",
    pack_size=20,
    confirms=True,
)
