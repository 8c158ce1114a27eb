"""The money of a shelf: one account a book, one cap over all; a worst case is reserved here before its call is sent.

All sums are whole nano-dollars. One object a shelf run, used from one event loop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from analyzer.errors import AnalyzerError, BudgetReachedError
from analyzer.scheduler.budget import NANO


class LeaseLostError(AnalyzerError):
    """Somebody asks for money in the name of a worker whose book was given to another one."""


@dataclass
class Account:
    """One book: `spent_nano` counts against the cap, `open_nano` is reserved and not settled.

    `ever_nano` is what its store counted as ever spent when the shelf run began, `before_nano` the part of it that counts.
    """

    ever_nano: int = 0
    before_nano: int = 0
    spent_nano: int = 0
    open_nano: int = 0
    lease: int = 0


class SharedLedger:
    """What the books of a shelf may still spend together. `cap_nano` None: no cap, and everything is counted all the same."""

    def __init__(self, cap_nano: int | None = None) -> None:
        self.cap_nano = cap_nano
        self.accounts: dict[str, Account] = {}
        self._n_leases = 0
        self._turn = asyncio.Lock()
        self._settled = asyncio.Event()

    @property
    def spent_nano(self) -> int:
        """What counts against the cap by now, open reservations left out."""
        return sum(account.spent_nano for account in self.accounts.values())

    @property
    def counted_nano(self) -> int:
        """What counts against the cap, open reservations in full."""
        return sum(account.spent_nano + account.open_nano for account in self.accounts.values())

    def enter(self, book: str, *, ever_nano: int, before_nano: int) -> None:
        """Open a book's account: what its store counts as ever spent, and what of that counts against the cap."""
        self.accounts[book] = Account(ever_nano, before_nano, before_nano)

    def lend(self, book: str) -> int:
        """Return a new lease of a book, by which its worker reserves; every earlier one is void."""
        self._n_leases += 1
        account = self.accounts.setdefault(book, Account())
        account.lease = self._n_leases
        return self._n_leases

    def died(self, book: str, lease: int) -> None:
        """End a lease whose worker is gone: what it had reserved counts as spent in full, until its store says better."""
        account = self.accounts[book]
        if account.lease == lease:
            account.lease = 0
            account.spent_nano += account.open_nano
            account.open_nano = 0
            self._settled.set()

    def opened(self, book: str, lease: int, ever_nano: int) -> None:
        """Take a book's store for what it spent: the store knows every call that was sent. Raises LeaseLostError."""
        account = self._account(book, lease)
        account.spent_nano = account.before_nano + ever_nano - account.ever_nano
        self._settled.set()

    async def reserve(self, book: str, lease: int, nano: int) -> None:
        """Book `nano` for a book as soon as it fits, in the order asked; waits while only open reservations stand in the way.

        Raises BudgetReachedError when settled spending alone leaves no room for it, LeaseLostError.
        """
        async with self._turn:
            while True:
                account = self._account(book, lease)
                if self.cap_nano is None or self.counted_nano + nano <= self.cap_nano:
                    break
                if not any(one.open_nano for one in self.accounts.values()):
                    raise self._reached(book, nano)
                self._settled.clear()
                await self._settled.wait()
            account.open_nano += nano

    def settle(self, book: str, lease: int, reserved_nano: int, spent_nano: int) -> None:
        """End a reservation with what its call cost; one of a void lease was counted in full already, and nothing is done."""
        account = self.accounts[book]
        if account.lease == lease:
            account.open_nano -= reserved_nano
            account.spent_nano += spent_nano
            self._settled.set()

    def _account(self, book: str, lease: int) -> Account:
        account = self.accounts[book]
        if account.lease != lease:
            raise LeaseLostError("the book was given to another worker, which goes on with it", where=book)
        return account

    def _reached(self, book: str, nano: int) -> BudgetReachedError:
        assert self.cap_nano is not None
        return BudgetReachedError(
            f"the shelf's cap of ${self.cap_nano / NANO:.6f} is reached: ${self.spent_nano / NANO:.6f} is spent and the next"
            f" call may cost ${nano / NANO:.6f}",
            where=book,
            hint="raise --cap-usd of the shelf and run it again: nothing that was answered is asked again",
        )
