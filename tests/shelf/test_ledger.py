"""The shared ledger: the cap is never overshot, whatever is in flight and whoever dies."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.errors import BudgetReachedError
from analyzer.scheduler.budget import Budget
from analyzer.shelf.ledger import LeaseLostError, SharedLedger

BOOKS = ("a", "b", "c")


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), cap=st.integers(0, 120), n_calls=st.integers(1, 30))
async def test_what_was_spent_never_exceeds_the_cap_over_books_that_die_and_are_taken_over(
    seed: int, cap: int, n_calls: int
) -> None:
    rng = random.Random(seed)
    ledger = SharedLedger(cap)
    billed = dict.fromkeys(BOOKS, 0)
    for book in BOOKS:
        ledger.enter(book, ever_nano=7, before_nano=rng.choice([0, 7]))
    before = ledger.spent_nano

    async def work(book: str) -> None:
        lease = ledger.lend(book)
        await asyncio.sleep(0)
        for _ in range(n_calls):
            worst = rng.randint(1, 12)
            try:
                await ledger.reserve(book, lease, worst)
            except BudgetReachedError:
                return
            billed[book] += (cost := rng.randint(0, worst))
            if rng.random() < 0.2:  # it dies with the call under way; another one reads the store, and goes on
                ledger.died(book, lease)
                ledger.settle(book, lease, worst, cost)
                assert ledger.accounts[book].open_nano == 0
                lease = ledger.lend(book)
                ledger.opened(book, lease, 7 + billed[book])
            else:
                await asyncio.sleep(0)
                ledger.settle(book, lease, worst, cost)
            assert sum(billed.values()) + before <= max(cap, before)

    await asyncio.gather(*(work(book) for book in BOOKS))
    assert ledger.spent_nano == before + sum(billed.values()) == ledger.counted_nano


async def test_a_call_waits_for_open_reservations_of_other_books_and_is_refused_only_by_what_is_spent() -> None:
    ledger = SharedLedger(10)
    a, b = ledger.lend("a"), ledger.lend("b")
    await ledger.reserve("a", a, 8)
    waiting = asyncio.create_task(ledger.reserve("b", b, 5))
    await asyncio.sleep(0)
    assert not waiting.done()
    ledger.settle("a", a, 8, 2)
    await waiting
    ledger.settle("b", b, 5, 5)
    with pytest.raises(BudgetReachedError, match="the shelf's cap") as reached:
        await ledger.reserve("a", a, 4)
    assert reached.value.where == "a" and "--cap-usd" in reached.value.hint
    await ledger.reserve("a", a, 3)


async def test_a_worker_taken_for_dead_gets_no_money_and_its_late_words_change_nothing() -> None:
    ledger = SharedLedger(100)
    old = ledger.lend("a")
    await ledger.reserve("a", old, 10)
    ledger.died("a", old)
    assert (ledger.spent_nano, ledger.counted_nano) == (10, 10), "what was in flight counts in full"
    new = ledger.lend("a")
    ledger.opened("a", new, 4)
    ledger.settle("a", old, 10, 1)
    ledger.died("a", old)
    assert ledger.counted_nano == 4, "the store knows what was spent"
    with pytest.raises(LeaseLostError):
        await ledger.reserve("a", old, 1)
    with pytest.raises(LeaseLostError):
        ledger.opened("a", old, 0)


async def test_a_reservation_given_up_while_it_waits_books_nothing() -> None:
    ledger = SharedLedger(10)
    lease = ledger.lend("a")
    await ledger.reserve("a", lease, 10)
    waiting = asyncio.create_task(ledger.reserve("a", lease, 10))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert ledger.counted_nano == 10
    ledger.settle("a", lease, 10, 0)
    await ledger.reserve("a", lease, 10)


class Shared:
    """A ledger of one account, as a run sees it."""

    def __init__(self, cap: int) -> None:
        self.ledger = SharedLedger(cap)
        self.lease = self.ledger.lend("a")

    async def opened(self, spent_nano: int) -> None:
        self.ledger.opened("a", self.lease, spent_nano)

    async def reserve(self, nano: int) -> None:
        await self.ledger.reserve("a", self.lease, nano)

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        self.ledger.settle("a", self.lease, reserved_nano, spent_nano)


async def test_the_books_own_cap_holds_beside_the_shared_one_and_what_is_refused_there_is_not_held_here() -> None:
    shared = Shared(10)
    budget = Budget(cap_usd=6e-9, shared=shared)
    await budget.reserve(5)
    assert (budget.open_nano, shared.ledger.counted_nano) == (5, 5)
    budget.settle(5, 5)
    with pytest.raises(BudgetReachedError, match=r"^the cap"):
        await budget.reserve(2)
    assert shared.ledger.counted_nano == 5
    poor = Budget(cap_usd=1.0, shared=shared)
    with pytest.raises(BudgetReachedError, match="the shelf's cap"):
        await poor.reserve(6)
    assert poor.open_nano == 0
    await poor.reserve(0)
    poor.settle(0, 0)
    assert shared.ledger.counted_nano == 5
