"""Decides whether a noticed change begins, ends, was so before, is only planned, believed, a lie or not told; must not find new ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import StateSayFact
from analyzer.steps._options import lettered
from analyzer.steps._state import Noticed, line_of, noticed, ref_to
from analyzer.steps._state_words import NATURES
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = {
    ground: lettered((key, nature.words[ground], None) for key, nature in NATURES.items() if ground in nature.words)
    for ground in ("state", "look")
}


def candidates(unit: Unit, bible: Bible) -> Sequence[Noticed]:
    """Return every change that was noticed."""
    return noticed(unit, bible)


def question(candidate: Noticed, unit: Unit, bible: Bible) -> Question:
    """Return whom and what it is about, with its sentences; the options are shared by the pack."""
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="state.nature",
            chapter=unit.chapter.no,
            about=(ref_to(candidate, bible),),
            detail=f"{candidate.attribute}:{candidate.change}",
        ),
        type="choice",
        text=line_of(candidate, bible),
        options=OPTIONS[candidate.ground],
        sentences=candidate.places,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the nature picked; a hyphen means that it is not told."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status in ("answered", "none"):
            nature = item.answer.pick if item.answer.status == "answered" else "not"
            fact = StateSayFact(chapter=unit.chapter.no, change=item.candidate.change, what="nature", value=nature)
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="state_nature",
    part="state",
    reads=frozenset({"entity", "name", "same", "state_notice"}),
    writes=frozenset({"state_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="state_nature",
    pack_size=100,
    n_groups=2,
    pack_by=lambda candidate: str(candidate.ground),
)
