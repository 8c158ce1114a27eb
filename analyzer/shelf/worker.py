"""A worker of a shelf: `python -m analyzer.shelf.worker FD` takes jobs over the socket FD, one book at a time.

It opens manuscripts, settings and stores, so that whatever is wrong with a book ends at most this process. An exception that
is no AnalyzerError does end it: the parent sees that and gives the book to another worker.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import FrameType
from typing import Any

from analyzer import pipeline
from analyzer.collector import rare_collections
from analyzer.errors import AnalyzerError
from analyzer.running import RunRequest, carry_out, open_store
from analyzer.scheduler.budget import to_nano
from analyzer.scheduler.events import Event, RunOutcome
from analyzer.scheduler.stop import STOPPING
from analyzer.shelf.wire import LONGEST_LINE, Message, Parent, WireLedger, WireLimiter, error_as_message
from analyzer.sources import folder_of
from analyzer.storage.db import FILE_NAME

INTERRUPTED = 130
SHOWN = 5
"""Questions without an answer, and files people have to write, that an outcome names."""
SENT = tuple(
    one.name for one in fields(RunRequest) if one.name not in {"asker", "ledger", "limiter", "cap_usd", "balance_usd"}
)
"""What of a request goes to a worker: all but objects, and money, which is the shelf's or in a book's settings."""


def request_as_message(request: RunRequest) -> Message:
    """Return what `run` was asked to do as it is sent."""
    return {name: getattr(request, name) for name in SENT}


def request_of(message: Message) -> RunRequest:
    """Return what `run` was asked to do."""
    words = {name: message[name] for name in SENT if name in message}
    off = words.get("off")
    return RunRequest(**{**words, "off": None if off is None else tuple(off)})


@dataclass
class Told:
    """Ctrl-C and `kill` outside a run: remembered, and handed on to the run once it takes signals itself."""

    to_stop: bool = False

    def take(self, _number: int, _frame: FrameType | None) -> None:
        """Remember a signal."""
        self.to_stop = True

    def is_set(self) -> bool:
        """Say whether a signal came that no run took."""
        return self.to_stop

    def hand_on(self) -> None:
        """Give a signal that came before the run took signals to the run."""
        if self.to_stop and signal.getsignal(signal.SIGINT) != self.take:
            self.to_stop = False
            signal.raise_signal(signal.SIGINT)


def survey(path: Path, request: RunRequest, *, since: float | None, estimate: str) -> Message:
    """Return what a book's store counts as spent (ever, and since a moment), and where it is wanted what its run would cost.

    `estimate`: "plan" makes nothing, "prepare" makes the book as a run would, "" leaves it out.
    """
    found: Message = {"money": money_of(path, since)}
    try:
        return found | _estimated(path, request, estimate)
    except AnalyzerError as error:
        return found | {"exit_code": error.exit_code, "error": error_as_message(error)}


def _estimated(path: Path, request: RunRequest, estimate: str) -> Message:
    if estimate == "prepare":
        ready = pipeline.prepare(path, request)
        return {"priced": ready.priced, "estimate": _sums(ready.estimate)}
    if estimate:
        made = pipeline.plan(path, model=request.model, base_url=request.base_url, off=request.off)
        return {"priced": made.likely_usd is not None, "estimate": _sums(made)}
    return {}


def money_of(path: Path, since: float | None) -> Message:
    """Return what a book's store counts as ever spent and as spent since a moment (None: nothing of before counts)."""
    folder = folder_of(path)
    if not (folder / FILE_NAME).exists():
        return {"ever_nano": 0, "before_nano": 0}
    with open_store(folder) as store:
        before = 0 if since is None else to_nano(store.spent_usd(since))
        return {"ever_nano": to_nano(store.spent_usd()), "before_nano": before}


def _sums(made: Any) -> Message:
    found: Message = made.model_dump(mode="json", exclude={"rows"})
    return found


def outcome_as_message(outcome: RunOutcome) -> Message:
    """Return how a run ended as it is sent."""
    return {
        "exit_code": outcome.exit_code,
        "spent_usd": outcome.spent_usd,
        "n_calls": outcome.n_calls,
        "n_answers": outcome.n_answers,
        "n_reused": outcome.n_reused,
        "n_unanswered": len(outcome.unanswered),
        "unanswered": list(outcome.unanswered[:SHOWN]),
        "pending": [str(path) for path in outcome.pending[:SHOWN]],
        "error": None if outcome.error is None else error_as_message(outcome.error),
    }


def event_as_message(event: Event) -> Message:
    """Return what a run says as it is sent."""
    return {"kind": event.kind, "text": event.text, "chapter": event.chapter, "progress": event.progress._asdict()}


async def carried_out(path: Path, request: RunRequest, told: Told, tell: Callable[[Message], None]) -> Message:
    """Run a book and return how it ended, as it is sent; signals go to the run, which ends in order. Raises AnalyzerError."""
    if told.is_set():
        return {"exit_code": INTERRUPTED, "error": None}
    ready = pipeline.prepare(path, request)
    if told.is_set():
        return {"exit_code": INTERRUPTED, "error": None}

    def on_event(event: Event) -> None:
        tell(event_as_message(event))
        told.hand_on()

    return outcome_as_message(await carry_out(ready, on_event))


class Worker:
    """Does jobs until there is nobody left to give one."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent
        self._told = Told()

    async def work(self) -> None:
        """Take jobs and do them, one after the other."""
        for number in STOPPING:
            signal.signal(number, self._told.take)
        self._parent.when_gone = lambda: signal.raise_signal(signal.SIGINT)
        listening = asyncio.create_task(self._parent.listen())
        try:
            while (job := await self._parent.next_job()) is not None:
                try:
                    result = await self._do(job)
                except AnalyzerError as error:
                    result = {"exit_code": error.exit_code, "error": error_as_message(error)}
                self._parent.done(result)
        finally:
            listening.cancel()

    async def _do(self, job: Message) -> Message:
        path, request = Path(job["path"]), request_of(job["request"])
        if job["do"] == "survey":
            return survey(path, request, since=job["since"], estimate=job["estimate"])
        return await self._run(path, request)

    async def _run(self, path: Path, request: RunRequest) -> Message:
        shared = replace(request, ledger=WireLedger(self._parent), limiter=WireLimiter(self._parent))
        return await carried_out(path, shared, self._told, lambda event: self._parent.tell("event", event=event))


async def serve(line: socket.socket) -> None:
    """Do the jobs that come over `line` until it is closed."""
    reader, writer = await asyncio.open_unix_connection(sock=line, limit=LONGEST_LINE)
    try:
        await Worker(Parent(reader, writer)).work()
    finally:
        writer.close()


def main() -> None:
    """Serve the socket whose number is the only word."""
    with rare_collections():
        asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))


if __name__ == "__main__":
    main()
