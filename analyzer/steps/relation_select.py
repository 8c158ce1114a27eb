"""Decides who stands in some relation of a family to whom; must not decide which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import FAMILIES, Fact, Family, ProposalFact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.steps._relations import BEINGS, FAMILY_WORDS, cast_here, kind_options, pair_of
from analyzer.steps._scope import brief, cast_mentions, ref_of, together
from analyzer.steps._step import Answered, AskStep, Effects, Unit

MAX_PICKS = 12
"""Most picks of one line; the gold chapters hold at most nine for one person and family."""


@dataclass(frozen=True)
class SelectCandidate:
    """One being of the chapter and one family; `options` are handles whose kind fits."""

    handle: str
    family: Family
    options: tuple[Option, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[SelectCandidate]:
    """Return every person and group of the chapter in every family that has somebody to offer."""
    here = cast_here(unit, bible)
    kinds = {h: bible.cast[h].entity.entity_kind for h in here.handles}
    offered = {h: bible.cast[h].option for h in here.handles}
    found: list[SelectCandidate] = []
    for family in FAMILIES:
        for handle in here.handles:
            if kinds[handle] not in BEINGS:
                continue
            others = tuple(
                offered[o] for o in here.handles if o != handle and kind_options(family, kinds[handle], kinds[o])
            )
            if others:
                found.append(SelectCandidate(handle, family, others))
    return found


def question(candidate: SelectCandidate, unit: Unit, bible: Bible) -> Question:
    """Return one short line: the person; the options are the handles of the cast."""
    entry = bible.cast[candidate.handle]
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="relation.select",
            chapter=unit.chapter.no,
            about=(ref_of(entry, bible),),
            detail=candidate.family,
        ),
        type="select",
        text=brief(entry, bible),
        options=candidate.options,
        max_picks=MAX_PICKS,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return each (pair, family) once, with the sentences where the two stand nearest; cue pairs are added by code."""
    mentions = cast_mentions(unit, bible)
    because: dict[tuple[Family, str, str], list[str]] = {}
    for item in answered:
        candidate: SelectCandidate = item.candidate
        for other in item.answer.picked if item.answer.status == "answered" else ():
            pair = pair_of(candidate.handle, other, bible)
            because.setdefault((candidate.family, *pair), []).append(item.answer_id)
    for handle, entry in bible.cast.items():
        tied_to = bible.root(entry.entity.tied_to) if entry.entity.tied_to else ""
        if tied_to and tied_to != handle and entry.entity.chapter == unit.chapter.no and tied_to in bible.cast:
            because.setdefault(("kin", *pair_of(handle, tied_to, bible)), [])
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for (family, first, second), ids in sorted(
        because.items(), key=lambda row: (FAMILIES.index(row[0][0]), [bible.arrival[h] for h in row[0][1:]])
    ):
        fact = ProposalFact(
            chapter=unit.chapter.no,
            family=family,
            first=first,
            second=second,
            origin="select" if ids else "cue",
            hints=together(unit, mentions, first, second),
        )
        facts.append((fact, tuple(dict.fromkeys(ids))))
    return Effects(tuple(facts))


def slots(group: str, unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the family in words."""
    return {"family": FAMILY_WORDS[next(f for f in FAMILIES if f == group)]}


STEP = AskStep(
    name="relation_select",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"proposal"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="relation_select",
    pack_size=48,
    n_groups=6,
    pack_by=lambda candidate: str(candidate.family),
    slots=slots,
    suspicious_none=True,
)
