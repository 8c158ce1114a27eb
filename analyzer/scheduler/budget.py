"""Money: a call's worst case is reserved before it is sent and settled by its usage; no cap is ever overshot.

All sums are whole nano-dollars (1e-9 US dollars), so that they are exact.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from analyzer.errors import BudgetReachedError, ConfigError

if TYPE_CHECKING:
    from analyzer.storage.store import Store

NANO = 1_000_000_000
STOP_AT_LIKELY = 4.0
"""A run stops at this many times its likely estimate. Source: the product's promise."""


def to_nano(usd: float) -> int:
    """Return US dollars in nano-dollars, rounded up; float noise below a thousandth of one does not round up."""
    return math.ceil(round(usd * NANO, 3))


class Ledger(Protocol):
    """Money that several runs share. A run asks it after its own limits, with the same reservation, before anything is sent."""

    async def opened(self, spent_nano: int) -> None:
        """Take in what the book's store counts as ever spent, lost calls in full: told once, before the first reservation."""
        ...

    async def reserve(self, nano: int) -> None:
        """Book `nano` (above 0) as soon as it fits; waits while only open reservations stand in the way.

        Raises BudgetReachedError where settled spending alone leaves no room. Cancelled, it has booked nothing.
        """
        ...

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        """End a reservation with what it cost."""
        ...


class _Limit(NamedTuple):
    name: str
    limit_nano: int
    before_nano: int
    hint: str


class Budget:
    """What may still be spent. One object a run, used from one event loop.

    `cap_usd` counts what was spent since it was set (`spent_usd`, earlier runs and lost calls included) and this run;
    `likely_usd` (times `STOP_AT_LIKELY`) and `balance_usd` count this run alone. None: no such limit. `shared` is money this run
    shares with others: what fits here must fit there too.
    """

    def __init__(
        self,
        *,
        cap_usd: float | None = None,
        spent_usd: float = 0.0,
        likely_usd: float | None = None,
        balance_usd: float | None = None,
        shared: Ledger | None = None,
    ) -> None:
        self._shared = shared
        self._limits: list[_Limit] = []
        if cap_usd is not None:
            hint = "raise --cap-usd and run again: nothing that was answered is asked again"
            self._limits.append(_Limit("the cap", floor_nano(cap_usd), to_nano(spent_usd), hint))
        if likely_usd is not None:
            hint = "look at `bill`: the book costs far more than planned; run again to go on"
            limit = floor_nano(STOP_AT_LIKELY * likely_usd)
            self._limits.append(_Limit(f"{STOP_AT_LIKELY:g} times the likely estimate", limit, 0, hint))
        if balance_usd is not None:
            hint = "add to the balance and run again with the new --balance-usd"
            self._limits.append(_Limit("the balance", floor_nano(balance_usd), 0, hint))
        self._before_nano = to_nano(spent_usd)
        self.spent_nano = 0
        self.open_nano = 0
        self._n_open = 0
        self._turn = asyncio.Lock()
        self._settled = asyncio.Event()

    @property
    def spent_usd(self) -> float:
        """What this run spent so far, settled calls only."""
        return self.spent_nano / NANO

    @property
    def counted_usd(self) -> float:
        """What counts against the cap: spent before and in this run, and open reservations in full."""
        return (self._before_nano + self.spent_nano + self.open_nano) / NANO

    async def reserve(self, nano: int, *, where: str = "") -> None:
        """Book `nano` as soon as it fits, in the order asked; waits while only open reservations stand in the way.

        Raises BudgetReachedError when settled spending alone leaves no room for it.
        """
        if nano == 0:
            self._n_open += 1
            return
        async with self._turn:
            while True:
                full = self._blocking(nano)
                if full is None:
                    break
                if not self.open_nano:
                    raise self._reached(full, nano, where)
                self._settled.clear()
                await self._settled.wait()
            self._n_open += 1
            self.open_nano += nano
        if self._shared is not None:
            await self._reserve_shared(self._shared, nano)

    async def _reserve_shared(self, shared: Ledger, nano: int) -> None:
        """Book the same where it is shared; what is not to be had there is not held here either."""
        try:
            await shared.reserve(nano)
        except BaseException:
            self._end(nano, 0)
            raise

    def settle(self, reserved_nano: int, spent_nano: int) -> None:
        """End a reservation: `spent_nano` is what the call cost (all that was reserved where its usage is missing)."""
        self._end(reserved_nano, spent_nano)
        if self._shared is not None and reserved_nano:
            self._shared.settle(reserved_nano, spent_nano)

    def _end(self, reserved_nano: int, spent_nano: int) -> None:
        self._n_open -= 1
        self.open_nano -= reserved_nano
        self.spent_nano += spent_nano
        self._settled.set()

    def _blocking(self, nano: int) -> _Limit | None:
        """Return the limit that `nano` more would overstep, or None."""
        booked = self.spent_nano + self.open_nano + nano
        return next((limit for limit in self._limits if limit.before_nano + booked > limit.limit_nano), None)

    def _reached(self, full: _Limit, nano: int, where: str) -> BudgetReachedError:
        spent = (full.before_nano + self.spent_nano) / NANO
        return BudgetReachedError(
            f"{full.name} of ${full.limit_nano / NANO:.6f} is reached: ${spent:.6f} is spent and the next call may cost"
            f" ${nano / NANO:.6f}",
            where=where,
            hint=full.hint,
        )


def floor_nano(usd: float) -> int:
    """Return US dollars in nano-dollars, rounded down; float noise below a thousandth of one does not round down."""
    return math.floor(round(usd * NANO, 3))


def cap_in_force(wanted: float | None, store: Store, *, now: float) -> tuple[float | None, float | None]:
    """Return the cap in US dollars and since when it counts (epoch seconds), or None for both.

    A new figure is kept in the store and starts counting now; the same figure again, or none, counts on: resumes do not
    begin anew. Raises ConfigError where the cap in the store is no amount and no new one is given: without it a run would
    spend what somebody did not want spent.
    """
    text, set_at = store.setting("cap_usd"), _amount(store.setting("cap_set_at"))
    known = _amount(text)
    if wanted is None:
        if text and known is None:
            raise ConfigError(f"the cap kept in this book, {text[:40]!r}, is no amount", hint="give one: --cap-usd X")
        return (None, None) if known is None else (known, set_at)
    if known != wanted:
        store.put_setting("cap_usd", repr(wanted))
        store.put_setting("cap_set_at", repr(now))
        return wanted, now
    return wanted, set_at


def _amount(text: str | None) -> float | None:
    """Return a stored number, None where it is missing or none that is finite and not below 0."""
    try:
        number = float(text) if text else -1.0
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
