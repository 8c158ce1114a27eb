"""The one writer: operations queue up while a group is being stored, and the next group takes all of them.

An operation returns to its caller after the commit of its group, so whatever was answered is on disk. Committing row by
row reaches some 700 commits/s in DuckDB; a group costs one commit however many operations it holds.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from analyzer.errors import StoreError
from analyzer.storage.store import Store

REST = 1.0
"""How long the writer rests after a group, in times of what the group took: meanwhile operations come together in the next.

A group costs 4 to 15 ms of CPU however few rows it holds, and a call waits for two. Source: a run against a provider that answers at once
(evals.bench speed); where calls come singly nobody waits longer than the group before took.
"""
LONGEST_REST_S = 0.05

T = TypeVar("T")
Operation = Callable[[Store], Any]


class Outcome(NamedTuple):
    """What one operation gave: its value, or the error it raised."""

    value: Any
    error: Exception | None = None


@dataclass
class Links:
    """Operations of which each rests on those queued before it: once one failed, those after it fail too."""

    error: Exception | None = None

    def link(self, operation: Callable[[Store], None]) -> Link:
        """Return `operation` as the next of the row."""
        return Link(self, operation, operation.__name__)


@dataclass(frozen=True)
class Link:
    """An operation of a row of links."""

    links: Links
    operation: Callable[[Store], None]
    __name__: str

    def __call__(self, store: Store) -> None:
        """Do it, unless one before it failed."""
        if self.links.error is not None:
            raise self.links.error
        self.operation(store)


class Writer:
    """Runs operations on a store in one thread, group by group; use as an async context manager or `close` it.

    The store belongs to the writer's thread meanwhile. Closing the writer leaves the store open.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._queue: list[tuple[Operation, asyncio.Future[Any]]] = []
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-writer")
        self._drain: asyncio.Task[None] | None = None
        self._closed = False
        self._rested_at = 0.0
        self.n_groups = 0
        self.n_operations = 0

    @property
    def n_queued(self) -> int:
        """Operations that wait for the group being stored to end."""
        return len(self._queue)

    async def do(self, operation: Callable[[Store], T]) -> T:
        """Return what `operation` returns, once its group is committed; raises what it raises, then nothing of it is stored.

        An operation may run again (its group failed and is done in halves), so it does nothing but store work. It is
        done even where the caller stops waiting. Operations are done in the order they were queued. Raises StoreError
        after `close`.
        """
        if self._closed:
            raise StoreError("the writer is closed, nothing more can be stored")
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.append((operation, done))
        if self._drain is None or self._drain.done():
            self._drain = asyncio.create_task(self._drain_queue())
        return await done

    async def close(self) -> None:
        """Store what is queued and end the thread. Harmless when repeated."""
        self._closed = True
        try:
            if self._drain is not None:
                await asyncio.shield(self._drain)
        finally:
            self._thread.shutdown()

    async def __aenter__(self) -> Writer:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _drain_queue(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            if not self._closed and loop.time() < self._rested_at:
                await asyncio.sleep(self._rested_at - loop.time())
            started = loop.time()
            group, self._queue = self._queue, []
            work = loop.run_in_executor(self._thread, run_group, self._store, [operation for operation, _ in group])
            try:
                outcomes = await work
            except BaseException:  # only when the loop is being torn down: let go of everybody who waits
                for _, done in [*group, *self._queue]:
                    done.cancel()
                self._queue.clear()
                raise
            ended = loop.time()
            self._rested_at = ended + min(REST * (ended - started), LONGEST_REST_S)
            self.n_groups += 1
            self.n_operations += len(group)
            for (_, done), outcome in zip(group, outcomes, strict=True):
                if done.done():
                    continue
                if outcome.error is None:
                    done.set_result(outcome.value)
                else:
                    done.set_exception(outcome.error)


def run_group(store: Store, operations: Sequence[Operation]) -> list[Outcome]:
    """Run the operations in one transaction and return an outcome for each, in order.

    Where one fails the group is undone and done again in halves, so that only the failing ones are lost; those that
    stood before it are still stored before those after it.
    """
    try:
        with store.transaction():
            return [Outcome(operation(store)) for operation in operations]
    except Exception as error:  # whatever it is, it reaches the caller that waits for this operation
        if len(operations) == 1:
            if isinstance(operations[0], Link):
                operations[0].links.error = operations[0].links.error or error
            return [Outcome(None, error)]
    middle = len(operations) // 2
    return run_group(store, operations[:middle]) + run_group(store, operations[middle:])
