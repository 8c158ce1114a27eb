"""Puts every open thread a second time, in other words and another order; must not find new ones."""

from __future__ import annotations

from analyzer.steps._step import AskStep
from analyzer.steps._thread_touch import touch_effects, touch_question, touched

STEP = AskStep(
    name="thread_touch_again",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_say"}),
    past=frozenset({"thread", "thread_event"}),
    writes=frozenset({"thread_touch"}),
    candidates=touched,
    question=touch_question("thread_touch_again", "second"),
    effects=touch_effects("second"),
    prompt="thread_touch_again",
    pack_size=80,
)
