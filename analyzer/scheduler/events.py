"""What a run tells while it goes on, what it is given and what it returns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from analyzer.errors import AnalyzerError
from analyzer.models.issue import Issue
from analyzer.models.run import CacheLoss, CachePolicy, Usage

if TYPE_CHECKING:
    from analyzer.scheduler.budget import Ledger
    from analyzer.scheduler.slots import Limiter

EventKind = Literal["progress", "warning", "retry", "stopping", "chapter"]


class Progress(NamedTuple):
    """How far a run is.

    `n_calls_expected` is what the calls so far lead to expect, never below what is known to come.
    `n_cache_misses` calls read too little from the cache, which cost `cache_lost_usd` more. `cache_share` is the
    share of all input tokens read from the cache, None before the first usage. `spent_usd` counts against the cap (what
    was spent since it was set, open reservations in full). `eta_s` are seconds left, None where nothing can be said.
    `n_calls_at_most` is more than is expected where an edit may lead to questions that nobody can foresee.
    """

    n_calls_done: int
    n_calls_expected: int
    n_tasks_done: int
    n_tasks: int
    cache_share: float | None
    spent_usd: float
    cap_usd: float | None
    eta_s: float | None
    n_calls_at_most: int = 0
    n_cache_misses: int = 0
    cache_lost_usd: float = 0.0

    @property
    def at_most(self) -> str:
        """` (up to N)` where an edit may lead to more calls than are expected, else nothing."""
        most = self.n_calls_at_most
        return f" (up to {most:,})" if most > max(self.n_calls_expected, self.n_calls_done) else ""


class Event(NamedTuple):
    """Something a run says: `text` is one sentence for people; `progress` comes with every event."""

    kind: EventKind
    text: str
    progress: Progress
    step: str = ""
    chapter: int = 0


@dataclass(frozen=True)
class RunOptions:
    """How a run may spend and behave.

    `cap_usd` counts all spent since `cap_set_at` (epoch seconds; None: ever), resumes included. `balance_usd` is what is
    left at the provider at the start. `likely_usd` is the plan's likely estimate of this run. `concurrency` 0 means the
    profile's. `expected_calls` is the plan's figure, 0 where unknown, `more_calls` what may come on top of it. `folder` is where
    the status file goes, None: nowhere.
    `strict` asks again where any byte of the prefix moved. `sigint` lets Ctrl-C end the run in order. `ledger` and `limiter` are
    those of runs this one shares its money and its rate with, None: it is alone.
    """

    cap_usd: float | None = None
    cap_set_at: float | None = None
    balance_usd: float | None = None
    likely_usd: float | None = None
    concurrency: int = 0
    cache_policy: CachePolicy = "warn"
    strict: bool = False
    allow_unpriced: bool = False
    expected_calls: int = 0
    more_calls: int = 0
    folder: Path | None = None
    sigint: bool = False
    ledger: Ledger | None = None
    limiter: Limiter | None = None


class Replaced(NamedTuple):
    """Answers of other models the bible rested on before a run: `models` answered in these of its `chapters`."""

    models: tuple[str, ...]
    chapters: tuple[int, ...]


class Unkept(NamedTuple):
    """A handle an edit did not leave with who had it: `name` is how that one was called, `now` who has the names of before.

    He is gone, has another handle (`moved`), is one with somebody (`joined`), or some `names` are another's now (`split`).
    """

    handle: str
    name: str
    how: Literal["gone", "moved", "joined", "split"]
    now: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunOutcome:
    """How a run ended; everything that arrived is stored, whatever the exit code.

    `exit_code` 0: everything asked is answered; 7: finished, `unanswered` question keys have no answer, `waiting` packs
    (step, chapter) wait for one; 130: Ctrl-C; else that of `error`. `n_calls` were sent, failed ones included.
    `spent_usd` is what this run cost. `issues` are those of the tasks settled in this run.
    `n_cache_misses` calls read less from the provider's cache than they should have, `cache_losses` says why, the dearest first.
    `n_spared` second looks were left out, as certainty.toml says. `pending` are answer files people
    have still to write, `unread` says of those they wrote what in them was no answer. `replaced`: whose answers the bible
    rested on before, where that was another model. `unkept`: handles an edit of the text did not leave with who had them.
    """

    exit_code: int
    run_id: str
    n_calls: int = 0
    n_tasks: int = 0
    n_unchanged: int = 0
    n_answers: int = 0
    n_reused: int = 0
    n_spared: int = 0
    notes_filled: int = 0
    usage: Usage = field(default_factory=Usage)
    spent_usd: float = 0.0
    n_cache_misses: int = 0
    cache_losses: tuple[CacheLoss, ...] = ()
    unanswered: tuple[str, ...] = ()
    waiting: tuple[tuple[str, int], ...] = ()
    issues: tuple[Issue, ...] = ()
    pending: tuple[Path, ...] = ()
    unread: tuple[str, ...] = ()
    replaced: Replaced | None = None
    unkept: tuple[Unkept, ...] = ()
    error: AnalyzerError | None = None


@dataclass(frozen=True)
class Machine:
    """What a run takes from the machine it runs on: tests give their own."""

    now: Callable[[], float]
    monotonic: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    jitter: Callable[[], float]
    new_run_id: Callable[[], str]
