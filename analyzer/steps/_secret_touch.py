"""An open secret put to a chapter: the shape of both wordings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.bible import Bible
from analyzer.knowledge import Secret
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.story import Look, SecretTouchFact
from analyzer.steps._scope import evidence_of
from analyzer.steps._secrets import CAST, PAST, open_here, refs_of, told
from analyzer.steps._step import Answered, AskStep, Effects, Unit

UNTOUCHED = "untouched"
MOST_A_CALL = 60
"""Secrets of a call: more than are ever asked about in a chapter (`MOST_OPEN`)."""


def touch_step(name: str, look: Look, options: tuple[Option, ...]) -> AskStep:
    """Return the step of one wording."""

    def question(candidate: Secret, unit: Unit, bible: Bible) -> Question:
        return Question(
            key=QuestionKey(
                step=name,
                ask="secret.touch",
                chapter=unit.chapter.no,
                about=refs_of(candidate, bible),
                detail=f"{look}:{candidate.id}",
            ),
            type="choice",
            text=told(candidate, bible),
            options=options,
            evidence="may",
        )

    return AskStep(
        name=name,
        part="secrets",
        reads=CAST,
        writes=frozenset({"secret_touch"}),
        past=PAST,
        candidates=open_here,
        question=question,
        effects=_effects(look),
        prompt=name,
        pack_size=MOST_A_CALL,
    )


def _effects(look: Look) -> Callable[[Sequence[Answered], Unit, Bible], Effects]:
    def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
        facts: list[tuple[Fact, tuple[str, ...]]] = []
        for item in answered:
            if item.answer.status in ("answered", "none"):
                event = item.answer.pick if item.answer.status == "answered" else UNTOUCHED
                fact = SecretTouchFact(
                    chapter=unit.chapter.no,
                    secret=item.candidate.id,
                    look=look,
                    event=event,
                    evidence=evidence_of(unit, item.answer),
                )
                facts.append((fact, (item.answer_id,)))
        return Effects(tuple(facts))

    return effects
