"""Why a fact is there, or why a claim fell: the chain of questions, options, answers, votes, rules and costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analyzer.bible import fold
from analyzer.export.trails import LEADING, LEADS, Root, in_words, is_vote, leads_of, leads_to_nothing, story_ids
from analyzer.models.base import Record
from analyzer.models.facts import (
    RELATION_KINDS,
    ClaimFact,
    DetailFact,
    EntityFact,
    ProposalFact,
    RelationFact,
    SameFact,
    StoredFact,
    VoteFact,
)
from analyzer.models.issue import Issue
from analyzer.models.question import Option
from analyzer.models.rows import AnswerRow
from analyzer.models.run import CallRecord
from analyzer.models.story import SpeechFact


class AskedRow(Record):
    """One question behind a fact: as shown, with the answer, who gave it and its share of the call's tokens and cost."""

    step: str
    key: str
    question: str
    options: tuple[str, ...]
    picked: tuple[str, ...]
    sentences: tuple[str, ...]
    raw: str
    status: str
    model: str
    answered_by: str
    wording: int
    input_tokens: float | None = None
    output_tokens: float | None = None
    cost_usd: float | None = None


class WhyRow(Record):
    """A fact, or a claim that fell, with everything it rests on; `trail` are the notices and notes that led to it."""

    fact_id: str
    what: str
    kept: bool
    rule: str
    evidence: tuple[str, ...]
    votes: tuple[str, ...]
    asked: tuple[AskedRow, ...]
    trail: tuple[str, ...] = ()


def _options(options: Sequence[Option]) -> tuple[str, ...]:
    """Return options as shown; those whose text stands in the prefix are handles, listed together."""
    handles = [o.mark for o in options if not o.text]
    shown = tuple(f"{o.mark}={o.text}" for o in options if o.text)
    return (*shown, f"a handle of the cast: {' '.join(handles)}") if handles else shown


def asked_row(row: AnswerRow, call: CallRecord | None) -> AskedRow:
    """Return a question as shown and what came back; tokens and cost are the call's, divided by its questions."""
    share = 1 / call.n_questions if call and call.n_questions else 0.0
    usage = call.usage if call else None
    return AskedRow(
        step=row.step,
        key=row.key,
        question=row.question.text,
        options=_options(row.question.options),
        picked=row.answer.picked,
        sentences=tuple(str(p) for p in row.answer.sentences),
        raw=row.answer.raw,
        status=row.answer.status,
        model=row.model,
        answered_by=row.answered_by,
        wording=row.wording,
        input_tokens=round(usage.total_input * share, 1) if usage else None,
        output_tokens=round(usage.output * share, 1) if usage else None,
        cost_usd=call.cost_usd * share if call and call.cost_usd is not None else None,
    )


def _chain(fact: RelationFact, stored: Sequence[StoredFact]) -> list[StoredFact]:
    """Return proposal, claim, details and votes a relation rests on, in that order."""
    found = [s for s in stored if isinstance(s.fact, ClaimFact | DetailFact | VoteFact) and s.fact.claim == fact.claim]
    claims = [s.fact for s in found if isinstance(s.fact, ClaimFact)]
    wanted = [({c.subject, c.object}, RELATION_KINDS[c.relation].family) for c in claims]
    proposals = [
        s
        for s in stored
        if isinstance(s.fact, ProposalFact)
        and s.fact.chapter == fact.chapter
        and ({s.fact.first, s.fact.second}, s.fact.family) in wanted
    ]
    return [*proposals, *found]


def why_fact(
    stored: StoredFact,
    everything: Sequence[StoredFact],
    answers: Mapping[str, AnswerRow],
    calls: Mapping[str, CallRecord],
    *,
    rejected_by: str = "",
) -> WhyRow:
    """Return the chain behind a stored fact; `rejected_by` is the author's decision that hides it."""
    if isinstance(stored.fact, RelationFact):
        chain = _chain(stored.fact, everything)
    else:
        chain = leads_of(stored.fact, everything, _roots(everything))
    because = dict.fromkeys(answer for s in (*chain, stored) for answer in s.because)
    evidence = _shown_words([stored])
    return WhyRow(
        fact_id=stored.fact_id,
        what=_what(stored),
        kept=not rejected_by,
        rule=f"the author rejected it ({rejected_by})" if rejected_by else _rule(stored),
        evidence=evidence,
        votes=_votes(chain),
        asked=_asked(because, answers, calls),
        trail=_trail(chain),
    )


