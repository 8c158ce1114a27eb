"""Decides stretch by stretch in which sentences something is hidden, and by whom; must not decide what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.bible import Bible
from analyzer.models.question import Question, QuestionKey
from analyzer.models.text import Place
from analyzer.steps._secrets import CAST, MAX_PEOPLE, MAX_SENTENCES, notices_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._stretches import Stretch, beings_here, handle_options, stretches


def candidates(unit: Unit, bible: Bible) -> Sequence[Stretch]:
    """Return the chapter in stretches; none where nobody could hide anything."""
    return stretches(unit) if beings_here(unit, bible) else ()


def question(candidate: Stretch, unit: Unit, bible: Bible) -> Question:
    """Return one short line: from which to which sentence; the options are the handles of the people of the chapter."""
    return Question(
        key=QuestionKey(step=STEP.name, ask="secret.where", chapter=unit.chapter.no, about=(candidate.ref,)),
        type="select",
        text=candidate.words,
        options=handle_options(beings_here(unit, bible), bible),
        evidence="must",
        max_picks=MAX_PEOPLE,
        max_sentences=MAX_SENTENCES,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return one notice for each person and sentence of the stretch."""
    return notices_of(unit, "second", _found(answered))


def _found(answered: Sequence[Answered]) -> Iterator[tuple[str, Place, str]]:
    for item in answered:
        for pick in item.answer.picked:
            for place in item.answer.sentences_of(pick):
                if item.candidate.first <= place <= item.candidate.last:
                    yield pick, place, item.answer_id


STEP = AskStep(
    name="secret_notice_again",
    part="secrets",
    reads=CAST,
    writes=frozenset({"secret_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_notice_again",
    pack_size=60,
    suspicious_none=True,
)
