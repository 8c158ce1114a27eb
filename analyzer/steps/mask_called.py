"""Decides of whom this chapter tells that words without a name, an unknown's deed or another name mean them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import MaskFact
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, cast_mentions, evidence_of, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

MAX_PLACES = 3
"""Sentences kept of each way."""
OPTIONS = lettered(
    (
        ("stranger", "first met without a name, then told who it is", None),
        ("doer", "turns out to be an unknown one of whom something was told before", None),
        ("name", "another name of this one is told", None),
    )
)


@dataclass(frozen=True)
class CalledCandidate:
    """Somebody of the chapter, and where."""

    handle: str
    places: tuple[Place, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[CalledCandidate]:
    """Return every person the chapter mentions, in order of arrival."""
    mentions = cast_mentions(unit, bible)
    return [
        CalledCandidate(handle, mentions.places(handle, 1))
        for handle, entry in bible.cast.items()
        if entry.entity.entity_kind == "character" and mentions.n(handle)
    ]


def question(candidate: CalledCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the person; the options are shared by the pack."""
    entry = bible.cast[candidate.handle]
    return Question(
        key=QuestionKey(step=STEP.name, ask="mask.called", chapter=unit.chapter.no, about=(ref_of(entry, bible),)),
        type="select",
        text=brief(entry, bible),
        options=OPTIONS,
        evidence="must",
        max_picks=len(OPTIONS),
        max_sentences=MAX_PLACES,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a mask of one with himself for each sentence of each way picked."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        handle = item.candidate.handle
        for way in item.answer.picked if item.answer.status == "answered" else ():
            for evidence in evidence_of(unit, item.answer, way)[:MAX_PLACES]:
                mask = MaskFact(
                    chapter=unit.chapter.no,
                    persona=handle,
                    behind=handle,
                    cues=(way,),
                    vote="same",
                    evidence=(evidence,),
                )
                facts.append((mask, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="mask_called",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"mask"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="mask_called",
    part="identities",
    pack_size=80,
)
