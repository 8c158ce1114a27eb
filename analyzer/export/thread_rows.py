"""Threads on a plane: what is open, how it does, what happened to it. Characters know nothing of threads."""

from __future__ import annotations

from analyzer.export.naming import Who, quotes, told, where, whos
from analyzer.export.planes import Seen
from analyzer.export.show import QuoteRow
from analyzer.models.base import Record
from analyzer.models.story import ThreadEvent, ThreadKind
from analyzer.threads import Thread, ThreadHealth, ThreadStatus, fold_threads


class ThreadEventRow(Record):
    """What happened to a thread in a chapter."""

    chapter: int
    where: str
    event: ThreadEvent
    fact_id: str


class ThreadRow(Record):
    """A thread as of a chapter: `status` and `health` are folded from its events, `silent` counts chapters read without one."""

    thread: str
    chapter: int
    where: str
    kind: ThreadKind
    statement: str
    about: tuple[Who, ...]
    status: ThreadStatus
    health: ThreadHealth
    silent: int
    events: tuple[ThreadEventRow, ...]
    evidence: tuple[QuoteRow, ...]
    fact_id: str


def thread_rows(view: Seen, *, is_open: bool = False) -> tuple[ThreadRow, ...]:
    """Return the threads up to the view's chapter in the order in which they enter the book; the open ones alone if asked."""
    threads = fold_threads(view.bible.facts, through=view.through, unread=view.threads_unread).values()
    return tuple(_row(view, thread) for thread in threads if not is_open or thread.closed_by is None)


def _row(view: Seen, thread: Thread) -> ThreadRow:
    fact = thread.fact
    return ThreadRow(
        thread=fact.thread,
        chapter=fact.chapter,
        where=where(fact.chapter, fact.evidence),
        kind=fact.kind,
        statement=told(view, fact.statement),
        about=whos(view, fact.about),
        status=thread.status(),
        health=thread.health(),
        silent=thread.silent,
        events=tuple(
            ThreadEventRow(chapter=e.chapter, where=where(e.chapter, e.evidence), event=e.event, fact_id=view.id_of(e))
            for e in thread.events
        ),
        evidence=quotes(thread.evidence),
        fact_id=view.id_of(fact),
    )
