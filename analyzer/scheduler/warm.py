"""Warm first: one call writes a prefix to the provider's cache, the others wait until it can be read.

A prefix is a row of levels, one per cache breakpoint (system, cast, chapter, added). Whoever comes first to levels that
are still cold writes them, alone; if it fails, the next that waits writes. Levels shared between chapters are written once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
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

    def __init__(self, warm: Warm, written: tuple[bytes, ...], *, reads: bool) -> None:
        self._warm = warm
        self._written = written
        self.reads = reads

    @property
    def writes(self) -> bool:
        """Whether others wait for this call."""
        return bool(self._written)

    def ready(self) -> None:
        """Say that the prefix can be read: everybody waiting may go. Harmless when repeated."""
        self._end("ready")

    def failed(self) -> None:
        """Say that nothing was written; harmless after `ready`. The next that waits becomes the writer."""
        self._end(None)

    def _end(self, state: _State | None) -> None:
        written, self._written = self._written, ()
        self._warm.end(written, state)


class Warm:
    """The prefixes of one model. `reads` of an entry: the whole prefix was readable when the call was let in."""

    def __init__(self, release: Release) -> None:
        self._open = release == "at_once"
        self._states: dict[bytes, _State] = {}
        self._changed = asyncio.Event()

    async def enter(self, levels: tuple[bytes, ...]) -> Entry:
        """Return as soon as no other call is writing a level this one needs: as reader, or as the writer of what is cold."""
        if self._open:
            return Entry(self, (), reads=False)
        while any(self._states.get(level) == "writing" for level in levels):
            changed = self._changed
            await changed.wait()
        cold = tuple(level for level in levels if level not in self._states)
        for level in cold:
            self._states[level] = "writing"
        return Entry(self, cold, reads=not cold)

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
