"""The verbs of a shelf: `plan` its estimates, `run` all its books, `status` of a run or of the last one."""

from __future__ import annotations

import asyncio
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from analyzer.errors import ConfigError, InputError
from analyzer.models.base import Record
from analyzer.running import RunRequest
from analyzer.scheduler.budget import NANO, floor_nano, to_nano
from analyzer.scheduler.events import Machine
from analyzer.scheduler.run import MACHINE
from analyzer.shelf.books import Shelved, books_on
from analyzer.shelf.house import House, on_signals
from analyzer.shelf.ledger import SharedLedger
from analyzer.shelf.limiter import SharedLimiter, parse_rate
from analyzer.shelf.register import Entry, Register, ShelfEvent, ShelfOutcome
from analyzer.shelf.state import (
    LOG_NAME,
    ShelfRead,
    ShelfState,
    cap_in_force,
    held,
    mark_of_this_process,
    read_state,
    write_state,
)
from analyzer.shelf.wire import Message
from analyzer.shelf.worker import request_as_message
from analyzer.wording import typed

MAX_WORKERS = 64
"""Processes at most. Source: more than any rate limit feeds; each takes some 150 MB."""


@dataclass(frozen=True)
class ShelfRequest:
    """What a shelf run was asked to do.

    `run` is asked of every book (its caps stay the book's own, from settings and store). `cap_usd` is that of all books together,
    `rate` calls and tokens a minute of all together ("500/200000"). `ray` is the address of a Ray cluster that does the runs
    ("auto": the one of this machine), None: processes of this machine.
    """

    run: RunRequest = field(default_factory=RunRequest)
    workers: int = 2
    cap_usd: float | None = None
    rate: str | None = None
    ray: str | None = None


class BookPlan(Record):
    """The estimate of one book; `error` where there is none. Money is None where the model has no price."""

    name: str
    model: str = ""
    priced: bool = False
    n_chapters: int = 0
    n_calls: int = 0
    low_usd: float | None = None
    likely_usd: float | None = None
    high_usd: float | None = None
    more_calls: int = 0
    more_usd: float | None = None
    error: str = ""
    exit_code: int = 0


class ShelfPlan(Record):
    """The estimates of all books and their sums; a sum of money leaves out what has no price."""

    books: tuple[BookPlan, ...]
    n_chapters: int
    n_calls: int
    low_usd: float
    likely_usd: float
    high_usd: float
    more_calls: int = 0
    more_usd: float = 0.0

    @property
    def priced(self) -> bool:
        """Whether any book asks somebody who is paid."""
        return any(book.priced for book in self.books)


def status(shelf: Path | str) -> ShelfRead | None:
    """Return how the shelf run that goes on stands, or how the last one ended; None where there never was one."""
    return read_state(_folder(shelf))


def plan(shelf: Path | str, request: ShelfRequest | None = None) -> ShelfPlan:
    """Return the estimate of every book of a shelf and their sums, without a single call; makes no book.

    A book that cannot be estimated is in it with its error. Raises InputError where there is no book at all.
    """
    folder, asked = _folder(shelf), request or ShelfRequest()
    _check(asked)
    state = ShelfState(pid=os.getpid())
    run = _ShelfRun(folder, asked, books_on(folder), state, lambda _: None, MACHINE, log=Path(os.devnull))
    return asyncio.run(run.plan())


def run(
    shelf: Path | str,
    request: ShelfRequest | None = None,
    *,
    on_event: Callable[[ShelfEvent], None] | None = None,
    agree: Callable[[ShelfPlan], None] | None = None,
    machine: Machine = MACHINE,
) -> ShelfOutcome:
    """Run every book of a shelf, each in a process of its own, and return how all ended. Spends, within the caps.

    `agree` is shown the estimates before anything is sent, and raises where nobody agrees. What goes wrong with one book is
    in its outcome. Raises StoreBusyError while another run holds the shelf, InputError, ConfigError.
    """
    folder, asked = _folder(shelf), request or ShelfRequest()
    _check(asked)
    with held(folder):
        books = books_on(folder)
        known = read_state(folder)
        now = machine.now()
        cap, set_at = cap_in_force(asked.cap_usd, known.state if known else None, now=now)
        state = ShelfState(
            pid=os.getpid(),
            mark=mark_of_this_process(),
            cap_usd=cap,
            cap_set_at=set_at,
            rate=asked.rate or "",
            n_workers=asked.workers,
            started_at=now,
        )
        before = {book.name: book.spent_usd for book in known.state.books} if known and cap is not None else {}
        work = _ShelfRun(folder, asked, books, state, on_event or (lambda _: None), machine, log=folder / LOG_NAME)
        return asyncio.run(work.run(before, agree))


def _folder(shelf: Path | str) -> Path:
    path = Path(shelf)
    if not path.is_dir():
        raise InputError(
            f"{path} is no shelf: it is no folder",
            where=str(path),
            hint="name the folder that holds the manuscripts and books",
        )
    return path


