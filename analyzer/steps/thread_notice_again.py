"""Decides stretch by stretch which sentences leave something open or close it; must not decide whether it is a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Answer, Question, QuestionKey
from analyzer.models.story import ThreadKind
from analyzer.models.text import Place
from analyzer.steps._options import lettered
from analyzer.steps._scope import evidence_at
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._threads import KINDS, Stretch, notice, stretches

STRETCH_SENTENCES = 16
"""Sentences of a stretch, fewer than in the other look: here one line speaks of all kinds."""
MAX_STRETCHES = 30
WORDS: dict[ThreadKind, str] = {
    "promise": "word given, resolve",
    "question": "riddle",
    "secret": "thing kept back",
    "object": "telling thing",
    "anomaly": "does not fit",
    "threat": "looming harm",
    "fear": "dread",
    "deadline": "by a certain day",
    "prophecy": "sign of what comes",
    "skill": "gift or knack",
}


@dataclass(frozen=True)
class StretchCandidate:
    """A stretch of the chapter."""

    stretch: Stretch


def candidates(unit: Unit, bible: Bible) -> Sequence[StretchCandidate]:
    """Return the stretches of the chapter in order."""
    return [StretchCandidate(stretch) for stretch in stretches(unit, STRETCH_SENTENCES, MAX_STRETCHES)]


def question(candidate: StretchCandidate, unit: Unit, bible: Bible) -> Question:
    """Return where to look; the kinds are options shared by the pack, each followed by its sentences."""
    stretch = candidate.stretch
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="thread.stretch",
            chapter=unit.chapter.no,
            about=(),
            detail=f"{stretch.first}-{stretch.last}",
        ),
        type="select",
        text=f"blocks {stretch.words}",
        options=lettered((kind, words, None) for kind, words in WORDS.items()),
        evidence="must",
        max_picks=len(KINDS),
        max_sentences=3,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a notice for every sentence named behind a kind; where all stand behind the last of several, for none of them."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        for kind, places in _told_apart(item.answer):
            found = (evidence_at(unit, place) for place in places)
            facts += [(notice(unit.chapter.no, kind, one, "second"), (item.answer_id,)) for one in found if one]
    return Effects(tuple(facts))


def _told_apart(answer: Answer) -> Sequence[tuple[ThreadKind, Sequence[Place]]]:
    """Return each kind with the sentences behind it; one kind alone has all of them, of several that share them none."""
    if answer.status != "answered":
        return ()
    rows = zip(answer.picked, answer.by_pick or (answer.sentences,), strict=False)
    return (
        [(cast("ThreadKind", kind), places) for kind, places in rows]
        if answer.by_pick or len(answer.picked) == 1
        else ()
    )


STEP = AskStep(
    name="thread_notice_again",
    part="threads",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"thread_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="thread_notice_again",
    pack_size=60,
    suspicious_none=True,
)
