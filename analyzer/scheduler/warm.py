"""Warm first: one call writes a prefix to the provider's cache, the others wait until it can be read.

A prefix is a row of levels, one per cache breakpoint (system, cast, chapter, added). Whoever comes first to levels that
are still cold writes them, alone; if it fails, the next that waits writes. Levels shared between chapters are written once.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from typing import Literal

from analyzer.llm.asker import Release
from analyzer.models.question import Part
from analyzer.scheduler.keys import part_hash

_State = Literal["writing", "ready"]


def levels_of(parts: Sequence[Part]) -> tuple[bytes, ...]:
    """Return one digest per breakpoint, each over all parts up to it."""
    levels: list[bytes] = []
    for part in parts:
        before = levels[-1] if levels else b""
        levels.append(hashlib.sha256(before + part_hash(part.text).encode()).digest())
    return tuple(levels)


class Entry:
    """A call's way in. `writes` says whether it writes levels others wait for; end it with `ready` or `failed`, once."""

    def __init__(
        self,
        warm: Warm,
        written: tuple[bytes, ...],
        *,
        levels: tuple[bytes, ...] = (),
        n_lapsed: int = 0,
        idle_s: float = 0.0,
    ) -> None:
        """Keep how the call is let in: of its `levels` (none: nothing is waited for) all but those it writes can be read.

        The first `n_lapsed` of them could be read too had somebody used them in time; nobody did for `idle_s` seconds.
        """
        self._warm = warm
        self._written = written
        self.levels = levels
        self.n_warm = len(levels) - len(written)
        self.n_lapsed = n_lapsed
        self.idle_s = idle_s
        self.reads = bool(levels) and not written
        self._sent_at = warm.now()

    @property
    def writes(self) -> bool:
        """Whether others wait for this call."""
        return bool(self._written)

    def sent(self) -> None:
        """Say that the call goes out now: from then on the provider keeps what it reads and writes."""
        self._sent_at = self._warm.now()
        warm = self.levels[: self.n_warm]
        if warm:
            self.idle_s = max(self.idle_s, self._warm.idle_s(warm[-1]))

    def ready(self) -> None:
        """Say that the prefix can be read: everybody waiting may go. Harmless when repeated."""
        self._warm.used(self.levels, self._sent_at)
        self._end("ready")

    def failed(self) -> None:
        """Say that nothing was written; harmless after `ready`. The next that waits becomes the writer."""
        self._end(None)

    def _end(self, state: _State | None) -> None:
        written, self._written = self._written, ()
        self._warm.end(written, state)


class Warm:
    """The prefixes of one model. `reads` of an entry: the whole prefix was readable when the call was let in.

    What nobody used for longer than `lifetime_s` (0: it is not known) is cold again: one call writes it, not all at once.
    """

    def __init__(self, release: Release, lifetime_s: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self._open = release == "at_once"
        self._lifetime_s = lifetime_s
        self.now = now
        self._states: dict[bytes, _State] = {}
        self._used: dict[bytes, float] = {}
        self._changed = asyncio.Event()

    async def enter(self, levels: tuple[bytes, ...]) -> Entry:
        """Return as soon as no other call is writing a level this one needs: as reader, or as the writer of what is cold."""
        if self._open:
            return Entry(self, ())
        while any(self._states.get(level) == "writing" for level in levels):
            changed = self._changed
            await changed.wait()
        n_lapsed, idle_s = self._lapse(levels)
        cold = tuple(level for level in levels if level not in self._states)
        for level in cold:
            self._states[level] = "writing"
        return Entry(self, cold, levels=levels, n_lapsed=n_lapsed, idle_s=idle_s)

    def used(self, levels: tuple[bytes, ...], at: float) -> None:
        """Note that the provider read or wrote these levels then, which keeps them."""
        if self._lifetime_s:
            self._used |= {level: max(at, self._used.get(level, at)) for level in levels}

    def idle_s(self, level: bytes) -> float:
        """Return for how many seconds nobody has used a level; 0 where that is not watched."""
        return self.now() - self._used.get(level, self.now())

    def _lapse(self, levels: tuple[bytes, ...]) -> tuple[int, float]:
        """Forget levels nobody used in time; return how many levels could be read but for that, and for how long nobody did."""
        if not self._lifetime_s:
            return 0, 0.0
        ready = [level for level in levels if self._states.get(level) == "ready"]
        idle = {level: self.idle_s(level) for level in ready}
        late = [level for level in ready if idle[level] > self._lifetime_s]
        for level in late:
            del self._states[level]
        return (len(ready), max(idle[level] for level in late)) if late else (0, 0.0)

    def end(self, levels: tuple[bytes, ...], state: _State | None) -> None:
        """Set levels that were being written; None forgets them, so that they are written again."""
        for level in levels:
            if state is None:
                self._states.pop(level, None)
            else:
                self._states[level] = state
        if levels:
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()
