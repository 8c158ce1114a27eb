"""One call: wait for the prefix, a slot and the money; send; book what it cost; try again what may pass.

The only place that sends anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from analyzer.errors import ModelError, TransientModelError
from analyzer.llm.asker import FLEX, Asker, Dividing
from analyzer.llm.transports.failures import said_no
from analyzer.llm.transports.inbox import AnswerPendingError
from analyzer.llm.usage import worst_usage
from analyzer.models.question import Pack
from analyzer.models.rows import AnswerRow, AttemptRow
from analyzer.models.run import CallRecord, CallStatus, Price, Reply, Usage
from analyzer.scheduler.budget import NANO, Budget, to_nano
from analyzer.scheduler.events import Machine
from analyzer.scheduler.keys import request_hash
from analyzer.scheduler.questions import max_output_tokens
from analyzer.scheduler.slots import Limiter, Slots, Urgency
from analyzer.scheduler.stop import Stop
from analyzer.scheduler.warm import Entry, Warm, levels_of
from analyzer.scheduler.watch import LOSSES, CacheWatch, Finding, Losses, Sent, losses_as_text
from analyzer.storage.store import Store
from analyzer.storage.writer import Writer

MAX_ATTEMPTS = 6
"""Tries of one call. Source: a choice; with waits doubling from a second they span about a minute, a usual hiccup."""
_FIRST_WAIT_S = 1.0
_LONGEST_WAIT_S = 60.0
MOST_QUEUED = 32
"""Writes that may wait for the writer before instant answers wait for theirs. Source: a choice; some tenths of a second of work."""

_TOO_FAST = "(429)"
"""What the transports put into the message of a call that was turned away because of its rate."""
T = TypeVar("T")


class Stopping(Exception):
    """Not an error: the run sends nothing more, and who wanted to ask gives up its place."""


class Unreached(Exception):
    """A call failed `MAX_ATTEMPTS` times; `error` is the last failure. The rest of the run may go on."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


@dataclass
class Side:
    """Somebody who is asked: its transport, price (None: free or unpriced), the state of its cache and who watches that."""

    asker: Asker
    price: Price | None
    warm: Warm
    watch: CacheWatch
    beside: Side | None = None
    flex_price: Price | None = None
    """What a call costs that the slower tier served; None where that is not asked for."""

    def price_of(self, reply: Reply) -> Price | None:
        """Return the price of the tier that served a reply."""
        return self.flex_price if self.flex_price and FLEX in reply.finish.split() else self.price

    def of(self, asker: Asker) -> Side:
        """Return the side of who answers a pack: this one, or the one beside it."""
        return self.beside if self.beside is not None and self.beside.asker is asker else self

    @property
    def free(self) -> bool:
        """Whether nothing is charged for it."""
        return not self.asker.profile.priced

    @property
    def prewarms(self) -> bool:
        """Whether a prefix is written by a call of its own that asks nothing: `await asker.prewarm(pack)`, a Reply."""
        return self.asker.profile.release == "prewarm" and hasattr(self.asker, "prewarm")

    async def prewarm(self, pack: Pack) -> Reply:
        """Write the prefix of `pack` to the cache. Spends."""
        prewarm: Callable[[Pack], Awaitable[Reply]] = getattr(self.asker, "prewarm")  # noqa: B009
        return await prewarm(pack)


class Received(NamedTuple):
    """A reply as it came in: which call brought it, and the hash of what was sent."""

    reply: Reply
    call_id: str
    request_hash: str


class Judged(NamedTuple):
    """What became of a reply: rows to store at once, together with its bill."""

    answers: tuple[AnswerRow, ...] = ()
    attempts: tuple[AttemptRow, ...] = ()


Judge = Callable[[Received], tuple[Judged, T]]

_BARE: dict[str, object] = {"tail": "", "questions": ()}
"""What makes a pack one that asks nothing."""


def _judge_nothing(_received: Received) -> tuple[Judged, None]:
    return Judged(), None


@dataclass
class Tally:
    """What the calls of a run came to so far; `n_failed_in_row` counts calls given up since the last reply."""

    n_calls: int = 0
    n_sent: int = 0
    n_done: int = 0
    n_failed_in_row: int = 0
    notes_filled: int = 0
    n_answers: int = 0
    usage: Usage = field(default_factory=Usage)
    losses: Losses = field(default_factory=Losses)

    def add(self, reply: Reply, n_answers: int) -> None:
        """Count a reply that was stored."""
        self.n_done += 1
        self.n_failed_in_row = 0
        self.n_answers += n_answers
        self.notes_filled += reply.notes_filled
        self.usage = self.usage + reply.usage


