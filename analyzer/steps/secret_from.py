"""Decides from whom what is hidden is kept, the reader among them; must not decide who holds it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.question import Question
from analyzer.steps._secrets import CAST, MAX_PEOPLE, Hidden, hidden_here, in_scope, key_of, line_of, says, with_reader
from analyzer.steps._step import Answered, AskStep, Effects, Unit


def candidates(unit: Unit, bible: Bible) -> Sequence[Hidden]:
    """Return everything noticed in this chapter."""
    return hidden_here(unit, bible)


def question(candidate: Hidden, unit: Unit, bible: Bible) -> Question:
    """Return the sentence; the options are the people the prefix shows, and the reader."""
    return Question(
        key=key_of(STEP.name, "secret.from", candidate, unit, bible),
        type="select",
        text=line_of(candidate, bible),
        options=with_reader(in_scope(unit, bible), bible),
        sentences=(candidate.place,),
        max_picks=MAX_PEOPLE,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return from whom each is kept at the end of the chapter."""
    return says(answered, "hidden_from", unit)


STEP = AskStep(
    name="secret_from",
    part="secrets",
    reads=CAST | {"secret_notice"},
    writes=frozenset({"secret_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_from",
    pack_size=60,
)
