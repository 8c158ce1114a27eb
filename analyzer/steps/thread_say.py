"""Says in a few words what is left open or was answered, for what passed the doubt; must not decide whether it is a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Question, QuestionKey, Ref
from analyzer.models.story import ThreadSayFact
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._threads import KIND_WORDS, Noticed, checks_of, clean_statement, noticed

ROLE_WORDS = {"new": "set up", "kept": "taken up", "answer": "answered"}
"""What the doubt left a candidate, as a line says it."""


@dataclass(frozen=True)
class SayCandidate:
    """A candidate that passed the doubt as a thread of its own, with its role."""

    noticed: Noticed
    role: str


def candidates(unit: Unit, bible: Bible) -> Sequence[SayCandidate]:
    """Return what the doubt left as threads of their own; what belongs to a known one has its words already."""
    checks = checks_of(unit, bible)
    return [
        SayCandidate(one, checks[one.thread])
        for one in noticed(unit, bible)
        if checks.get(one.thread, "") in ROLE_WORDS
    ]


def question(candidate: SayCandidate, unit: Unit, bible: Bible) -> Question:
    """Return kind, role and sentence; the answer is a note."""
    one = candidate.noticed
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="thread.statement",
            chapter=unit.chapter.no,
            about=(Ref(kind=one.kind, places=(one.place,)),),
            detail=f"{one.kind}:{one.thread}",
        ),
        type="note",
        text=f"{KIND_WORDS[one.kind]}, {ROLE_WORDS[candidate.role]} in {one.place}",
        sentences=(one.place,),
    )


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return the statements; "" where there was nothing to say, none at all where nothing could be read."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        if item.answer.status in ("answered", "none"):
            fact = ThreadSayFact(
                chapter=unit.chapter.no,
                thread=item.candidate.noticed.thread,
                what="statement",
                value=clean_statement(item.answer.text),
            )
            facts.append((fact, (item.answer_id,)))
    return Effects(tuple(facts))


STEP = AskStep(
    name="thread_say",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_notice", "thread_say"}),
    writes=frozenset({"thread_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="thread_say",
    pack_size=60,
)
