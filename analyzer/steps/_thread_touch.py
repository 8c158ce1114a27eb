"""The shape of a look at open threads: which are asked about, what may have happened to each, in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analyzer.bible import Bible
from analyzer.models.facts import Fact
from analyzer.models.question import Option, Question, QuestionKey
from analyzer.models.story import Look, ThreadTouchFact
from analyzer.steps._options import lettered
from analyzer.steps._scope import evidence_of
from analyzer.steps._step import Answered, Effects, Unit
from analyzer.steps._threads import KIND_WORDS, Beside, checks_of, people_refs, thread_ref, threads_before
from analyzer.threads import Thread, open_threads

UNTOUCHED = "untouched"
UNPARSED = "unparsed"
MAX_TOUCHED = 48
"""Most threads asked about because code finds them touched, the most touched first."""
ROTATION = 4
"""Every how manieth chapter since its last event a thread that code finds nowhere is asked about all the same."""
MAX_ROTATED = 8
WORDS: dict[Look, tuple[tuple[str, str], ...]] = {
    "first": (
        ("reinforce", "recalled or made stronger"),
        ("trigger", "comes into play"),
        ("partial_payoff", "answered or done in part"),
        ("payoff", "answered, done or come true"),
        ("subvert", "turns out otherwise than it seemed"),
        ("abandon", "given up, can no longer come"),
    ),
    "second": (
        ("partial_payoff", "a part of the answer, the rest still wanted"),
        ("payoff", "settled: the reader now has the whole answer"),
        ("subvert", "settled against what was expected"),
        ("abandon", "dropped for good, nothing comes of it"),
        ("reinforce", "mentioned or hinted at again, no answer"),
        ("trigger", "now it acts, or its time has come"),
    ),
    "third": (
        ("subvert", "is overturned"),
        ("abandon", "is let go"),
        ("reinforce", "is only kept in mind"),
        ("trigger", "begins to work here"),
        ("partial_payoff", "is resolved in part"),
        ("payoff", "is wholly resolved here"),
    ),
}
"""What may have happened to a thread, in each look's words and order: no event has the same mark in any two."""


@dataclass(frozen=True)
class TouchCandidate:
    """A thread of an earlier chapter."""

    thread: Thread


def touched(unit: Unit, bible: Bible) -> Sequence[TouchCandidate]:
    """Return the threads to be asked about, in the order of the book.

    They are those the doubt found or whose very words stand here again, open ones that code finds here, a share of the rest.
    """
    before = threads_before(unit, bible)
    checks = checks_of(unit, bible)
    linked = [*checks, *(value.partition(":")[2] for value in checks.values() if value.startswith("thread:"))]
    found = {name: before[name] for name in linked if name in before}
    opened = open_threads(before)
    beside = Beside(unit, bible, opened)
    scores = {t.fact.thread: beside.in_chapter(t) for t in opened}
    ranked = sorted(opened, key=lambda t: -scores[t.fact.thread])
    here = [t for t in ranked if scores[t.fact.thread] > 0]
    rest = [t for t in opened if scores[t.fact.thread] <= 0 and (unit.chapter.no - t.last) % ROTATION == 0]
    asked = {t.fact.thread for t in (*here[:MAX_TOUCHED], *rest[:MAX_ROTATED])} | found.keys()
    return [TouchCandidate(thread) for name, thread in before.items() if name in asked]


def touch_options(look: Look) -> tuple[Option, ...]:
    """Return what may have happened, in this look's order; that nothing did is the hyphen."""
    return lettered((key, words, None) for key, words in WORDS[look])


def touch_question(step: str, look: Look) -> Callable[[TouchCandidate, Unit, Bible], Question]:
    """Return the question function of one look: the thread's statement; the options are shared by the pack."""

    def question(candidate: TouchCandidate, unit: Unit, bible: Bible) -> Question:
        thread = candidate.thread
        return Question(
            key=QuestionKey(
                step=step,
                ask="thread.touch",
                chapter=unit.chapter.no,
                about=(thread_ref(thread), *people_refs(thread, bible)),
                detail=f"{look}:{thread.fact.kind}:{thread.fact.thread}",
            ),
            type="choice",
            text=f"{KIND_WORDS[thread.fact.kind]}: {thread.fact.statement}",
            options=touch_options(look),
            evidence="must",
        )

    return question


def touch_effects(look: Look) -> Callable[[Sequence[Answered], Unit, Bible], Effects]:
    """Return the effects function of one look: every answer is kept, an unparsed one as such, resting on no answer."""

    def effects(answered: Sequence[Answered], unit: Unit, bible: Bible) -> Effects:
        facts: list[tuple[Fact, tuple[str, ...]]] = []
        for item in answered:
            status = item.answer.status
            event = item.answer.pick if status == "answered" else UNTOUCHED if status == "none" else UNPARSED
            fact = ThreadTouchFact(
                chapter=unit.chapter.no,
                thread=item.candidate.thread.fact.thread,
                look=look,
                event=event,
                evidence=evidence_of(unit, item.answer) if status == "answered" else (),
            )
            facts.append((fact, () if event == UNPARSED else (item.answer_id,)))
        return Effects(tuple(facts))

    return effects


def touches_of(unit: Unit, bible: Bible) -> dict[str, dict[Look, ThreadTouchFact]]:
    """Return the looks at each thread in this chapter."""
    found: dict[str, dict[Look, ThreadTouchFact]] = {}
    for fact in bible.of(ThreadTouchFact):
        if isinstance(fact, ThreadTouchFact) and fact.chapter == unit.chapter.no:
            found.setdefault(fact.thread, {})[fact.look] = fact
    return found


def split(looks: dict[Look, ThreadTouchFact]) -> bool:
    """Say whether the first two looks leave open what happened: they differ, or only one could be read."""
    read = [looks[look].event for look in ("first", "second") if look in looks and looks[look].event != UNPARSED]
    return bool(read) and (len(read) < 2 or read[0] != read[1])
