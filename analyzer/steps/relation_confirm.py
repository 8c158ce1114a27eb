"""Puts every claim a second time, from its subject's side; must not find new ones."""

from __future__ import annotations

from analyzer.steps._confirm import claims_here, confirm_effects, confirm_question
from analyzer.steps._step import AskStep

NAME = "relation_confirm"
STEP = AskStep(
    name=NAME,
    reads=frozenset({"entity", "name", "same", "claim"}),
    writes=frozenset({"vote"}),
    candidates=claims_here,
    question=confirm_question(NAME, "first"),
    effects=confirm_effects(NAME, "first"),
    prompt="relation_confirm",
    pack_size=30,
    confirms=True,
)
