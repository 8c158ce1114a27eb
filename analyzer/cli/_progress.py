"""Progress on stderr: calls, cache share, money of cap, time left; one rewritten line on a terminal, else a line now and then."""

from __future__ import annotations

import os
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING

from analyzer.cli._screen import columns, safe, usd

if TYPE_CHECKING:
    from analyzer.scheduler.events import Event, Progress

EVERY_S = 0.2
EVERY_S_PLAIN = 10.0
DUMB = frozenset({"dumb", "unknown"})
"""Terminals that cannot go back in a line."""


class Screen:
    """Shows a run while it goes on; `with Screen(model) as screen: ... screen.event`."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._tty = sys.stderr.isatty() and os.environ.get("TERM") not in DUMB
        self._last = 0.0
        self._open = False
        self._shown = ""
        self._newest = ""

    def __enter__(self) -> Screen:
        """Start showing."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the last word of the run standing where it came to an end of its own."""
        self._clear()
        if error is None and (self._tty or self._newest != self._shown) and self._newest:
            line = self._newest[: columns(sys.stderr) - 1] if self._tty else self._newest
            print(line, file=sys.stderr)

    def event(self, event: Event) -> None:
        """Take one event of the run."""
        if event.kind in {"warning", "retry", "stopping"}:
            self._clear()
            print(safe(event.text), file=sys.stderr)
        self._newest = progress_line(event.progress)
        now = time.monotonic()
        if now - self._last >= (EVERY_S if self._tty else EVERY_S_PLAIN):
            self._last = now
            self._show(self._newest)

    def _show(self, line: str) -> None:
        self._shown = line
        if self._tty:
            print(f"\r\x1b[K{line[: columns(sys.stderr) - 1]}", end="", file=sys.stderr, flush=True)
            self._open = True
        else:
            print(line, file=sys.stderr)

    def _clear(self) -> None:
        if self._open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._open = False


def progress_line(progress: Progress) -> str:
    """Return one line: calls, tasks, cache share, money of cap, time left."""
    pieces = [
        f"calls {progress.n_calls_done}/{max(progress.n_calls_expected, progress.n_calls_done)}{progress.at_most}"
    ]
    pieces.append(f"tasks {progress.n_tasks_done}/{progress.n_tasks}")
    if progress.cache_share is not None:
        pieces.append(f"cache {progress.cache_share:.0%}")
    if progress.n_cache_misses:
        pieces.append(f"not from cache {progress.n_cache_misses} ({usd(progress.cache_lost_usd)})")
    cap = f" of {usd(progress.cap_usd)}" if progress.cap_usd is not None else ""
    pieces.append(f"spent {usd(progress.spent_usd)}{cap}")
    if progress.eta_s is not None:
        pieces.append(f"left {int(progress.eta_s // 60)}:{int(progress.eta_s % 60):02d}")
    return "  ".join(pieces)
