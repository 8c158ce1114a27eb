"""How far a run is, told at most twice a second: to whoever listens, and in the status file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from analyzer.models.run import Usage
from analyzer.scheduler.budget import NANO, Budget
from analyzer.scheduler.calls import Tally
from analyzer.scheduler.events import Event, EventKind, Machine, Progress, RunOptions
from analyzer.storage.status import StatusRecord, StepCount, write_status
from analyzer.wording import counted

EVERY_S = 0.5
"""Shortest time between two progress events or status files."""


ASKING = "asking"
"""The phase of a run that goes on; when it has ended the phase says how."""
DONE = frozenset({"finished", "unanswered"})
"""Phases of a run that did all it could: no call of its estimate is still to come."""


@dataclass
class Reporter:
    """Counts what is done and to come, and tells it. `listen` gets every event; warnings are told at once."""

    run_id: str
    model: str
    options: RunOptions
    machine: Machine
    budget: Budget
    tally: Tally
    listen: Callable[[Event], None]
    n_tasks: int
    n_tasks_done: int = 0
    n_tasks_asked: int = 0
    planned: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    phase: str = ASKING
    _told_at: float = float("-inf")
    _began_at: float = 0.0

    def begin(self) -> None:
        """Start the clock and write the first status."""
        self._began_at = self.machine.monotonic()
        self.tick(force=True)

    def plan(self, step: str, n_packs: int) -> None:
        """Count packs that must be sent."""
        if n_packs:
            self.planned[step] += n_packs

    def booked(self, step: str) -> None:
        """Count a reply that was stored."""
        self.done[step] += 1
        self.tick()

    def tell(self, kind: EventKind, text: str, *, step: str = "", chapter: int = 0) -> None:
        """Tell one thing at once."""
        self.listen(Event(kind, text, self.progress(), step, chapter))

    def tick(self, *, force: bool = False) -> None:
        """Tell how far the run is, unless that was told just now."""
        now = self.machine.monotonic()
        if not force and now - self._told_at < EVERY_S:
            return
        self._told_at = now
        progress = self.progress()
        self.listen(Event("progress", _sentence(progress), progress))
        if self.options.folder is not None:
            write_status(self.options.folder, self._status(progress))

    def progress(self) -> Progress:
        """Return how far the run is."""
        n_done = self.tally.n_done
        known = max(sum(self.planned.values()), n_done)
        expected = max(known, self.options.expected_calls)
        if self.n_tasks_done and not self.options.expected_calls:
            expected = max(known, round(known * self.n_tasks / max(1, self.n_tasks_done)))
        seconds = self.machine.monotonic() - self._began_at
        if self.phase in DONE:
            expected = n_done
        left = max(0, expected - n_done)
        return Progress(
            n_calls_done=n_done,
            n_calls_expected=expected,
            n_calls_at_most=max(expected, self._most if self.phase not in DONE else 0),
            n_tasks_done=self.n_tasks_done,
            n_tasks=self.n_tasks,
            cache_share=cache_share(self.tally.usage),
            spent_usd=self.budget.counted_usd,
            cap_usd=self.options.cap_usd,
            eta_s=seconds / n_done * left if n_done and self.phase == ASKING else None,
            n_cache_misses=self.tally.losses.n_calls,
            cache_lost_usd=sum(loss.lost_nano for loss in self.tally.losses.run.values()) / NANO,
        )

    @property
    def _most(self) -> int:
        return self.options.expected_calls + self.options.more_calls if self.options.more_calls else 0

    def _status(self, progress: Progress) -> StatusRecord:
        return StatusRecord(
            run_id=self.run_id,
            pid=os.getpid(),
            model=self.model,
            phase=self.phase,
            n_calls_done=progress.n_calls_done,
            n_calls_planned=progress.n_calls_expected,
            cache_share=progress.cache_share,
            cache_losses=self.tally.losses.of_run,
            spent_usd=progress.spent_usd,
            cap_usd=progress.cap_usd,
            eta_s=progress.eta_s,
            steps=tuple(
                StepCount(step=step, n_done=self.done[step], n_planned=max(n, self.done[step]))
                for step, n in self.planned.items()
            ),
            updated_at=self.machine.now(),
            has_ended=self.phase != ASKING,
        )


def cache_share(usage: Usage) -> float | None:
    """Return the share of all input tokens read from the cache, None where there was no input."""
    return usage.cache_read / usage.total_input if usage.total_input else None


def _sentence(progress: Progress) -> str:
    cap = f" of ${progress.cap_usd:.4f}" if progress.cap_usd is not None else ""
    share = f", {progress.cache_share:.0%} of input from cache" if progress.cache_share is not None else ""
    left = f", about {progress.eta_s:.0f} s left" if progress.eta_s is not None else ""
    return (
        f"{progress.n_calls_done} of about {counted(progress.n_calls_expected, 'call')}{progress.at_most}, "
        f"{progress.n_tasks_done} of {counted(progress.n_tasks, 'task')}{share}, ${progress.spent_usd:.4f}{cap}{left}"
    )
