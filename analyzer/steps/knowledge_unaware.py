"""Decides who of the people of a chapter still does not know what somebody learns in it; must not decide who learns it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import KnowledgeNoticeFact
from analyzer.steps._knowledge import CAST, MAX_PEOPLE, UNAWARE, Piece, pieces_here
from analyzer.steps._scope import ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._stretches import beings_here, handle_options

MOST_PIECES = 60
"""Pieces asked about in a chapter, in order of the text. Source: the gold chapters have at most forty-two."""


def candidates(unit: Unit, bible: Bible) -> Sequence[Piece]:
    """Return what somebody learns from outside: what nobody was told, nobody can have missed."""
    return [piece for piece in pieces_here(unit, bible) if piece.kind in ("news", "any")][:MOST_PIECES]


def question(candidate: Piece, unit: Unit, bible: Bible) -> Question:
    """Return the piece and who learns it; the options are the handles of the people of the chapter."""
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="knowledge.unaware",
            chapter=unit.chapter.no,
            about=tuple(ref_of(bible.cast[knower], bible) for knower in candidate.ways),
            detail=str(candidate.place),
        ),
        type="select",
        text=f"{candidate.about}, learnt by {' '.join(candidate.ways)}",
        options=handle_options(beings_here(unit, bible), bible),
        sentences=(candidate.place,),
        max_picks=MAX_PEOPLE,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a notice for everybody picked who was not noticed to learn it."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        piece: Piece = item.candidate
        for knower in item.answer.picked:
            if bible.root(knower) not in piece.ways:
                fact = KnowledgeNoticeFact(
                    chapter=unit.chapter.no,
                    piece=piece.piece,
                    knower=knower,
                    via=UNAWARE,
                    look="code",
                    evidence=piece.evidence,
                )
                facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="knowledge_unaware",
    part="knowledge",
    reads=CAST | {"knowledge_notice"},
    writes=frozenset({"knowledge_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="knowledge_unaware",
    pack_size=60,
)
