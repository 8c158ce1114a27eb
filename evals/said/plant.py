"""Plants: what a bible says a chapter sets up, keeps in mind or answers."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.bible import Bible
from analyzer.models.story import ThreadEventFact, ThreadFact
from analyzer.threads import fold_threads
from evals.records import ItemClass
from evals.said import Said

CLASS: ItemClass = "plant"


def said(bible: Bible, number: int) -> Iterator[Said]:
    """Yield every event of a thread in chapter `number` with the thread's kind and statement."""
    threads = fold_threads(bible.of(ThreadFact, ThreadEventFact), through=number)
    for thread in threads.values():
        for event in thread.events:
            if event.chapter == number:
                fields: dict[str, object] = {
                    "kind": thread.fact.kind,
                    "what": thread.fact.statement,
                    "event": event.event,
                }
                yield Said(fields, event.evidence)
