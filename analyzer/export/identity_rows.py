"""Reveals and turns on a plane: who turns out to be whom, and how relations of earlier chapters turn."""

from __future__ import annotations

from typing import Literal

from analyzer.export.naming import Who, in_book, own_name, quotes, where, who, whos
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.models.base import Record
from analyzer.models.facts import Affinity, Status
from analyzer.models.story import RevealFact, Turn, TurnFact
from analyzer.turns import Tie

RevealStatus = Literal["proposed", "confirmed", "told"]


class RevealRow(Record):
    """`persona` is `behind`, told `to`: a proposal of the analysis until the author confirms it.

    Each side of a mask is called as before the reveal. Where words without an entity of their own turn out to mean somebody, both are that
    one, `called` are the words ("" for a doer the text has no words for), and it is told: nothing waits for the author.
    """

    reveal: str
    chapter: int
    where: str
    persona: Who
    behind: Who
    called: str
    to: tuple[Who, ...]
    status: RevealStatus
    votes: tuple[str, ...]
    evidence: tuple[QuoteRow, ...]
    fact_id: str


class TurnRow(Record):
    """A turn of a relation that stood `since` an earlier chapter; `status` and `affinities` are the relation's as of the view."""

    chapter: int
    where: str
    subject: Who
    relation: str
    object: Who
    turn: Turn
    affinity: Affinity | None
    since: int
    status: Status
    affinities: tuple[tuple[int, Affinity], ...]
    evidence: tuple[QuoteRow, ...]
    fact_id: str


def reveal_rows(view: Seen) -> tuple[RevealRow, ...]:
    """Return the reveals up to the view's chapter, in the order of the book; proposals on the author's plane alone."""
    rows = [_reveal(view, fact, fact_id) for fact, fact_id in view.each(RevealFact)]
    return tuple(sorted(rows, key=lambda row: in_book(row.where)))


def _reveal(view: Seen, fact: RevealFact, fact_id: str) -> RevealRow:
    return RevealRow(
        reveal=fact.reveal,
        chapter=fact.chapter,
        where=where(fact.chapter, fact.evidence),
        persona=_side(view, fact, fact.persona),
        behind=_side(view, fact, fact.behind),
        called=fact.called,
        to=whos(view, fact.to),
        status="confirmed" if fact.reveal in view.confirmed else "proposed" if fact.is_mask else "told",
        votes=fact.votes,
        evidence=quotes(fact.evidence),
        fact_id=fact_id,
    )


def _side(view: Seen, fact: RevealFact, handle: str) -> Who:
    """Return a side of a mask as it was called before they were one; elsewhere somebody as known by now."""
    return Who(handle=handle, name=own_name(view, handle)) if fact.is_mask else who(view, handle)


def turn_rows(view: Seen) -> tuple[TurnRow, ...]:
    """Return the turns of relations up to the view's chapter, in the order of the book.

    A turn of what the plane does not know as a relation is left out.
    """
    bible, known = view.bible, view.ties
    rows = []
    for fact, fact_id in view.each(TurnFact):
        subject, target = bible.root(fact.subject), bible.root(fact.object)
        sides = ((subject, fact.relation, target), (target, fact.relation, subject))
        tie = next((known[side] for side in sides if side in known and _took(known[side], fact)), None)
        if tie is not None:
            rows.append(_turn(view, fact, fact_id, tie))
    return tuple(sorted(rows, key=lambda row: in_book(row.where)))


def _took(tie: Tie, fact: TurnFact) -> bool:
    """Say whether a relation took this turn: a directed one has another tie the other way round."""
    return any(turn.evidence == fact.evidence and turn.turn == fact.turn for turn in tie.turns)


def _turn(view: Seen, fact: TurnFact, fact_id: str, tie: Tie) -> TurnRow:
    return TurnRow(
        chapter=fact.chapter,
        where=where(fact.chapter, fact.evidence),
        subject=who(view, tie.subject),
        relation=fact.relation,
        object=who(view, tie.object),
        turn=fact.turn,
        affinity=fact.affinity,
        since=tie.since,
        status=tie.status,
        affinities=tie.affinities,
        evidence=quotes(fact.evidence),
        fact_id=fact_id,
    )
