"""Puts every sentence that is thought to tell who somebody is beside what else it may do; must not find new ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import MaskFact, MaskSayFact
from analyzer.steps._identities import TOLD, is_pair, masks_here
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import story_id, words_of_evidence

OPTIONS = lettered(
    (
        ("usual", "it only describes or addresses somebody whom everybody knows", None),
        ("before", "it speaks of what the reader was told before it", None),
        ("other", "it is about somebody else", None),
        ("unsure", "it is a guess, a lie or a rumour", None),
        (TOLD, "it tells, for the first time, whom somebody or something so far without this name meant", None),
    )
)
"""In an order in which no mark of the first look confirms it."""


def candidates(unit: Unit, bible: Bible) -> Sequence[MaskFact]:
    """Return each sentence of each person once, whichever ways were picked."""
    noticed = [m for m in masks_here(unit, bible) if not is_pair(m) and m.evidence]
    return tuple({(m.behind, m.evidence[0].place): m for m in noticed}.values())


def question(candidate: MaskFact, unit: Unit, bible: Bible) -> Question:
    """Return the person and the sentence."""
    entry = bible.cast[candidate.behind]
    where = story_id("m", entry.entity.anchor, words_of_evidence(candidate.evidence))
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="mask.called_again",
            chapter=unit.chapter.no,
            about=(ref_of(entry, bible),),
            detail=f"{where}:{candidate.evidence[0].place}",
        ),
        type="choice",
        text=f"{brief(entry, bible)}, {candidate.evidence[0].place}",
        options=OPTIONS,
        sentences=(candidate.evidence[0].place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what each sentence does; what could not be read says nothing."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status == "answered":
            mask: MaskFact = item.candidate
            say = MaskSayFact(
                chapter=unit.chapter.no,
                persona=mask.persona,
                behind=mask.behind,
                what="called",
                value=item.answer.pick,
                evidence=mask.evidence,
            )
            facts.append((say, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="mask_called_again",
    reads=frozenset({"entity", "name", "same", "mask"}),
    writes=frozenset({"mask_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="mask_called_again",
    part="identities",
    pack_size=60,
    confirms=True,
)