@dataclass
class Caller:
    """Sends packs for a run.

    `stop` is looked at before anything is sent, and ends every waiting; `pause` waits some seconds, or less. `limiter` says when a
    call may go where runs share a rate. `missed` (no words: as before), `retrying` and `paced` are told in words, `booked` of every
    reply stored. `behind` takes the writing of instant answers, which is waited for at the end of the run; what rests on them is
    queued after them, so that it never is stored without them.
    """

    writer: Writer
    budget: Budget
    slots: Slots
    machine: Machine
    run_id: str
    stop: Stop
    pause: Callable[[float], Awaitable[None]]
    missed: Callable[[Pack, Finding, str], None] = lambda _pack, _found, _words: None
    retrying: Callable[[Pack, str], None] = lambda _pack, _words: None
    paced: Callable[[Pack, str], None] = lambda _pack, _words: None
    booked: Callable[[Pack], None] = lambda _pack: None
    behind: Callable[[Callable[[Store], None]], None] | None = None
    limiter: Limiter | None = None
    tally: Tally = field(default_factory=Tally)

    async def ask(self, pack: Pack, side: Side, urgency: Urgency, judge: Judge[T]) -> T:
        """Send `pack` until a reply comes, store what `judge` makes of it with the bill in one transaction, return the rest.

        Raises Stopping, Unreached after `MAX_ATTEMPTS`, AnswerPendingError at once, PermanentModelError and whatever else
        the transport raises, and BudgetReachedError. Spends.
        """
        for attempt in range(MAX_ATTEMPTS):
            try:
                return await self._once(pack, side, urgency, attempt, judge)
            except AnswerPendingError:
                raise
            except TransientModelError as error:
                if self.limiter is not None and _TOO_FAST in str(error):
                    self.limiter.turned_away(error.retry_after_s)
                if attempt + 1 == MAX_ATTEMPTS:
                    self.tally.n_failed_in_row += 1
                    raise Unreached(error) from error
                wait_s = self._wait_s(attempt, error)
                self.retrying(pack, f"{error}; trying again in {wait_s:.0f} s ({attempt + 1} of {MAX_ATTEMPTS - 1})")
                await self.pause(wait_s)
        raise AssertionError("the last attempt returns or raises")

    def _wait_s(self, attempt: int, error: TransientModelError) -> float:
        """Return the wait before the next try: the provider's wish, else doubling, with jitter on top."""
        jitter = self.machine.jitter()
        if error.retry_after_s is not None:
            return error.retry_after_s + jitter
        return float(min(_FIRST_WAIT_S * 2**attempt, _LONGEST_WAIT_S) * (1 + jitter))

    def _check(self) -> None:
        if self.stop.is_set:
            raise Stopping

    async def _let_go(self, pack: Pack, side: Side, limit: int) -> None:
        """Return when the rate that runs share lets this call go; code on this machine has none."""
        if self.limiter is None or side.asker.profile.instant:
            return
        usage = worst_usage(pack, max_output_tokens=limit, writes_cache=False)
        await self.stop.unless_set(self.limiter.enter(usage.total_input + usage.output))

    async def _once(self, pack: Pack, side: Side, urgency: Urgency, attempt: int, judge: Judge[T]) -> T:
        self._check()
        entry = await side.warm.enter(levels_of(pack.parts))
        try:
            async with self.slots.take(urgency):
                self._check()
                if entry.writes and side.prewarms:
                    await self._reserved(pack.model_copy(update=_BARE), side, entry, attempt, _judge_nothing)
                return await self._reserved(pack, side, entry, attempt, judge)
        finally:
            entry.failed()

    async def _reserved(self, pack: Pack, side: Side, entry: Entry, attempt: int, judge: Judge[T]) -> T:
        """Reserve the worst case, commit the reservation, send; whatever happens, the reservation is settled."""
        limit = max_output_tokens(pack.questions, side.asker.profile)
        worst = worst_nano(side, pack, limit)
        await self.budget.reserve(worst, where=f"step {pack.step}, chapter {pack.chapter}")
        call = self._call(pack, side, attempt, worst)
        spent = 0
        try:
            self._check()
            await side.watch.pace.wait(self.machine.monotonic, self.pause)
            await self._let_go(pack, side, limit)
            self._check()
            if not side.free:
                spent = worst
                await self.writer.do(lambda store: store.reserve(call))
            entry.sent()
            sent = side.watch.sent(pack, self.machine.monotonic())
            try:
                reply = await self._receive(pack, side, entry, limit)
            except AnswerPendingError:
                spent = 0
                raise
            except ModelError as error:
                failed = _failure(call, error, self.machine.now())
                spent = worst if not failed.settled else 0
                await self._store(side, call, failed, Judged())
                raise
            end = _success(call, reply, side, self.machine.now())
            spent = to_nano(end.cost_usd or 0.0) if end.settled else worst
            price = side.price_of(reply)
            found = side.watch.look(pack, entry, sent, end.usage or Usage(), price) if pack.questions else None
            n_times = self.tally.losses.add(found) if found else 0
            if found:
                end = end.model_copy(update={"detail": found.remark})
            result = await self._book(pack, side, call, end, reply, judge)
            self._tell_cache(pack, side, sent, reply.usage, found, n_times)
            return result
        finally:
            self.budget.settle(worst, spent)

    async def _receive(self, pack: Pack, side: Side, entry: Entry, limit: int) -> Reply:
        profile = side.asker.profile
        early = entry.ready if profile.release == "first_event" or profile.max_decisions else None
        self.tally.n_sent += 1
        if pack.questions:
            reply = await side.asker.ask(pack, max_output_tokens=limit, on_first_event=early)
        else:
            reply = await side.prewarm(pack)
        entry.ready()
        return reply

    async def _book(
        self, pack: Pack, side: Side, call: CallRecord, end: CallRecord, reply: Reply, judge: Judge[T]
    ) -> T:
        sent = request_hash(pack, model=side.asker.model, params=side.asker.params)
        judged, found = judge(Received(reply, call.call_id, sent))
        await self._store(side, call, end, judged)
        self.tally.add(reply, len(judged.answers))
        self.booked(pack)
        return found

    async def _store(self, side: Side, call: CallRecord, end: CallRecord, judged: Judged) -> None:
        def write(store: Store) -> None:
            if side.free:
                store.reserve(call)
            store.settle(end)
            store.add_answers(judged.answers)
            store.add_attempts(judged.attempts)
            if end.detail and end.status == "ok":
                store.put_setting(LOSSES, losses_as_text(self.tally.losses.of_book))

        if side.free and side.asker.profile.instant and self.behind and self.writer.n_queued < MOST_QUEUED:
            self.behind(write)
        else:
            await self.writer.do(write)

    def _tell_cache(
        self, pack: Pack, side: Side, sent: Sent, usage: Usage, found: Finding | None, n_times: int
    ) -> None:
        """Tell what a call did not read of a prefix that must stand in the cache; slow down where they overflow."""
        pace = side.watch.pace
        if found is None:
            if usage.cache_read and pace.read(sent_at=sent.at):
                self.paced(pack, "the cache is read again: calls go out as fast as before")
            return
        told_now = n_times & (n_times - 1) == 0
        self.missed(pack, found, found.told(side.asker.model, pack.chapter, pack.step) if told_now else "")
        now = self.machine.monotonic()
        if found.fault == "overflow" and pace.overflowed(sent.n_in_minute, sent_at=sent.at, now=now):
            self.paced(pack, f"calls on this prefix are slowed down to {pace.rate:.0f} a minute until it is read again")

    def _call(self, pack: Pack, side: Side, attempt: int, worst: int) -> CallRecord:
        self.tally.n_calls += 1
        return CallRecord(
            call_id=f"{self.run_id}.{self.tally.n_calls:06d}",
            run_id=self.run_id,
            step=pack.step,
            chapter=pack.chapter,
            model=side.asker.model,
            answered_by=side.asker.answered_by,
            n_questions=len(pack.questions),
            attempt=attempt,
            status="lost",
            settled=False,
            usage=None,
            cost_usd=None,
            reserved_usd=worst / NANO,
            started_at=self.machine.now(),
            ended_at=None,
        )


