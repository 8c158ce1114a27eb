"""Says in a few words what a piece of knowledge is, once for all who learn it; must not decide who knows it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import KnowledgeSayFact
from analyzer.steps._knowledge import CAST, Piece, pieces_here
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

SHOWN_PEOPLE = 2
"""People named in a line: enough to say whose news it is."""


def candidates(unit: Unit, bible: Bible) -> Sequence[Piece]:
    """Return every piece of the chapter."""
    return pieces_here(unit, bible)


def question(candidate: Piece, unit: Unit, bible: Bible) -> Question:
    """Return the sentence and whose piece it is; the answer is a note."""
    people = [bible.cast[knower] for knower in candidate.ways]
    who = ", ".join(brief(entry, bible) for entry in people[:SHOWN_PEOPLE])
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="knowledge.say",
            chapter=unit.chapter.no,
            about=tuple(ref_of(entry, bible, (candidate.place,)) for entry in people),
            detail=f"{candidate.kind}:{candidate.place}",
        ),
        type="note",
        text=f"{candidate.about}, for {who}",
        sentences=(candidate.place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the words; none says that there is nothing to know."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status in ("answered", "none"):
            fact = KnowledgeSayFact(
                chapter=unit.chapter.no, piece=item.candidate.piece, what="proposition", value=item.answer.text
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="knowledge_say",
    part="knowledge",
    reads=CAST | {"knowledge_notice"},
    writes=frozenset({"knowledge_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="knowledge_say",
    pack_size=60,
)
