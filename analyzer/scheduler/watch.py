"""The cache watchdog: what a call should have read from the provider's cache against what it reports, and why they differ.

What it says of causes is likely, never certain: a provider tells tokens and nothing else. Where the cause is too many calls a
minute on one prefix, `Pace` slows the calls down and lets them go faster again as soon as reads come back.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from analyzer.llm.asker import Profile
from analyzer.llm.usage import count_tokens, estimate_tokens
from analyzer.models.question import Pack
from analyzer.models.run import CACHE_REMARK, CacheFault, CacheLoss, Price, Usage
from analyzer.scheduler.warm import Entry, levels_of

if TYPE_CHECKING:
    from analyzer.storage.store import Store

CACHE_MARGIN = 1.15
"""A prefix counts on the cache from this many times the provider's minimum, and counts as read above this part of what we count:
our token counts differ by that much from the provider's. Once it has told how long a prefix is, its own count is taken."""
MINUTE_S = 60.0
SPEED_UP = 1.0
"""Calls a minute that every read adds to a lowered pace: a pace at which all is read doubles in a minute. Source: a choice."""
SHOWN_NANO = 50_000
"""A loss from here on is no 0 in the four places money is shown in."""
SCATTERED_S = 120.0
"""So long after an overflow a missing read is laid to it. Source: a choice; two of the minutes providers count in."""
STOPS: frozenset[CacheFault] = frozenset({"nothing_read", "part_read", "double_write"})
"""What stops a run that was told to stop: the others are none of its provider's faults, or answered by a lower pace."""


class Finding(NamedTuple):
    """One call that read less than it should: tokens `expected` and `read`, what the difference cost (nano-dollars), in words."""

    fault: CacheFault
    expected: int
    read: int
    lost_nano: int
    words: str

    @property
    def remark(self) -> str:
        """Return what stands in the call's row: fault, reported of expected, then the cause."""
        return f"{CACHE_REMARK}{self.fault}, {self.read:,} of {self.expected:,} tokens read; {self.words}"

    def told(self, model: str, chapter: int, step: str) -> str:
        """Return the sentence a run tells."""
        if self.fault == "too_short":
            return f"chapter {chapter} is too short for the cache of {model}: {self.words}"
        if self.read >= self.expected:
            return f"{model} wrote more than the prefix of chapter {chapter} to its cache (step {step}): {self.words}"
        read = (
            f"{self.read:,} of about {self.expected:,} tokens were"
            if self.read
            else f"none of about {self.expected:,} tokens was"
        )
        lost = f"; this call cost ${self.lost_nano / 1e9:.4f} more by that" if self.lost_nano >= SHOWN_NANO else ""
        return f"{model} did not read the prefix of chapter {chapter} from its cache ({read}, step {step}): {self.words}{lost}"


LOSSES = "cache_losses"
"""The setting of a store that keeps what its runs lost."""


def losses_as_text(losses: Sequence[CacheLoss]) -> str:
    """Return losses as they are kept."""
    return json.dumps([loss.model_dump() for loss in losses])


def losses_in(store: Store) -> tuple[CacheLoss, ...]:
    """Return what the runs of a book lost, none where nothing was; raises IntegrityError."""
    return store.kept(LOSSES, tuple[CacheLoss, ...]) or ()


@dataclass
class Losses:
    """What was found in a run so far, by fault; `before` is what earlier runs of the book left."""

    before: tuple[CacheLoss, ...] = ()
    run: dict[CacheFault, CacheLoss] = field(default_factory=dict)

    def add(self, found: Finding) -> int:
        """Count a finding; return how many of its kind the run has by now."""
        one = CacheLoss(
            fault=found.fault,
            n_calls=1,
            n_tokens=max(0, found.expected - found.read),
            lost_nano=found.lost_nano,
            cause=found.words,
        )
        known = self.run.get(found.fault)
        self.run[found.fault] = known + one if known else one
        return self.run[found.fault].n_calls

    @property
    def n_calls(self) -> int:
        """How many calls of this run lost something; what no provider caches is not lost."""
        return sum(loss.n_calls for loss in self.run.values() if loss.fault != "too_short")

    @property
    def of_run(self) -> tuple[CacheLoss, ...]:
        """What this run lost, the dearest first."""
        return tuple(sorted(self.run.values(), key=lambda loss: (-loss.lost_nano, loss.fault)))

    @property
    def of_book(self) -> tuple[CacheLoss, ...]:
        """What all runs of the book lost, the dearest first."""
        both = {loss.fault: loss for loss in self.before}
        for fault, loss in self.run.items():
            both[fault] = both[fault] + loss if fault in both else loss
        return tuple(sorted(both.values(), key=lambda loss: (-loss.lost_nano, loss.fault)))


