"""The books of a shelf on a Ray cluster: a task a book, ledger and limiter as named actors (extra: `analyzer[ray]`).

The driver is the parent: it gives out leases, sees which task was lost with its worker or node, and gives its book to another.
"""

from __future__ import annotations

import asyncio
import importlib
import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import Any

from analyzer.errors import AnalyzerError, ConfigError
from analyzer.shelf.house import MAX_DEATHS
from analyzer.shelf.ledger import Account
from analyzer.shelf.limiter import Rate
from analyzer.shelf.ray_actors import Cluster, LedgerActor, LimiterActor, run_book
from analyzer.shelf.register import Register
from analyzer.shelf.wire import Message

NAMESPACE = "analyzer"
LEDGER, LIMITER = "shelf-ledger", "shelf-limiter"
"""Names of the actors, with the id of the run behind them."""
LOOK_EVERY_S = 0.5
"""Between two looks at what the books say."""
BUSY_TRIES, BUSY_WAIT_S = 30, 1.0
"""How long a book is waited for whose lost worker still lives: it ends by itself once its node is gone."""
MOST_WAITING = 10_000
"""Calls that may wait for an actor at once. Source: more than workers times calls in flight."""


def load_ray() -> Any:
    """Return Ray; raises ConfigError where it is not installed. Nothing about its use is sent to its makers."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        return importlib.import_module("ray")
    except ModuleNotFoundError as error:
        raise ConfigError(
            "Ray is not installed", where="--ray", hint="install the extra: pip install 'analyzer[ray]'"
        ) from error


def join(ray: Any, address: str) -> bool:
    """Join the cluster at `address` ("auto": the one of this machine), unless that was done; say whether it was done here."""
    if ray.is_initialized():
        return False
    try:
        ray.init(address=address, namespace=NAMESPACE, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigError(
            f"there is no Ray cluster at {address!r}: {error}",
            where="--ray",
            hint="start one with: ray start --head --include-dashboard=false",
        ) from error
    return True


def _task(job: Message, book: str, lease: int, ledger: Any, limiter: Any) -> Message:
    """Run a book on whatever node this is."""
    ray = load_ray()
    return run_book(job, book, lease, Cluster(ledger, limiter, ray.cancel, ray.exceptions.RayError))


class RayHouse:
    """Runs books as Ray tasks, at most `n_workers` at a time; stands where a `House` does."""

    def __init__(self, register: Register, n_workers: int, rate: Rate, address: str) -> None:
        self._register = register
        self._n_workers = n_workers
        self._rate = rate
        self._address = address
        self._ray = load_ray()
        self._joined = False
        self._ledger: Any = None
        self._limiter: Any = None
        self._leases: dict[str, int] = {}
        self._n_signals = 0

    @property
    def is_stopping(self) -> bool:
        """Whether no further book is begun."""
        return self._n_signals > 0

    def interrupt(self) -> None:
        """First Ctrl-C: every run ends in order. Second: what is in flight is given up."""
        self._n_signals += 1
        if self._ledger is not None:
            self._ledger.interrupt.remote()

    async def each(
        self, books: Iterable[str], job: Callable[[str], Message], came: Callable[[str, Message], None]
    ) -> None:
        """Run every book on some node, and give what comes of it to `came`."""
        waiting = deque(books)
        looking = asyncio.create_task(self._look())
        slots = [asyncio.create_task(self._slot(waiting, job, came)) for _ in range(self._n_workers)]
        try:
            await asyncio.gather(*slots)
        finally:
            for one in (*slots, looking):
                one.cancel()
            await asyncio.gather(*slots, looking, return_exceptions=True)
            await self._close()

    def open(self) -> None:
        """Join the cluster and make both actors on the driver's node: they live and die with the parent.

        Before signals are taken: Ray takes some of its own.
        """
        ray = self._ray
        self._joined = join(ray, self._address)
        here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        run_id = f"{os.getpid()}-{os.urandom(4).hex()}"
        options = {"num_cpus": 0, "scheduling_strategy": here, "max_concurrency": MOST_WAITING, "namespace": NAMESPACE}
        ledger = self._register.ledger
        accounts = {name: asdict(account) for name, account in ledger.accounts.items()}
        made = ray.remote(LedgerActor).options(name=f"{LEDGER}-{run_id}", **options)
        self._ledger = made.remote(ledger.cap_nano, accounts)
        made = ray.remote(LimiterActor).options(name=f"{LIMITER}-{run_id}", **options)
        self._limiter = made.remote(self._rate.calls, self._rate.tokens)
        self._task = ray.remote(_task).options(max_retries=0, num_cpus=1, scheduling_strategy="SPREAD")

    async def _close(self) -> None:
        """Take in the last news and end the actors."""
        if self._ledger is not None:
            try:
                await self._news()
            except self._ray.exceptions.RayError as error:
                raise AnalyzerError(
                    f"the shelf's ledger was lost: {type(error).__name__}",
                    hint="every answer that arrived is stored; run the shelf again to go on",
                ) from error
            finally:
                for actor in (self._ledger, self._limiter):
                    self._ray.kill(actor)
                if self._joined:
                    self._ray.shutdown()

    async def _slot(
        self, waiting: deque[str], job: Callable[[str], Message], came: Callable[[str, Message], None]
    ) -> None:
        while waiting and not self.is_stopping:
            name = waiting.popleft()
            result = await self._done(name, job(name))
            if result is not None:
                await self._news()
                came(name, result)
            elif self._register.entries[name].n_deaths < MAX_DEATHS or self.is_stopping:
                waiting.appendleft(name)
            else:
                self._register.failed(name, _left(self._register.entries[name].n_deaths))

    async def _done(self, name: str, job: Message) -> Message | None:
        """Return what came of a book's task, None where it was lost with its worker or node."""
        errors = self._ray.exceptions
        for n_left in reversed(range(BUSY_TRIES)):
            lease: int = await self._ledger.lend.remote(name)
            self._leases[name] = lease
            try:
                result: Message = await self._task.remote(job, name, lease, self._ledger, self._limiter)
            except errors.RayError as error:
                await self._ledger.died.remote(name, lease)
                self._register.died(name, f"was lost ({type(error).__name__})")
                return None
            await self._ledger.died.remote(name, lease)
            if not (n_left and self._is_held_by_the_lost(name, result)):
                return result
            await asyncio.sleep(BUSY_WAIT_S)
        raise AssertionError("the last try returns")

    def _is_held_by_the_lost(self, name: str, result: Message) -> bool:
        """Say whether a book that is taken over is still held by the worker that was lost with it."""
        error = result.get("error") or {}
        return self._register.entries[name].n_deaths > 0 and error.get("class") == "StoreBusyError"

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await self._news()

    async def _news(self) -> None:
        """Bring what the register shows up to date."""
        accounts, said = await self._ledger.news.remote()
        self._register.ledger.accounts = {name: Account(**account) for name, account in accounts.items()}
        limiter = self._register.limiter
        limiter.share, limiter.n_turned_away = await self._limiter.news.remote()
        for name, lease, event in said:
            if lease != self._leases.get(name):
                continue
            if event["kind"] == "started":
                self._register.started(name, event["pid"])
            else:
                self._register.said(name, event)
        self._register.tick()


def _left(n_deaths: int) -> AnalyzerError:
    return AnalyzerError(
        f"its task was lost {n_deaths} times, so it is left",
        hint="look at Ray's own logs; too little memory is the usual cause",
    )