def _rule(stored: StoredFact) -> str:
    if isinstance(stored.fact, SpeechFact):
        return f"the speaker is known by: {stored.fact.by}"
    at_door = isinstance(stored.fact, RelationFact) or stored.fact.fact in LEADS
    return "passed every rule at the door" if at_door else f"written by {stored.step}"


def _votes(chain: Iterable[StoredFact]) -> tuple[str, ...]:
    """Return the votes of a chain: those on a claim, and verdicts of looks and doubts."""
    return tuple(
        f"{s.fact.wording}: {s.fact.vote}" if isinstance(s.fact, VoteFact) else in_words(s.fact)
        for s in chain
        if isinstance(s.fact, VoteFact) or is_vote(s.fact)
    )


def _trail(chain: Iterable[StoredFact]) -> tuple[str, ...]:
    """Return the notices and notes of a chain."""
    return tuple(in_words(s.fact) for s in chain if s.fact.fact in LEADING and not is_vote(s.fact))


def _roots(everything: Sequence[StoredFact]) -> Root:
    facts = [s.fact for s in everything if isinstance(s.fact, SameFact)]
    return fold(facts, through=max((f.chapter for f in facts), default=0)).root


def why_fallen(
    issue_id: str,
    issue: Issue,
    everything: Sequence[StoredFact],
    answers: Mapping[str, AnswerRow],
    calls: Mapping[str, CallRecord],
) -> WhyRow:
    """Return the chain behind an issue: a claim that fell, an answer that could not be used."""
    claim = next(
        (
            s
            for s in everything
            if isinstance(s.fact, ClaimFact)
            and s.fact.chapter == issue.chapter
            and (s.fact.subject, s.fact.relation, s.fact.object) == issue.about
        ),
        None,
    )
    chain = [
        s for s in everything if claim and isinstance(s.fact, ClaimFact | VoteFact) and s.fact.claim == _claim_of(claim)
    ]
    chain = chain or leads_to_nothing(issue, everything)
    because = dict.fromkeys((*issue.because, *(a for s in chain for a in s.because)))
    return WhyRow(
        fact_id=issue_id,
        what=" ".join(issue.about),
        kept=False,
        rule=f"{issue.code}: {issue.detail}",
        evidence=_shown_words([claim] if claim else chain),
        votes=_votes(chain),
        asked=_asked(because, answers, calls),
        trail=_trail(chain),
    )


def _shown_words(chain: Iterable[StoredFact]) -> tuple[str, ...]:
    found = (f"{e.place} ({e.source}) {e.text}" for s in chain for e in getattr(s.fact, "evidence", ()))
    return tuple(dict.fromkeys(found))


def _claim_of(stored: StoredFact) -> str:
    return stored.fact.claim if isinstance(stored.fact, ClaimFact) else ""


def _asked(
    because: Iterable[str], answers: Mapping[str, AnswerRow], calls: Mapping[str, CallRecord]
) -> tuple[AskedRow, ...]:
    return tuple(asked_row(answers[a], calls.get(answers[a].call_id)) for a in because if a in answers)


def _what(stored: StoredFact) -> str:
    fact = stored.fact
    if isinstance(fact, RelationFact):
        return f"{fact.subject} {fact.relation} {fact.object} ({fact.status}), chapter {fact.chapter}"
    shown = fact.model_dump(exclude={"evidence", "fact"})
    return f"{fact.fact}: " + ", ".join(f"{k}={v}" for k, v in shown.items() if v not in ("", (), None, False))


FEWEST_OF_AN_ID = 6
"""Characters of an id that may stand for it; fewer would often mean several facts."""


def _is_id(found: str, wanted: str) -> bool:
    tail, short = found.split(":")[-1], wanted.split(":")[-1]
    return found == wanted or (len(short) >= FEWEST_OF_AN_ID and tail.startswith(short))


def is_meant(stored: StoredFact, wanted: str) -> bool:
    """Return whether `wanted` is this fact: its id or the beginning of it, a relation's words, an entity's handle.

    The id of a change, secret, piece, thread or reveal means every fact of the story that carries it.
    """
    words = wanted.split()
    fact = stored.fact
    if isinstance(fact, RelationFact) and words == [fact.subject, fact.relation, fact.object]:
        return True
    if wanted in story_ids(fact):
        return True
    return (isinstance(fact, EntityFact) and words == [fact.entity]) or _is_id(stored.fact_id, wanted)


def is_meant_issue(issue_id: str, issue: Issue, wanted: str) -> bool:
    """Return whether `wanted` is this issue: its id or the beginning of it, or the words it is about."""
    words = wanted.split()
    return _is_id(issue_id, wanted) or (bool(words) and words == " ".join(issue.about).split())
