"""The loop of a run: tasks as soon as their inputs stand, calls as soon as prefix, slot and money allow, everything saved at once.

One event loop. Code of steps runs in the loop itself, calls wait in tasks of their own, the writer has a thread. A task's
result goes to the store behind the answers it rests on, in the order settled, so that a run killed anywhere resumes.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.errors import AnalyzerError
from analyzer.llm.asker import of_whole_book
from analyzer.models.facts import StoredFact
from analyzer.models.issue import Issue
from analyzer.models.rows import TaskId, TaskRow
from analyzer.models.text import Manuscript
from analyzer.scheduler.asking import Asked, Desk
from analyzer.scheduler.calls import Side
from analyzer.scheduler.chapters import Named, OpenChapter, copies, text_hash
from analyzer.scheduler.confirmed import with_confirmed
from analyzer.scheduler.facts import BookFacts
from analyzer.scheduler.graph import Graph, ancestors
from analyzer.scheduler.pastwaits import PastWaits
from analyzer.scheduler.progress import Reporter
from analyzer.scheduler.questions import plan_packs
from analyzer.scheduler.settle import PackLife, Settled
from analyzer.scheduler.slots import Urgency
from analyzer.scheduler.sparing import Sparing
from analyzer.scheduler.stop import Stop
from analyzer.scheduler.taken import SETTING, Taken
from analyzer.scheduler.tasks import Result, Task, answered, input_hash, result_of, step_hash
from analyzer.steps._step import AskStep, Effects, Stage, Unit
from analyzer.storage.store import Store
from analyzer.storage.writer import Links, Writer
from analyzer.text.languages import language_table

SLICE_S = 0.02
"""Longest time for tasks in a row before the loop looks at the network again. Source: well under a provider's latency."""


@dataclass(frozen=True)
class Sides:
    """Who is asked, and who is asked to confirm."""

    ask: Side
    confirm: Side

    def of(self, step: AskStep) -> Side:
        """Return who answers `step`."""
        return self.confirm if step.confirms else self.ask


@dataclass
class Totals:
    """What a run settled so far."""

    n_tasks: int = 0
    n_unchanged: int = 0
    n_reused: int = 0
    unanswered: list[str] = field(default_factory=list)
    waiting: list[tuple[str, int]] = field(default_factory=list)
    issues: dict[tuple[int, int], tuple[Issue, ...]] = field(default_factory=dict)


