"""How fast a shelf sends: token buckets of calls and of tokens, shared by all workers, slower for all when a 429 comes.

A bucket holds `size`, and `rate - size` flows in during a minute: together they never let more than the rate through in any
minute, wherever it begins, while no single call is larger than the bucket.
"""

from __future__ import annotations

import asyncio
import math
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple

from analyzer.errors import ConfigError

MINUTE_S = 61.0
"""A provider's minute, and a second for calls that are longer on their way than others."""
BURST = 0.1
"""Share of the rate that may go at once. Source: a choice; the rest flows evenly."""
LARGEST = 0.5
"""Share of the rate a bucket grows to at most where single calls are larger than `BURST`; the other half keeps flowing."""
SLOWER = 0.7
"""What is left of the rate after a 429. Source: a choice, between halving (TCP) and a tenth."""
FASTER = 0.05
"""Share of the full rate that comes back at every step without a 429."""
STEP_S = 10.0
"""Between two steps. From 0.7 the whole rate is back in a minute."""
TOGETHER_S = 1.0
"""429s so close to each other are one: calls sent at the same rate come back together."""
LEAST = 0.05
"""The rate never falls below this share of the whole."""
LONGEST_PAUSE_S = 60.0
"""The longest wish of a provider that is granted to everybody; the call it was said to waits for all of it."""


class Rate(NamedTuple):
    """Calls and tokens (in and out) a minute; None: no bound."""

    calls: int | None = None
    tokens: int | None = None


def parse_rate(words: str | None) -> Rate:
    """Return the rate of `500/200000` (calls a minute / tokens a minute), `500` or `/200000`; raises ConfigError."""
    if words is None:
        return Rate()
    calls, _, tokens = words.partition("/")
    pieces = [piece.strip().replace("_", "") for piece in (calls, tokens)]
    if not any(pieces) or not all(not p or (p.isascii() and p.isdecimal() and int(p) > 0) for p in pieces):
        raise ConfigError(
            f"--rate {words[:40]!r} is no rate",
            where="--rate",
            hint="write calls a minute, a slash, tokens a minute: 500/200000; either may be left out",
        )
    return Rate(*(int(piece) if piece else None for piece in pieces))


@dataclass
class Bucket:
    """One bound: `rate` a minute in full, `share` of it in force. `level` is what may go at once; below 0 it is owed."""

    rate: float
    share: float = 1.0
    level: float = 0.0
    size: float = 0.0
    at: float = 0.0

    def __post_init__(self) -> None:
        self.size = max(1.0, self.rate * BURST)
        self.level = self.size

    def wait_s(self, need: float, now: float) -> float:
        """Return the seconds until `need` may go: 0 where it may go now."""
        self._flow(now)
        if need > self.size:
            self.size = max(self.size, min(need, self.rate * LARGEST))
        missing = min(need, self.size) - self.level
        return 0.0 if missing <= 1e-9 else missing / self._a_second

    def take(self, need: float) -> None:
        """Let `need` go."""
        self.level -= need

    def slow_down(self, share: float, now: float) -> None:
        """Put another share of the rate in force from now on; what had gathered is gone where it became less."""
        self._flow(now)
        if share < self.share:
            self.level = min(self.level, 0.0)
        self.share = share

    @property
    def _a_second(self) -> float:
        return max(self.rate - self.size, self.rate * LARGEST) * self.share / MINUTE_S

    def _flow(self, now: float) -> None:
        passed, self.at = max(0.0, now - self.at), now
        self.level = min(self.size, self.level + passed * self._a_second)


class SharedLimiter:
    """Lets calls go one after the other; one object a shelf run, used from one event loop.

    Without a rate nothing is held back until the first 429: then the calls of the last minute are taken for the rate.
    `n_turned_away` counts what the provider turned away.
    """

    def __init__(
        self,
        rate: Rate = Rate(),  # noqa: B008
        *,
        monotonic: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.n_turned_away = 0
        self.share = 1.0
        self._known = rate != Rate()
        self._monotonic = monotonic
        self._sleep = sleep
        self._turn = asyncio.Lock()
        self._closed_until = -math.inf
        self._slowed_at = -math.inf
        self._stepped_at = -math.inf
        self._recent: deque[float] = deque()
        now = monotonic()
        self._calls = None if rate.calls is None else Bucket(rate.calls, at=now)
        self._tokens = None if rate.tokens is None else Bucket(rate.tokens, at=now)

    async def enter(self, tokens: int) -> None:
        """Return when a call of so many tokens may be sent, in the order asked. Cancelled, it takes no place."""
        async with self._turn:
            while (wait_s := self._wait_s(tokens)) > 0:
                await self._sleep(wait_s)
            if self._calls is not None:
                self._calls.take(1)
            if self._tokens is not None:
                self._tokens.take(tokens)
            now = self._monotonic()
            self._recent.append(now)
            self._forget(now)

    def turned_away(self, retry_after_s: float | None) -> None:
        """Take in a 429: nobody sends for as long as the provider wishes, and all go on slower."""
        now = self._monotonic()
        self.n_turned_away += 1
        if retry_after_s is not None:
            self._closed_until = max(self._closed_until, now + min(retry_after_s, LONGEST_PAUSE_S))
        if now - self._slowed_at < TOGETHER_S:
            return
        self._slowed_at = self._stepped_at = now
        if not self._known and self._calls is None:
            self._forget(now)
            self._calls = Bucket(max(1.0, len(self._recent)), at=now)
        self._in_force(max(LEAST, self.share * SLOWER), now)

    def _wait_s(self, tokens: int) -> float:
        now = self._monotonic()
        self._recover(now)
        waits = [self._closed_until - now]
        if self._calls is not None:
            waits.append(self._calls.wait_s(1, now))
        if self._tokens is not None:
            waits.append(self._tokens.wait_s(tokens, now))
        return max(waits)

    def _recover(self, now: float) -> None:
        """Go faster by a step for every time without a 429; a rate that was only guessed ends once all of it is back."""
        while self.share < 1.0 and now - self._stepped_at >= STEP_S:
            self._stepped_at += STEP_S
            self._in_force(min(1.0, self.share + FASTER), now)
        if not self._known and self.share >= 1.0:
            self._calls = None

    def _in_force(self, share: float, now: float) -> None:
        self.share = share
        for bucket in (self._calls, self._tokens):
            if bucket is not None:
                bucket.slow_down(share, now)

    def _forget(self, now: float) -> None:
        while self._recent and self._recent[0] <= now - MINUTE_S:
            self._recent.popleft()
