"""The shape of a confirmation: a claim put again as a choice, never as yes or no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from analyzer.bible import Bible
from analyzer.models.facts import RELATION_KINDS, ClaimFact, Fact, VoteFact, VoteValue
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.prompts.phrases import phrases
from analyzer.steps._options import lettered
from analyzer.steps._relations import claim_refs, fits, statement
from analyzer.steps._scope import brief, evidence_of
from analyzer.steps._step import Answered, Effects, Unit

Wording = Literal["first", "second", "third"]
DENY = {
    "first": "not told here, or denied",
    "second": "nothing of the kind is told, or it is untrue",
    "third": "the chapter does not bear this out",
}
TURNS: dict[Wording, int] = {"first": 1, "second": 0, "third": 2}
"""Places by which each wording moves the options: with three or more, none keeps its mark in any two of them."""
VOTES: dict[str, VoteValue] = {"for": "for", "reverse": "reverse", "nearest": "nearest", "deny": "deny"}


@dataclass(frozen=True)
class ConfirmCandidate:
    """A claim to be put once more."""

    claim: ClaimFact


def claims_here(unit: Unit, bible: Bible) -> Sequence[ConfirmCandidate]:
    """Return the chapter's claims whose ends are in the cast."""
    return [
        ConfirmCandidate(claim)
        for claim in bible.claims(unit.chapter.no)
        if bible.root(claim.subject) in bible.cast and bible.root(claim.object) in bible.cast
    ]


def nearest_kind(claim: ClaimFact, subject_kind: str, object_kind: str) -> str:
    """Return the kind a claim is most easily taken for of those the vocabulary allows between these ends, or ""."""
    likely = phrases()[claim.relation].nearest
    return next((kind for kind in likely if fits(kind, subject_kind, object_kind)), "")


def confirm_options(claim: ClaimFact, wording: Wording, unit: Unit, bible: Bible) -> tuple[Option, ...]:
    """Return what a claim is put beside: the relation, its reverse, the nearest kind, denied; in the wording's order.

    A reverse or nearest kind that is claimed of the same two is left out: it may be just as true.
    """
    subject, target = bible.cast[bible.root(claim.subject)], bible.cast[bible.root(claim.object)]
    again = wording == "second"
    a, b = subject.handle, target.handle
    rows: list[tuple[str, str, Ref | None]] = [("for", statement(claim.relation, a, b, again=again), None)]
    claimed = {(bible.root(c.subject), c.relation, bible.root(c.object)) for c in bible.claims(unit.chapter.no)}
    turned = fits(claim.relation, target.entity.entity_kind, subject.entity.entity_kind)
    if turned and not RELATION_KINDS[claim.relation].symmetric and (b, claim.relation, a) not in claimed:
        rows.append(("reverse", statement(claim.relation, b, a, again=again), None))
    nearest = nearest_kind(claim, subject.entity.entity_kind, target.entity.entity_kind)
    if nearest and not {(a, nearest, b), (b, nearest, a)} & claimed:
        rows.append(("nearest", statement(nearest, a, b, again=again), None))
    rows.append(("deny", DENY[wording], None))
    return lettered(rows, seed=f"{claim.claim}:turn", turn=TURNS[wording])


def confirm_question(step: str, wording: Wording) -> Callable[[ConfirmCandidate, Unit, Bible], Question]:
    """Return the question function of one wording."""

    def question(candidate: ConfirmCandidate, unit: Unit, bible: Bible) -> Question:
        claim = candidate.claim
        subject, target = bible.cast[bible.root(claim.subject)], bible.cast[bible.root(claim.object)]
        pair = (brief(subject, bible), brief(target, bible))
        return Question(
            key=QuestionKey(
                step=step,
                ask="relation.confirm",
                chapter=unit.chapter.no,
                about=claim_refs(claim, bible),
                detail=f"{wording}:{claim.relation}",
            ),
            type="choice",
            text=f"{pair[1]} and {pair[0]}" if wording == "second" else f"{pair[0]} and {pair[1]}",
            options=confirm_options(claim, wording, unit, bible),
            evidence="may",
            sentences=tuple(e.place for e in claim.evidence),
        )

    return question


def by_mark_alone(claim: ClaimFact, votes: Sequence[VoteFact], unit: Unit, bible: Bible) -> bool:
    """Say whether the votes on a claim may be owed to a mark that is copied whatever it stands for.

    So it is where several votes were asked and all that could be read have the same mark, though every wording moves it to
    another option, and where only one could be read.
    """
    marks = [
        option.mark
        for vote in votes
        if vote.vote != "unparsed"
        for option in confirm_options(claim, vote.wording, unit, bible)
        if option.key == vote.picked
    ]
    return len(votes) > 1 and len(marks) == sum(vote.vote != "unparsed" for vote in votes) and len(set(marks)) == 1


def confirm_effects(step: str, wording: Wording) -> Callable[[Sequence[Answered], Unit, Bible], Effects]:
    """Return the effects function of one wording: every vote is kept, an unparsed one as such, resting on no answer."""

    def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
        facts: list[tuple[Fact, tuple[str, ...]]] = []
        for item in answered:
            vote: VoteValue = "unparsed"
            if item.answer.status == "answered":
                vote = VOTES[item.answer.pick]
            elif item.answer.status == "none":
                vote = "deny"
            fact = VoteFact(
                claim=item.candidate.claim.claim,
                chapter=unit.chapter.no,
                wording=wording,
                vote=vote,
                picked=item.answer.pick,
                evidence=evidence_of(unit, item.answer),
            )
            facts.append((fact, () if vote == "unparsed" else (item.answer_id,)))
        return Effects(tuple(facts))

    return effects