@dataclass
class BookRun:
    """One run over the chapters of a book. `go` does it all; everything it needs is given."""

    graph: Graph
    manuscript: Manuscript
    chapters: Sequence[int]
    taken: Taken
    named: Named
    sides: Sides
    writer: Writer
    desk: Desk
    facts: BookFacts
    known_tasks: dict[TaskId, TaskRow]
    reporter: Reporter
    stop: Stop
    sparing: Sparing = field(default_factory=Sparing)
    strict: bool = False
    totals: Totals = field(default_factory=Totals)
    _ready: list[tuple[Urgency, Task]] = field(default_factory=list)
    _asking: set[asyncio.Task[None]] = field(default_factory=set)
    _writes: set[asyncio.Future[None]] = field(default_factory=set)
    _links: Links = field(default_factory=Links)
    _results: list[Result] = field(default_factory=list)
    _opening_left: dict[int, int] = field(default_factory=dict)
    _opened: dict[int, OpenChapter] = field(default_factory=dict)
    _n_opened: int = 0
    _cancelled: bool = False
    _given_up: bool = False
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self._place = {step.name: at for at, step in enumerate(self.graph.steps)}
        self._chain = _chain(self.graph)
        self._copies = copies(self.manuscript)
        self._past = PastWaits(self.graph.past_writers, self.chapters)
        self._step_hashes = {
            step.name: step_hash(step, self.sides.of(step).asker if isinstance(step, AskStep) else None)
            for step in self.graph.steps
        }

    async def go(self) -> None:
        """Do every task that can be done; returns when nothing more can. Spends. What arrived is stored in any case."""
        try:
            self._open_chapters()
            while self._ready or self._asking:
                self._work()
                self._flush()
                if self._ready and not self.stop.is_set:
                    await asyncio.sleep(0)
                elif self._asking:
                    await self._changed.wait()
                    self._changed.clear()
                else:
                    break
        finally:
            await self._finish()
        if self._cancelled:
            raise asyncio.CancelledError
        if self.stop.crash is not None:
            raise self.stop.crash

    def cancel(self) -> None:
        """Stop at once: what is in flight is given up and counts as spent."""
        self._given_up = True
        self.stop.interrupt()
        for asking in self._asking:
            asking.cancel()

    async def _finish(self) -> None:
        """Let what is in flight end, and store it."""
        if self._asking:
            self.stop.interrupt()
            await asyncio.wait(self._asking)
        self._flush()
        remembered = self.taken.remembered()
        if remembered is not None:
            self.write_behind(lambda store: store.put_setting(SETTING, remembered))
        if self._writes:
            await asyncio.wait(self._writes)

    def _open_chapters(self) -> None:
        """Open chapters whose start is known: all before them in the run have done what the next chapter waits for."""
        while self._n_opened < len(self.chapters):
            if self._n_opened and self._opening_left[self.chapters[self._n_opened - 1]]:
                return
            self._open(self.chapters[self._n_opened])
            self._n_opened += 1

    def _open(self, no: int) -> None:
        chapter = self.manuscript.chapters[no - 1]
        opened = OpenChapter(
            chapter=chapter,
            table=language_table(chapter.language),
            taken=self.taken,
            start=self.facts.open(no),
            named=self.named,
            added_cast=lambda: self.facts.with_added_cast(no),
            waiting=self._waits(no),
            n_left=len(self.graph.steps),
            text_hash=text_hash(chapter),
            copy=self._copies.get(no, 0),
        )
        self._opening_left[no] = len(self.graph.opening)
        self._opened[no] = opened
        for step in self.graph.steps:
            if not opened.waiting[step.name]:
                self._push(Task(step, opened))

    def _waits(self, no: int) -> dict[str, int]:
        """Return what each step of a chapter waits for: steps of the chapter, and for the past as one more where it is not there yet."""
        waits = dict(self.graph.n_waits)
        for name in self.graph.past_writers:
            if not self._past.is_there(name, no):
                waits[name] += 1
        return waits

    def _push(self, task: Task) -> None:
        heapq.heappush(self._ready, (self._urgency(task), task))

    def _urgency(self, task: Task) -> Urgency:
        name = task.step.name
        return (0 if name in self._chain else 1, task.chapter, self._place[name])

    def _work(self) -> None:
        """Do some ready tasks; those that must ask go on in tasks of the event loop."""
        clock = self.reporter.machine.monotonic
        until = clock() + SLICE_S
        while self._ready and not self.stop.is_set and clock() < until:
            _, task = heapq.heappop(self._ready)
            try:
                self._start(task)
            except AnalyzerError as error:
                self.stop.fail(error)

    def _start(self, task: Task) -> None:
        step = task.step
        side = self.sides.of(step) if isinstance(step, AskStep) else None
        marks = self.taken.of(step, task.open.chapter), of_whole_book(side.asker, step.name) if side else ""
        reads = self.facts.reads_hash(task.chapter, step)
        asked = self._step_hashes[step.name] + self.sparing.mark(step.name, task.chapter)
        inputs = input_hash(task, asked, reads, marks)
        known = self.known_tasks.get(TaskId(step.name, task.chapter))
        if known is not None and known.input_hash == inputs and not self.strict:
            self.totals.n_unchanged += 1
            stored = self.facts.stored(task.chapter, step.name)
            self.sparing.note_stored(step.name, task.chapter, stored)
            self._settled(task, stored)
        elif isinstance(step, AskStep):
            self._start_asking(task, step, self.sides.of(step), inputs)
        else:
            stage: Stage = "chapter" if step.name in self.graph.cast_steps else "cast"
            unit = self._unit(task, stage, self.sides.ask)
            effects = step.compute(unit, self.facts.view(task.chapter, step))
            self._keep(task, effects, (), (), inputs)

    def _start_asking(self, task: Task, step: AskStep, side: Side, inputs: str) -> None:
        asked_format = side.asker.profile.answer_format
        prefix = task.open.prefix(asked_format, step.stage)
        unit = self._unit(task, step.stage, side)
        plans = plan_packs(step, unit, self.facts.view(task.chapter, step), prefix, side.asker, inputs)
        plans = self.sparing.left(step.name, task.chapter, plans)
        if not plans:
            self._conclude(task, step, Asked(()), inputs)
            return

        async def ask() -> None:
            lives = await self.desk.lives(task, plans, prefix, side, self._urgency(task))
            self._plan(step.name, lives)
            self._conclude(task, step, await self.desk.settle(lives), inputs)

        asking = asyncio.create_task(ask())
        self._asking.add(asking)
        asking.add_done_callback(self._asked)

    def _unit(self, task: Task, stage: Stage, side: Side) -> Unit:
        has_book = task.step.from_book is not None
        return task.open.unit(stage, side.asker.profile.answer_format, has_book=has_book)

    def _plan(self, step: str, lives: Sequence[PackLife]) -> None:
        self.reporter.plan(step, sum(not life.is_settled for life in lives))

    def _asked(self, asking: asyncio.Task[None]) -> None:
        self._asking.discard(asking)
        if asking.cancelled():
            self._cancelled = self._cancelled or not self._given_up
            self.stop.interrupt()
        else:
            error = asking.exception()
            if error is not None:
                self.stop.fail(error)
        self._changed.set()

    def _conclude(self, task: Task, step: AskStep, asked: Asked, inputs: str) -> None:
        """Run the effects where all is settled; a task that waits for an answer is left for another run."""
        self.totals.n_reused += asked.n_reused
        if asked.settled is None:
            self.totals.waiting.extend([(step.name, task.chapter)] * asked.waiting)
            return
        side = self.sides.of(step)
        self.sparing.note(step.name, task.chapter, asked.settled, side.asker)
        unit = self._unit(task, step.stage, side)
        effects = step.effects(answered(asked.settled), unit, self.facts.view(task.chapter, step))
        self._keep(task, effects, asked.settled, asked.issues, inputs)

    def _keep(
        self, task: Task, effects: Effects, settled: Sequence[Settled], issues: Sequence[Issue], inputs: str
    ) -> None:
        step = task.step
        confirmed = self.facts.confirmed(task.chapter, step.name)
        if confirmed:
            effects = with_confirmed(effects, confirmed, task.open.chapter, self.facts.view(task.chapter, step))
        model = self.sides.of(step).asker.model if isinstance(step, AskStep) else ""
        result = result_of(task, effects, settled, issues, inputs, self.facts, model=model)
        self._results.append(result)
        self.totals.n_tasks += 1
        self.totals.unanswered.extend(s.asked.question.key.text for s in settled if not s.got.usable)
        if result.issues:
            at = (task.chapter, self._place[task.step.name])
            self.totals.issues[at] = tuple(issue for _, issue in result.issues)
        self._settled(task, result.facts)

    def _settled(self, task: Task, facts: tuple[StoredFact, ...]) -> None:
        """Let go whatever waited for this task."""
        name, no, opened = task.step.name, task.chapter, task.open
        self.facts.settle(no, name, facts)
        self.reporter.n_tasks_done += 1
        for after in self.graph.after[name]:
            opened.waiting[after] -= 1
            if not opened.waiting[after]:
                self._push(Task(self.graph.steps[self._place[after]], opened))
        for after, later in self._past.settle(name, no):
            waiting = self._opened.get(later)
            if waiting is not None:
                waiting.waiting[after] -= 1
                if not waiting.waiting[after]:
                    self._push(Task(self.graph.steps[self._place[after]], waiting))
        if name in self.graph.opening:
            self._opening_left[no] -= 1
            if not self._opening_left[no]:
                self._open_chapters()
        opened.n_left -= 1
        if not opened.n_left:
            self._opened.pop(no, None)
            self.facts.close(no)
            self.reporter.tell("chapter", f"chapter {no} is done", chapter=no)
        self._changed.set()

    def _flush(self) -> None:
        """Give settled results to the writer, all in one operation; nobody waits for it but the end of the run."""
        if not self._results:
            return
        results, self._results = self._results, []

        def store_all(store: Store) -> None:
            with store.transaction():
                store.drop_tasks(
                    [(result.step, result.chapter) for result in results]
                )  # at once: one by one takes most of a run
                for result in results:
                    result.store(store)

        self.write_behind(store_all)

    def write_behind(self, operation: Callable[[Store], None]) -> None:
        """Queue a write that is waited for at the end only; one that fails stops the run, and those after it fail too."""
        write = asyncio.ensure_future(self.writer.do(self._links.link(operation)))
        self._writes.add(write)
        write.add_done_callback(self._written)

    def _written(self, write: asyncio.Future[None]) -> None:
        self._writes.discard(write)
        if write.cancelled():
            self._cancelled = True
            self.stop.interrupt()
        else:
            error = write.exception()
            if error is not None:
                self.stop.fail(error)
        self._changed.set()


def _chain(graph: Graph) -> frozenset[str]:
    """Return the steps the next chapter waits for, directly or not."""
    above = ancestors(graph.before)
    return graph.opening.union(*(above[name] for name in graph.opening))
