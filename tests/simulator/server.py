"""The simulator as a server on the loopback, in a thread of its own; started and stopped by whoever made it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self, TypeVar

from tests.simulator.answerers import Answerer, built_in
from tests.simulator.clock import Clock
from tests.simulator.decisions import Decider, built_in_decider
from tests.simulator.faults import FaultPlan
from tests.simulator.ledger import Row, as_json, totals
from tests.simulator.provider import Provider
from tests.simulator.settings import Settings, preset
from tests.simulator.tokens import encoding
from tests.simulator.wire import Connection, Owner

HOST = "127.0.0.1"
STOP_TIMEOUT_S = 10.0

T = TypeVar("T")


class Simulator:
    """An OpenAI-compatible provider on 127.0.0.1; use it as a context manager.

    `answerer` is a function, called on the server's thread, or the name of a built-in one; so is `decider`, who answers the
    decisions endpoint. Leaving the context raises
    what went wrong inside the server, if anything did. Do not call its methods from an answerer.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        answerer: Answerer | str = "first",
        *,
        decider: Decider | str = "first",
        faults: FaultPlan | None = None,
        clock: Clock | None = None,
        port: int = 0,
    ) -> None:
        settings = settings or preset()
        chosen = built_in(answerer, settings.patterns) if isinstance(answerer, str) else answerer
        decides = built_in_decider(decider) if isinstance(decider, str) else decider
        self._provider = Provider(settings, chosen, decides, faults or FaultPlan(), clock or Clock())
        self._owner = Owner()
        self._wanted_port = port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._stopping: asyncio.Event | None = None
        self.port = 0

    @property
    def base_url(self) -> str:
        """The address for a client, with /v1."""
        return f"{self.root_url}/v1"

    @property
    def root_url(self) -> str:
        """The address without a path."""
        return f"http://{HOST}:{self.port}"

    @property
    def clock(self) -> Clock:
        """The simulated time."""
        return self._provider.clock

    @property
    def texts_counted(self) -> int:
        """How many texts were really tokenised so far."""
        return self._provider.memory.counted

    def start(self) -> Self:
        """Listen; returns once requests are served. Raises OSError when the port is taken."""
        if self._thread is not None:
            raise RuntimeError("the simulator is running already")
        encoding()
        listening: Future[int] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run(listening)), name="provider-simulator", daemon=True
        )
        self._thread.start()
        try:
            self.port = listening.result(timeout=STOP_TIMEOUT_S)
        except OSError:
            self._thread.join(STOP_TIMEOUT_S)
            self._thread = None
            raise
        return self

    async def _run(self, listening: Future[int]) -> None:
        loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        try:
            server = await loop.create_server(
                lambda: Connection(self._provider.handle, self._owner), HOST, self._wanted_port, backlog=1024
            )
        except OSError as error:
            listening.set_exception(error)
            return
        self._loop = loop
        self.clock.attach(loop)
        listening.set_result(server.sockets[0].getsockname()[1])
        await self._stopping.wait()
        self.clock.attach(None)
        server.close()
        await self._end_connections()
        await server.wait_closed()

    async def _end_connections(self) -> None:
        open_now = tuple(self._owner.connections)
        tasks = [connection.task for connection in open_now if connection.task is not None]
        for task in tasks:
            task.cancel()
        for connection in open_now:
            connection.close()
        await asyncio.gather(*tasks, return_exceptions=True)
        for connection in tuple(self._owner.connections):
            connection.reset()
        while self._owner.connections:
            await asyncio.sleep(0)

    def stop(self) -> None:
        """Drop what is in flight and stop listening; raises ExceptionGroup of what failed inside. Calling twice is fine."""
        if self._thread is None:
            return
        if self._loop is not None and self._stopping is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(STOP_TIMEOUT_S)
        if self._thread.is_alive():
            raise RuntimeError("the simulator's thread did not end")
        self._thread = self._loop = None
        if self._owner.failed:
            failed, self._owner.failed = self._owner.failed, []
            raise BaseExceptionGroup("the simulator failed while serving", failed)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _on_loop(self, call: Callable[[], T]) -> T:
        """Return what `call` returns on the server's thread (or here, once it has stopped)."""
        if self._loop is None:
            return call()

        async def there() -> T:
            return call()

        return asyncio.run_coroutine_threadsafe(there(), self._loop).result(STOP_TIMEOUT_S)

    def ledger(self) -> dict[str, Any]:
        """Return the books as `GET /_sim/ledger` does."""
        return self._on_loop(lambda: as_json(self._provider.rows))

    def rows(self) -> list[Row]:
        """Return the rows so far, in order of arrival."""
        return self._on_loop(lambda: list(self._provider.rows))

    def totals(self) -> dict[str, Any]:
        """Return the sums over what was billed."""
        return self._on_loop(lambda: totals(self._provider.rows))

    def reset(self) -> None:
        """Forget books, cache and traffic; requests, and so the fault plan, count from 0 again."""
        self._on_loop(self._provider.reset)

    def plan_faults(self, faults: FaultPlan) -> None:
        """Put another fault plan in force."""
        self._on_loop(lambda: setattr(self._provider, "faults", faults))

    def answer_with(self, answerer: Answerer | str) -> None:
        """Put another answerer in force."""
        chosen = built_in(answerer, self._provider.settings.patterns) if isinstance(answerer, str) else answerer
        self._on_loop(lambda: setattr(self._provider, "answerer", chosen))

    def decide_with(self, decider: Decider | str) -> None:
        """Put another decider in force."""
        chosen = built_in_decider(decider) if isinstance(decider, str) else decider
        self._on_loop(lambda: setattr(self._provider, "decider", chosen))

    def advance(self, seconds: float) -> None:
        """Move the clock forward."""
        self.clock.advance(seconds)

    def wait_arrived(self, requests: int, timeout_s: float = 10.0) -> None:
        """Return once so many requests have arrived since the start or the last reset; raises TimeoutError."""
        self._wait(lambda: len(self._provider.rows) >= requests, f"{requests} arrivals", timeout_s)

    def wait_ended(self, requests: int, timeout_s: float = 10.0) -> None:
        """Return once so many requests have ended; raises TimeoutError."""
        self._wait(
            lambda: sum(row.ended_at is not None for row in self._provider.rows) >= requests,
            f"{requests} ends",
            timeout_s,
        )

    def _wait(self, holds: Callable[[], bool], what: str, timeout_s: float) -> None:
        with self._provider.changed:
            if not self._provider.changed.wait_for(holds, timeout_s):
                raise TimeoutError(f"waited {timeout_s} s for {what}, {len(self._provider.rows)} requests arrived")
