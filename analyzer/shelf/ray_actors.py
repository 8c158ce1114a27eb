"""What of a shelf run lives elsewhere on a Ray cluster: the ledger and the limiter as actors, and a book's run as a task.

Nothing here imports ray: `on_ray` makes actors and a task of these. Errors cross as messages, since Ray would wrap them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.errors import AnalyzerError
from analyzer.scheduler.stop import STOPPING
from analyzer.shelf.ledger import Account, SharedLedger
from analyzer.shelf.limiter import Rate, SharedLimiter
from analyzer.shelf.wire import Message, ParentGoneError, error_as_message, error_of
from analyzer.shelf.worker import Told, carried_out, request_of

Saying = tuple[str, int, Message]
"""A book, the lease under which it was said, and what its run said."""


class Cluster(NamedTuple):
    """What a run elsewhere reaches the shelf by: handles of both actors, how a question is taken back, what says that an actor is gone."""

    ledger: Any
    limiter: Any
    cancel: Callable[[Any], None]
    lost: type[Exception]


class LedgerActor:
    """The shelf's ledger for all nodes; it also hands on what books say, and that the shelf is to stop."""

    def __init__(self, cap_nano: int | None, accounts: dict[str, Message]) -> None:
        self._ledger = SharedLedger(cap_nano)
        self._ledger.accounts = {name: Account(**account) for name, account in accounts.items()}
        self._serving: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._granted: dict[tuple[int, int], int] = {}
        self._dropped: set[tuple[int, int]] = set()
        self._said: list[Saying] = []
        self._n_signals = 0
        self._signalled = asyncio.Condition()

    async def lend(self, book: str) -> int:
        """Return a new lease of a book."""
        return self._ledger.lend(book)

    async def died(self, book: str, lease: int) -> None:
        """End a lease: what it had reserved counts as spent in full, until the book's store says better."""
        self._ledger.died(book, lease)

    async def opened(self, book: str, lease: int, nano: int) -> Message | None:
        """Take a book's store for what it spent; returns the error, if there is one."""
        try:
            self._ledger.opened(book, lease, nano)
        except AnalyzerError as error:
            return error_as_message(error)
        return None

    async def reserve(self, book: str, lease: int, number: int, nano: int) -> Message | None:
        """Book `nano` as soon as it fits; returns the error, if there is one. `number` tells the calls of a lease apart."""
        key = (lease, number)
        if key in self._dropped:
            return None
        task = self._serving[key] = asyncio.ensure_future(self._ledger.reserve(book, lease, nano))
        await asyncio.wait([task])
        del self._serving[key]
        if task.cancelled():
            return None
        error = task.exception()
        if isinstance(error, AnalyzerError):
            return error_as_message(error)
        if error is not None:
            raise error
        if key in self._dropped:
            self._ledger.settle(book, lease, nano, 0)
        else:
            self._granted[key] = nano
        return None

    async def drop(self, book: str, lease: int, number: int) -> None:
        """Take a reservation back that was given up while it was asked for, however far it has come."""
        key = (lease, number)
        self._dropped.add(key)
        if key in self._serving:
            self._serving[key].cancel()
        elif key in self._granted:
            self._ledger.settle(book, lease, self._granted.pop(key), 0)

    async def settle(self, book: str, lease: int, number: int, reserved: int, spent: int) -> None:
        """End a reservation with what it cost."""
        self._granted.pop((lease, number), None)
        self._ledger.settle(book, lease, reserved, spent)

    async def tell(self, book: str, lease: int, event: Message) -> None:
        """Keep what a book's run says until somebody looks."""
        self._said.append((book, lease, event))

    async def news(self) -> tuple[dict[str, Message], list[Saying]]:
        """Return the accounts, and what was said since the last look."""
        said, self._said = self._said, []
        return {name: asdict(account) for name, account in self._ledger.accounts.items()}, said

    async def interrupt(self) -> None:
        """Count a Ctrl-C."""
        async with self._signalled:
            self._n_signals += 1
            self._signalled.notify_all()

    async def signalled(self, known: int) -> int:
        """Return how many Ctrl-Cs there were, once there are more than `known`."""
        async with self._signalled:
            await self._signalled.wait_for(lambda: self._n_signals > known)
            return self._n_signals


