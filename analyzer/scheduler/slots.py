"""Places in the line to the provider: a bounded number of calls in flight, the most urgent next."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

Urgency = tuple[int, int, int]
"""Smaller goes first: (0 where the next chapter waits for it, chapter, place of the step in the order of steps)."""


class Limiter(Protocol):
    """How fast several runs may send together. A call asks it last, when nothing else stands in its way."""

    async def enter(self, tokens: int) -> None:
        """Return when a call of at most so many tokens, in and out, may be sent. Cancelled, it takes no place."""
        ...

    def turned_away(self, retry_after_s: float | None) -> None:
        """Take in that the provider said 429, and after how many seconds it wants to be asked again (None: it did not say)."""
        ...


class Slots:
    """At most `n` holders at a time; who waits is let in by urgency, then in the order of asking."""

    def __init__(self, n: int) -> None:
        self._free = n
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._n_asked = 0

    @asynccontextmanager
    async def take(self, urgency: Urgency) -> AsyncIterator[None]:
        """Hold a slot inside."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(urgency)
        try:
            yield
        finally:
            self._give_back()

    async def _wait(self, urgency: Urgency) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._n_asked += 1
        heapq.heappush(self._waiting, (urgency, self._n_asked, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back()
            raise

    def _give_back(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
