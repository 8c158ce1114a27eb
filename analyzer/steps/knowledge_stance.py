"""Decides how sure somebody is of a piece, or that it is nothing of the kind; must not decide how he came by it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.steps._knowledge import CAST, NOTHING, UNAWARE, doubt_effects, doubt_question, learnings
from analyzer.steps._options import lettered
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (
        ("knows", "knows it from here on, and it is so", None),
        ("believes", "takes it for true, whether it is so or not", None),
        ("suspects", "only suspects or guesses it", None),
        (UNAWARE, "plainly does not know it", None),
        (NOTHING, "nothing of the kind: learns nothing here, or it is not his to know", None),
    )
)


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the stance picked for each."""
    return doubt_effects(answered, unit, "stance")


STEP = AskStep(
    name="knowledge_stance",
    part="knowledge",
    reads=CAST | {"knowledge_notice"},
    writes=frozenset({"knowledge_say"}),
    candidates=learnings,
    question=doubt_question("knowledge_stance", "knowledge.stance", OPTIONS),
    effects=effects,
    prompt="knowledge_stance",
    pack_size=100,
)
