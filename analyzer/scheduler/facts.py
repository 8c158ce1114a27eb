"""The facts of a run: what stands before each chapter, and what each step may see of it. Nothing is folded twice.

A chapter's start holds facts of carried classes alone (those with a carrying writer), so that it is the same whether the
chapters before are done whole, in part, or in another run; surface forms and counts of mentions are their own chapter's and not
in it. Of the author's decisions it holds what a reader of the chapters before knows; hashes cover those that touch the facts
they are over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from analyzer.bible import Bible
from analyzer.hashing import content_hash
from analyzer.models.decision import Kept
from analyzer.models.facts import EntityFact, Fact, FormFact, PresenceFact, StoredFact
from analyzer.rulings import NO_RULINGS, Rulings
from analyzer.scheduler.graph import Graph
from analyzer.scheduler.views import SHOWN_CLASSES, GuardedBible
from analyzer.steps._step import Step

Names = tuple[str, ...]
"""Step names, in the order of steps."""


class Start(NamedTuple):
    """The bible before a chapter and a hash over the facts in it."""

    bible: Bible
    facts_hash: str


UNCOUNTED = {"n_mentions": 0, "first": None}
"""Fields of a presence that no later chapter is shown: a name more or less in one would run all after it again."""
_NO_FACTS_HASH = content_hash("facts", [])


_Left = dict[str, tuple[StoredFact, ...]]
"""What the tasks of one chapter left, by step; tasks that left nothing are not in it."""


class _Sifted(NamedTuple):
    """The facts of some classes among the first `n_seen` carried ones."""

    n_seen: int
    facts: tuple[Fact, ...]


class _Past(NamedTuple):
    """The facts of some classes, chapter after chapter; `hashes` and `counts` say what stood before each chapter."""

    facts: list[Fact]
    hashes: dict[int, str]
    counts: dict[int, int]


class _Remembered(NamedTuple):
    """What several tasks of an open chapter share: cast folds, facts before by class, hashes of what was read."""

    cores: dict[tuple[frozenset[str], Names], Bible]
    before: dict[frozenset[str], tuple[Fact, ...]]
    read_hashes: dict[Names, str]


class BookFacts:
    """Facts by task, as settled so far. Chapters outside the run count as the store has them."""

    def __init__(
        self,
        graph: Graph,
        stored: Iterable[StoredFact],
        *,
        run: frozenset[int],
        handles: Mapping[str, str],
        rulings: Rulings = NO_RULINGS,
    ) -> None:
        self._graph = graph
        self._rulings = rulings
        self._order = tuple(step.name for step in graph.steps)
        self._run = run
        self.handles = dict(handles)
        self._stored: dict[int, _Left] = {}
        self._lasting = graph.carried.union(*(step.past for step in graph.steps))
        for fact in stored:
            if fact.chapter not in run and fact.fact.fact not in self._lasting:
                continue  # nobody looks at it: the chapter is not read, and no later one asks for its class
            left = self._stored.setdefault(fact.chapter, {})
            left[fact.step] = (*left.get(fact.step, ()), fact)
        self._settled: dict[int, _Left] = {no: {} for no in run}
        self._hashes: dict[tuple[int, str], str] = {}
        self._carried: list[Fact] = []
        self._last = Bible(0)
        self._carried_of: dict[frozenset[str], _Sifted] = {}
        self._carried_hash = _NO_FACTS_HASH
        self._next = 1
        self._sources = {step.name: self._writers(step) for step in graph.steps}
        self._cast_sources = tuple(name for name in self._order if name in graph.cast_steps)
        self._starts: dict[int, Start] = {}
        self._remembered: dict[int, _Remembered] = {}
        self._past_of: dict[frozenset[str], _Past] = {}

    def _writers(self, step: Step) -> Names:
        """Return who writes what `step` reads, but for the step itself."""
        found = {name for c in step.reads for name in self._graph.writers[c]} - {step.name}
        return tuple(name for name in self._order if name in found)

    def stored(self, chapter: int, step: str) -> tuple[StoredFact, ...]:
        """Return what the store had of a task when the run began."""
        left = self._stored.get(chapter)
        return left.get(step, ()) if left else ()

    def settle(self, chapter: int, step: str, facts: tuple[StoredFact, ...]) -> None:
        """Set what a task of the run left, whether it was done anew or found unchanged."""
        if not facts:
            return
        self._settled[chapter][step] = facts
        self._hashes[chapter, step] = content_hash("facts", [f.fact_id for f in facts])
        fresh = {f.fact.anchor: f.fact.entity for f in facts if isinstance(f.fact, EntityFact)}
        if fresh.keys() - self.handles.keys():
            self.handles = {**fresh, **self.handles}

    def open(self, chapter: int) -> Start:
        """Return what stands before `chapter`; chapters are opened in order, once all the chapter waits for is settled."""
        while self._next < chapter:
            self._carry(self._next)
            self._next += 1
        known = self._last
        new = self._carried[len(known.facts) :]
        ruled = self._rulings.known(chapter - 1, "reader")
        self._last = known.followed_by(new, Bible(chapter - 1, tuple(self._carried), self.handles, ruled))
        start = Start(self._last, _hash_with(self._carried_hash, ruled, self._carried))
        self._starts[chapter] = start
        self._remembered[chapter] = _Remembered({}, {}, {})
        return start

    def _carry(self, chapter: int) -> None:
        left = self._settled[chapter] if chapter in self._run else self._stored.get(chapter)
        if not left:
            return
        facts = [f for step in self._order for f in left.get(step, ()) if f.fact.fact in self._graph.carried]
        shown = [_as_carried(f) for f in facts if not isinstance(f.fact, FormFact)]
        if shown:
            self._carried.extend(fact for _, fact in shown)
            self._carried_hash = content_hash("facts", [self._carried_hash, [fact_id for fact_id, _ in shown]])

    def close(self, chapter: int) -> None:
        """Forget what only tasks of `chapter` needed: of its facts those of classes that no later chapter looks at."""
        self._starts.pop(chapter, None)
        self._remembered.pop(chapter, None)
        self._stored.pop(chapter, None)
        left = self._settled[chapter]
        for step, facts in tuple(left.items()):
            left[step] = tuple(f for f in facts if f.fact.fact in self._lasting)

    def reads_hash(self, chapter: int, step: Step) -> str:
        """Return a hash over what the steps left that `step` sees, in this chapter and, of its past classes, before it."""
        here = self._reads_hash(chapter, step.name)
        if step.past:
            self._past(chapter, step.past)
            here = content_hash("reads", [here, self._past_of[step.past].hashes[chapter]])
        return self._hash_as_decided(here, chapter, step) if self._rulings else here

    def _hash_as_decided(self, here: str, chapter: int, step: Step) -> str:
        """Return the hash with the decisions that touch what `step` reads, and with what is confirmed of what it writes."""
        wrote = self._wrote(chapter, tuple(self._graph.before[step.name]))
        facts = [kept.fact for name in wrote for kept in self._settled[chapter][name]]
        here = _hash_with(here, self._starts[chapter].bible.ruled, [*facts, *self._past(chapter, step.past)])
        kept = [one.model_dump(mode="json") for one in self.confirmed(chapter, step.name)]
        return content_hash("confirmed", [here, kept]) if kept else here

    def confirmed(self, chapter: int, step: str) -> tuple[Kept, ...]:
        """Return what the author confirmed of the facts `step` writes in `chapter`."""
        return self._rulings.kept_at(step, chapter)

    def _past(self, chapter: int, classes: frozenset[str]) -> tuple[Fact, ...]:
        """Return facts of `classes` in the chapters before; their writers are done with all of them. Each chapter is looked at once."""
        known = self._past_of.setdefault(classes, _Past([], {1: _NO_FACTS_HASH}, {1: 0}))
        for no in range(max(known.counts), chapter):
            left = self._settled[no] if no in self._run else self._stored.get(no, {})
            found = [f for step in self._order for f in left.get(step, ()) if f.fact.fact in classes]
            known.facts.extend(f.fact for f in found)
            known.counts[no + 1] = len(known.facts)
            before = known.hashes[no]
            known.hashes[no + 1] = content_hash("facts", [before, [f.fact_id for f in found]]) if found else before
        return tuple(known.facts[: known.counts[chapter]])

    def _reads_hash(self, chapter: int, step: str) -> str:
        before = self._graph.before[step]
        wrote = self._wrote(chapter, before)
        if not wrote:
            return _NO_FACTS_HASH
        known = self._remembered[chapter].read_hashes
        if wrote not in known:
            known[wrote] = content_hash("reads", [[name, self._hashes[chapter, name]] for name in wrote])
        return known[wrote]

    def with_added_cast(self, chapter: int) -> Bible:
        """Return the bible with the cast as the cast steps of `chapter` left it."""
        return self._core(chapter, SHOWN_CLASSES & self._graph.carried, self._cast_sources)

    def view(self, chapter: int, step: Step) -> GuardedBible:
        """Return what `step` may see: the classes it reads, of the chapters before and of this one's steps before it."""
        sources = self._sources[step.name]
        facts = self._facts(chapter, step.reads, self._wrote(chapter, sources))
        return GuardedBible(
            chapter,
            (*self._past(chapter, step.past), *facts) if step.past else facts,
            self.handles,
            ruled=self._starts[chapter].bible.ruled,
            step=step.name,
            declared=step.reads | step.past,
            cast_source=lambda: self._core(chapter, step.reads & SHOWN_CLASSES, sources),
        )

    def _wrote(self, chapter: int, writers: Names) -> Names:
        left = self._settled[chapter]
        return tuple([name for name in writers if name in left]) if left else ()

    def _core(self, chapter: int, classes: frozenset[str], writers: Names) -> Bible:
        """Return a bible of cast classes alone, shared by all that see the same."""
        left = self._settled[chapter]
        wrote = tuple(w for w in self._wrote(chapter, writers) if any(f.fact.fact in classes for f in left[w]))
        cores, key = self._remembered[chapter].cores, (classes, wrote)
        if key not in cores:
            start, new = self._starts[chapter].bible, self._new(chapter, classes, wrote)
            bible = Bible(chapter, (*self._before_of(chapter, classes), *new), self.handles, start.ruled)
            cores[key] = start.followed_by(new, bible) if classes else bible
        return cores[key]

    def _facts(self, chapter: int, classes: frozenset[str], wrote: Names) -> tuple[Fact, ...]:
        """Return facts of `classes` before the chapter and of these writers in it, in the order of the book."""
        before = self._before_of(chapter, classes)
        return (*before, *self._new(chapter, classes, wrote)) if wrote else before

    def _new(self, chapter: int, classes: frozenset[str], wrote: Names) -> list[Fact]:
        left = self._settled[chapter]
        return [kept.fact for name in wrote for kept in left[name] if kept.fact.fact in classes]

    def _before_of(self, chapter: int, classes: frozenset[str]) -> tuple[Fact, ...]:
        """Return facts of earlier chapters: whoever reads the cast sees all that it is folded from."""
        before = self._starts[chapter].bible.facts
        if not classes:
            return ()
        wanted = classes | (SHOWN_CLASSES if classes & SHOWN_CLASSES else frozenset())
        if not before or self._graph.carried <= wanted:
            return before
        known = self._remembered[chapter].before
        if wanted not in known:
            known[wanted] = self._sifted(wanted, before)
        return known[wanted]

    def _sifted(self, wanted: frozenset[str], before: tuple[Fact, ...]) -> tuple[Fact, ...]:
        """Return those of `before` that are of these classes; what was sifted for an earlier chapter is not sifted again."""
        kept = self._carried_of.setdefault(wanted, _Sifted(0, ()))
        if kept.n_seen > len(before):
            return tuple(fact for fact in before if fact.fact in wanted)
        facts = (*kept.facts, *[fact for fact in before[kept.n_seen :] if fact.fact in wanted])
        self._carried_of[wanted] = _Sifted(len(before), facts)
        return facts


def _as_carried(stored: StoredFact) -> tuple[str, Fact]:
    """Return a fact as later chapters are shown it, with what tells it from others."""
    fact = stored.fact
    if isinstance(fact, PresenceFact):
        return f"{fact.entity} {fact.chapter} {fact.presence}", fact.model_copy(update=UNCOUNTED)
    return stored.fact_id, fact


def _hash_with(hashed: str, ruled: Rulings, facts: Iterable[Fact]) -> str:
    """Return a hash over facts with the decisions that touch them; the hash itself where none does."""
    said = ruled.hash_of(ruled.touching(facts)) if ruled else ""
    return content_hash("ruled", [hashed, said]) if said else hashed
