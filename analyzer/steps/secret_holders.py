"""Decides who holds what is hidden; must not decide from whom it is kept."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.question import Question
from analyzer.steps._secrets import CAST, MAX_PEOPLE, Hidden, hidden_here, in_scope, key_of, line_of, says
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._stretches import handle_options


def candidates(unit: Unit, bible: Bible) -> Sequence[Hidden]:
    """Return everything noticed in this chapter."""
    return hidden_here(unit, bible)


def question(candidate: Hidden, unit: Unit, bible: Bible) -> Question:
    """Return the sentence; the options are the people the prefix shows."""
    return Question(
        key=key_of(STEP.name, "secret.holders", candidate, unit, bible),
        type="select",
        text=line_of(candidate, bible),
        options=handle_options(in_scope(unit, bible), bible),
        sentences=(candidate.place,),
        max_picks=MAX_PEOPLE,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return who holds each; none says that nobody keeps anything there."""
    return says(answered, "holders", unit)


STEP = AskStep(
    name="secret_holders",
    part="secrets",
    reads=CAST | {"secret_notice"},
    writes=frozenset({"secret_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_holders",
    pack_size=60,
)
