"""Decides what a noticed sentence is: newly set up, taken up, an answer, part of a known thread, or nothing; writes no words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey, Ref
from analyzer.models.story import ThreadSayFact
from analyzer.prefix import quoted
from analyzer.steps._options import lettered
from analyzer.steps._scope import offset_of
from analyzer.steps._step import Answered, AskStep, Effects, Unit
from analyzer.steps._story import NEAR_CHARS
from analyzer.steps._threads import KIND_WORDS, Beside, Noticed, noticed, thread_ref, threads_before
from analyzer.threads import Thread, open_threads

MAX_THREADS = 60
"""Most threads listed, those first of which most stands in the chapter. Source: six a candidate, as found by words beside it, often lacked
the right one for readers (docs/quality.md); listed once for all candidates, sixty cost less than six for each."""
MAX_SAME = 3
"""Most other candidates a candidate may be one with: those of its own sentence first."""
CLOSED_CHAPTERS = 3
"""Chapters for which a closed thread is still offered, last: what follows from an answer is no new thread."""
BASIC = (  # in few words, since no two lines share their options; the prompt says what they mean
    ("new", "new"),
    ("kept", "recalls, unlisted"),
    ("answer", "answers, unlisted"),
)


@dataclass(frozen=True)
class DoubtCandidate:
    """A noticed sentence with the other candidates it may be one with, and the threads it may belong to."""

    noticed: Noticed
    same: tuple[Noticed, ...]
    threads: tuple[Thread, ...]


def candidates(unit: Unit, bible: Bible) -> Sequence[DoubtCandidate]:
    """Return the chapter's candidates in the order of the text."""
    found = noticed(unit, bible)
    listed = _listed(unit, bible)
    return [DoubtCandidate(one, _same(one, found, unit), listed) for one in found]


def _listed(unit: Unit, bible: Bible) -> tuple[Thread, ...]:
    """Return the threads a candidate may belong to, oldest first: all that are open, and those closed not long ago."""
    before = threads_before(unit, bible)
    late = unit.chapter.no - CLOSED_CHAPTERS
    closed = [t for t in before.values() if t.closed_by is not None and t.closed_by.chapter >= late]
    found = (*open_threads(before), *closed)
    if len(found) > MAX_THREADS:
        beside = Beside(unit, bible, found)
        found = tuple(sorted(found, key=beside.in_chapter, reverse=True)[:MAX_THREADS])
    order = {name: at for at, name in enumerate(before)}
    return tuple(sorted(found, key=lambda thread: order[thread.fact.thread]))


def _same(one: Noticed, found: Sequence[Noticed], unit: Unit) -> tuple[Noticed, ...]:
    """Return other candidates of the same sentence, then those shortly before it."""
    at = offset_of(unit, one.place)
    here = [other for other in found if other.place == one.place and other.thread != one.thread]
    near = [o for o in found if o.place < one.place and at - offset_of(unit, o.place) <= NEAR_CHARS]
    return tuple([*here, *reversed(near)][:MAX_SAME])


def question(candidate: DoubtCandidate, unit: Unit, bible: Bible) -> Question:
    """Return kind and sentence; the options are three roles, its neighbours, and the threads by the marks of the list above."""
    one = candidate.noticed
    rows: list[tuple[str, str, Ref | None]] = [(key, words, None) for key, words in BASIC]
    rows += [
        (f"same:{other.thread}", f"one with {other.kind} {other.place}", Ref(kind=other.kind, places=(other.place,)))
        for other in candidate.same
    ]
    options: tuple[Option, ...] = (
        *lettered(rows),
        *(
            Option(mark=mark_of(at), key=f"thread:{thread.fact.thread}", ref=thread_ref(thread))
            for at, thread in enumerate(candidate.threads)
        ),
    )
    return Question(
        key=QuestionKey(
            step=STEP.name,
            ask="thread.doubt",
            chapter=unit.chapter.no,
            about=(Ref(kind=one.kind, places=(one.place,)),),
            detail=f"{one.kind}:{one.thread}",
        ),
        type="choice",
        text=f"{KIND_WORDS[one.kind]} in {one.place}",
        options=options,
        sentences=(one.place,),
    )


def mark_of(at: int) -> str:
    """Return the mark of the listed thread `at`."""
    return f"t{at + 1}"


def slots(_group: str, unit: Unit, bible: Bible) -> dict[str, str]:
    """Return the list of threads as the prompt has it, each in a line of its own."""
    rows = [f"{mark_of(at)} {quoted(t.fact.statement)}" for at, t in enumerate(_listed(unit, bible))]
    return {"threads": "\n".join(rows) or "(none)"}


def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
    """Return what was answered about each candidate, `none` where it is nothing of the kind, `unparsed` resting on no answer."""
    facts: list[tuple[Fact, tuple[str, ...]]] = []
    for item in answered:
        read = item.answer.status in ("answered", "none")
        fact = ThreadSayFact(
            chapter=unit.chapter.no,
            thread=item.candidate.noticed.thread,
            what="check",
            value=item.answer.pick if read else "unparsed",
        )
        facts.append((fact, (item.answer_id,) if read else ()))
    return Effects(tuple(facts))


STEP = AskStep(
    name="thread_doubt",
    part="threads",
    reads=frozenset({"entity", "name", "same", "thread_notice"}),
    past=frozenset({"thread", "thread_event"}),
    writes=frozenset({"thread_say"}),
    candidates=candidates,
    question=question,
    effects=effects,
    prompt="thread_doubt",
    pack_size=80,
    slots=slots,
)
