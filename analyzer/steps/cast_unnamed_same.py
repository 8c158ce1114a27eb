"""Decides whether two unnamed entities of a chapter are one; must not join named ones with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact, SameFact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.text import Place
from analyzer.steps._cast import KIND_CLASS
from analyzer.steps._options import letters
from analyzer.steps._scope import brief, cast_mentions, evidence_of, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit


@dataclass(frozen=True)
class TwinCandidate:
    """An unnamed entity new in this chapter, where it stands, and the unnamed ones it might be."""

    handle: str
    others: tuple[str, ...]
    places: tuple[Place, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[TwinCandidate]:
    """Return each new unnamed entity that has another unnamed one of its kind in the chapter before it."""
    mentions = cast_mentions(unit, bible)
    unnamed = [
        h
        for h, e in bible.cast.items()
        if not e.entity.named and (h in mentions.spots or e.entity.chapter == unit.chapter.no)
    ]
    found: list[TwinCandidate] = []
    for at, handle in enumerate(unnamed):
        entity = bible.cast[handle].entity
        if entity.chapter != unit.chapter.no:
            continue
        others = tuple(
            o
            for o in unnamed[:at]
            if KIND_CLASS[bible.cast[o].entity.entity_kind] == KIND_CLASS[entity.entity_kind]
            and bible.cast[o].entity.entity_kind == entity.entity_kind
        )
        if others:
            found.append(TwinCandidate(handle, others[-8:], mentions.places(handle, 3)))
    return found


def question(candidate: TwinCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the unnamed one with the others it might be."""
    entry = bible.cast[candidate.handle]
    options = tuple(
        Option(
            mark=letters(i),
            key=f"is:{other}",
            text=brief(bible.cast[other], bible),
            ref=ref_of(bible.cast[other], bible),
        )
        for i, other in enumerate(candidate.others)
    )
    return Question(
        key=QuestionKey(
            step=STEP.name, ask="cast.twin", chapter=unit.chapter.no, about=(ref_of(entry, bible, candidate.places),)
        ),
        type="choice",
        text=f"{brief(entry, bible)} ({' '.join(str(p) for p in candidate.places)})",
        options=options,
        evidence="may",
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return merges into the older handle."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status == "answered" and item.answer.pick.startswith("is:"):
            same = SameFact(
                entity=item.candidate.handle,
                same_as=item.answer.pick[3:],
                chapter=unit.chapter.no,
                evidence=evidence_of(unit, item.answer),
            )
            facts.append((same, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="cast_unnamed_same",
    reads=frozenset({"entity", "name"}),
    writes=frozenset({"same"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="cast_unnamed_same",
    part="cast",
    carries=True,
    stage="chapter",
    pack_size=60,
)
