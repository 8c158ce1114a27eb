"""Decides status, affinity and visibility of a claim; must not decide whether it is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, ClaimFact, DetailFact, Fact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.steps._options import lettered
from analyzer.steps._relations import BEINGS, claim_refs, statement
from analyzer.steps._scope import brief
from analyzer.steps._step import Answered, AskStep, Effects, Unit

ATTRIBUTES: dict[str, tuple[tuple[str, str], ...]] = {
    "status": (
        ("current", "it holds now, or is done in this chapter"),
        ("former", "it is over, or was done before"),
        ("intended", "it is planned or wished for, not yet so"),
        ("alleged", "somebody says or believes it, the text does not bear it out"),
        ("pretended", "somebody only acts as if"),
    ),
    "affinity": (("+", "warm"), ("0", "neutral, mixed, or not told"), ("-", "hostile or cold")),
    "visibility": (("public", "known to those around them"), ("secret", "kept from others")),
}
WORDS = {"status": "Does it hold?", "affinity": "How do the two stand to each other?", "visibility": "Is it known?"}


def _options(attribute: str) -> tuple[Option, ...]:
    return lettered((key, text, None) for key, text in ATTRIBUTES[attribute])


@dataclass(frozen=True)
class DetailCandidate:
    """A claim and the attribute asked for."""

    claim: ClaimFact
    attribute: str


def candidates(unit: Unit, bible: Bible) -> Sequence[DetailCandidate]:
    """Return every claim once for each attribute it may have, attribute by attribute."""
    claims = [
        c
        for c in bible.claims(unit.chapter.no)
        if bible.root(c.subject) in bible.cast and bible.root(c.object) in bible.cast
    ]
    return [
        DetailCandidate(claim, attribute)
        for attribute in ATTRIBUTES
        for claim in claims
        if _asked(claim, attribute, bible)
    ]


SHOWN_PLACES = 2
"""Sentences of a claim put beside it. Source: a choice; the third costs as many tokens and seldom tells of its state."""
VISIBLE = frozenset({"kin", "romance", "bond", "conflict"})
"""Families in which visibility is asked. Source: all but one of the 17 secret relations of the gold chapters."""


def _asked(claim: ClaimFact, attribute: str, bible: Bible) -> bool:
    """Return whether a claim may have the attribute; who belongs, lives or comes where stands to it as to any place.

    Source of the last: 462 of 479 relations of that family in the gold chapters are neutral.
    """
    family = RELATION_KINDS[claim.relation].family
    if attribute == "visibility":
        return family in VISIBLE
    if attribute == "affinity" and family == "place":
        return False
    return attribute == "status" or bible.cast[bible.root(claim.object)].entity.entity_kind in BEINGS


def question(candidate: DetailCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the claim in words with its sentences; the options are shared by the pack."""
    claim = candidate.claim
    subject, target = bible.cast[bible.root(claim.subject)], bible.cast[bible.root(claim.object)]
    words = statement(claim.relation, brief(subject, bible), brief(target, bible))
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="relation.detail",
            chapter=unit.chapter.no,
            about=claim_refs(claim, bible),
            detail=f"{candidate.attribute}:{claim.relation}",
        ),
        type="choice",
        text=f"{words} ({' '.join(str(e.place) for e in claim.evidence[:SHOWN_PLACES])})",
        options=_options(candidate.attribute),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the details picked; none leaves the default of the vocabulary."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        attribute = item.candidate.attribute
        if item.answer.status == "answered" and attribute in ("status", "affinity", "visibility"):
            fact = DetailFact(
                claim=item.candidate.claim.claim, chapter=unit.chapter.no, attribute=attribute, value=item.answer.pick
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


def slots(group: str, unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the attribute's question."""
    return {"question": WORDS[group]}


STEP = AskStep(
    name="relation_detail",
    reads=frozenset({"entity", "name", "same", "claim"}),
    writes=frozenset({"detail"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="relation_detail",
    pack_size=100,
    n_groups=3,
    pack_by=lambda candidate: str(candidate.attribute),
    slots=slots,
)