class LimiterActor:
    """The shelf's limiter for all nodes."""

    def __init__(self, calls: int | None, tokens: int | None) -> None:
        self._limiter = SharedLimiter(Rate(calls, tokens), monotonic=time.monotonic)

    async def enter(self, tokens: int) -> None:
        """Return when a call of so many tokens may be sent."""
        await self._limiter.enter(tokens)

    async def turned_away(self, retry_after_s: float | None) -> None:
        """Take in a 429."""
        self._limiter.turned_away(retry_after_s)

    async def news(self) -> tuple[float, int]:
        """Return the share of the rate in force, and how many calls were turned away."""
        return self._limiter.share, self._limiter.n_turned_away


class RayLedger:
    """The ledger as the run of one book sees it, under its lease."""

    def __init__(self, cluster: Cluster, book: str, lease: int) -> None:
        self._cluster = cluster
        self._book = book
        self._lease = lease
        self._n_asked = 0
        self._held: dict[int, list[int]] = {}
        self._settling: set[asyncio.Future[None]] = set()

    async def opened(self, spent_nano: int) -> None:
        """Tell what the book's store counts as ever spent; raises the ledger's error, ParentGoneError."""
        asked = self._cluster.ledger.opened.remote(self._book, self._lease, spent_nano)
        await _answered(asked, self._cluster.lost)

    async def reserve(self, nano: int) -> None:
        """Book `nano`; raises BudgetReachedError, ParentGoneError. Cancelled, it is taken back."""
        self._n_asked += 1
        number = self._n_asked
        asked = self._cluster.ledger.reserve.remote(self._book, self._lease, number, nano)
        try:
            await _answered(asked, self._cluster.lost)
        except asyncio.CancelledError:
            self._cluster.ledger.drop.remote(self._book, self._lease, number)
            raise
        self._held.setdefault(nano, []).append(number)

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        """End a reservation: of those of this size whichever comes first, they are worth the same."""
        number = self._held[reserved_nano].pop()
        told = self._cluster.ledger.settle.remote(self._book, self._lease, number, reserved_nano, spent_nano)
        settling = asyncio.ensure_future(told)
        self._settling.add(settling)
        settling.add_done_callback(self._settling.discard)

    async def close(self) -> None:
        """Return when the ledger has taken in every settlement: the lease may end."""
        if self._settling:
            await asyncio.wait(self._settling)


class RayLimiter:
    """The limiter as a run sees it."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    async def enter(self, tokens: int) -> None:
        """Return when a call of so many tokens may be sent; raises ParentGoneError."""
        asked = self._cluster.limiter.enter.remote(tokens)
        try:
            await _answered(asked, self._cluster.lost)
        except asyncio.CancelledError:
            self._cluster.cancel(asked)
            raise

    def turned_away(self, retry_after_s: float | None) -> None:
        """Tell that the provider said 429."""
        self._cluster.limiter.turned_away.remote(retry_after_s)


async def _answered(asked: Awaitable[Message | None], lost: type[Exception]) -> None:
    """Raise the error an actor answers with, ParentGoneError where there is no actor any more."""
    try:
        error = await asked
    except lost as gone:
        raise ParentGoneError from gone
    if error is not None:
        raise error_of(error)


def run_book(job: Message, book: str, lease: int, cluster: Cluster) -> Message:
    """Run a book in this process and return how it ended: what a Ray task does."""
    told = Told()
    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        signal.signal(number, told.take)
    try:
        return asyncio.run(_run_book(job, book, lease, cluster, told))
    except AnalyzerError as error:
        return {"exit_code": error.exit_code, "error": error_as_message(error)}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _run_book(job: Message, book: str, lease: int, cluster: Cluster, told: Told) -> Message:
    def tell(event: Message) -> None:
        cluster.ledger.tell.remote(book, lease, event)

    tell({"kind": "started", "pid": os.getpid()})
    listening = asyncio.create_task(_listen(cluster))
    ledger = RayLedger(cluster, book, lease)
    try:
        request = replace(request_of(job["request"]), ledger=ledger, limiter=RayLimiter(cluster))
        return await carried_out(Path(job["path"]), request, told, tell)
    finally:
        await ledger.close()
        listening.cancel()
        await asyncio.wait([listening])


async def _listen(cluster: Cluster) -> None:
    """Give every Ctrl-C of the shelf to the run, and one where nobody keeps the ledger any more."""
    known, is_there = 0, True
    while is_there:
        try:
            known = await cluster.ledger.signalled.remote(known)
        except cluster.lost:
            is_there = False
        signal.raise_signal(signal.SIGINT)
