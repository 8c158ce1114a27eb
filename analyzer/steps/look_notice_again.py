"""Notices feature by feature whose appearance a chapter tells; must not decide what it is like."""

from __future__ import annotations

from analyzer.steps._state import all_for, attribute_question, by_attribute, notices
from analyzer.steps._step import AskStep

STEP = AskStep(
    name="look_notice_again",
    part="state",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"state_notice"}),
    candidates=all_for("look"),
    question=attribute_question("look_notice_again"),
    effects=notices("look_notice_again", "second", by_attribute),
    prompt="look_notice_again",
    pack_size=24,
)
