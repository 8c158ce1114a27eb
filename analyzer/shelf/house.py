"""The parent of a shelf run: worker processes, each with one book at a time, and the one ledger and limiter they all ask."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from analyzer.errors import AnalyzerError
from analyzer.shelf.register import Register
from analyzer.shelf.wire import LONGEST_LINE, Message, as_line, error_as_message, read_message
from analyzer.wording import as_typed

MAX_DEATHS = 3
"""Workers a book may cost before it is left. Source: a choice; a machine that runs out of memory once recovers, a book that
kills whoever reads it does not."""
WORKER = ("-m", "analyzer.shelf.worker")


@dataclass
class Hand:
    """One worker process and the line to it. `serving` are its open questions, `granted` what was reserved by number."""

    process: asyncio.subprocess.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    serving: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    granted: dict[int, int] = field(default_factory=dict)

    def say(self, message: Message) -> None:
        """Send a message; a worker that is gone hears nothing."""
        if not self.writer.is_closing():
            self.writer.write(as_line(message))


async def hire(log: Path) -> Hand:
    """Start a worker in a session of its own, so that Ctrl-C reaches it through the parent only; raises OSError.

    What it prints, which is a crash of its own, is appended to `log`.
    """
    ours, theirs = socket.socketpair()
    with theirs, log.open("ab") as out:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *WORKER,
            str(theirs.fileno()),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    reader, writer = await asyncio.open_unix_connection(sock=ours, limit=LONGEST_LINE)
    return Hand(process, reader, writer)


async def dismiss(hand: Hand) -> None:
    """End a worker by closing its line, and wait for it: what it holds is closed in order."""
    for task in hand.serving.values():
        task.cancel()
    hand.writer.close()
    await hand.process.wait()


class AskedFor:
    """Serves what the worker of one book asks under one lease."""

    def __init__(self, register: Register, book: str, lease: int) -> None:
        self._register = register
        self._ledger = register.ledger
        self._limiter = register.limiter
        self._book = book
        self._lease = lease

    def message(self, hand: Hand, message: Message) -> None:
        """Take in one message of the worker."""
        if "ask" in message:
            number = message["ask"]
            task = asyncio.create_task(self._answer(hand, number, message))
            hand.serving[number] = task
            task.add_done_callback(lambda _: hand.serving.pop(number, None))
        elif "drop" in message:
            self._drop(hand, message["drop"])
        elif message.get("tell") == "settle":
            self._ledger.settle(self._book, self._lease, message["reserved"], message["spent"])
            self._register.tick()
        elif message.get("tell") == "turned_away":
            self._limiter.turned_away(message["retry_after_s"])
        elif message.get("tell") == "event":
            self._register.said(self._book, message["event"])

    async def _answer(self, hand: Hand, number: int, message: Message) -> None:
        try:
            if message["what"] == "reserve":
                await self._ledger.reserve(self._book, self._lease, message["nano"])
                hand.granted[number] = message["nano"]
            elif message["what"] == "opened":
                self._ledger.opened(self._book, self._lease, message["nano"])
            else:
                await self._limiter.enter(message["tokens"])
            hand.say({"re": number})
        except AnalyzerError as error:
            hand.say({"re": number, "error": error_as_message(error)})

    def _drop(self, hand: Hand, number: int) -> None:
        """Take a question back; what was granted while the worker gave it up was never used."""
        task = hand.serving.get(number)
        if task is not None:
            task.cancel()
        elif number in hand.granted:
            self._ledger.settle(self._book, self._lease, hand.granted.pop(number), 0)


class House:
    """Runs jobs over books in at most `n_workers` processes; a job whose process died goes to another one."""

    def __init__(self, register: Register, n_workers: int, log: Path) -> None:
        self._log = log
        self._register = register
        self._n_workers = n_workers
        self._hands: list[Hand] = []
        self._idle: list[Hand] = []
        self._n_signals = 0

    @property
    def is_stopping(self) -> bool:
        """Whether no further job is begun."""
        return self._n_signals > 0

    async def each(
        self, books: Iterable[str], job: Callable[[str], Message], came: Callable[[str, Message], None], *, runs: bool
    ) -> None:
        """Give the job of every book to some worker, and what comes of it to `came`; `runs` of jobs that are a book's run."""
        waiting = deque(books)
        n = min(self._n_workers, len(waiting))
        slots = [asyncio.create_task(self._slot(waiting, job, came, runs=runs)) for _ in range(n)]
        try:
            await asyncio.gather(*slots)
        finally:
            for slot in slots:
                slot.cancel()
            await asyncio.gather(*slots, return_exceptions=True)

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(dismiss(hand) for hand in self._hands))
        self._hands.clear()
        self._idle.clear()
        if self._log.is_file() and not self._log.stat().st_size:
            self._log.unlink(missing_ok=True)

    def interrupt(self) -> None:
        """First Ctrl-C: every run ends in order. Second: what is in flight is given up. Third: the processes are ended."""
        self._n_signals += 1
        for hand in self._hands:
            if hand not in self._idle and hand.process.returncode is None:
                hand.process.send_signal(signal.SIGINT if self._n_signals < 3 else signal.SIGKILL)

    async def _slot(
        self,
        waiting: deque[str],
        job: Callable[[str], Message],
        came: Callable[[str, Message], None],
        *,
        runs: bool,
    ) -> None:
        """Do jobs one after the other, as long as there are any."""
        while waiting and not self.is_stopping:
            name = waiting.popleft()
            hand = await self._free_hand()
            result = await self._done(hand, name, job(name), runs=runs)
            if result is not None:
                self._idle.append(hand)
                came(name, result)
            elif self._gives_up(name):
                continue
            else:
                waiting.appendleft(name)

    async def _free_hand(self) -> Hand:
        while self._idle:
            hand = self._idle.pop()
            if not hand.reader.at_eof():
                return hand
            await self._bury(hand)
        hand = await hire(self._log)
        self._hands.append(hand)
        return hand

    async def _done(self, hand: Hand, name: str, job: Message, *, runs: bool) -> Message | None:
        """Return what came of a job, None where its worker died over it."""
        ledger = self._register.ledger
        lease = ledger.lend(name)
        asked = AskedFor(self._register, name, lease)
        hand.granted.clear()
        if runs:
            self._register.started(name, hand.process.pid)
        hand.say({"job": job})
        try:
            while (message := await read_message(hand.reader)) is not None:
                if "done" in message:
                    result: Message = message["done"]
                    return result
                asked.message(hand, message)
        finally:
            ledger.died(name, lease)  # nothing is open where the run came to its end
        await self._bury(hand)
        self._register.died(name, _how(hand.process.returncode))
        return None

    async def _bury(self, hand: Hand) -> None:
        """Wait for a worker whose line is closed; one that lives on without it gets no money, and ends by itself."""
        self._hands.remove(hand)
        await dismiss(hand)

    def _gives_up(self, name: str) -> bool:
        """End a book that cost too many workers."""
        entry = self._register.entries[name]
        if self.is_stopping or entry.n_deaths < MAX_DEATHS:
            return False
        error = AnalyzerError(
            f"its process died {entry.n_deaths} times, so it is left",
            where=str(entry.book.path),
            hint=f"what the processes said stands in {as_typed(self._log)}; too little memory is the usual cause",
        )
        self._register.failed(name, error)
        return True


def _how(code: int | None) -> str:
    """Return how a process ended, in words."""
    if code is not None and code < 0:
        return f"was ended by signal {-code}"
    return f"ended with code {code}"


class Interruptible(Protocol):
    """What a Ctrl-C goes to."""

    def interrupt(self) -> None:
        """Take in one more Ctrl-C."""
        ...


async def on_signals(house: Interruptible, register: Register, work: Awaitable[None]) -> None:
    """Await `work`, every Ctrl-C and `kill` of this process going to all workers in order."""
    loop = asyncio.get_running_loop()

    def told() -> None:
        house.interrupt()
        register.stopping(
            "stopping: what is in flight is finished and saved; Ctrl-C or kill again gives it up, with what it costs"
        )

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told)
    try:
        await work
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
