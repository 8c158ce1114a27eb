"""Says in a few words what is hidden; must not decide whether it is a secret."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.models.question import Question
from analyzer.steps._secrets import CAST, Hidden, hidden_here, key_of, line_of, says
from analyzer.steps._step import Answered, AskStep, Effects, Unit


def candidates(unit: Unit, bible: Bible) -> Sequence[Hidden]:
    """Return everything noticed in this chapter."""
    return hidden_here(unit, bible)


def question(candidate: Hidden, unit: Unit, bible: Bible) -> Question:
    """Return the sentence and who may keep it; the answer is a note."""
    return Question(
        key=key_of(STEP.name, "secret.say", candidate, unit, bible),
        type="note",
        text=line_of(candidate, bible),
        sentences=(candidate.place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the words; none says that nothing is hidden there."""
    return says(answered, "proposition", unit)


STEP = AskStep(
    name="secret_say",
    part="secrets",
    reads=CAST | {"secret_notice"},
    writes=frozenset({"secret_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="secret_say",
    pack_size=60,
)
