"""Decides by which way a piece reached somebody, or that it did not; must not decide how sure he is."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.steps._knowledge import CAST, NOTHING, UNAWARE, doubt_effects, doubt_question, learnings
from analyzer.steps._options import lettered
from analyzer.steps._step import Answered, AskStep, Effects, Unit

OPTIONS = lettered(
    (
        (NOTHING, "in no way: it does not reach him here, or is no news", None),
        (UNAWARE, "it is kept from him, or escapes him", None),
        ("witnessed", "his own eyes and ears", None),
        ("told", "somebody says it to him", None),
        ("overheard", "somebody says it to another", None),
        ("read", "a letter, book or sign", None),
        ("inferred", "his own reasoning", None),
        ("deceived", "a lie or false appearance", None),
    )
)


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the way picked for each."""
    return doubt_effects(answered, unit, "way")


STEP = AskStep(
    name="knowledge_stance_again",
    part="knowledge",
    reads=CAST | {"knowledge_notice"},
    writes=frozenset({"knowledge_say"}),
    candidates=learnings,
    question=doubt_question("knowledge_stance_again", "knowledge.way", OPTIONS),
    effects=effects,
    prompt="knowledge_stance_again",
    pack_size=100,
)
