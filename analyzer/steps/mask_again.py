"""Puts every pair that was taken for one a second time, from the other side; must not find new ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import MaskFact, MaskSayFact
from analyzer.steps._identities import SETTLED, is_pair, mask_refs, masks_here
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, evidence_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (
        ("different", "different people who meet, resemble or know each other", None),
        ("open", "somebody suspects or claims it, or the reader may; the chapter leaves it open", None),
        (SETTLED, "settled before the reader's eyes: both names mean a single human being", None),
        ("unreal", "only dreamt, joked, compared or lied", None),
    )
)
"""In an order in which no mark means the same as in the first look: who copies one mark down the page never agrees with himself."""


def candidates(unit: Unit, bible: Bible) -> Sequence[MaskFact]:
    """Return each pair that was noticed, once; those whose first answer could not be read too."""
    noticed = {(m.persona, m.behind): m for m in masks_here(unit, bible) if is_pair(m)}
    return tuple(noticed.values())


def question(candidate: MaskFact, unit: Unit, bible: Bible) -> Question:
    """Return the two, who may stand behind first, with the sentences named before; the options are shared by the pack."""
    persona, behind = bible.cast[candidate.persona], bible.cast[candidate.behind]
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="mask.same",
            chapter=unit.chapter.no,
            about=mask_refs(candidate.persona, candidate.behind, bible),
            detail="second",
        ),
        type="choice",
        text=f"{brief(behind, bible)} and {brief(persona, bible)}",
        options=OPTIONS,
        evidence="may",
        sentences=tuple(e.place for e in candidate.evidence),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return every second answer; none says that they are two."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        read = item.answer.status in ("answered", "none")
        say = MaskSayFact(
            chapter=unit.chapter.no,
            persona=item.candidate.persona,
            behind=item.candidate.behind,
            what="again",
            value=(item.answer.pick if item.answer.status == "answered" else "different") if read else "",
            evidence=evidence_of(unit, item.answer),
        )
        facts.append((say, (item.answer_id,) if read else ()))
    return Effects(tuple(facts))


STEP = AskStep(
    name="mask_again",
    reads=frozenset({"entity", "name", "same", "mask"}),
    writes=frozenset({"mask_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="mask_again",
    part="identities",
    pack_size=40,
    confirms=True,
)