def _check(request: ShelfRequest) -> None:
    """Raise ConfigError where a number is outside its bounds, the rate is none, or the cluster's engine is not installed."""
    parse_rate(request.rate)
    if request.ray is not None:
        from analyzer.shelf.on_ray import load_ray

        load_ray()
    if not 1 <= request.workers <= MAX_WORKERS:
        raise ConfigError(f"--workers {request.workers} is outside 1-{MAX_WORKERS}", hint="give for instance 4")
    if request.cap_usd is not None and not (math.isfinite(request.cap_usd) and request.cap_usd >= 0):
        raise ConfigError(f"--cap-usd {request.cap_usd} is no amount of dollars", hint="give a number, 0 or more")


class _ShelfRun:
    """The parts of one shelf run, put together."""

    def __init__(
        self,
        shelf: Path,
        request: ShelfRequest,
        books: tuple[Shelved, ...],
        state: ShelfState,
        listen: Callable[[ShelfEvent], None],
        machine: Machine,
        *,
        log: Path,
    ) -> None:
        if not books:
            raise InputError(
                f"there is no book and no manuscript in {shelf}",
                where=str(shelf),
                hint=f"put manuscripts into it, or make a book: {typed('init', 'MANUSCRIPT')}",
            )
        self._request = request
        self._state = state
        self._books = {book.name: book for book in books}
        cap = None if state.cap_usd is None else floor_nano(state.cap_usd)
        self.ledger = SharedLedger(cap)
        self.limiter = SharedLimiter(parse_rate(request.rate), monotonic=machine.monotonic, sleep=machine.sleep)
        entries = {b.name: Entry(b) for b in books}
        self._shelf = shelf
        self.register = Register(None, entries, self.ledger, self.limiter, machine, listen, state)
        self.house = House(self.register, min(request.workers, len(books)), log)

    async def plan(self) -> ShelfPlan:
        """Return the estimates."""
        try:
            return await self._surveyed("plan", {})
        finally:
            await self.house.close()

    async def run(self, before: dict[str, float], agree: Callable[[ShelfPlan], None] | None) -> ShelfOutcome:
        """Survey all books, ask whether to go on, run those that can be run; `before` is what they last were said to have spent."""
        try:
            made = await self._surveyed("prepare" if agree else "", before)
            if agree is not None:
                agree(made)
            self.register.shelf = self._shelf
            write_state(self._shelf, self.register.now(), whole=True)
            todo = [name for name, entry in self.register.entries.items() if entry.outcome is None]
            await self._run_all(todo)
        finally:
            await self.house.close()
        return self.register.close()

    async def _run_all(self, todo: list[str]) -> None:
        """Run the books named, in processes of this machine or on a cluster."""
        request = self._request
        if request.ray is None:
            work = self.house.each(todo, self._run_job, self.register.ended, runs=True)
            await on_signals(self.house, self.register, work)
            return
        from analyzer.shelf.on_ray import RayHouse

        n_workers = min(request.workers, len(self._books))
        far = RayHouse(self.register, n_workers, parse_rate(request.rate), request.ray)
        far.open()
        await on_signals(far, self.register, far.each(todo, self._run_job, self.register.ended))

    async def _surveyed(self, estimate: str, before: dict[str, float]) -> ShelfPlan:
        """Open every book's account and return the estimates, where they are wanted."""
        found: dict[str, Message] = {}

        def job(name: str) -> Message:
            since = self._state.cap_set_at
            return {"do": "survey", **self._asked(name), "since": since, "estimate": estimate}

        await self.house.each(list(self._books), job, found.__setitem__, runs=False)
        for name, result in found.items():
            if "money" in result:
                self.ledger.enter(name, **result["money"])
            else:
                self.ledger.enter(name, ever_nano=0, before_nano=to_nano(before.get(name, 0.0)))
            if result.get("error"):
                self.register.ended(name, result)
        return _summed([_planned(name, found.get(name, {})) for name in self._books])

    def _run_job(self, name: str) -> Message:
        return {"do": "run", **self._asked(name)}

    def _asked(self, name: str) -> Message:
        path = self._books[name].path
        path = path if self._request.ray is None else path.resolve()
        return {"path": str(path), "request": request_as_message(self._request.run)}


def _planned(name: str, result: Message) -> BookPlan:
    error = result.get("error")
    made = result.get("estimate", {})
    return BookPlan(
        name=name,
        priced=result.get("priced", False),
        error=error["text"] if error else "",
        exit_code=result.get("exit_code", 0),
        **{field: made[field] for field in BookPlan.model_fields if field in made},
    )


def _summed(books: list[BookPlan]) -> ShelfPlan:
    def total(name: str) -> float:
        return sum(round((getattr(book, name) or 0.0) * NANO) for book in books) / NANO

    return ShelfPlan(
        books=tuple(books),
        n_chapters=sum(book.n_chapters for book in books),
        n_calls=sum(book.n_calls for book in books),
        low_usd=total("low_usd"),
        likely_usd=total("likely_usd"),
        high_usd=total("high_usd"),
        more_calls=sum(book.more_calls for book in books),
        more_usd=total("more_usd"),
    )
