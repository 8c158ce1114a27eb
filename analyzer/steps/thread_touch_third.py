"""Takes a third look at threads about which two looks differ; must not find new ones."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.bible import Bible
from analyzer.steps._step import AskStep, Unit
from analyzer.steps._thread_touch import TouchCandidate, split, touch_effects, touch_question, touches_of
from analyzer.steps._threads import threads_before


def candidates(unit: Unit, bible: Bible) -> Sequence[TouchCandidate]:
    """Return the threads whose two looks differ, or of which one could not be read."""
    looks = touches_of(unit, bible)
    return [
        TouchCandidate(t) for name, t in threads_before(unit, bible).items() if name in looks and split(looks[name])
    ]


STEP = AskStep(
    name="thread_touch_third",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_touch"}),
    past=frozenset({"thread", "thread_event"}),
    writes=frozenset({"thread_touch"}),
    candidates=candidates,
    question=touch_question("thread_touch_third", "third"),
    effects=touch_effects("third"),
    prompt="thread_touch_third",
    pack_size=80,
)
