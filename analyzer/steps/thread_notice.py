"""Decides kind by kind where a chapter sets something up or takes it up again; must not decide whether it is a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey
from analyzer.models.story import ThreadKind
from analyzer.steps._options import lettered
from analyzer.steps._scope import evidence_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._threads import KIND_WORDS, KINDS, Stretch, notice, stretches

STRETCH_SENTENCES = 40
"""Sentences of a stretch. Source: in the gold chapters no kind has more than `MAX_SENTENCES` items in one."""
MAX_STRETCHES = 8
"""Most stretches of a chapter, so that all kinds fit into one call; sentences of very long chapters are short ones."""
MAX_SENTENCES = 6
ROLES = (("set_up", "set up"), ("taken_up", "taken up again or answered"))


@dataclass(frozen=True)
class KindCandidate:
    """A kind and a stretch of the chapter."""

    kind: ThreadKind
    stretch: Stretch


def candidates(unit: Unit, bible: Bible) -> Sequence[KindCandidate]:
    """Return every kind in every stretch, kind by kind."""
    parts = stretches(unit, STRETCH_SENTENCES, MAX_STRETCHES)
    return [KindCandidate(kind, stretch) for kind in KINDS for stretch in parts]


def question(candidate: KindCandidate, unit: Unit, bible: Bible) -> Question:
    """Return the kind and where to look; the options are shared by the pack, any sentence may follow."""
    stretch = candidate.stretch
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="thread.notice",
            chapter=unit.chapter.no,
            about=(),
            detail=f"{candidate.kind}:{stretch.first}-{stretch.last}",
        ),
        type="select",
        text=f"{KIND_WORDS[candidate.kind]}, {stretch.words}",
        options=lettered((key, words, None) for key, words in ROLES),
        evidence="must",
        max_picks=len(ROLES),
        max_sentences=MAX_SENTENCES,
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return a notice for every sentence named, under the kind asked for; a pick without a sentence shows nothing."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        found = evidence_of(unit, item.answer) if item.answer.status == "answered" else ()
        facts += [
            (notice(unit.chapter.no, item.candidate.kind, one, "first"), (item.answer_id,))
            for one in found[: MAX_SENTENCES * len(ROLES)]
        ]
    return Effects(tuple(facts))


STEP = AskStep(
    name="thread_notice",
    part="threads",
    reads=frozenset({"entity", "name", "same"}),
    writes=frozenset({"thread_notice"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="thread_notice",
    pack_size=100,
    suspicious_none=True,
)
