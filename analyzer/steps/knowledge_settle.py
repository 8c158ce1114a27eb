"""Takes a last look where stance and way of a piece do not go together, with its words; must not find new ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.question import Question, QuestionKey
from analyzer.prefix import quoted
from analyzer.steps._knowledge import (
    CAST,
    NOTHING,
    UNAWARE,
    Learning,
    Votes,
    doubt_effects,
    learnings,
    votes_here,
    words_here,
)
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (
        (UNAWARE, "does not know it at the end of the chapter", None),
        (NOTHING, "the chapter does not tell, or he was shown before to know it", None),
        ("suspects", "only suspects it", None),
        ("believes", "comes to believe it, right or wrong", None),
        ("knows", "comes to know it", None),
    )
)


def candidates(unit: Unit, bible: Bible) -> Sequence[Learning]:
    """Return those of whom the two doubts say different things, or of whom one could not be read."""
    votes = votes_here(unit, bible)
    return [
        one for one in learnings(unit, bible) if not votes.get((one.piece.piece, one.knower), Votes("", "", "")).agree
    ]


def question(candidate: Learning, unit: Unit, bible: Bible) -> Question:
    """Return somebody and the words of the piece, with its sentence; the sentence alone where nothing was said of it."""
    piece, entry = candidate.piece, bible.cast[candidate.knower]
    words = words_here(unit, bible).get(piece.piece, "")
    told = f"{quoted(words)} ({piece.place})" if words else piece.about
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="knowledge.settle",
            chapter=unit.chapter.no,
            about=(ref_of(entry, bible, (piece.place,)),),
            detail=f"{piece.kind}:{piece.place}",
        ),
        type="choice",
        text=f"{brief(entry, bible)}: {told}",
        options=OPTIONS,
        sentences=(piece.place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the last word on each."""
    return doubt_effects(answered, unit, "check")


STEP = AskStep(
    name="knowledge_settle",
    part="knowledge",
    reads=CAST | {"knowledge_notice", "knowledge_say"},
    writes=frozenset({"knowledge_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="knowledge_settle",
    pack_size=60,
)
