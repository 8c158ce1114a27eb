"""The simulator's time: real, faster than real, or moved by hand; seconds since the start."""

from __future__ import annotations

import asyncio
import time


class Clock:
    """Seconds since it was made. `speed` simulated seconds pass in a real one; a manual clock moves by `advance` only."""

    def __init__(self, *, speed: float = 1.0, manual: bool = False) -> None:
        self._speed = 0.0 if manual else speed
        self._start = time.monotonic()
        self._offset = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sleepers: set[asyncio.Future[None]] = set()

    def now(self) -> float:
        """Return the simulated seconds since the start."""
        return (time.monotonic() - self._start) * self._speed + self._offset

    def attach(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Say which loop the sleepers are on (None: no longer any)."""
        self._loop = loop

    def advance(self, seconds: float) -> None:
        """Move the clock forward and wake who waits for it; from any thread."""
        if seconds < 0:
            raise ValueError(f"time only moves forward, got {seconds!r}")
        self._offset += seconds
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for sleeper in tuple(self._sleepers):
            if not sleeper.done():
                sleeper.set_result(None)

    async def sleep_until(self, moment: float) -> None:
        """Return once the clock shows `moment` or later."""
        while (left := moment - self.now()) > 0:
            loop = asyncio.get_running_loop()
            sleeper: asyncio.Future[None] = loop.create_future()
            self._sleepers.add(sleeper)
            timer = loop.call_later(left / self._speed, self._wake_one, sleeper) if self._speed else None
            try:
                await sleeper
            finally:
                self._sleepers.discard(sleeper)
                if timer is not None:
                    timer.cancel()

    @staticmethod
    def _wake_one(sleeper: asyncio.Future[None]) -> None:
        if not sleeper.done():
            sleeper.set_result(None)
