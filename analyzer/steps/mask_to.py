"""Decides who in the story learns that two are one; must not decide whether they are."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import MaskSayFact
from analyzer.steps._identities import Agreed, agreed_pairs, mask_refs
from analyzer.steps._scope import brief
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import people_there

MAX_LEARNERS = 12
"""Most who learn it in one chapter; a crowd is a group."""


def candidates(unit: Unit, bible: Bible) -> Sequence[Agreed]:
    """Return the pairs that both looks took for one, where anybody else is there to learn it."""
    there = {entry.handle for entry in people_there(unit, bible)}
    return tuple(pair for pair in agreed_pairs(unit, bible) if there - {pair.persona, pair.behind})


def question(candidate: Agreed, unit: Unit, bible: Bible) -> Question:
    """Return the two; the options are the handles of those on the page."""
    persona, behind = bible.cast[candidate.persona], bible.cast[candidate.behind]
    others = (e for e in people_there(unit, bible) if e.handle not in (candidate.persona, candidate.behind))
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="mask.to",
            chapter=unit.chapter.no,
            about=mask_refs(candidate.persona, candidate.behind, bible),
        ),
        type="select",
        text=f"{brief(persona, bible)} is {brief(behind, bible)}",
        options=tuple(entry.option for entry in others),
        sentences=tuple(e.place for e in candidate.evidence),
        max_picks=MAX_LEARNERS,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return who learns it."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status == "answered":
            say = MaskSayFact(
                chapter=unit.chapter.no,
                persona=item.candidate.persona,
                behind=item.candidate.behind,
                what="to",
                handles=tuple(dict.fromkeys(item.answer.picked)),
            )
            facts.append((say, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="mask_to",
    reads=frozenset({"entity", "name", "same", "presence", "mask", "mask_say"}),
    writes=frozenset({"mask_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="mask_to",
    part="identities",
    pack_size=30,
)
