"""Decides what a chapter does to each open thread; must not decide what a thread is."""

from __future__ import annotations

from analyzer.steps._step import AskStep
from analyzer.steps._thread_touch import touch_effects, touch_question, touched

STEP = AskStep(
    name="thread_touch",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_say"}),
    past=frozenset({"thread", "thread_event"}),
    writes=frozenset({"thread_touch"}),
    candidates=touched,
    question=touch_question("thread_touch", "first"),
    effects=touch_effects("first"),
    prompt="thread_touch",
    pack_size=80,
)
