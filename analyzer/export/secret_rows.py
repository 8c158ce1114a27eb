"""Secrets and knowledge on a plane: who holds what, from whom it is kept, who learnt what, how somebody stands to everything."""

from __future__ import annotations

from typing import Literal

from analyzer.export.naming import Who, in_book, quotes, told, where, who, whos
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.knowledge import Known, Secret, knows, secrets
from analyzer.models.base import Record
from analyzer.models.story import READER, KnowledgeFact, SecretEvent, SecretEventFact, SecretFact, Stance, Via

SecretStatus = Literal["kept", "out"]


class SecretEventRow(Record):
    """What happened to a secret in a chapter, and before whom."""

    chapter: int
    where: str
    event: SecretEvent
    to: tuple[Who, ...]
    fact_id: str


class SecretRow(Record):
    """A secret as of a chapter: `holders` know it by then, `kept_from` do not yet; `kept` until nobody is left."""

    secret: str
    chapter: int
    where: str
    proposition: str
    holders: tuple[Who, ...]
    kept_from: tuple[Who, ...]
    status: SecretStatus
    events: tuple[SecretEventRow, ...]
    evidence: tuple[QuoteRow, ...]
    fact_id: str


class KnowledgeRow(Record):
    """Somebody comes to know, believe or suspect something in a chapter, or plainly does not know it."""

    piece: str
    chapter: int
    where: str
    knower: Who
    stance: Stance
    proposition: str
    via: Via | None
    told_by: Who | None
    secret: str
    evidence: tuple[QuoteRow, ...]
    fact_id: str


class KnownRow(Record):
    """How one stands to one thing as of a chapter: since when, by which way, from whom, with the words that show it.

    `of` is the id of the secret or of the piece; `fact_ids` are the facts it is read off, those of the first step first.
    """

    of: str
    is_secret: bool
    stance: Stance
    proposition: str
    since: int
    where: str
    via: Via | None
    told_by: Who | None
    evidence: tuple[QuoteRow, ...]
    fact_ids: tuple[str, ...]


def secret_rows(view: Seen) -> tuple[SecretRow, ...]:
    """Return the secrets up to the view's chapter, in the order in which they enter the book."""
    return tuple(_secret(view, secret) for secret in secrets(view.bible))


def _secret(view: Seen, secret: Secret) -> SecretRow:
    fact = secret.fact
    return SecretRow(
        secret=secret.id,
        chapter=fact.chapter,
        where=where(fact.chapter, fact.evidence),
        proposition=told(view, fact.proposition),
        holders=whos(view, secret.holders),
        kept_from=whos(view, secret.kept_from),
        status="kept" if secret.is_open else "out",
        events=tuple(
            SecretEventRow(
                chapter=e.chapter,
                where=where(e.chapter, e.evidence),
                event=e.event,
                to=whos(view, e.to),
                fact_id=view.id_of(e),
            )
            for e in secret.events
        ),
        evidence=quotes(secret.evidence),
        fact_id=view.id_of(fact),
    )


def knowledge_rows(view: Seen) -> tuple[KnowledgeRow, ...]:
    """Return who came to know what up to the view's chapter, in the order of the book."""
    shown = {fact.secret for fact, _ in view.each(SecretFact)}
    rows = [
        KnowledgeRow(
            piece=fact.piece,
            chapter=fact.chapter,
            where=where(fact.chapter, fact.evidence),
            knower=who(view, fact.knower),
            stance=fact.stance,
            proposition=told(view, fact.proposition),
            via=fact.via,
            told_by=who(view, fact.told_by) if fact.told_by else None,
            secret=fact.secret if fact.secret in shown else "",
            evidence=quotes(fact.evidence),
            fact_id=fact_id,
        )
        for fact, fact_id in view.each(KnowledgeFact)
    ]
    return tuple(sorted(rows, key=lambda row: in_book(row.where)))


STANCES: tuple[Stance, ...] = ("knows", "believes", "suspects", "unaware")
"""The order in which `knows` lists them."""


def known_rows(view: Seen, handle: str) -> tuple[KnownRow, ...]:
    """Return how somebody (or READER) stands to everything as of the view's chapter: what is known first, what is not last."""
    found = [_known(view, known) for known in knows(view.bible, handle)]
    return tuple(sorted(found, key=lambda row: (STANCES.index(row.stance), in_book(row.where))))


def _known(view: Seen, known: Known) -> KnownRow:
    step = known.how
    return KnownRow(
        of=known.of,
        is_secret=bool(known.secret),
        stance=known.stance,
        proposition=told(view, known.proposition),
        since=known.since,
        where=where(step.chapter, step.evidence),
        via=step.via,
        told_by=who(view, step.told_by) if step.told_by else None,
        evidence=quotes(step.evidence),
        fact_ids=_facts_of(view, known),
    )


def _facts_of(view: Seen, known: Known) -> tuple[str, ...]:
    """Return the facts that say how the knower stands to a secret or a piece, those of the step it is known by first."""
    root, me = view.bible.root, known.knower
    rows = [
        *((f.chapter, at) for f, at in view.each(SecretFact) if f.secret == known.of),
        *(
            (f.chapter, at)
            for f, at in view.each(SecretEventFact)
            if f.secret == known.of and me in (h if h == READER else root(h) for h in f.to)
        ),
        *(
            (f.chapter, at)
            for f, at in view.each(KnowledgeFact)
            if root(f.knower) == me and known.of in (f.piece, f.secret)
        ),
    ]
    return tuple(fact_id for _, fact_id in sorted(rows, key=lambda row: (row[0] != known.how.chapter, row[0])))
