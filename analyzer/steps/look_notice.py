"""Notices person by person which features of an appearance a chapter tells; must not decide what they are like."""

from __future__ import annotations

from analyzer.steps._state import all_of, by_person, notices, person_question
from analyzer.steps._step import AskStep

STEP = AskStep(
    name="look_notice",
    part="state",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"state_notice"}),
    candidates=all_of("look"),
    question=person_question("look_notice", "look"),
    effects=notices("look_notice", "first", by_person),
    prompt="look_notice",
    pack_size=80,
    suspicious_none=True,
)
