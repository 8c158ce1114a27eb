"""The facts of a run: what stands before each chapter, and what each step may see of it. Nothing is folded twice.

A chapter's start holds facts of carried classes alone (those with a carrying writer), so that it is the same whether the
chapters before are done whole, in part, or in another run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.hashing import content_hash
from analyzer.models.facts import EntityFact, Fact, StoredFact
from analyzer.scheduler.graph import Graph
from analyzer.scheduler.views import SHOWN_CLASSES, GuardedBible
from analyzer.steps._step import Step


class Start(NamedTuple):
    """The bible before a chapter and a hash over the facts in it."""

    bible: Bible
    facts_hash: str


_NO_FACTS_HASH = content_hash("facts", [])


class BookFacts:
    """Facts by task, as settled so far. Chapters outside the run count as the store has them."""

    def __init__(
        self, graph: Graph, stored: Iterable[StoredFact], *, run: frozenset[int], handles: Mapping[str, str]
    ) -> None:
        self._graph = graph
        self._run = run
        self.handles = dict(handles)
        self._stored: dict[tuple[int, str], tuple[StoredFact, ...]] = {}
        for fact in stored:
            task = (fact.chapter, fact.step)
            self._stored[task] = (*self._stored.get(task, ()), fact)
        self._settled: dict[tuple[int, str], tuple[StoredFact, ...]] = {}
        self._hashes: dict[tuple[int, str], str] = {}
        self._carried: list[Fact] = []
        self._carried_hash = _NO_FACTS_HASH
        self._next = 1
        self._cores: dict[tuple[int, frozenset[str], frozenset[str]], Bible] = {}
        self._starts: dict[int, Start] = {}

    def stored(self, chapter: int, step: str) -> tuple[StoredFact, ...]:
        """Return what the store had of a task when the run began."""
        return self._stored.get((chapter, step), ())

    def settle(self, chapter: int, step: str, facts: tuple[StoredFact, ...]) -> None:
        """Set what a task of the run left, whether it was done anew or found unchanged."""
        self._settled[chapter, step] = facts
        self._hashes[chapter, step] = content_hash("facts", [f.fact_id for f in facts]) if facts else _NO_FACTS_HASH
        fresh = {f.fact.anchor: f.fact.entity for f in facts if isinstance(f.fact, EntityFact)}
        if fresh.keys() - self.handles.keys():
            self.handles = {**fresh, **self.handles}

    def open(self, chapter: int) -> Start:
        """Return what stands before `chapter`; chapters are opened in order, once all the chapter waits for is settled."""
        steps = [step.name for step in self._graph.steps]
        while self._next < chapter:
            self._carry(self._next, steps)
            self._next += 1
        start = Start(Bible(chapter - 1, tuple(self._carried), self.handles), self._carried_hash)
        self._starts[chapter] = start
        return start

    def _carry(self, chapter: int, steps: list[str]) -> None:
        known = self._settled if chapter in self._run else self._stored
        if not known:
            return
        facts = [f for step in steps for f in known.get((chapter, step), ()) if f.fact.fact in self._graph.carried]
        if facts:
            self._carried.extend(f.fact for f in facts)
            self._carried_hash = content_hash("facts", [self._carried_hash, [f.fact_id for f in facts]])

    def close(self, chapter: int) -> None:
        """Forget what only tasks of `chapter` needed."""
        self._starts.pop(chapter, None)
        for key in [key for key in self._cores if key[0] == chapter]:
            del self._cores[key]

    def reads_hash(self, chapter: int, step: str) -> list[str]:
        """Return the hashes of what the steps left that `step` waits for, in order."""
        return [self._hashes[chapter, writer] for writer in self._graph.before[step]]

    def with_added_cast(self, chapter: int) -> Bible:
        """Return the bible with the cast as the cast steps of `chapter` left it."""
        classes = SHOWN_CLASSES & self._graph.carried
        return self._core(chapter, classes, self._graph.cast_steps)

    def view(self, chapter: int, step: Step) -> GuardedBible:
        """Return what `step` may see: the classes it reads, of the chapters before and of this one's steps before it."""
        writers = frozenset(name for c in step.reads for name in self._graph.writers[c]) - {step.name}
        shown = step.reads & SHOWN_CLASSES
        return GuardedBible(
            chapter,
            self._facts(chapter, step.reads, writers),
            self.handles,
            step=step.name,
            declared=step.reads,
            cast_source=lambda: self._core(chapter, shown, writers),
        )

    def _core(self, chapter: int, classes: frozenset[str], writers: frozenset[str]) -> Bible:
        """Return a bible of cast classes alone, shared by all that see the same."""
        wrote = frozenset(
            w for w in writers if any(f.fact.fact in classes for f in self._settled.get((chapter, w), ()))
        )
        key = (chapter, classes, wrote)
        if key not in self._cores:
            self._cores[key] = Bible(chapter, self._facts(chapter, classes, wrote), self.handles)
        return self._cores[key]

    def _facts(self, chapter: int, classes: frozenset[str], writers: frozenset[str]) -> tuple[Fact, ...]:
        """Return facts before the chapter and of these writers in it, in the order of the book.

        In the chapter only `classes`; before it, whoever reads the cast sees all that it is folded from.
        """
        if not classes:
            return ()
        before = self._starts[chapter].bible.facts
        wanted = classes | (SHOWN_CLASSES if classes & SHOWN_CLASSES else frozenset())
        if not self._graph.carried <= wanted:
            before = tuple(fact for fact in before if fact.fact in wanted)
        own = [
            stored.fact
            for step in self._graph.steps
            if step.name in writers
            for stored in self._settled.get((chapter, step.name), ())
            if stored.fact.fact in classes
        ]
        return (*before, *own)
