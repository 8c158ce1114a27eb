"""`run_book`: analyse chapters of a book. The only verb of the scheduler that spends."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from analyzer.errors import BudgetReachedError, ConfigError, InputError
from analyzer.llm.asker import Asker, askers_in
from analyzer.llm.certainty import Spare, certainty
from analyzer.llm.prices import nearest_names, price_of, tier_price_of
from analyzer.models.question import Pack
from analyzer.models.rows import RunRow, TaskId
from analyzer.models.run import Price
from analyzer.models.text import Manuscript
from analyzer.rulings import NO_RULINGS, rulings_of
from analyzer.scheduler.asking import Desk
from analyzer.scheduler.budget import NANO, Budget, to_nano
from analyzer.scheduler.calls import Caller, Side
from analyzer.scheduler.chapters import Named, named_in
from analyzer.scheduler.events import Event, Machine, RunOptions, RunOutcome
from analyzer.scheduler.facts import BookFacts
from analyzer.scheduler.graph import Graph, build_graph
from analyzer.scheduler.loop import BookRun, Sides
from analyzer.scheduler.progress import Reporter
from analyzer.scheduler.slots import Slots
from analyzer.scheduler.sparing import Sparing, rules_for
from analyzer.scheduler.stop import Stop, on_stopping
from analyzer.scheduler.taken import SETTING, Taken
from analyzer.scheduler.warm import Warm
from analyzer.scheduler.watch import STOPS, CacheWatch, Finding, losses_in
from analyzer.steps._registry import in_order
from analyzer.steps._step import Step
from analyzer.storage.store import Store
from analyzer.storage.writer import Writer
from analyzer.text.candidates.book import BookStats
from analyzer.text.languages import language_table
from analyzer.text.standing import Standing
from analyzer.wording import numbered

FINISHED_UNANSWERED = 7
INTERRUPTED = 130


def _new_run_id() -> str:
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}"


MACHINE = Machine(
    now=time.time, monotonic=time.monotonic, sleep=asyncio.sleep, jitter=random.random, new_run_id=_new_run_id
)
"""The machine as it is."""


def ignore(_event: Event) -> None:
    """Listen to nothing."""


async def run_book(
    *,
    store: Store,
    manuscript: Manuscript,
    steps: Sequence[Step],
    asker: Asker,
    confirm_asker: Asker | None = None,
    chapters: Sequence[int] = (),
    book: BookStats | None = None,
    options: RunOptions | None = None,
    events: Callable[[Event], None] = ignore,
    named: Named | None = None,
    prices: Callable[[str], Price | None] = price_of,
    machine: Machine = MACHINE,
    writer: Writer | None = None,
) -> RunOutcome:
    """Do every task of `chapters` (empty: all) whose inputs changed, and return how it went. Spends, within the options.

    Steps with `confirms` go to `confirm_asker` (None: the same). `named` says which handles are named in a chapter (None: by
    the names of the cast). `prices` gives a model's price. A `writer` given is left open. Askers are left open.

    What stops a run half-way (budget, quota, Ctrl-C) is in the outcome, with everything saved that arrived. Raises
    DefinitionError for steps that do not fit, ConfigError for a model without a price, InputError for chapters that are
    not there, all three before anything is sent.
    """
    options = options or RunOptions()
    spares = rules_for(certainty().spares, [step.name for step in in_order(steps)])
    graph = build_graph(steps, [(rule.step, rule.after) for rule in spares])
    numbers = _numbers(manuscript, chapters)
    sides = _sides(asker, confirm_asker or asker, options, prices, machine)
    if writer is not None:
        start = _Run(store, manuscript, graph, numbers, sides, options, machine, writer, spares)
        return await start.go(book, named, events)
    async with Writer(store) as own:
        start = _Run(store, manuscript, graph, numbers, sides, options, machine, own, spares)
        return await start.go(book, named, events)


def _numbers(manuscript: Manuscript, chapters: Sequence[int]) -> tuple[int, ...]:
    there = len(manuscript.chapters)
    missing = sorted(no for no in chapters if not 1 <= no <= there)
    if missing:
        raise InputError(
            f"{numbered('chapter', missing)} asked for, the manuscript has 1 to {there}", where="--chapters"
        )
    return tuple(sorted(set(chapters))) or tuple(range(1, there + 1))


def _sides(
    asker: Asker, confirm_asker: Asker, options: RunOptions, prices: Callable[[str], Price | None], machine: Machine
) -> Sides:
    """Return who is asked; the same model has one cache. Raises ConfigError for a priced model without a price."""
    ask = _side(asker, options, prices, machine)
    if confirm_asker is asker:
        return Sides(ask, ask)
    confirm = _side(confirm_asker, options, prices, machine)
    return Sides(
        ask, replace(confirm, warm=ask.warm, watch=ask.watch) if confirm_asker.model == asker.model else confirm
    )


def _side(asker: Asker, options: RunOptions, prices: Callable[[str], Price | None], machine: Machine) -> Side:
    """Return who is asked, with who answers beside it; each has a price and a cache of its own."""
    sides = [
        Side(
            one,
            _price(one, options, prices),
            Warm(one.profile.release, one.profile.cache_lifetime_s, machine.monotonic),
            CacheWatch(one.profile),
            flex_price=tier_price_of(one.model, "flex") if getattr(one, "flex", False) else None,
        )
        for one in askers_in(asker)
    ]
    return replace(sides[0], beside=sides[1]) if len(sides) > 1 else sides[0]


def _price(asker: Asker, options: RunOptions, prices: Callable[[str], Price | None]) -> Price | None:
    if not asker.profile.priced:
        return None
    price = prices(asker.model)
    if price is None and not options.allow_unpriced:
        near = nearest_names(asker.model)
        meant = f"did you mean {', '.join(near)}? Else " if near else ""
        hint = f"{meant}add its price to the price table, or pass --unpriced to run without counting money"
        raise ConfigError(f"no price is known for the model {asker.model!r}", where="--model", hint=hint)
    if price is None and (options.cap_usd is not None or options.balance_usd is not None):
        raise ConfigError(
            f"a cap or a balance cannot be kept with {asker.model!r}, which has no price",
            where="--cap-usd",
            hint="add its price to the price table, or leave out --cap-usd and --balance-usd",
        )
    return price


class _Run:
    """The parts of one run, put together."""

    def __init__(
        self,
        store: Store,
        manuscript: Manuscript,
        graph: Graph,
        chapters: tuple[int, ...],
        sides: Sides,
        options: RunOptions,
        machine: Machine,
        writer: Writer,
        spares: tuple[Spare, ...],
    ) -> None:
        self._spares = spares
        self._store = store
        self._manuscript = manuscript
        self._graph = graph
        self._chapters = chapters
        self._sides = sides
        self._options = options
        self._machine = machine
        self._writer = writer
        self._stop = Stop()
        self._run_id = machine.new_run_id()

    async def go(self, book: BookStats | None, named: Named | None, events: Callable[[Event], None]) -> RunOutcome:
        """Run, and close the run's row whatever happens."""
        options = self._options
        spent_before = await self._writer.do(self._begin)
        if options.ledger is not None:
            await options.ledger.opened(to_nano(await self._writer.do(lambda store: store.spent_usd())))
        budget = Budget(
            cap_usd=options.cap_usd,
            spent_usd=spent_before,
            likely_usd=options.likely_usd,
            balance_usd=options.balance_usd,
            shared=options.ledger,
        )
        caller = self._caller(budget)
        caller.tally.losses.before = await self._writer.do(losses_in)
        reporter = self._reporter(budget, caller, events)
        loop = await self._loop(book, named, caller, reporter)
        caller.behind = loop.write_behind
        outcome = "crashed"
        reporter.begin()
        try:
            with on_stopping(options.sigint, lambda: self._interrupted(loop, reporter)):
                await loop.go()
            result = self._outcome(loop, caller, budget)
            outcome = _said(result)
        finally:
            await self._writer.do(lambda store: self._end(store, outcome))
            reporter.phase = outcome
            reporter.tick(force=True)
        return result

    def _begin(self, store: Store) -> float:
        """Open the run's row and return what was spent since the cap was set; calls a dead run left open count in full.

        What was known of chapters the manuscript no longer has goes, and what steps that are switched off had left: their
        answers stay, so that switching them on again asks nothing.
        """
        store.close_open_calls()
        there = len(self._manuscript.chapters)
        names = set(self._graph.before)
        gone = [t for t in store.tasks() if t.chapter > there or t.step not in names]
        store.drop_tasks([(task.step, task.chapter) for task in gone])
        ask = self._sides.ask.asker
        confirm = self._sides.confirm.asker
        store.open_run(
            RunRow(
                run_id=self._run_id,
                model=ask.model,
                confirm_model=confirm.model if confirm is not ask else "",
                answered_by=ask.answered_by,
                cap_usd=self._options.cap_usd,
                started_at=self._machine.now(),
            )
        )
        store.put_step_order([step.name for step in self._graph.steps])
        return store.spent_usd(self._options.cap_set_at)

    def _end(self, store: Store, outcome: str) -> None:
        store.close_open_calls(self._run_id)
        store.close_run(self._run_id, ended_at=self._machine.now(), outcome=outcome)

    def _caller(self, budget: Budget) -> Caller:
        profile = self._sides.ask.asker.profile
        return Caller(
            writer=self._writer,
            budget=budget,
            slots=Slots(self._options.concurrency or profile.concurrency),
            machine=self._machine,
            run_id=self._run_id,
            stop=self._stop,
            limiter=self._options.limiter,
            pause=lambda seconds: self._stop.pause(self._machine.sleep, seconds),
        )

    def _reporter(self, budget: Budget, caller: Caller, events: Callable[[Event], None]) -> Reporter:
        reporter = Reporter(
            run_id=self._run_id,
            model=self._sides.ask.asker.model,
            options=self._options,
            machine=self._machine,
            budget=budget,
            tally=caller.tally,
            listen=events,
            n_tasks=len(self._chapters) * len(self._graph.steps),
        )

        policy = self._options.cache_policy

        def missed(pack: Pack, found: Finding, words: str) -> None:
            if words and policy != "go-on":
                reporter.tell("warning", words, step=pack.step, chapter=pack.chapter)
            if words and policy == "stop" and found.fault in STOPS:
                hint = "everything is saved; run again with --on-cache-loss warn to go on all the same"
                self._stop.fail(BudgetReachedError(words, where=f"chapter {pack.chapter}", hint=hint))

        def paced(pack: Pack, words: str) -> None:
            if policy != "go-on":
                reporter.tell("warning", words, step=pack.step, chapter=pack.chapter)

        caller.missed, caller.paced = missed, paced
        caller.retrying = lambda pack, words: reporter.tell("retry", words, step=pack.step, chapter=pack.chapter)
        caller.booked = lambda pack: reporter.booked(pack.step)
        return reporter

    async def _loop(self, book: BookStats | None, named: Named | None, caller: Caller, reporter: Reporter) -> BookRun:
        manuscript = self._manuscript
        handles = await self._writer.do(lambda store: store.handles())
        decided = await self._writer.do(lambda store: store.decided())
        return BookRun(
            graph=self._graph,
            manuscript=manuscript,
            chapters=self._chapters,
            taken=Taken(manuscript, await self._writer.do(lambda store: store.setting(SETTING)), book),
            named=named or (lambda chapter, bible: named_in(chapter, bible, language_table(chapter.language))),
            sides=self._sides,
            writer=self._writer,
            desk=Desk(self._writer, caller, self._stop, await self._writer.do(_answer_ids), self._options.strict),
            facts=BookFacts(
                self._graph,
                await self._writer.do(lambda store: store.facts()),
                run=frozenset(self._chapters),
                handles=handles,
                rulings=rulings_of(decided, handles, Standing.of(manuscript.chapters).chapter_of)
                if decided
                else NO_RULINGS,
            ),
            known_tasks={TaskId(t.step, t.chapter): t for t in await self._writer.do(lambda store: store.tasks())},
            reporter=reporter,
            stop=self._stop,
            sparing=await self._writer.do(self._sparing),
            strict=self._options.strict,
        )

    def _sparing(self, store: Store) -> Sparing:
        """Return the second looks that are left out, with the answers of earlier runs they rest on."""
        first = {rule.after for rule in self._spares}
        rows = store.all_answers() if first else []
        return Sparing(self._spares, {row.answer_id: row for row in rows if row.step in first})

    def _interrupted(self, loop: BookRun, reporter: Reporter) -> None:
        """First Ctrl-C: nothing new is sent. Second: what is in flight is given up."""
        if self._stop.interrupted:
            loop.cancel()
            return
        self._stop.interrupt()
        reporter.tell("stopping", "stopping: what is in flight is finished and saved; Ctrl-C or kill again gives it up")

    def _outcome(self, loop: BookRun, caller: Caller, budget: Budget) -> RunOutcome:
        totals, tally = loop.totals, caller.tally
        error = self._stop.error
        return RunOutcome(
            exit_code=_exit_code(self._stop, loop),
            run_id=self._run_id,
            n_calls=tally.n_sent,
            n_tasks=totals.n_tasks,
            n_unchanged=totals.n_unchanged,
            n_answers=tally.n_answers,
            n_reused=totals.n_reused,
            n_spared=loop.sparing.n_spared,
            notes_filled=tally.notes_filled,
            usage=tally.usage,
            spent_usd=budget.spent_nano / NANO,
            n_cache_misses=tally.losses.n_calls,
            cache_losses=tally.losses.of_run,
            unanswered=tuple(sorted(totals.unanswered)),
            waiting=tuple(sorted(set(totals.waiting), key=lambda task: (task[1], task[0]))),
            pending=tuple(sorted(loop.desk.pending)),
            unread=tuple(sorted(loop.desk.unread)),
            issues=tuple(issue for _, issues in sorted(totals.issues.items()) for issue in issues),
            error=error,
        )


def _answer_ids(store: Store) -> frozenset[str]:
    without = ("request_hash", "call_id", "step", "chapter", "question_key", "question", "answer", "model")
    rows = store.export_rows("answers", without=(*without, "answered_by", "wording", "row_hash"))
    return frozenset(answer_id for (answer_id,) in rows)


def _exit_code(stop: Stop, loop: BookRun) -> int:
    if stop.error is not None:
        return stop.error.exit_code
    if stop.interrupted:
        return INTERRUPTED
    return FINISHED_UNANSWERED if loop.totals.unanswered or loop.totals.waiting else 0


def _said(result: RunOutcome) -> str:
    """Return how a run ended, in the word its row keeps."""
    if isinstance(result.error, BudgetReachedError):
        return "budget"
    if result.error is not None:
        return "failed"
    words = {0: "finished", FINISHED_UNANSWERED: "unanswered", INTERRUPTED: "interrupted"}
    return words[result.exit_code]
