"""Why a run stops sending: an error, Ctrl-C, or a crash of our own. What is in flight ends and is saved."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

from analyzer.errors import AnalyzerError

STOPPING = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a run in order: Ctrl-C, and `kill` of a run in the background."""


class Stop:
    """Set once, by whatever comes first. `crash` is an exception that is no AnalyzerError: it is raised at the end."""

    def __init__(self) -> None:
        self.error: AnalyzerError | None = None
        self.crash: BaseException | None = None
        self.interrupted = False
        self._set = asyncio.Event()

    @property
    def is_set(self) -> bool:
        """Whether nothing more is sent."""
        return self._set.is_set()

    def fail(self, error: BaseException) -> None:
        """Stop because of `error`; the first one counts, a crash outweighs errors."""
        if isinstance(error, AnalyzerError):
            self.error = self.error or error
        else:
            self.crash = self.crash or error
        self._set.set()

    def interrupt(self) -> None:
        """Stop because somebody asked for it."""
        self.interrupted = True
        self._set.set()

    async def pause(self, sleep: Callable[[float], Awaitable[None]], seconds: float) -> None:
        """Wait `seconds` by `sleep`, or until the run stops."""
        waits = [asyncio.ensure_future(sleep(seconds)), asyncio.ensure_future(self._set.wait())]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    async def unless_set(self, waiting: Coroutine[Any, Any, None]) -> None:
        """Wait for something, or until the run stops; then it is given up."""
        wait, stopped = asyncio.ensure_future(waiting), asyncio.ensure_future(self._set.wait())
        try:
            await asyncio.wait((wait, stopped), return_when=asyncio.FIRST_COMPLETED)
            if wait.done():
                wait.result()
        finally:
            wait.cancel()
            stopped.cancel()


@contextmanager
def on_stopping(wanted: bool, interrupted: Callable[[], None]) -> Iterator[None]:
    """Call `interrupted` at every Ctrl-C and every `kill` inside, where `wanted`; afterwards both are as they were.

    Outside the main thread signals cannot be taken: there nothing is changed.
    """
    if not wanted or threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in STOPPING}
    for number in STOPPING:
        loop.add_signal_handler(number, interrupted)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
