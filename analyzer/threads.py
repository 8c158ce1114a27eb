"""Threads folded from their facts: what stands open as of a chapter, how it ended, how long it has been silent.

Status and health are never stored: they follow from the events up to a chapter and from a reader's patience (`Patience`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analyzer.models.evidence import Evidence
from analyzer.models.facts import Fact
from analyzer.models.story import ThreadEventFact, ThreadFact, ThreadKind

ThreadStatus = Literal["open", "dormant", "overdue", "paid", "subverted", "abandoned"]
ThreadHealth = Literal["fresh", "active", "dormant", "overdue", "closed", "unplanted"]
CLOSING: Mapping[str, ThreadStatus] = {"payoff": "paid", "subvert": "subverted", "abandon": "abandoned"}
"""Events that close a thread, and what it then is; a later event of another kind opens it again."""
PLANTS = "plant"


@dataclass(frozen=True)
class Patience:
    """How many chapters without an event a reader bears. Settings, not findings: no corpus says when a thread is forgotten.

    `fresh` chapters after its first event a thread is new; after `dormant` chapters without one it sleeps, after `overdue`
    it wants its answer. `by_kind` gives other (dormant, overdue) pairs: what has a date or a danger presses sooner.
    """

    fresh: int = 1
    dormant: int = 5
    overdue: int = 15
    by_kind: Mapping[ThreadKind, tuple[int, int]] = field(
        default_factory=lambda: {"deadline": (3, 6), "threat": (4, 10), "promise": (5, 12)}
    )

    def of(self, kind: ThreadKind) -> tuple[int, int]:
        """Return the chapters after which a thread of this kind is dormant, and overdue."""
        return self.by_kind.get(kind, (self.dormant, self.overdue))


PATIENCE = Patience()


@dataclass(frozen=True)
class Thread:
    """A thread as of chapter `through`: its fact, its events in the order of the book; `unread` chapters are no silence."""

    fact: ThreadFact
    events: tuple[ThreadEventFact, ...]
    through: int
    unread: frozenset[int] = frozenset()

    @property
    def planted(self) -> bool:
        """Whether its first event sets it up; where it does not, it is paid (or taken up) without a plant."""
        return bool(self.events) and self.events[0].event == PLANTS

    @property
    def closed_by(self) -> ThreadEventFact | None:
        """The event that closed it, None while it is open."""
        return self.events[-1] if self.events and self.events[-1].event in CLOSING else None

    @property
    def last(self) -> int:
        """The chapter of its last event."""
        return self.events[-1].chapter if self.events else self.fact.chapter

    @property
    def silent(self) -> int:
        """How many chapters that were read it has been without an event."""
        return self._since(self.last)

    def _since(self, chapter: int) -> int:
        skipped = sum(chapter < no <= self.through for no in self.unread)
        return max(0, self.through - chapter - skipped)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All words that show it, in the order of its events."""
        return (*self.fact.evidence, *(e for event in self.events for e in event.evidence))

    def status(self, patience: Patience = PATIENCE) -> ThreadStatus:
        """Return what became of it so far."""
        closed = self.closed_by
        if closed is not None:
            return CLOSING[closed.event]
        dormant, overdue = patience.of(self.fact.kind)
        return "overdue" if self.silent >= overdue else "dormant" if self.silent >= dormant else "open"

    def health(self, patience: Patience = PATIENCE) -> ThreadHealth:
        """Return how it does: a closed one is `closed`, or `unplanted` where nothing had set it up."""
        if self.closed_by is not None:
            return "closed" if self.planted else "unplanted"
        status = self.status(patience)
        if status == "dormant" or status == "overdue":
            return status
        return "fresh" if self._since(self.fact.chapter) <= patience.fresh else "active"


def _in_book(event: ThreadEventFact) -> tuple[int, bool, tuple[int, int], str]:
    """Return where an event stands: its last words count, a plant comes before what follows in the same chapter."""
    at = max(((e.block, e.sentence) for e in event.evidence), default=(0, 0))
    return event.chapter, event.event != PLANTS, at, event.event


def fold_threads(facts: Iterable[Fact], *, through: int, unread: frozenset[int] = frozenset()) -> dict[str, Thread]:
    """Return the threads as of chapter `through` by id, in the order in which they enter the book.

    In `unread` chapters nobody looked for threads: they count as no silence.
    Facts of later chapters are left out, events of threads nobody set up too; the order of `facts` does not matter.
    """
    known: dict[str, ThreadFact] = {}
    events: dict[str, list[ThreadEventFact]] = {}
    for fact in facts:
        if isinstance(fact, ThreadFact) and fact.chapter <= through:
            before = known.get(fact.thread)
            if before is None or fact.chapter < before.chapter:
                known[fact.thread] = fact
        elif isinstance(fact, ThreadEventFact) and fact.chapter <= through:
            events.setdefault(fact.thread, []).append(fact)
    made = [
        Thread(fact, tuple(sorted(events.get(name, ()), key=_in_book)), through, unread) for name, fact in known.items()
    ]
    return {thread.fact.thread: thread for thread in sorted(made, key=_entered)}


def _entered(thread: Thread) -> tuple[int, tuple[int, int], str]:
    at = min(((e.block, e.sentence) for e in thread.fact.evidence), default=(0, 0))
    return thread.fact.chapter, at, thread.fact.thread


def open_threads(threads: Mapping[str, Thread]) -> tuple[Thread, ...]:
    """Return the threads that nothing has closed yet, in order."""
    return tuple(thread for thread in threads.values() if thread.closed_by is None)


def by_health(threads: Sequence[Thread], patience: Patience = PATIENCE) -> dict[ThreadHealth, tuple[Thread, ...]]:
    """Return threads by how they do, in order."""
    found: dict[ThreadHealth, list[Thread]] = {}
    for thread in threads:
        found.setdefault(thread.health(patience), []).append(thread)
    return {health: tuple(rows) for health, rows in found.items()}
