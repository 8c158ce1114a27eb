"""The line between parent and worker: questions, answers, questions taken back, and either end gone."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest

from analyzer.errors import AnalyzerError, BudgetReachedError, ConfigError, StoreBusyError
from analyzer.running import RunRequest
from analyzer.shelf.house import AskedFor, Hand
from analyzer.shelf.ledger import LeaseLostError, SharedLedger
from analyzer.shelf.limiter import Rate, SharedLimiter
from analyzer.shelf.wire import Parent, ParentGoneError, WireLedger, as_line, error_as_message, error_of, read_message
from analyzer.shelf.worker import request_as_message, request_of


class Register:
    """As much of a register as serving needs."""

    def __init__(self, ledger: SharedLedger, limiter: SharedLimiter) -> None:
        self.ledger, self.limiter = ledger, limiter

    def tick(self) -> None:
        pass


class Line:
    """Both ends of a line: the worker's parent, and the parent's hand with somebody who serves it."""

    def __init__(self, cap: int) -> None:
        self.ledger = SharedLedger(cap)
        self.limiter = SharedLimiter(Rate(), monotonic=lambda: 0.0)
        self.lease = self.ledger.lend("a")

    async def __aenter__(self) -> Line:
        ours, theirs = socket.socketpair()
        reader, writer = await asyncio.open_unix_connection(sock=ours)
        self.parent = Parent(*await asyncio.open_unix_connection(sock=theirs))
        process: Any = None
        self.hand = Hand(process, reader, writer)
        register: Any = Register(self.ledger, self.limiter)
        served = AskedFor(register, "a", self.lease)

        async def serve() -> None:
            while (message := await read_message(reader)) is not None:
                served.message(self.hand, message)

        self.tasks = [asyncio.create_task(serve()), asyncio.create_task(self.parent.listen())]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.hand.writer.close()
        self.parent._writer.close()
        await asyncio.gather(*self.tasks)


async def until(holds: Any) -> None:
    """Let the line work until something holds."""
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0)


async def test_a_worker_reserves_and_settles_over_the_line_and_is_told_when_the_cap_is_reached() -> None:
    async with Line(10) as line:
        ledger = WireLedger(line.parent)
        await ledger.opened(0)
        await ledger.reserve(10)
        assert line.ledger.counted_nano == 10
        ledger.settle(10, 9)
        await until(lambda: line.ledger.spent_nano == 9)
        with pytest.raises(BudgetReachedError, match="the shelf's cap") as reached:
            await ledger.reserve(2)
        assert reached.value.where == "a" and reached.value.exit_code == 5


async def test_a_question_taken_back_books_nothing_however_far_it_had_come() -> None:
    async with Line(10) as line:
        ledger = WireLedger(line.parent)
        await ledger.reserve(8)
        waiting = asyncio.create_task(ledger.reserve(8))
        await until(lambda: line.hand.serving)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await until(lambda: not line.hand.serving)
        ledger.settle(8, 0)
        granted = asyncio.create_task(ledger.reserve(7))
        await until(lambda: line.ledger.counted_nano == 7)
        granted.cancel()  # the answer is on its way
        await asyncio.gather(granted, return_exceptions=True)
        await until(lambda: line.ledger.counted_nano == 0)
        await ledger.reserve(10)
        assert (line.ledger.counted_nano, line.ledger.spent_nano) == (10, 0)


async def test_who_waits_for_a_parent_that_is_gone_is_told_so_and_nobody_is_asked_any_more() -> None:
    async with Line(10) as line:
        gone: list[bool] = []
        line.parent.when_gone = lambda: gone.append(True)
        ledger = WireLedger(line.parent)
        await ledger.reserve(10)
        waiting = asyncio.create_task(ledger.reserve(1))
        await until(lambda: line.hand.serving)
        line.hand.writer.close()
        with pytest.raises(ParentGoneError):
            await waiting
        with pytest.raises(ParentGoneError):
            await ledger.reserve(1)
        ledger.settle(10, 1)
        assert gone == [True] and await line.parent.next_job() is None
        for task in line.hand.serving.values():
            task.cancel()


async def test_what_is_no_message_ends_the_line() -> None:
    for words in (b"", b"half a line", b"not json\n", b"[1]\n", b"\xff\n"):
        reader = asyncio.StreamReader()
        reader.feed_data(words)
        reader.feed_eof()
        assert await read_message(reader) is None
    reader = asyncio.StreamReader(limit=64)
    reader.feed_data(as_line({"tell": "x" * 500}))
    assert await read_message(reader) is None


@pytest.mark.parametrize(
    "error",
    [
        BudgetReachedError("reached", where="a", hint="raise it"),
        ConfigError("no"),
        StoreBusyError("held", where="b", pid=7),
        LeaseLostError("lost"),
    ],
)
def test_an_error_is_the_same_at_the_other_end(error: AnalyzerError) -> None:
    message = error_as_message(error)
    found = error_of(message)
    assert (str(found), found.where, found.hint) == (str(error), error.where, error.hint)
    assert found.exit_code == error.exit_code == message["exit_code"]
    assert error_of({**message, "class": "os"}).exit_code == 1


def test_a_request_is_the_same_at_the_other_end_but_for_money_and_objects() -> None:
    request = RunRequest(model="m", off=("threads",), strict=True, concurrency=3, cap_usd=5.0)
    assert request_of(request_as_message(request)) == RunRequest(
        model="m", off=("threads",), strict=True, concurrency=3
    )
