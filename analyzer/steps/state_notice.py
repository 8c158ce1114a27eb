"""Notices person by person which states a chapter may change; must not decide to what, nor whether it is so."""

from __future__ import annotations

from analyzer.steps._state import all_of, by_person, notices, person_question
from analyzer.steps._step import AskStep

STEP = AskStep(
    name="state_notice",
    part="state",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"state_notice"}),
    candidates=all_of("state"),
    question=person_question("state_notice", "state"),
    effects=notices("state_notice", "first", by_person),
    prompt="state_notice",
    pack_size=80,
    suspicious_none=True,
)
