"""Decides kind and direction of a proposed pair, with the sentences that show it; must not decide status or truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.hashing import content_hash
from analyzer.models.facts import RELATION_KINDS, ClaimFact, Fact, Family
from analyzer.models.issue import Issue
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._relations import kind_options, pair_of, statement
from analyzer.steps._scope import brief, evidence_of, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

MAX_KINDS = 3
"""Kinds that may hold at once between two in one family. Source: at most three in the gold chapters."""


@dataclass(frozen=True)
class KindCandidate:
    """A proposed pair in one family and where the two stand nearest."""

    first: str
    second: str
    family: Family
    hints: tuple[Place, ...]
    because: tuple[str, ...] = ()


def candidates(unit: Unit, bible: Bible) -> Sequence[KindCandidate]:
    """Return every proposal whose ends are in the cast."""
    return [
        KindCandidate(p.first, p.second, p.family, p.hints)
        for p in bible.proposals(unit.chapter.no)
        if p.first in bible.cast and p.second in bible.cast
    ]


def question(candidate: KindCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the pair with every kind and direction spelled out by handle."""
    first, second = bible.cast[candidate.first], bible.cast[candidate.second]
    rows = []
    for kind, swapped in kind_options(candidate.family, first.entity.entity_kind, second.entity.entity_kind):
        subject, target = (second.handle, first.handle) if swapped else (first.handle, second.handle)
        rows.append((f"{kind}:{'ba' if swapped else 'ab'}", statement(kind, subject, target), None))
    options: tuple[Option, ...] = lettered(rows)
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="relation.kind",
            chapter=unit.chapter.no,
            about=(ref_of(first, bible, candidate.hints), ref_of(second, bible, candidate.hints)),
            detail=candidate.family,
        ),
        type="select",
        text=f"{brief(first, bible)} and {brief(second, bible)}",
        options=options,
        evidence="must",
        sentences=candidate.hints,
        max_picks=MAX_KINDS,
    )


def claim_id(chapter: int, subject: str, relation: str, target: str) -> str:
    """Return the stable id of a claim; `chapter` is what the chapter is known by wherever it stands."""
    return content_hash("claim", [chapter, subject, relation, target])


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return claims with evidence in canonical direction; a pick without a sentence of the chapter is an issue."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    issues: list[Issue] = []
    seen: set[str] = set()
    for item in answered:
        if item.answer.status != "answered":
            continue
        for pick in item.answer.picked:
            evidence = evidence_of(unit, item.answer, pick)
            relation, _, order = pick.partition(":")
            ends = (item.candidate.first, item.candidate.second)
            subject, target = ends if order == "ab" else ends[::-1]
            if RELATION_KINDS[relation].symmetric:
                subject, target = pair_of(subject, target, bible)
            if not evidence:
                issues.append(
                    Issue(
                        code="no_evidence",
                        step=STEP.name,
                        chapter=unit.chapter.no,
                        about=(subject, relation, target),
                        detail="no sentence of this chapter was named",
                        because=(item.answer_id,),
                    )
                )
                continue
            claim = claim_id(unit.chapter.identity, subject, relation, target)
            if claim not in seen:
                seen.add(claim)
                fact = ClaimFact(
                    claim=claim,
                    chapter=unit.chapter.no,
                    subject=subject,
                    relation=relation,
                    object=target,
                    evidence=evidence,
                )
                facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts), tuple(issues))


def slots(group: str, unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the shape of an answer with two marks; its sentence numbers are those of the answer format's illustration."""
    return {"example": "`b 12.3 e 14.1 14.2`"}


STEP = AskStep(
    name="relation_kind",
    reads=frozenset({"entity", "name", "same", "proposal"}),
    writes=frozenset({"claim"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="relation_kind",
    slots=slots,
    pack_size=24,
    suspicious_none=True,
)