def worst_nano(side: Side, pack: Pack, limit: int) -> int:
    """Return the most sending `pack` can cost, in nano-dollars: all input at the dearest class, `limit` output tokens."""
    if side.price is None:
        return 0
    writes = side.price.cache_write > side.price.input
    if isinstance(side.asker, Dividing):
        usage = side.asker.worst_usage(pack, writes_cache=writes)
    else:
        usage = worst_usage(pack, max_output_tokens=limit, writes_cache=writes)
    return to_nano(side.price.cost_usd(usage))


def _success(call: CallRecord, reply: Reply, side: Side, now: float) -> CallRecord:
    """Return how a call ended that brought a reply; without usage a priced one stays unsettled and counts in full."""
    missing = side.price is not None and reply.usage.total_input == 0
    price = side.price_of(reply)
    cost = price.cost_usd(reply.usage) if price else (0.0 if side.free else None)
    return call.model_copy(
        update={
            "model": reply.model or call.model,
            "answered_by": reply.answered_by,
            "status": "ok",
            "settled": not missing,
            "usage": None if missing else reply.usage,
            "cost_usd": None if missing else cost,
            "ended_at": now,
        }
    )


def _failure(call: CallRecord, error: ModelError, now: float) -> CallRecord:
    """Return how a failed call ended: nothing is billed where the server said no; a broken connection counts in full."""
    turned_away = said_no(error)
    status: CallStatus = "permanent" if not isinstance(error, TransientModelError) else "transient"
    return call.model_copy(
        update={
            "status": status,
            "settled": turned_away or call.reserved_usd == 0,
            "cost_usd": 0.0 if turned_away or call.reserved_usd == 0 else None,
            "ended_at": now,
            "detail": str(error),
        }
    )