@dataclass
class Pace:
    """How many calls a minute go out on one prefix: unbounded until an overflow was seen, never below `least`."""

    least: float
    rate: float | None = None
    _fell_from: float = 0.0
    _changed_at: float = float("-inf")
    _next_at: float = float("-inf")
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def wait(self, now: Callable[[], float], pause: Callable[[float], Awaitable[None]]) -> None:
        """Return when the next call may go, in the order of asking; at once while no overflow was seen."""
        if self.rate is None:
            return
        async with self._turn:
            left = self._next_at - now()
            if left > 0 and self.rate is not None:
                await pause(left)
            if self.rate is not None:
                self._next_at = now() + MINUTE_S / self.rate

    def overflowed(self, n_in_minute: int, *, sent_at: float, now: float) -> bool:
        """Halve the pace; return False where the call was sent before the last change, which it says nothing about."""
        if sent_at <= self._changed_at or (self.rate is not None and self.rate <= self.least):
            return False
        before = min(self.rate or n_in_minute, n_in_minute)
        self.rate = max(self.least, before / 2)
        self._fell_from = max(self._fell_from, n_in_minute, 2 * self.rate)
        self._changed_at = now
        return True

    def read(self, *, sent_at: float) -> bool:
        """Take in that a call sent after the last change read all it should; return True where the pace is unbounded by that."""
        if self.rate is None or sent_at <= self._changed_at:
            return False
        self.rate += SPEED_UP
        if self.rate >= self._fell_from:
            self.rate, self._fell_from = None, 0.0
            return True
        return False


class Sent(NamedTuple):
    """A call on its way: when it went out (monotonic seconds), and how many went out on its prefix in the minute before."""

    at: float
    n_in_minute: int


