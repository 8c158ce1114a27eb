"""Decides person by person who may keep something from others here, and in which sentences; must not decide what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.bible import Bible, CastEntry
from analyzer.models.question import Question, QuestionKey
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._scope import brief, ref_of
from analyzer.steps._secrets import CAST, MAX_SENTENCES, notices_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import people_there

OPTIONS = lettered(
    (
        ("own", "keeps something to himself, or hides or disguises it", None),
        ("shared", "knows what another keeps, and keeps it too", None),
    )
)


def candidates(unit: Unit, bible: Bible) -> Sequence[CastEntry]:
    """Return the people and groups on the page."""
    return people_there(unit, bible)


def question(candidate: CastEntry, unit: Unit, bible: Bible) -> Question:
    """Return one short line: the person."""
    return Question(
        key=QuestionKey(
            step=STEP.name, ask="secret.notice", chapter=unit.chapter.no, about=(ref_of(candidate, bible),)
        ),
        type="select",
        text=brief(candidate, bible),
        options=OPTIONS,
        evidence="must",
        max_picks=len(OPTIONS),
        max_sentences=MAX_SENTENCES,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return one notice for each person and sentence."""
    return notices_of(unit, "first", _found(answered))


def _found(answered: Sequence[Answered]) -> Iterator[tuple[str, Place, str]]:
    for item in answered:
        for pick in item.answer.picked:
            for place in item.answer.sentences_of(pick):
                yield item.candidate.handle, place, item.answer_id


STEP = AskStep(
    name="secret_notice",
    part="secrets",
    reads=CAST,
    writes=frozenset({"secret_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_notice",
    pack_size=60,
    suspicious_none=True,
)
