"""Puts every claim a third time, from the other end and in other words; must not find new ones."""

from __future__ import annotations

from analyzer.steps._confirm import claims_here, confirm_effects, confirm_question
from analyzer.steps._step import AskStep

NAME = "relation_confirm_again"
STEP = AskStep(
    name=NAME,
    reads=frozenset({"entity", "name", "same", "claim"}),
    writes=frozenset({"vote"}),
    candidates=claims_here,
    question=confirm_question(NAME, "second"),
    effects=confirm_effects(NAME, "second"),
    prompt="relation_confirm_again",
    pack_size=30,
    confirms=True,
)
