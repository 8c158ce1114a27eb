"""A run that shares its money and its rate with others: whom it asks, and when."""

from __future__ import annotations

import asyncio
import signal
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyzer import pipeline
from analyzer.storage.store import Store
from tests.e2e.tiny import SERIAL, analyse, calls, make_book, simulated
from tests.simulator import Fault, FaultPlan

CHAPTER = SERIAL[: SERIAL.index("Chapter 2")]


@dataclass
class Shared:
    """A ledger and a limiter that take down what they are asked; Ctrl-C comes as a call waits for the rate behind `most` others."""

    told: list[tuple[Any, ...]] = field(default_factory=list)
    most: int = 10_000

    async def opened(self, spent_nano: int) -> None:
        self.told.append(("opened", spent_nano))

    async def reserve(self, nano: int) -> None:
        self.told.append(("reserve", nano))

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        self.told.append(("settle", reserved_nano, spent_nano))

    async def enter(self, tokens: int) -> None:
        self.told.append(("enter", tokens))
        if self.n("enter") == self.most + 1:
            signal.raise_signal(signal.SIGINT)
        if self.n("enter") > self.most:
            await asyncio.Event().wait()

    def turned_away(self, retry_after_s: float | None) -> None:
        self.told.append(("turned_away", retry_after_s))

    def n(self, what: str) -> int:
        return sum(row[0] == what for row in self.told)


def test_a_run_reserves_every_call_where_money_is_shared_and_says_what_it_cost(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny", CHAPTER)
    shared = Shared()
    faults = FaultPlan(by_index={2: Fault("rate_limit", retry_after="0"), 4: Fault("reset")})
    with simulated(faults=faults) as sim:
        assert analyse(book, sim, ledger=shared, limiter=shared).exit_code == 0
        n_sent = len(sim.rows())
    assert shared.told[0] == ("opened", 0)
    assert shared.n("reserve") == shared.n("settle") == shared.n("enter") == n_sent
    assert [row for row in shared.told if row[0] == "turned_away"] == [("turned_away", 0.0)]
    with Store.open(book) as store:
        assert sum(row[2] for row in shared.told if row[0] == "settle") == round(store.spent_usd() * 1e9)
    again = Shared()
    with simulated() as sim:
        assert analyse(book, sim, ledger=again, limiter=again).exit_code == 0
    [opened] = again.told
    assert opened[1] == sum(row[2] for row in shared.told if row[0] == "settle")


def test_who_waits_for_the_rate_gives_up_as_the_run_stops_and_nothing_is_reserved_for_it(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny", CHAPTER)
    shared = Shared(most=4)
    with simulated() as sim:
        outcome = analyse(book, sim, ledger=shared, limiter=shared)
        n_sent = len(sim.rows())
    assert outcome.exit_code == 130 and n_sent <= 4
    assert shared.n("reserve") == shared.n("settle") > n_sent
    assert len(calls(book)) == n_sent


def test_code_that_answers_at_once_waits_for_no_rate_and_asks_for_no_money(tmp_path: Path) -> None:
    book = make_book(tmp_path / "tiny", CHAPTER)
    shared = Shared()
    assert pipeline.run(book, model="rules", ledger=shared, limiter=shared).exit_code == 0
    assert shared.told == [("opened", 0)]
