"""How the parent of a shelf and a worker speak: one JSON object a line over a socket pair.

A worker asks (`ask`, answered by `re`), takes a question back (`drop`), tells (`tell`), and ends a job (`done`). The parent gives
jobs (`job`). Either end sees at once that the other one is gone.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from analyzer import errors
from analyzer.errors import AnalyzerError
from analyzer.wording import in_utf8

Message = dict[str, Any]
LONGEST_LINE = 4 * 1024 * 1024
"""Bytes of one message. Source: an outcome names at most some hundred questions; a longer one means the stream is broken."""


class ParentGoneError(AnalyzerError):
    """The shelf's parent is gone: nobody keeps the ledger any more, so nothing more is sent."""

    def __init__(self) -> None:
        super().__init__(
            "the shelf's own process is gone, and with it the shared budget: nothing more is sent",
            hint="everything that arrived is saved; run the shelf again to go on",
        )


def as_line(message: Mapping[str, Any]) -> bytes:
    """Return a message as it is sent."""
    return json.dumps(message, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


async def read_message(reader: asyncio.StreamReader) -> Message | None:
    """Return the next message, None where the other end is gone or no longer makes sense."""
    try:
        line = await reader.readline()
        found = json.loads(line) if line.endswith(b"\n") else None
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def error_as_message(error: AnalyzerError) -> Message:
    """Return an error as it is sent: its class, words, place, hint and exit code."""
    return {
        "class": type(error).__name__,
        "text": in_utf8(str(error)),
        "where": in_utf8(error.where),
        "hint": in_utf8(error.hint),
        "exit_code": error.exit_code,
    }


def error_of(message: Message) -> AnalyzerError:
    """Return the error that was sent; one of a class that is not known here is an AnalyzerError."""
    kind = getattr(errors, str(message.get("class")), AnalyzerError)
    if not (isinstance(kind, type) and issubclass(kind, AnalyzerError)):
        kind = AnalyzerError
    return kind(str(message["text"]), where=str(message["where"]), hint=str(message["hint"]))


class Parent:
    """A worker's end of the line. Questions wait for their answer; once the parent is gone all of them fail."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._n_asked = 0
        self._open: dict[int, asyncio.Future[None]] = {}
        self._jobs: asyncio.Queue[Message | None] = asyncio.Queue()
        self.is_gone = False
        self.when_gone: Callable[[], None] = lambda: None

    async def listen(self) -> None:
        """Take in what the parent says until it is gone."""
        while (message := await read_message(self._reader)) is not None:
            if "job" in message:
                self._jobs.put_nowait(message["job"])
                continue
            waiting = self._open.pop(message["re"], None)
            if waiting is not None and not waiting.done():
                if message.get("error") is None:
                    waiting.set_result(None)
                else:
                    waiting.set_exception(error_of(message["error"]))
        self.is_gone = True
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_exception(ParentGoneError())
        self._jobs.put_nowait(None)
        self.when_gone()

    async def next_job(self) -> Message | None:
        """Return the next job, None where there is nobody to give one."""
        return await self._jobs.get()

    def tell(self, what: str, **words: Any) -> None:
        """Say something that needs no answer."""
        if not self.is_gone:
            self._writer.write(as_line({"tell": what, **words}))

    def done(self, result: Message) -> None:
        """End the job with what came of it."""
        if not self.is_gone:
            self._writer.write(as_line({"done": result}))

    async def ask(self, what: str, **words: Any) -> None:
        """Ask and wait for the answer; raises the error it is, ParentGoneError. Cancelled, the question is taken back."""
        if self.is_gone:
            raise ParentGoneError
        self._n_asked += 1
        number = self._n_asked
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._open[number] = waiting
        self._writer.write(as_line({"ask": number, "what": what, **words}))
        try:
            await waiting
        except asyncio.CancelledError:
            if not self.is_gone:
                self._writer.write(as_line({"drop": number}))
            raise
        finally:
            self._open.pop(number, None)


class WireLedger:
    """The shelf's ledger as a worker's run sees it."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    async def opened(self, spent_nano: int) -> None:
        """Tell what the book's store counts as ever spent."""
        await self._parent.ask("opened", nano=spent_nano)

    async def reserve(self, nano: int) -> None:
        """Book `nano`; raises BudgetReachedError, ParentGoneError."""
        await self._parent.ask("reserve", nano=nano)

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        """End a reservation."""
        self._parent.tell("settle", reserved=reserved_nano, spent=spent_nano)


class WireLimiter:
    """The shelf's limiter as a worker's run sees it."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    async def enter(self, tokens: int) -> None:
        """Return when a call of so many tokens may be sent; raises ParentGoneError."""
        await self._parent.ask("enter", tokens=tokens)

    def turned_away(self, retry_after_s: float | None) -> None:
        """Tell that the provider said 429."""
        self._parent.tell("turned_away", retry_after_s=retry_after_s)
