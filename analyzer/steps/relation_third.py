"""Takes a further look at claims whose votes split or whose kind is error-prone."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.steps._confirm import ConfirmCandidate, claims_here, confirm_effects, confirm_question
from analyzer.steps._step import AskStep, Unit


def disputed(unit: Unit, bible: Bible) -> Sequence[ConfirmCandidate]:
    """Return claims whose two votes are not both for it, but not both denials either."""
    votes: dict[str, list[str]] = {}
    for vote in bible.votes(unit.chapter.no):
        if vote.wording != "third":
            votes.setdefault(vote.claim, []).append(vote.vote)
    return [c for c in claims_here(unit, bible) if _split(votes.get(c.claim.claim, []))]


def _split(votes: Sequence[str]) -> bool:
    return votes not in (["for", "for"], ["deny", "deny"])


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