class CacheWatch:
    """Looks at the calls of one model. Takes prefixes by their levels, and learns their length from what is reported."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._told: dict[bytes, int] = {}
        self._was_read: set[bytes] = set()
        self._sent: dict[bytes, deque[float]] = {}
        self._overflowed_at = float("-inf")
        self.pace = Pace(float(profile.calls_per_prefix or 1))

    def sent(self, pack: Pack, now: float) -> Sent:
        """Take in that a call goes out now. Calls count together where their prefixes begin alike, as providers route them."""
        first = levels_of(pack.parts[:1])
        times = self._sent.setdefault(first[0] if first else b"", deque())
        times.append(now)
        while times[0] <= now - MINUTE_S:
            times.popleft()
        return Sent(now, len(times))

    def look(self, pack: Pack, entry: Entry, sent: Sent, usage: Usage, price: Price | None) -> Finding | None:
        """Return what is wrong with what a call read and wrote, None where nothing is."""
        if not entry.levels or not usage.total_input:
            return None
        ends = self._ends(pack, entry.levels)
        whole = ends[-1]
        self._learn(entry, usage, whole)
        least = self._profile.min_prefix_tokens
        n_warm = max(entry.n_warm, entry.n_lapsed)
        if n_warm and usage.cache_read < ends[n_warm - 1]:
            ends = _scaled(ends, usage.total_input / (ends[-1] + estimate_tokens(pack.tail)))
            whole = ends[-1]
        expected = self._rounded(ends[n_warm - 1]) if n_warm else 0
        if expected < CACHE_MARGIN * max(1, least):
            expected = 0
        if not expected:
            if 0 < whole < least and not usage.cache_read and not usage.cache_write:
                said = f"the prefix has about {whole:,} tokens, and below {least:,} this provider caches nothing"
                return Finding(
                    "too_short", 0, 0, 0, f"{said}: short chapters cost their full input price at every call"
                )
            return None
        margin = 1.0 if entry.levels[n_warm - 1] in self._told else CACHE_MARGIN
        if usage.cache_read * margin >= expected:
            self._was_read.add(entry.levels[n_warm - 1])
            return self._needless(entry, usage, whole, price)
        fault, cause = self._why(pack, entry, sent, usage, ends[:n_warm], margin)
        return Finding(fault, expected, usage.cache_read, _lost(usage, expected, price), cause)

    def _needless(self, entry: Entry, usage: Usage, whole: int, price: Price | None) -> Finding | None:
        """Return what was written beyond a prefix that was read whole: the ends of calls, which nobody reads again."""
        if entry.writes or entry.n_warm < len(entry.levels) or usage.cache_write <= (CACHE_MARGIN - 1) * whole:
            return None
        lost = int(usage.cache_write * max(0.0, price.cache_write - price.input) * 1000) if price else 0
        cause = "what stands behind the prefix is written too: the server marks more than it was told to"
        return Finding("double_write", usage.cache_read, usage.cache_read, lost, cause)

    def _why(
        self, pack: Pack, entry: Entry, sent: Sent, usage: Usage, ends: Sequence[int], margin: float
    ) -> tuple[CacheFault, str]:
        """Return the likely cause of a read that is missing, the surest first."""
        n_warm = len(ends)
        life, bound = self._profile.cache_lifetime_s, self._profile.calls_per_prefix
        if life and entry.idle_s > life:
            return "expired", f"nobody used it for {entry.idle_s:,.0f} s, and an entry is kept for {life:,.0f} s"
        again = f", and {usage.cache_write:,} were written again" if usage.cache_write else ""
        if bound and self._may_overflow(entry, sent, usage, n_warm):
            self._overflowed_at = sent.at
            n = self._most_in_minute(entry, sent)
            now = (
                f"{n} calls went out on one prefix within a minute"
                if n > bound
                else "calls had gone out too fast just before"
            )
            where = f"above {bound} a minute this provider sends them to machines that do not have it"
            return "overflow", f"{now}, and {where}{again}"
        if usage.cache_read:
            n_read = sum(end <= usage.cache_read * margin for end in ends)
            missing = " and ".join(part.name for part in pack.parts[n_read:n_warm])
            return (
                "part_read",
                f"the part {missing} is missing{again}; its entry was dropped, or its bytes are not the same",
            )
        if usage.cache_write:
            if entry.levels[n_warm - 1] in self._was_read:
                return (
                    "double_write",
                    f"it had been read before{again}: the entry was dropped, or the call came to another machine",
                )
            return (
                "double_write",
                f"nobody has read it yet{again}: its entry cannot be read this early, or a field of the request differs",
            )
        return (
            "nothing_read",
            "nothing was written either: caching is off at this address, its minimum is higher than"
            f" {self._profile.min_prefix_tokens:,} tokens, or it does not report what it reads",
        )

    def _may_overflow(self, entry: Entry, sent: Sent, usage: Usage, n_warm: int) -> bool:
        """Say whether another machine answered: so fast, of a prefix that was read before, and written there where writes are told.

        For a while after that the entries stand scattered, and a slow call may come to a machine without them too.
        """
        lately = self.pace.rate is not None or sent.at - self._overflowed_at < SCATTERED_S
        if self._most_in_minute(entry, sent) <= self._profile.calls_per_prefix and not lately:
            return False
        known = self._was_read.intersection(entry.levels[:n_warm])
        return bool(known) and bool(usage.cache_write or not self._profile.cache_marks)

    def _most_in_minute(self, entry: Entry, sent: Sent) -> int:
        """Return how many calls may have come in the same minute: those that went out meanwhile may have overtaken it."""
        return max(sent.n_in_minute, len(self._sent.get(entry.levels[0], ())))

    def _rounded(self, tokens: int) -> int:
        return tokens // self._profile.cache_unit * self._profile.cache_unit

    def _ends(self, pack: Pack, levels: Sequence[bytes]) -> list[int]:
        """Return how many tokens the prefix has up to each of its levels: as was reported, else as we count."""
        ends: list[int] = []
        for part, level in zip(pack.parts, levels, strict=True):
            known = self._told.get(level)
            ends.append((ends[-1] if ends else 0) + count_tokens(part.text) if known is None else known)
        return ends

    def _learn(self, entry: Entry, usage: Usage, counted: int) -> None:
        """Keep how long a prefix is as the provider counts it: where it goes by our marks, what is read and written ends at one.

        A figure half or twice of what we count is none of a prefix.
        """
        both = usage.cache_read + usage.cache_write
        if self._profile.cache_marks and usage.cache_write and counted / 2 < both < counted * 2:
            self._told.setdefault(entry.levels[-1], both)


def _scaled(ends: Sequence[int], share: float) -> list[int]:
    """Return ends where the provider counts fewer tokens than we do; what it counts beyond that may stand behind the prefix."""
    return [int(end * share) for end in ends] if share < 1 else list(ends)


def _lost(usage: Usage, expected: int, price: Price | None) -> int:
    """Return what reading `expected` tokens would have saved, in nano-dollars (dollars a million are thousands of these a token)."""
    if price is None:
        return 0
    missing = expected - usage.cache_read
    written = min(missing, usage.cache_write)
    dearer = written * (price.cache_write - price.cache_read) + (missing - written) * (price.input - price.cache_read)
    return max(0, int(dearer * 1000))
