"""Notices attribute by attribute whose states a chapter may change; must not decide to what, nor whether it is so."""

from __future__ import annotations

from analyzer.steps._state import all_for, attribute_question, by_attribute, notices
from analyzer.steps._step import AskStep

STEP = AskStep(
    name="state_notice_again",
    part="state",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"state_notice"}),
    candidates=all_for("state"),
    question=attribute_question("state_notice_again"),
    effects=notices("state_notice_again", "second", by_attribute),
    prompt="state_notice_again",
    pack_size=24,
)
