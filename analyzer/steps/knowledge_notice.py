"""Decides person by person in which way he may learn something here, and in which sentences; must not decide what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.bible import Bible, CastEntry
from analyzer.models.question import Question, QuestionKey
from analyzer.models.text import Place
from analyzer.steps._knowledge import CAST, MAX_SENTENCES, UNAWARE, notices_of
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import people_there

OPTIONS = lettered(
    (
        ("told", "is told something", None),
        ("witnessed", "sees or hears it happen", None),
        ("overheard", "overhears it", None),
        ("read", "reads it", None),
        ("inferred", "concludes, guesses or suspects it", None),
        ("deceived", "is made to believe what is not so", None),
        (UNAWARE, "plainly does not know it", None),
    )
)


def candidates(unit: Unit, bible: Bible) -> Sequence[CastEntry]:
    """Return the people and groups on the page."""
    return people_there(unit, bible)


def question(candidate: CastEntry, unit: Unit, bible: Bible) -> Question:
    """Return one short line: the person."""
    return Question(
        key=QuestionKey(
            step=STEP.name, ask="knowledge.notice", chapter=unit.chapter.no, about=(ref_of(candidate, bible),)
        ),
        type="select",
        text=brief(candidate, bible),
        options=OPTIONS,
        evidence="must",
        max_picks=len(OPTIONS),
        max_sentences=MAX_SENTENCES,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return one notice for each person, way and sentence."""
    return notices_of(unit, "first", _found(answered))


def _found(answered: Sequence[Answered]) -> Iterator[tuple[str, str, Place, str]]:
    for item in answered:
        for pick in item.answer.picked:
            for place in item.answer.sentences_of(pick):
                yield item.candidate.handle, pick, place, item.answer_id


STEP = AskStep(
    name="knowledge_notice",
    part="knowledge",
    reads=CAST,
    writes=frozenset({"knowledge_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="knowledge_notice",
    pack_size=60,
    suspicious_none=True,
)
